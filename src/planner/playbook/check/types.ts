/**
 * Whether a value that a model has written out fits: the JSON Schema of a tool's parameter, or a
 * type as playbooks declare it (`int`, `list[str]`, `int | None`), which becomes such a schema.
 */
import { typeOf } from '../../../dialects/signature.ts';
import type { JsonSchema } from '../../../program/effect.ts';
import { stringify } from '../../../program/json.ts';
import type { Expr } from '../reply/expr.ts';

const words: Readonly<Record<string, JsonSchema>> = {
  int: { type: 'integer' },
  integer: { type: 'integer' },
  float: { type: 'number' },
  number: { type: 'number' },
  str: { type: 'string' },
  string: { type: 'string' },
  text: { type: 'string' },
  bool: { type: 'boolean' },
  boolean: { type: 'boolean' },
  list: { type: 'array' },
  array: { type: 'array' },
  tuple: { type: 'array' },
  dict: { type: 'object' },
  object: { type: 'object' },
  none: { type: 'null' },
  null: { type: 'null' },
};

const depthMax = 10;

/** The schema of a declared type; undefined for one that nothing is held to. */
export function schemaOfType(text: string | undefined, depth = 0): JsonSchema | undefined {
  const type = (text ?? '').trim();
  if (type === '' || depth > depthMax) return undefined;
  if (type.endsWith('?')) return schemaOfType(`${type.slice(0, -1)} | None`, depth + 1);
  const choice = splitAt(type, '|');
  if (choice.length > 1) return anyOf(choice, depth);
  const [, word = type, inner] = /^([\p{XIDC}.]+)\s*\[(.*)\]$/su.exec(type) ?? [];
  const name = word.replace(/^.*\./, '').toLowerCase();
  if (inner !== undefined) {
    const parts = splitAt(inner, ',');
    if (name === 'optional') return anyOf([inner, 'None'], depth);
    if (name === 'union') return anyOf(parts, depth);
    if (name === 'literal') return { enum: parts.map(literalIn) };
    if (name === 'list') {
      const items = schemaOfType(inner, depth + 1);
      return { type: 'array', ...(items && { items }) };
    }
  }
  return Object.hasOwn(words, name) ? words[name] : undefined;
}

function anyOf(types: readonly string[], depth: number): JsonSchema | undefined {
  const schemas = types.map((type) => schemaOfType(type, depth + 1));
  return schemas.every((schema) => schema !== undefined) ? { anyOf: schemas } : undefined;
}

/** Parts of a type between signs that stand in no brackets. */
function splitAt(text: string, sign: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const char of text) {
    if ('[('.includes(char)) depth++;
    if ('])'.includes(char)) depth--;
    if (char === sign && depth === 0) parts.push('');
    else parts[parts.length - 1] += char;
  }
  return parts.map((part) => part.trim());
}

function literalIn(text: string): unknown {
  const [, quoted] = /^["'](.*)["']$/s.exec(text) ?? [];
  if (quoted !== undefined) return quoted;
  return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text.toLowerCase() === 'true';
}

const textMax = 80;

/** What is wrong with a value for a name: *got X for Y, want Z*; what is not known yet fits. */
export function misfit(name: string, value: Expr, schema: JsonSchema | undefined) {
  if (!schema || mayFit(value, schema)) return undefined;
  const text = value.is === 'value' ? stringify(value.value) : `a ${value.is}`;
  const shown = text.length > textMax ? `${text.slice(0, textMax)} …` : text;
  return `got ${shown} for ${name}, want ${typeOf(schema)}`;
}

function mayFit(expr: Expr, schema: JsonSchema): boolean {
  switch (expr.is) {
    case 'value':
      return fits(expr.value, schema);
    case 'ref':
      return true;
    case 'text':
      return isOf(schema, ['string']);
    case 'list':
      return isOf(schema, ['array']);
    case 'dict':
      return isOf(schema, ['object']);
  }
}

const choiceOf = ({ anyOf, oneOf }: JsonSchema): readonly JsonSchema[] | undefined => {
  const choice: unknown = anyOf ?? oneOf;
  return Array.isArray(choice) ? choice : undefined;
};

function isOf(schema: JsonSchema, kinds: readonly string[]): boolean {
  const choice = choiceOf(schema);
  if (choice) return choice.some((one) => isOf(one, kinds));
  return schema.type === undefined || [schema.type].flat().some((type) => kinds.includes(type));
}

function fits(data: unknown, schema: JsonSchema): boolean {
  const choice = choiceOf(schema);
  if (choice) return choice.some((one) => fits(data, one));
  if (schema.enum && !schema.enum.some((one) => stringify(one) === stringify(data))) return false;
  if (!isOf(schema, kindsOf(data))) return false;
  const { items, properties = {} } = schema;
  if (Array.isArray(data)) return !items || data.every((item) => fits(item, items));
  if (typeof data !== 'object' || data === null) return true;
  return Object.entries(data).every(([key, value]) => {
    const inner = Object.hasOwn(properties, key) ? properties[key] : undefined;
    return !inner || fits(value, inner);
  });
}

/** The types of JSON Schema that a value is of. */
function kindsOf(data: unknown): readonly string[] {
  if (data === null) return ['null'];
  if (Array.isArray(data)) return ['array'];
  if (typeof data === 'bigint') return ['integer', 'number'];
  if (typeof data === 'number') return Number.isInteger(data) ? ['integer', 'number'] : ['number'];
  return [typeof data];
}

/** A number or a truth that was written as a text, where the schema takes no text. */
export function unquoted(value: Expr, schema: JsonSchema | undefined): Expr {
  if (!schema || value.is !== 'value' || typeof value.value !== 'string') return value;
  if (isOf(schema, ['string'])) return value;
  const text = value.value.trim();
  const data = /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text)
    ? Number(text)
    : /^(?:true|false)$/i.test(text)
      ? text.toLowerCase() === 'true'
      : undefined;
  return data !== undefined && fits(data, schema) ? { is: 'value', value: data } : value;
}
