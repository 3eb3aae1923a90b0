/**
 * Holds an expression against a JSON Schema before its references have values. What a reference
 * brings is judged when the tool is called; here only what cannot be right is refused.
 */
import { counted, nearest } from '../program/diagnostic.ts';
import { type JsonSchema, type Site, siteOf } from '../program/effect.ts';
import { formatWanted } from '../program/formats.ts';
import { textOf, toJson } from '../program/json.ts';
import { tableValue } from '../program/json-schema.ts';
import type { Value } from '../program/value.ts';
import { branchOf, typesOf } from './signature.ts';

/** What a text says of a value: all of it, the type of it, or nothing. */
export type Written = Site &
  (
    | { readonly kind: 'literal'; readonly value: Value }
    /** A text, of which only the run knows what it says. */
    | { readonly kind: 'template' }
    /** Whatever the run brings. */
    | { readonly kind: 'reference' }
    /** Open: only the run knows how many items it has. */
    | { readonly kind: 'list'; readonly items: readonly Written[]; readonly isOpen?: true }
    | { readonly kind: 'object'; readonly entries: readonly WrittenEntry[] }
  );

interface WrittenEntry extends Site {
  readonly name: string;
  readonly value: Written;
}

export interface Misfit {
  readonly site: Site;
  readonly message: string;
  readonly hint: string | undefined;
}

/** `name` is the way to the value: `filters.year`. */
export function checkValue(name: string, expression: Written, whole: JsonSchema): Misfit[] {
  const found = checkParts(name, expression, whole);
  return found.length > 0 ? found : checkTable(name, expression, whole);
}

function checkParts(name: string, expression: Written, whole: JsonSchema): Misfit[] {
  const got = typeOf(expression);
  if (got === undefined) return [];
  const want = typesOf(whole);
  const site = siteOf(expression);
  if (want && !allows(want, got)) {
    const message = `${name}: got ${got}, want ${want.join(' or ')}`;
    return [{ site, message, hint: respelt(expression, want) }];
  }
  const schema = branchOf(whole, got);
  switch (expression.kind) {
    case 'reference':
    case 'template':
      return [];
    case 'literal': {
      if (expression.value === '' && Number(schema.minLength ?? 0) > 0) {
        return [{ site, message: `${name}: got an empty text, want one`, hint: undefined }];
      }
      const { value: text } = expression;
      const wanted =
        typeof text === 'string' ? formatWanted(schema.format, text) : boundsOf(text, schema);
      if (wanted !== undefined) {
        const message = `${name}: got ${textOf(text)}, want ${wanted}`;
        return [{ site, message, hint: undefined }];
      }
      if (!schema.enum) return [];
      const value = toJson(expression.value);
      if (schema.enum.includes(value)) return [];
      const allowed = schema.enum.map((one) => JSON.stringify(one)).join(', ');
      const near = typeof value === 'string' ? nearest(value, schema.enum.map(String)) : undefined;
      const hint = near === undefined ? undefined : `did you mean ${JSON.stringify(near)}?`;
      return [{ site, message: `${name}: want one of ${allowed}`, hint }];
    }
    case 'list': {
      const { items } = schema;
      if (!items) return [];
      return expression.items.flatMap((item, i) => checkValue(`${name}[${i}]`, item, items));
    }
    case 'object':
      return checkObject(name, expression, schema);
  }
}

/** What the bounds of a number want, where it is not within them. */
function boundsOf(value: Value, schema: JsonSchema): string | undefined {
  const number = numberOf(value);
  const [min, max, above, below] = [
    ...[schema.minimum, schema.maximum, schema.exclusiveMinimum, schema.exclusiveMaximum],
  ].map((bound) => (typeof bound === 'number' ? bound : undefined));
  const isWithin =
    number === undefined ||
    (number >= (min ?? -Infinity) &&
      number <= (max ?? Infinity) &&
      number > (above ?? -Infinity) &&
      number < (below ?? Infinity));
  if (isWithin) return undefined;
  const lower = min === undefined ? above !== undefined && `more than ${above}` : `at least ${min}`;
  const upper = max === undefined ? below !== undefined && `less than ${below}` : `at most ${max}`;
  return [lower, upper].filter((text) => text !== false).join(' and ');
}

function numberOf(value: Value): number | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value);
  return typeof value === 'object' && value?.kind === 'float' ? value.value : undefined;
}

