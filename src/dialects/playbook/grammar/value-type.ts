/** Types of values as people write them, `list[str]`, `int | None`, and what they take. */
import { split } from './text.ts';

/** What a value is, by the words of Starlark. */
export type Kind = 'NoneType' | 'bool' | 'int' | 'float' | 'string' | 'list' | 'dict';

/** Of what a type takes: any value of a kind, or one whose items are such. */
export type Fit = Kind | { readonly kind: 'list' | 'dict'; readonly items: readonly Fit[] };

const kinds: ReadonlyMap<string, readonly Kind[]> = new Map([
  ...named('int integer', 'int'),
  ...named('float number', 'int', 'float'),
  ...named('str string text', 'string'),
  ...named('bool boolean', 'bool'),
  ...named('list array tuple', 'list'),
  ...named('dict object', 'dict'),
  ...named('none null'),
]);

function named(names: string, ...fits: readonly Kind[]): [string, Kind[]][] {
  return names.split(' ').map((name) => [name, [...fits, 'NoneType']]);
}

const depthMax = 10;

/** What a type takes, `None` among it; undefined where it is anything, or nobody knows what. */
export function fitsOf(text: string, depth = 0): readonly Fit[] | undefined {
  const type = text.trim();
  if (depth > depthMax || type.length > 500) return undefined;
  const either = split(type, '|');
  if (either.length > 1) {
    const all = either.map((part) => fitsOf(part, depth + 1));
    return all.some((fits) => !fits) ? undefined : [...new Set(all.flatMap((fits) => fits ?? []))];
  }
  const [, word = type, inner] = /^(\p{XIDC}+)\s*\[(.*)\]$/su.exec(type) ?? [];
  const name = word.toLowerCase();
  if (name === 'optional') return inner === undefined ? undefined : fitsOf(inner, depth + 1);
  const fits = kinds.get(name);
  const [kind] = fits ?? [];
  if (inner === undefined || name === 'tuple') return fits;
  if (kind !== 'list' && kind !== 'dict') return undefined;
  const items = fitsOf(kind === 'list' ? inner : (split(inner, ',')[1] ?? ''), depth + 1);
  return [items ? { kind, items } : kind, 'NoneType'];
}
