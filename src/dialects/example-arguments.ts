/**
 * Arguments for an example of a call, made of the schema of its tool: they show the form, and no
 * facts. A tool for which none can be made that its schema allows has no example.
 */
import type { JsonSchema, ToolSpec } from '../program/effect.ts';
import { formatWanted } from '../program/formats.ts';
import { arithmeticText, tableValue } from '../program/json-schema.ts';
import { wordsOfName } from '../program/tool-names.ts';

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
  if (schema.enum) return undefined;
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
      return numberWithin(schema, words.number, type === 'integer');
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

function textFor(name: string, schema: JsonSchema, words: ExampleWords): string {
  const { format } = schema;
  if (typeof format === 'string' && Object.hasOwn(formatted, format)) {
    return formatted[format]?.(words.number) ?? '';
  }
  if (format === undefined && schema.pattern === undefined && /(?:^|_)date$/.test(name)) {
    return formatted.date?.(words.number) ?? '';
  }
  if (schema.contentMediaType === arithmeticText) return '(2 + 3) * 4';
  const text = words.text(name);
  const least = Math.min(bound(schema.minLength) ?? 0, 200);
  const padded = text.repeat(Math.max(1, Math.ceil(least / text.length)));
  return padded.slice(0, bound(schema.maxLength)).trim();
}

function numberWithin(schema: JsonSchema, wish: number, isInteger: boolean): number {
  const step = bound(schema.multipleOf) ?? (isInteger ? 1 : 0);
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const unit = step || 0.5;
  const above = bound(exclusiveMinimum);
  const below = bound(exclusiveMaximum);
  const least = Math.max(
    bound(minimum) ?? -Infinity,
    above === undefined ? -Infinity : above + unit,
  );
  const most = Math.min(bound(maximum) ?? Infinity, below === undefined ? Infinity : below - unit);
  const within = Math.min(Math.max(wish, least), most);
  if (step === 0 || within % step === 0) return within;
  const up = Math.ceil(within / step) * step;
  return up <= most ? up : Math.floor(within / step) * step;
}

/** Whether a value is what the keywords above want that it could miss. */
function isAllowed(value: unknown, schema: JsonSchema): boolean {
  const { type, pattern, minLength, maxLength, enum: values } = schema;
  const types = [type ?? []].flat();
  if (types.length > 0 && !types.some((one) => isOfType(value, one))) return false;
  if (values && !values.includes(value)) return false;
  if (typeof value === 'number') return isWithin(value, schema);
  if (typeof value !== 'string') return true;
  const isLong = value.length >= (bound(minLength) ?? 0);
  if (!isLong || value.length > (bound(maxLength) ?? Infinity)) return false;
  return formatWanted(schema.format, value) === undefined && isLike(value, pattern);
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object')
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  if (type === 'integer') return Number.isSafeInteger(value);
  return typeof value === type;
}

function isWithin(value: number, schema: JsonSchema): boolean {
  const step = bound(schema.multipleOf);
  return (
    value >= (bound(schema.minimum) ?? -Infinity) &&
    value <= (bound(schema.maximum) ?? Infinity) &&
    value > (bound(schema.exclusiveMinimum) ?? -Infinity) &&
    value < (bound(schema.exclusiveMaximum) ?? Infinity) &&
    (step === undefined || step === 0 || Number.isInteger(value / step))
  );
}

/** A pattern that no engine of ours reads allows nothing that an example could show. */
function isLike(text: string, pattern: unknown): boolean {
  if (pattern === undefined) return true;
  if (typeof pattern !== 'string') return false;
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return false;
  }
}

const bound = (value: unknown): number | undefined =>
  typeof value === 'number' ? value : undefined;
