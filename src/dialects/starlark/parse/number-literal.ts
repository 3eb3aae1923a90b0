/** Numbers in a program: where they end, and what they are worth. */
import type { Float } from '../../../program/value.ts';
import { fail } from './syntax-error.ts';

export interface NumberLiteral {
  readonly end: number;
  readonly value: number | bigint | Float;
}

const based = /0(?:[xX][\da-fA-F]+|[oO][0-7]+|[bB][01]+)/y;
const decimal = /(\d*)(\.\d*)?([eE][+-]?\d*)?/y;

/** Digits of an int: reading them takes more than linear time. */
const digitsMax = 100_000;

const bases: Readonly<Record<string, string>> = { x: 'hex', o: 'octal', b: 'binary' };

/**
 * Reads the number at `start`, which is a digit or a point before one; `at` places an offset.
 * Throws a `SyntaxFault` for one that is malformed.
 */
export function readNumber(
  text: string,
  start: number,
  at: (offset: number) => number,
): NumberLiteral {
  const base = text[start] === '0' ? bases[(text[start + 1] ?? '').toLowerCase()] : undefined;
  if (base !== undefined) {
    based.lastIndex = start;
    const digits = based.exec(text)?.[0];
    if (digits === undefined) fail('PV2304', at(start), `invalid ${base} literal`);
    refuseLong(digits, at(start));
    return { end: start + digits.length, value: canonical(BigInt(digits)) };
  }
  decimal.lastIndex = start;
  const [whole = '', digits = '', fraction, exponent] = decimal.exec(text) ?? [];
  const end = start + whole.length;
  if (fraction !== undefined || exponent !== undefined) {
    return { end, value: { kind: 'float', value: readFloat(whole, exponent, at(start)) } };
  }
  refuseLong(digits, at(start));
  if (/^0+[1-9]/.test(digits)) refuseOldOctal(digits, at(start));
  return { end, value: canonical(digits.length < 16 ? Number(digits) : BigInt(digits)) };
}

function refuseLong({ length }: string, at: number): void {
  if (length <= digitsMax) return;
  fail('PV2304', at, `got an int of ${length} digits, want at most ${digitsMax}`, {
    hint: 'write it as a power or a product, or pass it as an input',
  });
}

function readFloat(whole: string, exponent: string | undefined, at: number): number {
  const value = Number(whole);
  if (!Number.isFinite(value) || (exponent !== undefined && !/\d$/.test(exponent))) {
    fail('PV2304', at, 'invalid float literal', {
      hint: Number.isNaN(value) ? 'digits must follow the e' : 'float("inf") is infinity',
    });
  }
  return value;
}

function refuseOldOctal(digits: string, at: number): never {
  if (/[89]/.test(digits)) {
    fail('PV2304', at, 'invalid int literal', { hint: 'an int has no zeros in front' });
  }
  const octal = digits.slice(1);
  const hint = `${Number(digits)} has no zeros in front; 0o${octal} is a number to base 8`;
  fail('PV2304', at, `obsolete form of octal literal; use 0o${octal}`, { hint });
}

const canonical = (value: number | bigint): number | bigint =>
  value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
