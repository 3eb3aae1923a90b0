/**
 * Schemas of OpenAPI as JSON Schemas that stand for themselves: references are written out, which
 * models read best, as deep as a person would read on, and circles end. What 3.0 says in its own
 * words is said in those of JSON Schema. Parts of the description that no check knows are left out.
 */
import type { JsonSchema } from '../../../program/effect.ts';
import { readSchema } from '../../../program/json-schema.ts';
import { shownText } from '../operation.ts';
import {
  type Document,
  isObject,
  type Json,
  type JsonObject,
  type Located,
  resolved,
} from './document.ts';

export interface SchemaOptions {
  readonly document: Document;
  /** What is sent lacks what is only read, and the other way round. */
  readonly direction: 'request' | 'response';
}

/** Schemas that one tool is described by, and how deep; what lies beyond is any value. */
const bounds = {
  request: { schemasMax: 300, depthMax: 16 },
  // Of results it is the names that matter, to whoever takes a part of one.
  response: { schemasMax: 80, depthMax: 8 },
} as const;
const descriptionMax = 300;

export const schemaOf = (
  { value, at }: Located,
  { document, direction }: SchemaOptions,
): JsonSchema =>
  readSchema(
    { schema: value, at },
    {
      ...bounds[direction],
      find(ref, from) {
        const found = resolved(document, document.find(ref, from));
        return { schema: found.value, at: found.at };
      },
      translate: (schema) => translated(schema as JsonObject, direction),
    },
  );

/** Copied where they are of the type that they should be. */
const copied: Readonly<Record<string, (value: Json) => boolean>> = {
  ...Object.fromEntries(
    ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'].map(
      (name) => [name, (value: Json) => typeof value === 'number'],
    ),
  ),
  minimum: (value) => typeof value === 'number',
  maximum: (value) => typeof value === 'number',
  multipleOf: (value) => typeof value === 'number' && value > 0,
  uniqueItems: (value) => typeof value === 'boolean',
  pattern: (value) => typeof value === 'string' && isExpression(value),
  format: (value) => typeof value === 'string',
  enum: (value) => Array.isArray(value) && value.length > 0,
  const: () => true,
  default: () => true,
  nullable: (value) => value === true,
  $ref: (value) => typeof value === 'string',
  items: (value) => isObject(value),
  allOf: (value) => Array.isArray(value) && value.length > 0,
  additionalProperties: (value) =>
    value === false || (isObject(value) && Object.keys(value).length > 0),
};

function translated(value: JsonObject, direction: SchemaOptions['direction']): JsonSchema {
  const made: Record<string, unknown> = direction === 'request' ? described(value) : {};
  const types = typesIn(value);
  if (types.length > 0) made.type = types.length === 1 ? types[0] : types;
  for (const [name, fits] of Object.entries(copied)) {
    const given = value[name];
    if (given !== undefined && fits(given)) made[name] = given;
  }
  addBounds(made, value);
  if (value.format === 'password' || value.writeOnly === true) made.writeOnly = true;
  addMembers(made, value, direction === 'request' ? 'readOnly' : 'writeOnly');
  // Services are loose about which one it is exactly: one that fits is enough.
  const choices = [value.anyOf, value.oneOf].find((one) => Array.isArray(one) && one.length > 0);
  if (choices !== undefined) made.anyOf = choices;
  return made;
}

function described({ description, title, deprecated }: JsonObject): Record<string, unknown> {
  const text = [description, title].find((one) => typeof one === 'string' && one.trim() !== '');
  const about = typeof text === 'string' ? shownText(text, descriptionMax) : '';
  const old = deprecated === true ? 'Deprecated.' : '';
  const whole = [old, about].filter(Boolean).join(' ');
  return whole === '' ? {} : { description: whole };
}

const known: ReadonlySet<string> = new Set([
  ...['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'],
]);

/** The types, or the one that its keywords speak of. */
function typesIn({ type, properties, items }: JsonObject): string[] {
  const given = (Array.isArray(type) ? type : [type]).filter(
    (one): one is string => typeof one === 'string' && known.has(one),
  );
  if (given.length > 0) return given;
  return isObject(properties) ? ['object'] : isObject(items) ? ['array'] : [];
}

/** In 3.0 an exclusive bound is a flag beside the bound, in 3.1 the bound itself. */
function addBounds(made: Record<string, unknown>, value: JsonObject): void {
  for (const [flag, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    const given = value[flag];
    if (typeof given === 'number') made[flag] = given;
    else if (given === true && typeof value[bound] === 'number') {
      made[flag] = value[bound];
      delete made[bound];
    }
  }
}

/** Without those that are marked `hidden`. */
function addMembers(made: Record<string, unknown>, value: JsonObject, hidden: string): void {
  const { properties, required } = value;
  const members = isObject(properties)
    ? Object.entries(properties).filter(([, one]) => !(isObject(one) && one[hidden] === true))
    : [];
  if (isObject(properties)) made.properties = Object.fromEntries(members);
  const names = new Set(members.map(([name]) => name));
  const wanted = (Array.isArray(required) ? required : []).filter(
    (name) => typeof name === 'string' && (names.has(name) || !isObject(properties)),
  );
  if (wanted.length > 0) made.required = wanted;
}

function isExpression(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u').unicode;
  } catch {
    return false;
  }
}
