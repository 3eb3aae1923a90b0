/** Types of TypeScript as JSON Schema, as far as data goes; what is not understood is any value. */
import type { JsonSchema } from '../../../program/effect.ts';
import { find, splitAt, withoutComments } from './brackets.ts';

/** Names of types that a file declares, and what it says they are. */
export type Declared = ReadonlyMap<string, string>;

/** `type Mode = 'a' | 'b';` and `interface Mail { … }` of a source. */
export function declaredTypes(source: string): Declared {
  const aliases = [...source.matchAll(/\btype\s+(\w+)\s*=\s*([^;]+);/g)];
  const shapes = [...source.matchAll(/\binterface\s+(\w+)\s*(\{[^{}]*\})/g)];
  return new Map([...aliases, ...shapes].map(([, name = '', text = '']) => [name, text]));
}

const simple: ReadonlyMap<string, JsonSchema> = new Map<string, JsonSchema>([
  ['string', { type: 'string' }],
  ['number', { type: 'number' }],
  ['bigint', { type: 'integer' }],
  ['boolean', { type: 'boolean' }],
  ['null', { type: 'null' }],
  ['Date', { type: 'string', format: 'date-time' }],
  ['object', { type: 'object' }],
]);

/** Names within names beyond this are any value. */
const depthMax = 6;

export function schemaOfType(written: string, declared: Declared, depth = 0): JsonSchema {
  const text = unwrapped(withoutComments(written).replace(/^readonly\s+/, ''));
  if (text === '' || depth > depthMax) return {};
  const parts = splitAt(text, '|').filter((part) => part !== 'undefined' && part !== 'void');
  if (parts.length > 1) return union(parts, declared, depth);
  const [one = ''] = parts;
  const known = simple.get(one);
  if (known) return known;
  const literal = literalOf(one);
  if (literal !== undefined) return { enum: [literal] };
  if (one.endsWith('[]')) return listOf(one.slice(0, -2), declared, depth);
  const [, name = '', inner = ''] = /^(\w+)\s*<([\s\S]*)>$/.exec(one) ?? [];
  if (name === 'Promise') return schemaOfType(inner, declared, depth + 1);
  if (name === 'Array' || name === 'ReadonlyArray') return listOf(inner, declared, depth);
  if (name === 'Record') return { type: 'object' };
  if (one.startsWith('{')) return objectOf(one, declared, depth);
  const meant = declared.get(one);
  return meant === undefined ? {} : schemaOfType(meant, declared, depth + 1);
}

function unwrapped(text: string): string {
  const isWhole = text.startsWith('(') && find(text, '(') === 0 && splitAt(text, '|').length === 1;
  return isWhole && text.endsWith(')') ? text.slice(1, -1).trim() : text.replace(/^\|\s*/, '');
}

const listOf = (text: string, declared: Declared, depth: number): JsonSchema => ({
  type: 'array',
  items: schemaOfType(text, declared, depth + 1),
});

function union(parts: readonly string[], declared: Declared, depth: number): JsonSchema {
  const literals = parts.map(literalOf);
  if (literals.every((one) => one !== undefined)) return { enum: literals };
  const schemas = parts.map((part) => schemaOfType(part, declared, depth + 1));
  const types = schemas.map(({ type, ...rest }) =>
    typeof type === 'string' && Object.keys(rest).length === 0 ? type : undefined,
  );
  return types.every((type) => type !== undefined) ? { type: types } : {};
}

/** A string, a number, true, false or null as it is written. */
export function literalOf(text: string): unknown {
  const quoted = /^(['"`])((?:(?!\1)[^\\]|\\.)*)\1$/.exec(text)?.[2];
  if (quoted !== undefined) return quoted.replace(/\\(['"`\\])/g, '$1');
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function objectOf(text: string, declared: Declared, depth: number): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const member of splitAt(text.slice(1, -1), ';,')) {
    const found = /^(?:readonly\s+)?['"]?(\w+)['"]?(\?)?\s*:\s*([\s\S]+)$/.exec(
      withoutComments(member),
    );
    const [, name, optional, type = ''] = found ?? [];
    if (name === undefined) return { type: 'object' };
    properties[name] = schemaOfType(type, declared, depth + 1);
    if (!optional) required.push(name);
  }
  return { type: 'object', properties, required };
}
