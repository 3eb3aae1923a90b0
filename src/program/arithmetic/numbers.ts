/** Exact ints and floats, and the operations on them; each says why it has no result. */
import { float, int, type Value } from '../value.ts';
import * as F from './fraction.ts';

/** An int of any size, or a finite float. */
export type Num = bigint | Float;

export interface Float {
  /** The float that is nearest to `exact`. */
  readonly float: number;
  /** What it is exactly, where that is known and small. */
  readonly exact?: F.Fraction;
}

/** A decimal, or a float as people write it; undefined where it is beyond the range of a float. */
export function decimalOf(text: string): Float | undefined {
  const float = Number(text);
  const exact = F.decimal(text);
  return Number.isFinite(float) ? { float, ...(exact && { exact }) } : undefined;
}

export const valueOfNumber = (x: Num): Value => (typeof x === 'bigint' ? int(x) : float(x.float));

/** Undefined for what is no number. */
export function numberOf(value: Value | undefined): Num | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return BigInt(value);
  if (typeof value !== 'object' || value?.kind !== 'float') return undefined;
  return decimalOf(String(value.value)) ?? { float: value.value };
}

/** No value: the text is not arithmetic (`syntax`), or the arithmetic has no result. */
export class NoResult extends Error {
  override readonly name = 'NoResult';
  readonly column: number;
  readonly syntax: boolean;

  constructor(message: string, column: number, syntax = false) {
    super(message);
    this.column = column;
    this.syntax = syntax;
  }
}

/** Decimal digits of the largest int; beyond, time and the size of values are no longer bounded. */
export const digitsMax = 10_000;
const bitsMax = Math.floor(digitsMax * Math.log2(10));

export const operators: ReadonlySet<string> = new Set(['+', '-', '*', '/', '//', '%', '**']);

/** x op y; `column` is where the operator stands. */
export function operate(op: string, x: Num, y: Num, column: number): Num {
  if (op === '**') return power(x, y, column);
  if ((op === '/' || op === '//' || op === '%') && isZero(y)) {
    throw new NoResult(`division by zero: ${shown(x)} ${op} 0`, column);
  }
  if (op === '/') return divide(x, y, column);
  if (typeof x === 'bigint' && typeof y === 'bigint') return onInts(op, x, y, column);
  const [a, b] = [exactly(x), exactly(y)];
  const exact = a && b && onFractions(op, a, b);
  return exact ? floatOf(exact, column) : onFloats(op, real(x, column), real(y, column), column);
}

export function negate(x: Num): Num {
  if (typeof x === 'bigint') return -x;
  return { float: -x.float, ...(x.exact && { exact: F.negated(x.exact) }) };
}

const exactly = (x: Num): F.Fraction | undefined => (typeof x === 'bigint' ? F.whole(x) : x.exact);

function floatOf(exact: F.Fraction, column: number): Float {
  return { ...finite(F.ratio(exact.top, exact.bottom), column), exact };
}

function onFractions(op: string, x: F.Fraction, y: F.Fraction): F.Fraction | undefined {
  switch (op) {
    case '+':
      return F.add(x, y);
    case '-':
      return F.add(x, F.negated(y));
    case '*':
      return F.multiply(x, y);
    default: {
      const quotient = F.divide(x, y);
      const floor = quotient && F.whole(F.floor(quotient));
      if (op === '//' || !floor) return floor;
      const whole = F.multiply(floor, y);
      return whole && F.add(x, F.negated(whole));
    }
  }
}

function onInts(op: string, x: bigint, y: bigint, column: number): bigint {
  switch (op) {
    case '+':
      return x + y;
    case '-':
      return x - y;
    case '*':
      bounded(F.bitsOf(x) + F.bitsOf(y), column);
      return x * y;
    case '//':
      return floorDivide(x, y);
    default:
      return x - floorDivide(x, y) * y;
  }
}

function onFloats(op: string, x: number, y: number, column: number): Num {
  switch (op) {
    case '+':
      return finite(x + y, column);
    case '-':
      return finite(x - y, column);
    case '*':
      return finite(x * y, column);
    case '//':
      return finite(Math.floor(x / y), column);
    default: {
      const rest = x % y;
      return finite(rest !== 0 && rest < 0 !== y < 0 ? rest + y : rest, column);
    }
  }
}

function divide(x: Num, y: Num, column: number): Num {
  const isInts = typeof x === 'bigint' && typeof y === 'bigint';
  if (isInts && x % y === 0n) return x / y;
  const [a, b] = [exactly(x), exactly(y)];
  const exact = a && b && F.divide(a, b);
  if (exact) return floatOf(exact, column);
  if (isInts) return finite(F.ratio(x, y), column);
  return finite(real(x, column) / real(y, column), column);
}

function power(x: Num, y: Num, column: number): Num {
  if (isZero(x) && real(y, column) < 0) throw new NoResult('zero to a negative power', column);
  if (typeof x === 'bigint' && typeof y === 'bigint' && y >= 0n) {
    if (x === 0n || x === 1n) return y === 0n ? 1n : x;
    if (x === -1n) return y % 2n === 0n ? 1n : -1n;
    bounded(y > BigInt(bitsMax) ? Infinity : (F.bitsOf(x) - 1) * Number(y), column);
    return x ** y;
  }
  const base = exactly(x);
  const exact = base && typeof y === 'bigint' ? F.power(base, y) : undefined;
  if (exact) return floatOf(exact, column);
  const result = real(x, column) ** real(y, column);
  if (Number.isNaN(result)) {
    throw new NoResult('a negative number to a fractional power has no real result', column);
  }
  return finite(result, column);
}

