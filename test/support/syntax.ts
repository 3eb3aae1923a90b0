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
}

/** Every module that a source imports or re-exports: at its top, on demand, or for a type only. */
export function importsOf(source: string, path: string): Import[] {
  const found: Import[] = [];
  for (const node of nodesOf(source, path)) {
    if (!isImport(node)) continue;
    const value = isNode(node.source) ? node.source.value : undefined;
    const specifier = typeof value === 'string' ? value : null;
    found.push({ specifier, line: lineAt(source, node.start) });
  }
  return found;
}

/** The modules that are loaded with a source: imports at its top that are not for types alone. */
export function loadedWith(source: string, path: string): string[] {
  return nodesOf(source, path).flatMap((node) => {
    const isStatic =
      node.type === 'ImportDeclaration' || node.type.startsWith('Export') ? isImport(node) : false;
    const value = isNode(node.source) ? node.source.value : undefined;
    return isStatic && typeof value === 'string' && !isForTypes(node) ? [value] : [];
  });
}

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
