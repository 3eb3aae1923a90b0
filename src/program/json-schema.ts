/**
 * JSON Schema as generators write it, in the keywords that prompts and checks read: references are
 * replaced by what they name, `allOf` is one object, `const` a choice of one, and a choice with
 * null a type that may be null. A reference within itself ends in its bare type.
 */
/** JSON Schema, as far as planvm looks into it; the rest is passed on. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly additionalProperties?: boolean | JsonSchema;
  readonly [keyword: string]: unknown;
}

/** The `contentMediaType` of a text that is an expression: plans compute with results in it. */
export const arithmeticText = 'text/x-arithmetic';

/** The `contentMediaType` of a table: checkers hold its rows against its columns. */
export const tableValue = 'application/x-table';

/** How deep schemas are read, and how many of one tool. */
const depthMax = 12;
const schemasMax = 2000;

/** A schema, and in which of several documents it stands. */
export interface PlacedSchema {
  readonly schema: unknown;
  readonly at: string;
}

export interface SchemaSource {
  /** What a reference in the document `at` names. */
  readonly find: (ref: string, at: string) => PlacedSchema | undefined;
  /** A schema in the words of JSON Schema, where its documents have their own. */
  readonly translate?: (schema: JsonSchema) => JsonSchema;
  readonly depthMax?: number;
  readonly schemasMax?: number;
}

interface Reading {
  readonly source: SchemaSource;
  readonly at: string;
  /** References that are being read. */
  readonly open: readonly string[];
  /** Levels that may still be read. */
  readonly depth: number;
  readonly room: { left: number };
}

/** The same schema where nothing in it has to be written in another way. */
export function plainSchema(schema: JsonSchema): JsonSchema {
  if (!isOdd(schema, 0)) return schema;
  const find = (ref: string): PlacedSchema => ({ schema: within(schema, ref), at: '' });
  const {
    $defs: _defs,
    definitions: _definitions,
    ...plain
  } = readSchema({ schema, at: '' }, { find });
  return plain;
}

export const readSchema = ({ schema, at }: PlacedSchema, source: SchemaSource): JsonSchema =>
  read(schema, {
    ...{ source, at, open: [], depth: source.depthMax ?? depthMax },
    room: { left: source.schemasMax ?? schemasMax },
  });

const oddKeys = ['$ref', '$defs', 'definitions', 'allOf', 'anyOf', 'oneOf', 'const', 'nullable'];

function isOdd(data: unknown, depth: number): boolean {
  if (typeof data !== 'object' || data === null || depth > 4 * depthMax) return false;
  if (!Array.isArray(data) && oddKeys.some((key) => Object.hasOwn(data, key))) return true;
  return Object.values(data).some((value) => isOdd(value, depth + 1));
}

function read(given: unknown, reading: Reading): JsonSchema {
  if (!isSchema(given)) return {};
  const { source, at, open, depth, room } = reading;
  const schema = source.translate ? source.translate(given) : given;
  if (depth < 0 || --room.left < 0) return typeAlone(schema);
  const inner = { ...reading, depth: depth - 1 };
  const { $ref, allOf, ...own } = schema;
  let result = membersRead(own, inner);
  if (typeof $ref === 'string') {
    const target = source.find($ref, at);
    const name = `${target?.at} ${$ref}`;
    const named = open.includes(name)
      ? typeAlone(isSchema(target?.schema) ? target.schema : {})
      : read(target?.schema, { ...inner, at: target?.at ?? at, open: [...open, name] });
    result = merged(named, result);
  }
  if (Array.isArray(allOf)) {
    const parts = allOf.map((part) => read(part, inner));
    result = [...parts, result].reduce((a, b) => merged(a, b), {});
  }
  return withChoice(result);
}

