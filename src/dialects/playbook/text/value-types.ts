/** Types of values as people write them, `list[str]`, `int | None`, and what they take. */
import { split, unquoted } from './brackets.ts';

/** What a value is, by the words of Starlark. */
export type Kind = 'NoneType' | 'bool' | 'int' | 'float' | 'string' | 'list' | 'dict';

/** Of what a type takes: any value of a kind, one whose items are such, or one value alone. */
export type Fit =
  | Kind
  | { readonly kind: 'list' | 'dict'; readonly items: readonly Fit[] }
  | { readonly is: string | number | boolean };

export interface ValueType {
  /** Nothing, too, is of every type; undefined where all is, or nobody knows what. */
  readonly fits?: readonly Fit[];
  /** The word in it that is the name of no type. */
  readonly unknown?: string;
}

const kinds: Readonly<Record<string, ValueType>> = {
  ...named(['int'], 'int', 'integer'),
  ...named(['int', 'float'], 'float', 'number'),
  ...named(['string'], 'str', 'string', 'text'),
  ...named(['bool'], 'bool', 'boolean'),
  ...named(['list'], 'list', 'array', 'sequence', 'tuple'),
  ...named(['dict'], 'dict', 'object', 'mapping'),
};

const words: Readonly<Record<string, ValueType>> = {
  ...kinds,
  ...named([], 'none', 'null'),
  ...Object.fromEntries(['any', 'json', 'unknown', 'value'].map((name) => [name, {}])),
};

function named(all: readonly Kind[], ...names: readonly string[]) {
  const fits: readonly Fit[] = [...all, 'NoneType'];
  return Object.fromEntries(names.map((name) => [name, { fits }]));
}

/** The names of all kinds. */
export const kindWords: readonly string[] = Object.keys(kinds);

const depthMost = 10;

export function valueType(text: string, depth = 0): ValueType {
  const type = text.trim().replace(/\?$/, '');
  const either = split(type, '|');
  if (depth > depthMost) return { unknown: type };
  if (either.length > 1) return union(either, depth);
  const constant = constantIn(type);
  if (constant !== undefined) return { fits: [{ is: constant }, 'NoneType'] };
  const [, items] = /^(.+)\[\]$/s.exec(type) ?? [];
  if (items !== undefined) return containing('list', items, depth);
  const [, word = type, inner] = /^([\p{XIDC}.]+)\s*\[(.*)\]$/su.exec(type) ?? [];
  const name = word.replace(/^.*\./, '').toLowerCase();
  const plain = Object.hasOwn(words, name) ? words[name] : undefined;
  if (inner === undefined) return plain ?? { unknown: word };
  const parts = split(inner, ',');
  if (['optional', 'union', 'literal'].includes(name)) return union(parts, depth);
  if (plain?.fits?.[0] === 'dict') return containing('dict', parts[1] ?? 'any', depth);
  if (plain?.fits?.[0] !== 'list') return { unknown: word };
  return name === 'tuple' ? plain : containing('list', inner, depth);
}

function union(parts: readonly string[], depth: number): ValueType {
  const types = parts.map((part) => valueType(part, depth + 1));
  const strange = types.find(({ unknown }) => unknown !== undefined);
  if (strange) return strange;
  if (types.some(({ fits }) => fits === undefined)) return {};
  const fits = types.flatMap((type) => type.fits ?? []).filter((fit) => fit !== 'NoneType');
  return { fits: [...new Set(fits), 'NoneType'] };
}

function containing(kind: 'list' | 'dict', inner: string, depth: number): ValueType {
  const { fits, unknown } = valueType(inner, depth + 1);
  if (unknown !== undefined) return { unknown };
  return { fits: [fits ? { kind, items: fits } : kind, 'NoneType'] };
}

/** `"a"` and `3` take themselves alone, as do those of `Literal["a", 3]`. */
function constantIn(text: string): string | number | boolean | undefined {
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return Number(text);
  return /^(?:true|false)$/i.test(text) ? text.toLowerCase() === 'true' : unquoted(text);
}
