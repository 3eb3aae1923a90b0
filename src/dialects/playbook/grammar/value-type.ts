/** Types of values as people write them, `list[str]`, `int | None`, and what they take. */
import { split } from './text.ts';

/** What a value is, by the words of Starlark. */
export type Kind = 'NoneType' | 'bool' | 'int' | 'float' | 'string' | 'list' | 'dict';

/** Of what a type takes: any value of a kind, one whose items are such, or one value alone. */
export type Fit =
  | Kind
  | { readonly kind: 'list' | 'dict'; readonly items: readonly Fit[] }
  | { readonly is: string | number | boolean };

export interface ValueType {
  /** `None` is of every type; undefined where all is, or nobody knows what. */
  readonly fits?: readonly Fit[];
  /** The word in it that is not the name of a type. */
  readonly unknown?: string;
}

const kinds: Readonly<Record<string, readonly Kind[]>> = {
  ...named(['int'], 'int', 'integer'),
  ...named(['int', 'float'], 'float', 'number'),
  ...named(['string'], 'str', 'string', 'text'),
  ...named(['bool'], 'bool', 'boolean'),
  ...named(['list'], 'list', 'array', 'sequence', 'tuple'),
  ...named(['dict'], 'dict', 'object', 'mapping'),
  ...named([], 'none', 'null'),
};

function named(fits: readonly Kind[], ...names: readonly string[]): Record<string, Kind[]> {
  return Object.fromEntries(names.map((name) => [name, [...fits, 'NoneType']]));
}

const anything: ReadonlySet<string> = new Set(['any', 'json', 'unknown', 'value']);

const depthMost = 10;

export function valueType(text: string, depth = 0): ValueType {
  const type = text.trim().replace(/\?$/, '');
  if (depth > depthMost || type.length > 500) return { unknown: type };
  const either = split(type, '|');
  if (either.length > 1) return union(either, depth);
  const [, quoted] = /^"([^"]*)"$|^'([^']*)'$/.exec(type)?.filter((one) => one !== undefined) ?? [];
  if (quoted !== undefined) return { fits: [{ is: quoted }, 'NoneType'] };
  if (/^-?\d+(?:\.\d+)?$/.test(type)) return { fits: [{ is: Number(type) }, 'NoneType'] };
  if (/^(?:true|false)$/i.test(type)) return { fits: [{ is: /^t/i.test(type) }, 'NoneType'] };
  if (type.endsWith('[]')) return containing('list', type.slice(0, -2), depth);
  const [, word = type, inner] = /^([\p{XIDC}.]+)\s*\[(.*)\]$/su.exec(type) ?? [];
  const name = word.replace(/^.*\./, '').toLowerCase();
  const fits = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  if (inner === undefined) return anything.has(name) ? {} : fits ? { fits } : { unknown: word };
  const parts = split(inner, ',');
  if (['optional', 'union', 'literal'].includes(name)) return union(parts, depth);
  if (fits?.[0] === 'dict') return containing('dict', parts[1] ?? 'any', depth);
  if (fits?.[0] !== 'list') return { unknown: word };
  return name === 'tuple' ? { fits } : containing('list', inner, depth);
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
