/**
 * What a file of src/ exports, another one imports: of src/, or a test, a script or a benchmark.
 * Types are left out, as the types of what is exported stand beside it.
 */
import { posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sourcesUnder, textOf } from '../support/repo.ts';
import { isNode, type Node, nodesOf } from '../support/syntax.ts';

/** Imported by a name that is computed: by bin/, and by whoever lists the codes of all layers. */
const computed = /^src\/(index|cli\/main|(.+\/)?codes)\.ts$/;

/** The functions, classes and constants that a source exports where it declares them. */
function exported(nodes: readonly Node[]): string[] {
  return nodes.flatMap(({ type, declaration }) => {
    if (type !== 'ExportNamedDeclaration' || !isNode(declaration)) return [];
    if (/^TS/.test(declaration.type)) return [];
    const { id, declarations } = declaration;
    return Array.isArray(declarations) ? declarations.map((one) => nameOf(one.id)) : [nameOf(id)];
  });
}

/** What a source takes of others: `path#name`, or `path#*` for all there is. */
function taken(nodes: readonly Node[], path: string): string[] {
  return nodes.flatMap(({ source, specifiers }) => {
    const from = isNode(source) ? source.value : undefined;
    if (typeof from !== 'string' || !from.startsWith('.')) return [];
    const target = posix.join(posix.dirname(path), from);
    const names = Array.isArray(specifiers) ? specifiers.map(takenName) : ['*'];
    return names.map((name) => `${target}#${name}`);
  });
}

function takenName(specifier: Node): string {
  if (specifier.type === 'ImportSpecifier') return nameOf(specifier.imported);
  return specifier.type === 'ExportSpecifier' ? nameOf(specifier.local) : '*';
}

const nameOf = (node: unknown): string => (isNode(node) ? String(node.name) : '');

/** `path: name` for each export that nobody takes. */
function dead(files: readonly (readonly [path: string, text: string])[]): string[] {
  const read = files.map(([path, text]) => ({ path, nodes: nodesOf(text, path) }));
  const all = new Set(read.flatMap(({ path, nodes }) => taken(nodes, path)));
  return read.flatMap(({ path, nodes }) => {
    if (!path.startsWith('src/') || computed.test(path) || all.has(`${path}#*`)) return [];
    return exported(nodes).flatMap((name) =>
      all.has(`${path}#${name}`) ? [] : [`${path}: ${name}`],
    );
  });
}

test('what is exported is imported somewhere', () => {
  const paths = sourcesUnder('src', 'test', 'scripts', 'bench', 'examples');
  expect(dead(paths.map((path) => [path, textOf(path)]))).toEqual([]);
});

describe('the check itself', () => {
  const declaring = 'export const a = 1, b = 2; export function c() {} export class D {}';

  test('sees what nobody imports, and neither types nor what is not exported', () => {
    const text = `${declaring} export type T = 1; const own = a;`;
    const names = ['a', 'b', 'c', 'D'].map((name) => `src/x/a.ts: ${name}`);
    expect(dead([['src/x/a.ts', text]])).toEqual(names);
  });

  test.each([
    "import { a, b as z, c, type D } from '../x/a.ts';",
    "import * as all from '../x/a.ts';",
    "export * from '../x/a.ts';",
    "export { a, b as z, c, D } from '../x/a.ts';",
    "const all = await import('../x/a.ts');",
  ])('takes for imported: %s', (text) => {
    expect(
      dead([
        ['src/x/a.ts', declaring],
        ['src/y/b.ts', text],
      ]),
    ).toEqual([]);
  });
});
