/** Triples without IRIs, as people write them in CSV and JSON: what is a thing, what is data. */

import { Malformed } from '../../malformed.ts';
import type { Entity, Fact, Literal } from '../content.ts';
import { iriEntity, naming, plainEntity, plainPredicate } from '../vocabulary.ts';

export interface RawTriple {
  readonly subject: unknown;
  readonly predicate: unknown;
  readonly object: unknown;
  readonly line: number;
  readonly qualifiers: Readonly<Record<string, string>>;
}

/** Throws `Malformed` at the triple's line. */
export function factOf(raw: RawTriple): Fact {
  const { line, qualifiers } = raw;
  const name = named(raw.predicate, 'predicate', line);
  const predicate = iriPattern.test(name) ? iriEntity(name) : plainPredicate(name);
  return {
    subject: entityOf(named(raw.subject, 'subject', line)),
    predicate,
    object: naming(predicate)
      ? literal(named(raw.object, 'object', line), 'string')
      : objectOf(raw.object, line),
    line,
    qualifiers,
  };
}

function named(value: unknown, role: string, line: number): string {
  const text = typeof value === 'string' ? value.trim() : '';
  if (text !== '') return text;
  throw new Malformed(`${role}: got ${shown(value)}, want a name`, line);
}

const entityOf = (text: string): Entity =>
  iriPattern.test(text) ? iriEntity(text) : plainEntity(text);

function objectOf(value: unknown, line: number): Entity | Literal {
  if (typeof value === 'boolean') return literal(String(value), 'boolean');
  if (value instanceof NumberText) return numberOf(value.text) ?? literal(value.text, 'string');
  if (typeof value === 'string' && value.trim() !== '') return objectOfText(value.trim());
  throw new Malformed(`object: got ${shown(value)}, want a name, a number or a boolean`, line);
}

function objectOfText(text: string): Entity | Literal {
  const number = numberOf(text);
  if (number) return number;
  if (/^(true|false)$/i.test(text)) return literal(text.toLowerCase(), 'boolean');
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return literal(text, 'date');
  return isName(text) ? entityOf(text) : literal(text, 'string');
}

/** A name is short and begins with no digit: `2.8 million` and sentences are data. */
const isName = (text: string): boolean =>
  iriPattern.test(text) ||
  (text.length <= nameLengthMax && /^[^\d\s]/.test(text) && !/[\n\r]|[.!?]$|[.!?;]\s/.test(text));

const nameLengthMax = 80;
const iriPattern = /^(https?:\/\/|urn:)[^\s<>"{}|\\^`]+$/i;

function numberOf(text: string): Literal | undefined {
  if (/^[+-]?\d+$/.test(text)) return literal(text.replace(/^\+/, ''), 'integer');
  if (/^[+-]?(\d+\.\d+|\.\d+)$/.test(text)) return literal(text, 'decimal');
  return /^[+-]?\d+(\.\d+)?e[+-]?\d+$/i.test(text) ? literal(text, 'double') : undefined;
}

const literal = (text: string, datatype: string): Literal => ({
  kind: 'literal',
  text,
  datatype,
  language: '',
});

/** A number as it stands in JSON text, which a host's number cannot always hold. */
export class NumberText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  toJSON(): unknown {
    const value = Number(this.text);
    return Number.isInteger(value) && !Number.isSafeInteger(value) ? this.text : value;
  }
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value) ?? typeof value;
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