/** The schema with its inner schemas read. */
function membersRead(schema: JsonSchema, reading: Reading): JsonSchema {
  const { properties, items, anyOf, oneOf, additionalProperties, ...rest } = schema;
  return {
    ...rest,
    ...(isSchema(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, part]) => [name, read(part, reading)]),
      ),
    }),
    ...(items !== undefined && { items: Array.isArray(items) ? {} : read(items, reading) }),
    ...(Array.isArray(anyOf) && { anyOf: anyOf.map((part) => read(part, reading)) }),
    ...(Array.isArray(oneOf) && { oneOf: oneOf.map((part) => read(part, reading)) }),
    ...(additionalProperties !== undefined && {
      additionalProperties:
        typeof additionalProperties === 'boolean'
          ? additionalProperties
          : read(additionalProperties, reading),
    }),
  };
}

/** Both schemas at once; where they say the same thing differently, the second counts. */
function merged(first: JsonSchema, second: JsonSchema): JsonSchema {
  const properties: Record<string, JsonSchema> = { ...first.properties };
  for (const [name, part] of Object.entries(second.properties ?? {})) {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    Object.defineProperty(properties, name, {
      ...{ value: known ? merged(known, part) : part, enumerable: true },
      ...{ configurable: true, writable: true },
    });
  }
  const required = [...new Set([...(first.required ?? []), ...(second.required ?? [])])];
  const { additionalProperties: _closed, ...rest } = { ...first, ...second };
  // A part that is closed does not know the members of the others.
  const isOne = first.properties === undefined || second.properties === undefined;
  const closed = second.additionalProperties ?? first.additionalProperties;
  return {
    ...rest,
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
    ...(isOne && closed !== undefined && { additionalProperties: closed }),
  };
}

/** With its type, a constant as a choice, and null as a type among others. */
function withChoice(schema: JsonSchema): JsonSchema {
  const { const: constant, nullable, ...rest } = schema;
  const { anyOf } = rest;
  let result: JsonSchema = rest;
  if (Object.hasOwn(schema, 'const')) result = { ...rest, enum: [constant] };
  if (result.enum && result.type === undefined)
    result = { ...result, ...typesOfValues(result.enum) };
  const keyword = anyOf === undefined ? 'oneOf' : 'anyOf';
  const choice = schema[keyword];
  const choices: readonly JsonSchema[] = Array.isArray(choice) ? choice : [];
  const others = choices.filter((one) => one.type !== 'null');
  const [only] = others;
  const hasNull = others.length < choices.length || nullable === true;
  if (others.length > 1) {
    return { ...result, [keyword]: hasNull ? [...others, { type: 'null' }] : others };
  }
  if (only) {
    const { [keyword]: _choice, ...beside } = result;
    result = merged(only, beside);
  }
  return hasNull ? orNull(result) : result;
}

function orNull(schema: JsonSchema): JsonSchema {
  if (schema.type === undefined) return schema;
  const type = [...new Set([schema.type, 'null'].flat())];
  const choice = schema.enum && !schema.enum.includes(null) ? { enum: [...schema.enum, null] } : {};
  return { ...schema, type, ...choice };
}

function typesOfValues(values: readonly unknown[]): Pick<JsonSchema, 'type'> {
  const types = [...new Set(values.map(typeOfValue))];
  const [only, ...others] = types;
  if (only === undefined) return {};
  return { type: others.length === 0 ? only : types };
}

function typeOfValue(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

/** What is left of a schema that is not read further. */
const typeAlone = (schema: JsonSchema): JsonSchema => {
  if (typeof schema.type === 'string' || Array.isArray(schema.type)) return { type: schema.type };
  return isSchema(schema.properties) ? { type: 'object' } : {};
};

/** What a reference into the same schema names. */
function within(root: JsonSchema, ref: string): JsonSchema | undefined {
  if (!ref.startsWith('#')) return undefined;
  let found: unknown = root;
  for (const part of ref.slice(1).split('/').slice(1)) {
    const key = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = Reflect.get(found, key);
  }
  return isSchema(found) ? found : undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const isSchema = (data: unknown): data is JsonSchema =>
  typeof data === 'object' && data !== null && !Array.isArray(data);