function checkObject(
  name: string,
  { entries, ...at }: Extract<Written, { kind: 'object' }>,
  { properties = {}, required = [], additionalProperties }: JsonSchema,
): Misfit[] {
  const given = new Set(entries.map((entry) => entry.name));
  const site = siteOf(at);
  const found: Misfit[] = required
    .filter((key) => !given.has(key))
    .map((key) => ({ site, message: `${name} lacks the key ${key}`, hint: undefined }));
  for (const { name: key, value, ...place } of entries) {
    const schema = Object.hasOwn(properties, key) ? properties[key] : undefined;
    const other = typeof additionalProperties === 'object' ? additionalProperties : undefined;
    const wanted = schema ?? other;
    if (wanted) found.push(...checkValue(`${name}.${key}`, value, wanted));
    else if (additionalProperties === false) {
      found.push({ site: siteOf(place), message: `${name} has no key ${key}`, hint: undefined });
    }
  }
  return found;
}

/**
 * Rows that are written out in a table: each is a dict, or a list with a cell for each column.
 * What is said here fails in any run, whatever the references bring.
 */
export function checkTable(name: string, expression: Written, schema: JsonSchema): Misfit[] {
  if (schema.contentMediaType !== tableValue) return [];
  const isDict = expression.kind === 'object';
  const rows = isDict ? memberOf(expression.entries, 'rows') : expression;
  if (rows?.kind !== 'list') return [];
  const where = isDict ? `${name}.rows` : name;
  const columns = isDict ? columnsOf(expression.entries) : 'none';
  const hasDicts = rows.items.some(({ kind }) => kind === 'object');
  return rows.items.flatMap((row, i): Misfit[] => {
    const misfit = (got: string, want: string): Misfit[] => [
      { site: siteOf(row), message: `${where}[${i}]: got ${got}, want ${want}`, hint: undefined },
    ];
    if (row.kind === 'reference' || row.kind === 'object') return [];
    if (row.kind !== 'list') return misfit(typeOf(row) ?? 'text', 'a dict');
    if (hasDicts) return misfit('a list', 'a dict, as other rows are');
    if (columns === 'none') return misfit('a list', 'a dict, or columns beside rows');
    if (columns === 'unknown' || row.isOpen || row.items.length === columns) return [];
    return misfit(counted(row.items.length, 'cell'), `${columns}, one for each column`);
  });
}

/** How many columns a table names. */
function columnsOf(entries: readonly WrittenEntry[]): number | 'none' | 'unknown' {
  for (const key of ['columns', 'headers']) {
    const columns = memberOf(entries, key);
    if (columns?.kind === 'reference') return 'unknown';
    if (columns?.kind === 'list') return columns.isOpen ? 'unknown' : columns.items.length;
  }
  return 'none';
}

const memberOf = (entries: readonly WrittenEntry[], key: string): Written | undefined =>
  entries.find(({ name }) => name === key)?.value;

export const allows = (types: readonly string[], type: string): boolean =>
  types.includes(type) || (type === 'integer' && types.includes('number'));

/** Whether a literal is of the wanted type but for quotes, which the run mends. */
export function isMended(expression: Written, schema: JsonSchema): boolean {
  return respelt(expression, typesOf(schema) ?? []) !== undefined;
}

/** The type as JSON Schema names it; undefined where only the run can tell. */
export function typeOf(expression: Written): string | undefined {
  switch (expression.kind) {
    case 'reference':
      return undefined;
    case 'list':
      return 'array';
    case 'object':
      return 'object';
    case 'template':
      return 'string';
    case 'literal': {
      const { value } = expression;
      if (value === null) return 'null';
      if (typeof value === 'number' || typeof value === 'bigint') return 'integer';
      if (typeof value === 'object') {
        return value.kind === 'float' && Number.isInteger(value.value) ? 'integer' : 'number';
      }
      return typeof value;
    }
  }
}

/** How a literal is written as the wanted type; undefined for another value altogether. */
function respelt(expression: Written, want: readonly string[]): string | undefined {
  if (expression.kind !== 'literal') return undefined;
  const { value } = expression;
  if (typeof value !== 'string') {
    const quoted = value !== null && want.includes('string');
    return quoted ? `write ${JSON.stringify(textOf(value))}` : undefined;
  }
  const text = value.trim();
  const isInteger = /^-?(0|[1-9]\d*)$/.test(text);
  const numeric = isInteger || /^-?(0|[1-9]\d*)\.\d+$/.test(text);
  const fits =
    (isInteger && want.includes('integer')) ||
    (numeric && want.includes('number')) ||
    (/^(true|false)$/.test(text) && want.includes('boolean'));
  return fits ? `write ${text} without quotes` : undefined;
}
