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
import type { Severity } from '../../program/diagnostic.ts';
import { type JsonSchema, type Site, siteOf } from '../../program/effect.ts';
import { arithmeticText } from '../../program/json-schema.ts';
import {
  listNode,
  numberFunctions,
  numberNode,
  numberOperators,
  textNode,
} from '../../program/task.ts';
import { dict, float, int, list, type Tuple, type Value } from '../../program/value.ts';
import { readJson, valueOfNode } from '../../text/json-text.ts';
import { checkTable, checkValue, type Written } from '../schema-check.ts';
import { branchOf, typesOf } from '../signature.ts';
import type { Bracketed, ObjectEntry, Syntax } from './call.ts';
import type { CodeName } from './codes.ts';
import { barePieces, quotedPieces } from './quoted-text.ts';
import { type Piece, type Reference, withPaths } from './reference.ts';
import { shortened } from './report.ts';

/** Where findings go, and what references stand for. */
export interface Conversion {
  say(severity: Severity, code: CodeName, at: Site, message: string, hint?: string): void;
  /** A node; or text, where a reference in a longer text is none; undefined for what is wrong. */
  refer(reference: Reference, at: Site, isAlone: boolean): Tuple | string | undefined;
  /** What is written there in the call. */
  written(place: Bracketed): string;
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
      return quoted(c, wanted, quotedPieces(value.raw), value);
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
    return held(c, wanted, word, at);
  }
  const value = numberIn(text);
  if (value !== undefined && allows(wanted, 'number', 'integer')) {
    return held(c, wanted, value, at);
  }
  if (text === '') {
    c.say('error', 'missingArgument', at, `${wanted.name}: got nothing, want a value`);
    return null;
  }
  return withPieces(c, wanted, wholePath(c, wanted, barePieces(text), at), at);
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
  if (allows(wanted, 'string')) return held(c, wanted, only, at);
  const taken = (value: Value): Value => {
    const message = `${wanted.name}: got text, want ${typesWanted(wanted)}; it was taken`;
    c.say('warning', 'otherForm', at, message, `write ${shortened(only)} without quotes`);
    return typeof value === 'object' && value?.kind !== 'float'
      ? value
      : held(c, wanted, value, at);
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
  if (more.length === 0 && typeof only === 'string') return held(c, wanted, only, at);
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
  if ('value' in read) return held(c, wanted, read.value, at);
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
  return held(c, wanted, valueOfNumber(read.value), at);
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

/** A value held against what is wanted. A null is left out where nothing is required. */
function held(c: Conversion, { name, schema, types }: Wanted, given: Value, at: Site): Value {
  const isWhole = typeof given === 'object' && given?.kind === 'float';
  const isInteger = isWhole && Number.isInteger(given.value) && !types?.includes('number');
  const value = isInteger && types?.includes('integer') ? int(BigInt(given.value)) : given;
  if (value === null) return null;
  const literal = { kind: 'literal', value, ...siteOf(at) } as const;
  for (const { site, message, hint } of checkValue(name, literal, schema)) {
    c.say('error', 'wrongType', site, message, hint);
  }
  return value;
}

function sequence(c: Conversion, wanted: Wanted, items: readonly Syntax[], at: Bracketed): Value {
  const { name, schema } = wanted;
  if (!allows(wanted, 'array')) return asText(c, wanted, at, 'a list');
  const { items: each = {} } = branchOf(schema, 'array');
  return list(items.map((item, i) => convert(c, `${name}[${i}]`, item, each)));
}

function object(
  c: Conversion,
  wanted: Wanted,
  entries: readonly ObjectEntry[],
  at: Bracketed,
): Value {
  const { name, schema } = wanted;
  if (!allows(wanted, 'object')) return asText(c, wanted, at, 'an object');
  const { properties = {}, additionalProperties } = branchOf(schema, 'object');
  const rest = typeof additionalProperties === 'object' ? additionalProperties : {};
  const pairs = entries.map(({ key, value: inner }): [string, Value] => {
    const own = keyOf(key);
    const known = Object.hasOwn(properties, own) ? properties[own] : undefined;
    return [own, convert(c, `${name}.${own}`, inner, known ?? rest)];
  });
  return dict(pairs);
}

/** Where text is wanted it is that, as it is written, with what its references stand for. */
function asText(c: Conversion, wanted: Wanted, at: Bracketed, got: string): Value {
  if (!allows(wanted, 'string')) return misfit(c, wanted, got, at);
  const message = `${wanted.name}: got ${got}, want text; it was taken as it is written`;
  c.say('warning', 'otherForm', at, message, 'write it in quotes, or as plain text');
  return template(c, wanted, barePieces(c.written(at)), at);
}

export function keyOf(key: Syntax): string {
  const pieces = key.kind === 'string' ? quotedPieces(key.raw) : [];
  if (key.kind === 'bare') return key.text;
  return pieces.map((piece) => (typeof piece === 'string' ? piece : piece.text)).join('');
}

function misfit(c: Conversion, wanted: Wanted, got: string, at: Site): null {
  c.say('error', 'wrongType', at, `${wanted.name}: got ${got}, want ${typesWanted(wanted)}`);
  return null;
}

const typesWanted = ({ types }: Wanted): string => (types ?? ['any']).join(' or ');
