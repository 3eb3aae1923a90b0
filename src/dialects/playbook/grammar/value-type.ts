/** Types of values as people write them, `list[str]`, `int | None`, and what they take. */
import { split } from './text.ts';

/** What a value is, by the words of Starlark. */
export type Kind = 'NoneType' | 'bool' | 'int' | 'float' | 'string' | 'list' | 'dict';

/** Of what a type takes: any value of a kind, or one whose items are such. */
export type Fit = Kind | { readonly kind: 'list' | 'dict'; readonly items: readonly Fit[] };

export interface ValueType {
  /** `None` is of every type; undefined where all is, or nobody knows what. */
  readonly fits?: readonly Fit[];
  /** The word in it that is not the name of a type. */
  readonly unknown?: string;
}

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

export function valueType(text: string, depth = 0): ValueType {
  const type = text.trim();
  if (depth > depthMax || type.length > 500) return { unknown: type };
  const either = split(type, '|');
  if (either.length > 1) return union(either, depth);
  const [, word = type, inner] = /^(\p{XIDC}+)\s*\[(.*)\]$/su.exec(type) ?? [];
  const name = word.toLowerCase();
  if (inner === undefined && name === 'any') return {};
  if (inner !== undefined && name === 'optional') return union([inner], depth);
  const fits = kinds.get(name);
  const [kind] = fits ?? [];
  if (!fits || inner === undefined || name === 'tuple') return fits ? { fits } : { unknown: word };
  if (kind !== 'list' && kind !== 'dict') return { unknown: word };
  const items = valueType(kind === 'list' ? inner : (split(inner, ',')[1] ?? 'any'), depth + 1);
  if (items.unknown !== undefined) return items;
  return { fits: [items.fits ? { kind, items: items.fits } : kind, 'NoneType'] };
}

function union(parts: readonly string[], depth: number): ValueType {
  const types = parts.map((part) => valueType(part, depth + 1));
  const other = types.find(({ fits }) => fits === undefined);
  if (other) return other;
  const fits = types.flatMap((type) => type.fits ?? []).filter((fit) => fit !== 'NoneType');
  return { fits: [...new Set(fits), 'NoneType'] };
}
