/**
 * The syntax tree of a TypeScript source, as far as the tidy tests need one: every node in source
 * order, and every module that it names. A tree and not a pattern, because guest programs in
 * strings and examples in comments look like imports too.
 */
import { parseAst } from 'vitest/node';

export interface Node {
  readonly type: string;
  readonly start: number;
  readonly [field: string]: unknown;
}

/** All nodes of a source. Throws on a source that does not parse. */
export function nodesOf(source: string, path: string): Node[] {
  const lang = path.endsWith('x') ? 'tsx' : 'ts';
  const found: Node[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    else if (isNode(value)) {
      found.push(value);
      Object.values(value).forEach(visit);
    }
  };
  visit(parseAst(source, { lang }));
  return found.sort((a, b) => a.start - b.start);
}

export interface Import {
  /** The module as written, or null where it is computed. */
  readonly specifier: string | null;
  readonly line: number;
  /** Whether the module is loaded with the source: at its top, and not for types alone. */
  readonly isLoaded: boolean;
}

/** By source: several tests ask for the imports of each. */
const imports = new Map<string, readonly Import[]>();

/** Every module that a source imports or re-exports: at its top, on demand, or for a type only. */
export function importsOf(source: string, path: string): readonly Import[] {
  const known = imports.get(source);
  if (known) return known;
  const found = nodesOf(source, path).filter(isImport).map(importOf(source));
  imports.set(source, found);
  return found;
}

const importOf =
  (source: string) =>
  (node: Node): Import => {
    const value = isNode(node.source) ? node.source.value : undefined;
    const isAtTop = node.type === 'ImportDeclaration' || node.type.startsWith('Export');
    return {
      specifier: typeof value === 'string' ? value : null,
      line: lineAt(source, node.start),
      isLoaded: isAtTop && !isForTypes(node),
    };
  };

/** The modules that are loaded with a source: imports at its top that are not for types alone. */
export const loadedWith = (source: string, path: string): string[] =>
  importsOf(source, path).flatMap(({ specifier, isLoaded }) =>
    isLoaded && specifier !== null ? [specifier] : [],
  );

function isForTypes(node: Node): boolean {
  const names = Array.isArray(node.specifiers) ? node.specifiers.filter(isNode) : [];
  const kindOf = (one: Node): unknown => one.importKind ?? one.exportKind;
  return (
    kindOf(node) === 'type' || (names.length > 0 && names.every((one) => kindOf(one) === 'type'))
  );
}

/** The line, counted from 1, of an offset. */
export function lineAt(source: string, offset: number): number {
  return source.slice(0, offset).split('\n').length;
}

function isImport(node: Node): boolean {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
    case 'ImportExpression':
    case 'TSImportType':
      return true;
    case 'ExportNamedDeclaration':
      return node.source !== null;
    default:
      return false;
  }
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}
