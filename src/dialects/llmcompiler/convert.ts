/**
 * From an argument as it is written to a value with nodes, by the schema of its parameter: the same
 * text is a number for one tool and text for another.
 */

import {
  type NumberText,
  numberInSentence,
  parseNumber,
} from '../../program/arithmetic/number-text.ts';
import { shownNumber, valueOfNumber } from '../../program/arithmetic/numbers.ts';
import { evaluateWith } from '../../program/arithmetic.ts';
import { nearest, type Severity } from '../../program/diagnostic.ts';
import { type JsonSchema, type Site, siteOf } from '../../program/effect.ts';
import { formatWanted } from '../../program/formats.ts';
import { textOf } from '../../program/json.ts';
import { arithmeticText } from '../../program/json-schema.ts';
import {
  isNode,
  listNode,
  numberFunctions,
  numberNode,
  numberOperators,
  textNode,
} from '../../program/task.ts';
import { dict, float, int, isDict, list, type Tuple, type Value } from '../../program/value.ts';
import { readJson, valueOfNode } from '../../text/json-text.ts';
import { checkTable, type Written } from '../schema-check.ts';
import { branchOf, typesOf } from '../signature.ts';
import type { ObjectEntry, Syntax } from './call.ts';
import type { CodeName } from './codes.ts';
import { barePieces, quotedPieces } from './quoted-text.ts';
import { type Names, type Piece, type Reference, withPaths } from './reference.ts';
import { shortened } from './report.ts';
import { textPieces } from './text-expression.ts';

/** Where findings go, and what references stand for. */
export interface Conversion {
  say(severity: Severity, code: CodeName, at: Site, message: string, hint?: string): void;
  /** A node; or text, where a reference in a longer text is none; undefined for what is wrong. */
  refer(reference: Reference, at: Site, isAlone: boolean): Tuple | string | undefined;
  /** Inputs of the run, which references may name. */
  readonly inputs: Names;
}

/** What an argument is to be. */
interface Wanted {
  /** As messages name it: `filters.year`. */
  readonly name: string;
  readonly schema: JsonSchema;
  /** Undefined for any. */
  readonly types: readonly string[] | undefined;
}

const wantedOf = (name: string, schema: JsonSchema): Wanted => ({
  name,
  schema,
  types: typesOf(schema),
});

export function convert(c: Conversion, name: string, value: Syntax, schema: JsonSchema): Value {
  const wanted = wantedOf(name, schema);
  for (const { site, message } of checkTable(name, writtenOf(value), schema)) {
    c.say('error', 'wrongType', site, message);
  }
  switch (value.kind) {
    case 'bare':
      return bare(c, wanted, value.text, value);
    case 'string':
      return quoted(c, wanted, quotedPieces(value.raw, c.inputs), value);
    case 'list':
      return sequence(c, wanted, value.items, value);
    case 'object':
      return object(c, wanted, value.entries, value);
  }
}

/** How much of a value is known before its text is read: what is in lists and objects. */
function writtenOf(value: Syntax): Written {
  const at = siteOf(value);
  switch (value.kind) {
    case 'bare':
    case 'string':
      return { kind: 'reference', ...at };
    case 'list':
      return { kind: 'list', items: value.items.map(writtenOf), ...at };
    case 'object': {
      const entries = value.entries.map((entry) => ({
        ...{ name: keyOf(entry.key), value: writtenOf(entry.value) },
        ...siteOf(entry),
      }));
      return { kind: 'object', entries, ...at };
    }
  }
}

const allows = ({ types }: Wanted, ...some: readonly string[]): boolean =>
  types === undefined || some.some((type) => types.includes(type));

const isNumeric = ({ types }: Wanted): boolean =>
  types !== undefined &&
  !types.includes('string') &&
  (types.includes('number') || types.includes('integer'));

const words = new Map<string, Value>([
  ...(['null', 'None'] as const).map((word) => [word, null] as const),
  ...(['true', 'True'] as const).map((word) => [word, true] as const),
  ...(['false', 'False'] as const).map((word) => [word, false] as const),
]);

const number = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/;
const date = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[-+]\d{2}:?\d{2})?)?$/;

/** Digits of a number that is read as one. */
const digitsMax = 1000;

/** Whether it is written as null, whatever it is for. */
export const isNull = (value: Syntax): boolean =>
  value.kind === 'bare' && words.get(value.text) === null;

