/**
 * Whether a value that a model has written out fits: the JSON Schema of a tool's parameter, or a
 * type as playbooks declare it, which becomes such a schema.
 */
import { type Fit, fitsOf, type Kind } from '../../../dialects/playbook/grammar/value-type.ts';
import { typeOf } from '../../../dialects/signature.ts';
import type { JsonSchema } from '../../../program/effect.ts';
import { stringify } from '../../../program/json.ts';
import type { Expr } from '../reply/expr.ts';

const schemas: Readonly<Record<Kind, JsonSchema>> = {
  NoneType: { type: 'null' },
  bool: { type: 'boolean' },
  int: { type: 'integer' },
  float: { type: 'number' },
  string: { type: 'string' },
  list: { type: 'array' },
  dict: { type: 'object' },
};

/** The schema of a declared type; undefined for one that nothing is held to. */
export function schemaOfType(type: string | undefined): JsonSchema | undefined {
  const fits = fitsOf(type ?? 'any');
  return fits && choiceOfFits(fits);
}

function choiceOfFits(fits: readonly Fit[]): JsonSchema {
  const all = fits.map((fit): JsonSchema => {
    if (typeof fit === 'string') return schemas[fit];
    const inner = choiceOfFits(fit.items);
    return fit.kind === 'list'
      ? { type: 'array', items: inner }
      : { type: 'object', additionalProperties: inner };
  });
  return { anyOf: all };
}

/** Whether JSON-like data is of a declared type, as a number in quotes is of type int. */
export function fitsType(data: unknown, type: string): boolean {
  const schema = schemaOfType(type);
  return !schema || mayFit(unquoted({ is: 'value', value: data }, schema), schema);
}

const textMax = 80;

/**
 * What is wrong with a value for a name: *got X for Y, want Z*. What is not known yet fits. `type`
 * is the declared type, where there is one.
 */
export function misfit(
  name: string,
  value: Expr,
  schema: JsonSchema | undefined,
  type?: string,
): string | undefined {
  if (!schema || mayFit(value, schema)) return undefined;
  const text = value.is === 'value' ? stringify(value.value) : `a ${value.is}`;
  const shown = text.length > textMax ? `${text.slice(0, textMax)} …` : text;
  return `got ${shown} for ${name}, want ${type ?? typeOf(schema)}`;
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
  const { items, properties = {}, additionalProperties: others } = schema;
  if (Array.isArray(data)) return !items || data.every((item) => fits(item, items));
  if (typeof data !== 'object' || data === null) return true;
  return Object.entries(data).every(([key, value]) => {
    const inner = Object.hasOwn(properties, key) ? properties[key] : others;
    return typeof inner !== 'object' || fits(value, inner);
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
