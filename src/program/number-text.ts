/**
 * Numbers as tools and models write them in texts. A text is a number only where it is nothing but
 * one: no unit, no currency, no percent sign.
 */
import type { Num } from './arithmetic/numbers.ts';

export interface NumberText {
  readonly value: Num;
  /** Whether its digits came in groups, `1,234.5`: in other countries that is another number. */
  readonly grouped: boolean;
}

/** Longest text that is looked at. */
const lengthMax = 400;

const plainForm = /^[+-]?(\d+)(\.\d+)?(e[+-]?\d+)?$/i;
/** Groups of three behind commas, or behind spaces, also those that do not break lines. */
const groupedForm = /^[+-]?\d{1,3}(,\d{3}|[ \u00a0\u202f]\d{3})+(\.\d+)?$/;

/** The number that a text is; undefined where it is none. */
export function parseNumber(text: string): NumberText | undefined {
  if (text.length > lengthMax) return undefined;
  const trimmed = text.trim().replace('\u2212', '-');
  const plain = plainForm.exec(trimmed);
  if (plain) return { value: numberOf(trimmed, plain), grouped: false };
  if (!groupedForm.test(trimmed)) return undefined;
  const digits = trimmed.replace(/[, \u00a0\u202f]/g, '');
  const match = plainForm.exec(digits);
  return match ? { value: numberOf(digits, match), grouped: true } : undefined;
}

function numberOf(text: string, [, , fraction, exponent]: RegExpExecArray): Num {
  if (fraction === undefined && exponent === undefined) return BigInt(text.replace('+', ''));
  return { float: Number(text) };
}
