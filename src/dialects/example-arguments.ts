/**
 * Arguments for an example of a call, made of the schema of its tool: they show the form, and no
 * facts. A tool for which none can be made that its schema allows has no example.
 */
import type { JsonSchema, ToolSpec } from '../program/effect.ts';
import { fromJson } from '../program/json.ts';
import { arithmeticText, tableValue } from '../program/json-schema.ts';
import { wordsOfName } from '../program/tool-names.ts';
import { checkValue, type Written } from './schema-check.ts';

/** What values are made of where the schema names none. */
export interface ExampleWords {
  /** For a text, by the name of its parameter. */
  text(name: string): string;
  /** From 1: examples of the same tool differ by it. */
  readonly number: number;
}

const plainWords: ExampleWords = {
  number: 1,
  // `firstName` and `first_name` are a first name.
  text: (name) => wordsOfName(name).join(' ') || 'text',
};

/** The arguments that are required, by name; undefined where no example can be made of them. */
export function exampleArguments(
  spec: ToolSpec,
  words: ExampleWords = plainWords,
): ReadonlyMap<string, unknown> | undefined {
  const { properties = {}, required = [] } = spec.parameters;
  const found = new Map<string, unknown>();
  // What a person is asked for is worth showing, too.
  for (const name of new Set([...required, ...(spec.requires ?? [])])) {
    const value = exampleValue(
      name,
      Object.hasOwn(properties, name) ? properties[name] : {},
      words,
    );
    // Nothing in the place of a value is a value that is missing.
    if (value === undefined || value === null) return undefined;
    found.set(name, value);
  }
  return found;
}

/**
 * The same as they are written in brackets: in the order of the parameters, where that says which
 * is which, else by name.
 */
export function writtenExample(
  spec: ToolSpec,
  write: (value: unknown) => string,
): string | undefined {
  const found = exampleArguments(spec);
  if (!found) return undefined;
  const first = Object.keys(spec.parameters.properties ?? {}).slice(0, found.size);
  if (first.every((name) => found.has(name))) {
    return first.map((name) => write(found.get(name))).join(', ');
  }
  if (![...found.keys()].every((name) => /^[A-Za-z_]\w*$/.test(name))) return undefined;
  return [...found].map(([name, value]) => `${name}=${write(value)}`).join(', ');
}

/** How deep values in values are made. */
const depthMax = 6;

/** Keywords that a value made up here would miss more often than not. */
const narrow = ['pattern', 'multipleOf'] as const;

/** JSON data for a parameter; undefined where none can be made. */
export function exampleValue(
  name: string,
  schema: JsonSchema = {},
  words: ExampleWords = plainWords,
  depth = 0,
): unknown {
  if (depth > depthMax) return undefined;
  if (schema.contentMediaType === tableValue) return [{ name: words.text(name) }];
  const named = [schema.examples, [schema.default], schema.enum].flatMap((values) =>
    Array.isArray(values) ? values : [],
  );
  const allowed = named.find((value) => value !== undefined && isAllowed(value, schema));
  if (allowed !== undefined) return allowed;
  if (schema.enum || narrow.some((keyword) => schema[keyword] !== undefined)) return undefined;
  const choice: unknown = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(choice) && schema.type === undefined) {
    return choice
      .map((part: JsonSchema) => exampleValue(name, part, words, depth + 1))
      .find((value) => value !== undefined && value !== null);
  }
  const [type = schema.properties ? 'object' : 'string'] = [schema.type ?? []]
    .flat()
    .filter((one, _i, all) => one !== 'null' || all.length === 1);
  const value = plainValue(type, name, schema, words, depth);
  return value !== undefined && isAllowed(value, schema) ? value : undefined;
}

function plainValue(
  type: string,
  name: string,
  schema: JsonSchema,
  words: ExampleWords,
  depth: number,
): unknown {
  switch (type) {
    case 'integer':
    case 'number':
      return Math.min(
        Math.max(words.number, bound(schema.minimum) ?? -Infinity),
        bound(schema.maximum) ?? Infinity,
      );
    case 'boolean':
      return true;
    case 'null':
      return null;
    case 'array': {
      const item = exampleValue(name, schema.items, words, depth + 1);
      const count = Math.max(1, Math.min(bound(schema.minItems) ?? 1, 10));
      return item === undefined ? undefined : Array.from({ length: count }, () => item);
    }
    case 'object':
      return objectFor(schema, words, depth);
    default:
      return textFor(name, schema, words);
  }
}

function objectFor(schema: JsonSchema, words: ExampleWords, depth: number): unknown {
  const { properties = {}, required = [] } = schema;
  const entries = required.map((key): [string, unknown] => [
    key,
    exampleValue(key, Object.hasOwn(properties, key) ? properties[key] : {}, words, depth + 1),
  ]);
  return entries.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(entries);
}

/** By format, with a number from 1 in them. */
const formatted: Readonly<Record<string, (number: number) => string>> = {
  date: (number) => `2024-02-${14 + number}`,
  'date-time': (number) => `2024-02-${14 + number}T09:00:00Z`,
  time: () => '09:00:00Z',
  duration: () => 'PT1H',
  email: () => 'ann@example.org',
  uri: () => 'https://example.org',
  'uri-reference': () => 'https://example.org',
  url: () => 'https://example.org',
  hostname: () => 'example.org',
  ipv4: () => '192.0.2.1',
  ipv6: () => '2001:db8::1',
  uuid: () => '01234567-89ab-4cde-8f01-23456789abcd',
};

function textFor(name: string, schema: JsonSchema, words: ExampleWords): string | undefined {
  const { format } = schema;
  if (typeof format === 'string' && Object.hasOwn(formatted, format)) {
    return formatted[format]?.(words.number) ?? '';
  }
  if (format === undefined && /(?:^|_)date$/.test(name)) {
    return formatted.date?.(words.number) ?? '';
  }
  if (schema.contentMediaType === arithmeticText) return '(2 + 3) * 4';
  const text = words.text(name);
  const isShort = text.length < (bound(schema.minLength) ?? 0);
  return isShort || text.length > (bound(schema.maxLength) ?? Infinity) ? undefined : text;
}

/** Whether the check of a program would find nothing in the value. */
const isAllowed = (value: unknown, schema: JsonSchema): boolean =>
  checkValue('', writtenOf(value), schema).length === 0;

function writtenOf(value: unknown): Written {
  const site = { line: 0, column: 0 };
  if (Array.isArray(value)) return { kind: 'list', items: value.map(writtenOf), ...site };
  if (typeof value !== 'object' || value === null) {
    return { kind: 'literal', value: fromJson(value), ...site };
  }
  const entries = Object.entries(value).map(([name, inner]) => ({
    ...{ name, value: writtenOf(inner) },
    ...site,
  }));
  return { kind: 'object', entries, ...site };
}

const bound = (value: unknown): number | undefined =>
  typeof value === 'number' ? value : undefined;