export const isDate = (text: string): boolean => date.test(text);

/** Undefined for text that is no number. An int of any size stays exact. */
export function numberIn(text: string): Value | undefined {
  if (text.length > digitsMax || !number.test(text)) return undefined;
  return /^[-+]?\d+$/.test(text) ? int(BigInt(text.replace('+', ''))) : float(Number(text));
}

function bare(c: Conversion, wanted: Wanted, text: string, at: Site): Value {
  const word = words.get(text);
  if (word !== undefined && (word === null || allows(wanted, 'boolean') || isNumeric(wanted))) {
    return fitting(c, wanted, word, at);
  }
  const value = numberIn(text);
  if (value !== undefined && allows(wanted, 'number', 'integer')) {
    return fitting(c, wanted, value, at);
  }
  if (text === '') {
    c.say('error', 'missingArgument', at, `${wanted.name}: got nothing, want a value`);
    return null;
  }
  const written = allows(wanted, 'string') ? textPieces(text, c.inputs) : undefined;
  if (written) {
    const message = `${wanted.name}: got ${shortened(text)}, taken as the text that it comes to`;
    c.say('warning', 'otherForm', at, message, 'write one text, with references in it');
    return withPieces(c, wanted, written, at);
  }
  return withPieces(c, wanted, wholePath(c, wanted, barePieces(text, c.inputs), at), at);
}

/** `${1}.people` alone asks for a part. In a longer text braces end the reference. */
function wholePath(
  c: Conversion,
  { name }: Wanted,
  pieces: readonly Piece[],
  at: Site,
): readonly Piece[] {
  const [only, ...more] = withPaths(pieces);
  if (pieces.length < 2 || typeof only !== 'object' || more.length > 0) return pieces;
  const meant = `${only.text.replace('}', '')}}`;
  const message = `${name}: got ${only.text}, taken as ${meant}`;
  c.say('warning', 'otherForm', at, message, `write ${meant}`);
  return [only];
}

/** Text with references in it, without quotes. */
function withPieces(c: Conversion, wanted: Wanted, pieces: readonly Piece[], at: Site): Value {
  const [only, ...more] = pieces;
  if (only !== undefined && typeof only !== 'string' && more.length === 0) {
    const node = c.refer(only, at, true);
    return typeof node === 'object' ? wholeResult(node, wanted) : (node ?? null);
  }
  if (isNumeric(wanted)) return computed(c, wanted, pieces, at);
  if (!allows(wanted, 'string')) return misfit(c, wanted, 'text', at);
  const isExpression =
    wanted.schema.contentMediaType === arithmeticText &&
    !('problem' in readArithmetic(withPaths(pieces)));
  return (isExpression ? computed : template)(c, wanted, pieces, at);
}

/** A result that is a whole argument: itself, unless a parameter takes one type of value alone. */
function wholeResult(node: Tuple, { types = [], schema }: Wanted): Tuple {
  const [only, other] = types.filter((type) => type !== 'null');
  if (other !== undefined) return node;
  switch (only) {
    case 'string':
      return textNode(node);
    case 'number':
    case 'integer':
      return types.includes('null') ? node : numberNode(node);
    case 'array':
      return listNode(node, typesOf(branchOf(schema, 'array').items ?? {})?.join() === 'string');
    default:
      return node;
  }
}

function quoted(c: Conversion, wanted: Wanted, pieces: readonly Piece[], at: Site): Value {
  const [only = '', ...more] = pieces;
  if (more.length > 0 || typeof only !== 'string') return withPieces(c, wanted, pieces, at);
  if (allows(wanted, 'string')) return listed(c, wanted, only, at);
  const taken = (value: Value): Value => {
    const message = `${wanted.name}: got text, want ${typesWanted(wanted)}; it was taken`;
    c.say('warning', 'otherForm', at, message, `write ${shortened(only)} without quotes`);
    return fitting(c, wanted, value, at);
  };
  const plain = numberIn(only.trim()) ?? words.get(only.trim());
  if (plain !== undefined) return taken(plain);
  if (isNumeric(wanted)) return computed(c, wanted, pieces, at);
  const { node } = readJson(only);
  if (node && wanted.types?.includes(node.kind)) return taken(valueOfNode(node));
  if (allows(wanted, 'array')) return taken(list([only]));
  return misfit(c, wanted, 'text', at);
}

