/** JSON Schemas of parameters, results and replies, in the words that most of them need. */
import type { JsonSchema } from '../../program/json-schema.ts';

const mark: unique symbol = Symbol('optional');

type Field = JsonSchema & { readonly [mark]?: true };

export type Fields = Readonly<Record<string, Field>>;

/** A field that may be left out; all others are required. */
export const optional = (schema: JsonSchema): Field => ({ ...schema, [mark]: true });

/** Each of these may be left out. */
export const allOptional = (fields: Readonly<Record<string, JsonSchema>>): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, optional(schema)]));

/** An object that has these fields, and may have others. */
export function record(fields: Fields): JsonSchema {
  const entries = Object.entries(fields);
  const required = entries.filter(([, field]) => field[mark] === undefined).map(([name]) => name);
  const properties = entries.map(([name, { [mark]: _, ...schema }]) => [name, schema]);
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
  };
}

/** An object that has these fields and no others. */
export const closed = (fields: Fields): JsonSchema => ({
  ...record(fields),
  additionalProperties: false,
});

type Rules = Omit<JsonSchema, 'type' | 'description'>;

type Typed = (description?: string, rules?: Rules) => JsonSchema;

const typed =
  (type: string): Typed =>
  (description, rules = {}) => ({
    type,
    ...(description !== undefined && { description }),
    ...rules,
  });

export const text: Typed = typed('string');
export const integer: Typed = typed('integer');
export const flag: Typed = typed('boolean');

export const arrayOf = (items: JsonSchema, description?: string): JsonSchema => ({
  ...{ type: 'array', items },
  ...(description !== undefined && { description }),
});
