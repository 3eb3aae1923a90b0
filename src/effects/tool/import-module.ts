/** Imports a module of the person who calls: a configuration, tools, or helpers. */
import { readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { compileFunction } from 'node:vm';

type Exports = Readonly<Record<string, unknown>>;

/** What a module exports, by name. Throws whatever importing it throws. */
export async function importAll(path: string): Promise<Exports> {
  prepareImports();
  return { ...(await import(pathToFileURL(path).href)) };
}

/** The default export of a module. Throws as `importAll` does. */
export const importDefault = async (path: string): Promise<unknown> =>
  (await importAll(path)).default;

/** A source and the same without its types, with every character in its place. */
export async function sourceOf(path: string): Promise<{ source: string; blank: string }> {
  const source = readFileSync(path, 'utf8');
  if (!/\.[mc]?ts$/.test(path)) return { source, blank: source };
  prepareImports();
  return { source, blank: stripTypeScriptTypes(source) };
}

let arePrepared = false;

function prepareImports(): void {
  if (arePrepared) return;
  arePrepared = true;
  hideTypelessWarnings();
  registerHooks({
    load: (url, context, next) => next(url, { ...context, format: formatOf(url, context.format) }),
  });
}

/**
 * The package around a plan often says `"type": "commonjs"`, which `npm init` writes. Its `.ts` and
 * `.js` files are ES modules all the same where they do not parse as CommonJS.
 */
function formatOf(url: string, format: string | null | undefined): string | null | undefined {
  const isTypeScript = format === 'commonjs-typescript';
  if (!isTypeScript && format !== 'commonjs') return format;
  if (!/^file:.*\.[jt]s$/.test(url) || url.includes('/node_modules/')) return format;
  const source = readFileSync(fileURLToPath(url), 'utf8');
  try {
    const parameters = ['exports', 'require', 'module', '__filename', '__dirname'];
    compileFunction(isTypeScript ? stripTypeScriptTypes(source) : source, parameters);
    return format;
  } catch {
    return isTypeScript ? 'module-typescript' : 'module';
  }
}

/**
 * Node warns of ES modules in a package without a `"type"`, and that type stripping may change.
 * Neither is news to the author of a plan. Other warnings are shown as usual.
 */
function hideTypelessWarnings(): void {
  const listeners = process.listeners('warning');
  process.removeAllListeners('warning');
  process.on('warning', (warning) => {
    if ('code' in warning && warning.code === 'MODULE_TYPELESS_PACKAGE_JSON') return;
    if (warning.message.includes('stripTypeScriptTypes')) return;
    for (const listener of listeners) listener(warning);
  });
}
