/**
 * The JavaScript of dist/: the modules of src/ put together into as few files as can be without
 * loading more than before. A file costs a start about as much as what stands in it, and a command
 * needs some hundred modules.
 *
 * - What is imported by `import()` stays a file of its own, at its module's own place, and so do the
 *   entries: the library, that for browsers, Starlark alone, the command line, and what threads and processes start with.
 * - What several of these share is in shared/.
 * - Packages are never taken in.
 */
import { globSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type ChunkFileNamesFunction, type Plugin, RolldownMagicString, rolldown } from 'rolldown';

/** What is started by its path, so that no import leads to it. */
const started = [
  'index.ts',
  'browser.ts',
  'starlark/index.ts',
  'cli/main.ts',
  'effects/apart/supervisor.ts',
  '**/*-thread.ts',
];

/** Where the file of a module is, as modules say it. */
const url = 'import.meta.url';

/** Writes the JavaScript of the modules in `sources`, with source maps that hold no sources, into `made`. */
export async function bundle(sources: string, made: string): Promise<void> {
  const placeOf = (module: string): string => relative(sources, module).replace(/\.ts$/, '.js');
  const place: ChunkFileNamesFunction = ({ facadeModuleId }) =>
    facadeModuleId ? placeOf(facadeModuleId) : 'shared/[name].js';
  const bundled = await rolldown({
    input: globSync(started, { cwd: sources }).map((name) => join(sources, name)),
    platform: 'node',
    // All but what rolldown itself adds, to what it has rewritten.
    external: (name) => !/^([./]|@oxc-project\/runtime\/)/.test(name),
    tsconfig: false,
    plugins: [keepPlaces(placeOf)],
    // Imported on demand by one and anyway by another: no harm, and it comes and goes.
    checks: { ineffectiveDynamicImport: false },
    onLog(level, { message }) {
      if (level === 'warn') throw new Error(message);
    },
  });
  await bundled.write({
    ...{ dir: made, format: 'esm', keepNames: true },
    // Traces need the places alone; with the sources in them the maps are half of the package.
    ...{ sourcemap: true, sourcemapExcludeSources: true },
    ...{ entryFileNames: place, chunkFileNames: place },
  });
}

/** A module finds what lies beside it where it would lie beside the module, wherever that is now. */
function keepPlaces(placeOf: (module: string) => string): Plugin {
  return {
    name: 'keep-places',
    transform(code, module) {
      if (!code.includes(url)) return null;
      const text = new RolldownMagicString(code);
      return { code: text.replaceAll(url, `import.meta.place("${placeOf(module)}")`) };
    },
    renderChunk(code, { fileName }) {
      const text = new RolldownMagicString(code);
      for (const found of code.matchAll(/import\.meta\.place\("(.*?)"\)/g)) {
        const from = relative(dirname(fileName), found[1] ?? '');
        // As `new URL(…)`, bundlers of those who use planvm would take it for a file to bring along.
        const place = `${url}.replace(/[^/]*$/, "${from}")`;
        text.overwrite(found.index, found.index + found[0].length, place);
      }
      return text.hasChanged() ? { code: text } : null;
    },
  };
}
