/**
 * Schemas of OpenAPI as JSON Schemas that stand for themselves: references are written out, which
 * models read best, as deep as a person would read on, and circles end in any value. What 3.0 says
 * in its own words is said in those of JSON Schema. Parts of the description that no check knows
 * are left out.
 */
import type { JsonSchema } from '../../../program/effect.ts';
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
  request: { schemas: 300, depth: 8 },
  // Of results it is the names that matter, to whoever takes a part of one.
  response: { schemas: 80, depth: 4 },
} as const;
const descriptionMax = 300;

interface Writing extends SchemaOptions {
  left: number;
  /** References that are being written out. */
  readonly open: readonly string[];
}

export const schemaOf = (located: Located, options: SchemaOptions): JsonSchema =>
  schema(located, { ...options, left: bounds[options.direction].schemas, open: [] }, 0);

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
};

function schema(located: Located, w: Writing, depth: number): JsonSchema {
  const made = schemaAlone(located, w, depth);
  const { value } = located;
  return isObject(value) && value.nullable === true ? orNull(made) : made;
}

/** Null stands beside references and `allOf` as it does beside a type. */
function orNull(made: JsonSchema): JsonSchema {
  const { type, enum: choice, anyOf } = made;
  const types = type === undefined ? [] : [...new Set([type, 'null'].flat())];
  const isChoice = Array.isArray(anyOf) && type === undefined;
  return {
    ...made,
    ...(types.length > 0 && { type: types }),
    ...(choice && !choice.includes(null) && { enum: [...choice, null] }),
    ...(isChoice && { anyOf: [...anyOf, { type: 'null' }] }),
  };
}

function schemaAlone(located: Located, w: Writing, depth: number): JsonSchema {
  const { value, at } = located;
  if (!isObject(value) || w.left <= 0 || depth > bounds[w.direction].depth) {
    return described(value, w);
  }
  w.left--;
  if (typeof value.$ref === 'string') {
    const name = `${at} ${value.$ref}`;
    const target = resolved(w.document, located);
    if (w.open.includes(name)) return described(target.value, w);
    const inner: Writing = { ...w, open: [...w.open, name] };
    const made = schema(target, inner, depth);
    w.left = inner.left;
    const own = described(value, w);
    return { ...made, ...own };
  }
  const made: Record<string, unknown> = described(value, w);
  const types = typesIn(value);
  if (types.length > 0) made.type = types.length === 1 ? types[0] : types;
  for (const [name, fits] of Object.entries(copied)) {
    const given = value[name];
    if (given !== undefined && fits(given)) made[name] = given;
  }
  addBounds(made, value);
  if (value.format === 'password' || value.writeOnly === true) made.writeOnly = true;
  addMembers(made, value, at, w, depth);
  if (value.items !== undefined && !Array.isArray(value.items)) {
    made.items = schema({ value: value.items, at }, w, depth + 1);
  }
  for (const name of ['oneOf', 'anyOf'] as const) {
    const all = value[name];
    if (!Array.isArray(all) || all.length === 0) continue;
    const choices = all.map((one) => schema({ value: one, at }, w, depth + 1));
    if (choices.length === 1) Object.assign(made, { ...choices[0], ...described(value, w) });
    // Services are loose about which one it is exactly: one that fits is enough.
    else made.anyOf = choices;
  }
  return Array.isArray(value.allOf) ? joined(made, value.allOf, at, w, depth) : made;
}

function described(value: Json, { direction }: SchemaOptions): Record<string, unknown> {
  if (!isObject(value) || direction === 'response') return {};
  const { description, title, deprecated } = value;
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

function addMembers(
  made: Record<string, unknown>,
  value: JsonObject,
  at: string,
  w: Writing,
  depth: number,
): void {
  const { properties, required, additionalProperties } = value;
  const hidden = w.direction === 'request' ? 'readOnly' : 'writeOnly';
  const members = isObject(properties)
    ? Object.entries(properties).filter(([, one]) => !(isObject(one) && one[hidden] === true))
    : [];
  if (isObject(properties)) {
    made.properties = Object.fromEntries(
      members.map(([name, one]) => [name, schema({ value: one, at }, w, depth + 1)]),
    );
  }
  const names = new Set(members.map(([name]) => name));
  const wanted = (Array.isArray(required) ? required : []).filter(
    (name): name is string => typeof name === 'string' && (names.has(name) || members.length === 0),
  );
  if (wanted.length > 0) made.required = wanted;
  if (additionalProperties === false) made.additionalProperties = false;
  else if (isObject(additionalProperties) && Object.keys(additionalProperties).length > 0) {
    made.additionalProperties = schema({ value: additionalProperties, at }, w, depth + 1);
  }
}

/** Objects that are to fit all of several schemas, as one: what else these say is kept, too. */
function joined(
  made: Readonly<Record<string, unknown>>,
  all: readonly Json[],
  at: string,
  w: Writing,
  depth: number,
): JsonSchema {
  let whole: JsonSchema = made;
  for (const one of all) {
    const part = schema({ value: one, at }, w, depth);
    const properties = { ...part.properties, ...whole.properties };
    const required = [...new Set([...(part.required ?? []), ...(whole.required ?? [])])];
    const { additionalProperties: _closed, ...rest } = part;
    whole = {
      ...rest,
      ...whole,
      ...(Object.keys(properties).length > 0 && { properties }),
      ...(required.length > 0 && { required }),
    };
  }
  // Closed parts would shut each other's members out.
  const { additionalProperties: _own, ...open } = whole;
  return open;
}

function isExpression(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u').unicode;
  } catch {
    return false;
  }
}
