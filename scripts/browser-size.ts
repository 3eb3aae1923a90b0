/** How much a page loads of `planvm/browser`: bundled as pages are, minified, compressed by gzip. */
import { gzipSync } from 'node:zlib';
import { type OutputChunk, rolldown } from 'rolldown';

export interface BrowserSizes {
  /** Bytes of the entry with all that it imports statically. */
  readonly entry: number;
  /** Bytes that come on top with a dialect, by the module that is loaded for it. */
  readonly onDemand: ReadonlyMap<string, number>;
  /** What the bundle imports from outside: nothing, where a browser can load it. */
  readonly external: readonly string[];
}

const source = new URL('../src/browser.ts', import.meta.url).pathname;

export async function browserSizes(): Promise<BrowserSizes> {
  const bundle = await rolldown({ input: source, platform: 'browser', tsconfig: false });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  await bundle.close();
  const chunks = new Map(output.flatMap((file) => (isChunk(file) ? [[file.fileName, file]] : [])));
  const entry = [...chunks.values()].find(({ isEntry }) => isEntry);
  const start = loadedWith(chunks, entry?.fileName ?? '');
  const onDemand = (entry?.dynamicImports ?? []).map((file): [string, number] => {
    const more = [...loadedWith(chunks, file)].filter((name) => !start.has(name));
    return [nameOf(file), sum(chunks, more)];
  });
  const imported = [...chunks.values()].flatMap(({ imports, dynamicImports }) => [
    ...imports,
    ...dynamicImports,
  ]);
  return {
    entry: sum(chunks, [...start]),
    onDemand: new Map(onDemand),
    external: imported.filter((name) => !chunks.has(name)),
  };
}

type Chunks = ReadonlyMap<string, OutputChunk>;

const isChunk = (file: { readonly type: string }): file is OutputChunk => file.type === 'chunk';

/** `starlark-Dx7Iy8jX.js` is of the module `starlark`. */
const nameOf = (file: string): string => file.replace(/-[\w-]{8}\.js$/, '');

function loadedWith(chunks: Chunks, start: string): ReadonlySet<string> {
  const found = new Set([start]);
  for (const name of found) for (const more of chunks.get(name)?.imports ?? []) found.add(more);
  return found;
}

const sum = (chunks: Chunks, names: readonly string[]): number =>
  names.reduce((bytes, name) => bytes + gzipSync(chunks.get(name)?.code ?? '').length, 0);