function template(c: Conversion, wanted: Wanted, pieces: readonly Piece[], at: Site): Value {
  const parts: (string | Tuple)[] = [];
  for (const piece of pieces) {
    const part = typeof piece === 'string' ? piece : c.refer(piece, at, false);
    const last = parts.at(-1);
    if (typeof part === 'string' && typeof last === 'string') parts[parts.length - 1] = last + part;
    else if (part !== undefined) parts.push(part);
  }
  const [only = '', ...more] = parts;
  if (more.length === 0 && typeof only === 'string') return listed(c, wanted, only, at);
  return textNode(...parts);
}

function computed(c: Conversion, wanted: Wanted, pieces: readonly Piece[], at: Site): Value {
  const text = pieces.map((piece) => (typeof piece === 'string' ? piece : piece.text)).join('');
  const isText = pieces.every((piece) => typeof piece === 'string');
  const alone = isText ? parseNumber(text) : undefined;
  if (alone && 'value' in alone) return writtenNumber(c, wanted, alone, at);
  if (isDate(text.trim())) return misfit(c, wanted, `the date ${text.trim()}`, at);
  const whole = withPaths(pieces);
  const nodes = whole.map((piece) =>
    typeof piece === 'string' ? piece : nodeFor(c.refer(piece, at, true)),
  );
  if (!nodes.every((node) => node !== undefined)) return null;
  const read = readArithmetic(whole);
  if ('value' in read) return fitting(c, wanted, read.value, at);
  if (!('problem' in read)) return numberNode(...nodes);
  const found = isText ? numberInSentence(text) : undefined;
  if (found && 'value' in found) return writtenNumber(c, wanted, found, at);
  const problem = found?.doubt ?? read.problem;
  const message = `${wanted.name}: got ${shortened(text)}, want a number: ${problem}`;
  const all = [...numberOperators, ...numberFunctions].join(' ');
  const hint = `numbers and references can be computed with ${all}`;
  c.say('error', 'badExpression', at, message, hint);
  return null;
}

function writtenNumber(c: Conversion, wanted: Wanted, read: NumberText, at: Site): Value {
  const note = read.note ?? `${shownNumber(read.value)} was taken`;
  c.say('warning', 'otherForm', at, `${wanted.name}: ${note}`, `write ${shownNumber(read.value)}`);
  return fitting(c, wanted, valueOfNumber(read.value), at);
}

/** A reference that stays text is no number. */
const nodeFor = (node: Tuple | string | undefined): Tuple | undefined =>
  typeof node === 'object' ? node : undefined;

/** The value of arithmetic without references; the problem where there is none, or it is none. */
function readArithmetic(
  pieces: readonly Piece[],
): { readonly value: Value } | { readonly problem: string } | Record<string, never> {
  const references = pieces.filter((piece) => typeof piece !== 'string');
  let count = 0;
  const text = pieces.map((piece) => {
    return typeof piece === 'string' ? piece.replaceAll('$', '$$$$') : `$${count++} `;
  });
  const read = evaluateWith(text.join(''), { count, numbers: () => [1n] });
  if ('value' in read) return count === 0 ? read : {};
  const { syntax, message } = read.error;
  if (count > 0 && !syntax) return {};
  const named = message.replace(/\$(\d+)/g, (sign, at) => references[at]?.text ?? sign);
  return { problem: named };
}

/** A text that has to be one of those that the schema lists, or of its format. */
function listed(c: Conversion, { name, schema: whole }: Wanted, text: string, at: Site): Value {
  const schema = branchOf(whole, 'string');
  const want = formatWanted(schema.format, text);
  if (want !== undefined) {
    c.say('error', 'wrongType', at, `${name}: got ${shortened(text)}, want ${want}`);
  }
  const all = schema.enum;
  if (!all || all.includes(text)) return text;
  const near = nearest(
    text,
    all.filter((one) => typeof one === 'string'),
  );
  const choices = all.map((one) => JSON.stringify(one)).join(', ');
  const message = `${name}: got ${shortened(text)}, want one of ${choices}`;
  c.say('error', 'wrongType', at, message, near === undefined ? near : `did you mean ${near}?`);
  return text;
}