/** Functions by name: how many arguments they take, and what they give. */
export const functions: ReadonlyMap<
  string,
  { readonly least: number; readonly most: number; call(args: readonly Num[], column: number): Num }
> = new Map([
  ['abs', one((x) => (isNegative(x) ? negate(x) : x))],
  ['sqrt', one(squareRoot)],
  ['floor', one(floor)],
  ['ceil', one((x) => -floor(negate(x)))],
  ['min', many((x, y) => (compare(y, x) < 0 ? y : x))],
  ['max', many((x, y) => (compare(y, x) > 0 ? y : x))],
  ['round', { least: 1, most: 2, call: ([x = 0n, digits], column) => round(x, digits, column) }],
  ['sum', { least: 0, most: Infinity, call: sum }],
]);

function one(call: (x: Num, column: number) => Num) {
  return { least: 1, most: 1, call: ([x = 0n]: readonly Num[], at: number): Num => call(x, at) };
}

function many(pick: (x: Num, y: Num) => Num) {
  return { least: 1, most: Infinity, call: (args: readonly Num[]): Num => args.reduce(pick) };
}

function sum(args: readonly Num[], column: number): Num {
  return args.reduce((total, x) => operate('+', total, x, column), 0n);
}

function floor(x: Num): bigint {
  if (typeof x === 'bigint') return x;
  return x.exact ? F.floor(x.exact) : BigInt(Math.floor(x.float));
}

function squareRoot(x: Num, column: number): Num {
  if (isNegative(x)) throw new NoResult(`the square root of ${shown(x)} is not real`, column);
  if (typeof x !== 'bigint') return { float: Math.sqrt(x.float) };
  const root = intRoot(x);
  return root * root === x ? root : { float: Math.sqrt(real(x, column)) };
}

/** The largest int whose square is not above x (Newton's method). */
function intRoot(x: bigint): bigint {
  if (x < 2n) return x;
  let root = 1n << BigInt((F.bitsOf(x) + 1) >> 1);
  for (;;) {
    const next = (root + x / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

function round(x: Num, digits: Num | undefined, column: number): Num {
  if (digits !== undefined && typeof digits !== 'bigint') {
    throw new NoResult(`got ${shown(digits)} digits, want an int`, column);
  }
  const places = Number(digits ?? 0n);
  if (Math.abs(places) > 100) throw new NoResult(`got ${places} digits, want -100 to 100`, column);
  if (typeof x === 'bigint') return places < 0 ? roundInt(x, 10n ** BigInt(-places)) : x;
  const exact = x.exact && F.round(x.exact, places);
  if (exact) return digits === undefined ? exact.top : floatOf(exact, column);
  if (digits === undefined) return wholeOf(x.float.toFixed(0));
  if (places >= 0) return { float: Number(x.float.toFixed(places)) };
  const whole = BigInt(Math.trunc(x.float));
  return { float: Number(roundInt(whole, 10n ** BigInt(-places))) };
}

/** The int that `toFixed` wrote, which has an exponent from 1e21 on. */
const wholeOf = (text: string): bigint => BigInt(text.includes('e') ? Number(text) : text);

function roundInt(x: bigint, unit: bigint): bigint {
  const size = x < 0n ? -x : x;
  const rounded = ((size + unit / 2n) / unit) * unit;
  return x < 0n ? -rounded : rounded;
}

const floorDivide = (x: bigint, y: bigint): bigint => {
  const quotient = x / y;
  return x % y !== 0n && x < 0n !== y < 0n ? quotient - 1n : quotient;
};

const isZero = (x: Num): boolean =>
  typeof x === 'bigint' ? x === 0n : x.exact?.top === 0n || x.float === 0;
const isNegative = (x: Num): boolean => (typeof x === 'bigint' ? x < 0n : x.float < 0);

/** The host compares ints with floats exactly. */
function compare(x: Num, y: Num): number {
  const [p, q] = [exactly(x), exactly(y)];
  if (p && q) return F.compare(p, q);
  const [a, b] = [typeof x === 'bigint' ? x : x.float, typeof y === 'bigint' ? y : y.float];
  return a < b ? -1 : a > b ? 1 : 0;
}

function real(x: Num, column: number): number {
  if (typeof x !== 'bigint') return x.float;
  return finite(Number(x), column).float;
}

function finite(value: number, column: number): Float {
  if (Number.isFinite(value)) return { float: value };
  throw new NoResult('the result is beyond the range of a float', column);
}

function bounded(bits: number, column: number): void {
  if (bits <= bitsMax + 8) return;
  throw new NoResult(`the result would have more than ${digitsMax} digits`, column);
}

/** As a message has it. */
export const shownNumber = (x: Num): string =>
  typeof x === 'bigint' ? String(x) : String(x.float);

function shown(x: Num): string {
  const text = shownNumber(x);
  return text.length > 30 ? `${text.slice(0, 30)}…` : text;
}
