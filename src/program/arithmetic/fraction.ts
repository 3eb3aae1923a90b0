/**
 * Fractions of ints: what decimals are exactly, so that 0.1 + 0.2 is 0.3. They are kept as long as
 * they are small, which bounds the time of each operation; what grows beyond goes on as a float.
 */

/** In lowest terms, `bottom` positive. */
export interface Fraction {
  readonly top: bigint;
  readonly bottom: bigint;
}

/** Bits of numerator and of denominator. */
const bitsMax = 1024;
/** A decimal with a larger exponent is a float only. */
const exponentMax = 300;

export const whole = (top: bigint): Fraction => ({ top, bottom: 1n });

/** The number that a decimal is, as people and JSON write it; undefined where it is too long. */
export function decimal(text: string): Fraction | undefined {
  const [, sign = '', units = '', rest = '', exponent = '0'] =
    /^(-?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  const scale = Number(exponent) - rest.length;
  const digits = units + rest;
  if (digits === '' || digits.length > exponentMax || Math.abs(scale) > exponentMax) {
    return undefined;
  }
  const top = BigInt(`${sign}${digits}`);
  const power = 10n ** BigInt(Math.abs(scale));
  return scale < 0 ? reduced(top, power) : kept({ top: top * power, bottom: 1n });
}

export function add(x: Fraction, y: Fraction): Fraction | undefined {
  if (x.bottom === y.bottom) return reduced(x.top + y.top, x.bottom);
  return reduced(x.top * y.bottom + y.top * x.bottom, x.bottom * y.bottom);
}

export const negated = ({ top, bottom }: Fraction): Fraction => ({ top: -top, bottom });

export const multiply = (x: Fraction, y: Fraction): Fraction | undefined =>
  reduced(x.top * y.top, x.bottom * y.bottom);

/** `y` is not zero. */
export const divide = (x: Fraction, y: Fraction): Fraction | undefined =>
  y.top < 0n
    ? reduced(-x.top * y.bottom, x.bottom * -y.top)
    : reduced(x.top * y.bottom, x.bottom * y.top);

/** `x` is not zero where the exponent is negative. */
export function power(x: Fraction, exponent: bigint): Fraction | undefined {
  const size = exponent < 0n ? -exponent : exponent;
  const bits = BigInt(Math.max(bitsOf(x.top), bitsOf(x.bottom)) - 3);
  if (size * bits > BigInt(bitsMax)) return undefined;
  const raised = kept({ top: x.top ** size, bottom: x.bottom ** size });
  return raised && exponent < 0n ? divide(whole(1n), raised) : raised;
}

/** Towards minus infinity. */
export function floor({ top, bottom }: Fraction): bigint {
  const quotient = top / bottom;
  return top < 0n && quotient * bottom !== top ? quotient - 1n : quotient;
}

/** The nearest multiple of 10 to the power of `-places`, halves away from zero. */
export function round({ top, bottom }: Fraction, places: number): Fraction | undefined {
  const scale = 10n ** BigInt(Math.abs(places));
  const [units, unit] = places < 0 ? [top, bottom * scale] : [top * scale, bottom];
  const size = units < 0n ? -units : units;
  const nearest = (2n * size + unit) / (2n * unit);
  const signed = units < 0n ? -nearest : nearest;
  return places < 0 ? kept(whole(signed * scale)) : reduced(signed, scale);
}

export const compare = (x: Fraction, y: Fraction): number => {
  const [a, b] = [x.top * y.bottom, y.top * x.bottom];
  return a < b ? -1 : a > b ? 1 : 0;
};

/** The float nearest to x / y for ints of any size; infinite beyond the range of floats. */
export function ratio(x: bigint, y: bigint): number {
  if (isExact(x) && isExact(y)) return Number(x) / Number(y);
  const negative = x < 0n !== y < 0n;
  const [a, b] = [x < 0n ? -x : x, y < 0n ? -y : y];
  // More bits of the quotient than a float has; the last one says whether there are others behind.
  const shift = 70 - (bitsOf(a) - bitsOf(b));
  const [top, bottom] = shift < 0 ? [a, b << BigInt(-shift)] : [a << BigInt(shift), b];
  const quotient = top / bottom;
  const marked = quotient * bottom === top ? quotient : quotient | 1n;
  const half = Math.trunc(shift / 2);
  const size = Number(marked) / 2 ** half / 2 ** (shift - half);
  return negative ? -size : size;
}

const isExact = (x: bigint): boolean => x <= 2n ** 53n && x >= -(2n ** 53n);

/** Up to three more than there are. */
export const bitsOf = (x: bigint): number => (x < 0n ? -x : x).toString(16).length * 4;

function reduced(top: bigint, bottom: bigint): Fraction | undefined {
  if (bottom === 1n) return kept({ top, bottom });
  if (bitsOf(top) > 2 * bitsMax || bitsOf(bottom) > 2 * bitsMax) return undefined;
  const shared = divisor(top < 0n ? -top : top, bottom);
  return kept({ top: top / shared, bottom: bottom / shared });
}

function divisor(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}

const kept = (made: Fraction): Fraction | undefined =>
  bitsOf(made.top) <= bitsMax && bitsOf(made.bottom) <= bitsMax ? made : undefined;