/** A value that is no text, held against the types that are wanted. */
function fitting(c: Conversion, wanted: Wanted, value: Value, at: Site): Value {
  const got = typeOf(value);
  if (allows(wanted, got) || (got === 'integer' && allows(wanted, 'number'))) return value;
  // What is null is left out where nothing is required.
  if (value === null) return null;
  if (got === 'number' && allows(wanted, 'integer') && isIntegral(value)) {
    return int(BigInt(Number(textOf(value))));
  }
  return misfit(c, wanted, `${got} ${shortened(textOf(value))}`, at);
}

const isIntegral = (value: Value): boolean =>
  typeof value === 'object' && value?.kind === 'float' && Number.isInteger(value.value);

function typeOf(value: Value): string {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'number' || typeof value === 'bigint') return 'integer';
  if (typeof value === 'string') return 'string';
  return value.kind === 'float' ? 'number' : value.kind === 'dict' ? 'object' : 'array';
}

function sequence(c: Conversion, wanted: Wanted, items: readonly Syntax[], at: Site): Value {
  const { name, schema } = wanted;
  const { items: each = {} } = branchOf(schema, 'array');
  const values = items.map((item, i) => convert(c, `${name}[${i}]`, item, each));
  if (allows(wanted, 'array')) return list(values);
  return asText(c, wanted, list(values), 'a list', at);
}

function object(c: Conversion, wanted: Wanted, entries: readonly ObjectEntry[], at: Site): Value {
  const { name, schema } = wanted;
  const { properties = {}, additionalProperties } = branchOf(schema, 'object');
  const rest = typeof additionalProperties === 'object' ? additionalProperties : {};
  const pairs = entries.map(({ key, value }): [string, Value] => {
    const own = keyOf(key);
    const known = Object.hasOwn(properties, own) ? properties[own] : undefined;
    return [own, convert(c, `${name}.${own}`, value, known ?? rest)];
  });
  if (allows(wanted, 'object')) return dict(pairs);
  return asText(c, wanted, dict(pairs), 'an object', at);
}

/** Keys name nothing. */
const noNames: Names = new Set();

export function keyOf(key: Syntax): string {
  const pieces = key.kind === 'string' ? quotedPieces(key.raw, noNames) : [];
  if (key.kind === 'bare') return key.text;
  return pieces.map((piece) => (typeof piece === 'string' ? piece : piece.text)).join('');
}

/** A list where text is wanted: its JSON, as text, is what its author can have meant. */
function asText(c: Conversion, wanted: Wanted, value: Value, got: string, at: Site): Value {
  if (!allows(wanted, 'string')) return misfit(c, wanted, got, at);
  const message = `${wanted.name}: got ${got}, want text; its JSON was taken`;
  c.say('warning', 'otherForm', at, message, 'write it in quotes, or as plain text');
  const parts: (string | Tuple)[] = [];
  writeJson(value, parts);
  const [only = '', ...more] = parts;
  return more.length === 0 && typeof only === 'string' ? only : textNode(...parts);
}

/** JSON in pieces, with the nodes that stand in it. */
function writeJson(value: Value, parts: (string | Tuple)[]): void {
  const put = (text: string): void => {
    const last = parts.at(-1);
    if (typeof last === 'string') parts[parts.length - 1] = last + text;
    else parts.push(text);
  };
  if (isNode(value)) {
    const [kind, ...rest] = value.items;
    if (kind === 'ref') parts.push(value);
    else for (const piece of rest) typeof piece === 'string' ? put(piece) : writeJson(piece, parts);
    return;
  }
  if (typeof value === 'object' && value?.kind === 'list') {
    for (const [i, item] of value.items.entries()) {
      put(i === 0 ? '[' : ',');
      writeJson(item, parts);
    }
    put(value.items.length === 0 ? '[]' : ']');
  } else if (isDict(value)) {
    const slots = value.slots.filter((slot) => slot !== undefined);
    for (const [i, [key, item]] of slots.entries()) {
      put(`${i === 0 ? '{' : ','}${JSON.stringify(key)}:`);
      writeJson(item, parts);
    }
    put(slots.length === 0 ? '{}' : '}');
  } else put(typeof value === 'string' ? JSON.stringify(value) : textOf(value));
}

function misfit(c: Conversion, wanted: Wanted, got: string, at: Site): null {
  c.say('error', 'wrongType', at, `${wanted.name}: got ${got}, want ${typesWanted(wanted)}`);
  return null;
}

const typesWanted = ({ types }: Wanted): string => (types ?? ['any']).join(' or ');
