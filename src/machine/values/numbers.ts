/** Numbers as ints and as floats: what `int`, `float`, `%d` and `math` make of a value. */
import { int, typeName, type Value } from '../../program/value.ts';
import { Fault, faults } from './fault.ts';

/** The whole part of a number, or a sentence that says why there is none. */
export function toInt(value: Value): number | bigint | string {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  if (value === null || typeof value !== 'object' || value.kind !== 'float') {
    return `cannot convert ${typeName(value)} to int`;
  }
  const { value: real } = value;
  if (Number.isNaN(real)) return 'cannot convert float NaN to integer';
  if (!Number.isFinite(real)) return 'cannot convert float infinity to integer';
  return int(BigInt(Math.trunc(real)));
}

/** A number as float; of a large int, the nearest, which may be infinite. */
export function toFloat(value: Value): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  return value !== null && typeof value === 'object' && value.kind === 'float'
    ? value.value
    : undefined;
}

/**
 * Largest ints: arithmetic on them takes more than linear time, so the limit on the size of values
 * alone would not bound it.
 */
const intBitsMax: number = 2 ** 20;

/** Refuses an int of so many bits before it is made. Throws PV3012. */
export function intFits(bits: number, bytesMax: number): void {
  const bitsMax = Math.min(8 * bytesMax, intBitsMax);
  if (bits <= bitsMax) return;
  throw new Fault(
    faults.valueSize,
    `an int of about ${Math.ceil(bits)} bits is over the limit of ${bitsMax}`,
    'work with floats, or with the remainder of a division at each step',
  );
}

/** The int that digits say in a base from 2 to 36; undefined if a digit is wrong, or none there. */
export function parseDigits(text: string, base: number): number | bigint | undefined {
  const digits = text.toLowerCase();
  if (digits === '') return undefined;
  for (const digit of digits) {
    const value = digit >= 'a' && digit <= 'z' ? digit.charCodeAt(0) - 87 : digitValue(digit);
    if (value >= base) return undefined;
  }
  if (digits.length <= 10) return Number.parseInt(digits, base);
  const prefix = { 2: '0b', 8: '0o', 10: '', 16: '0x' }[base];
  return int(prefix === undefined ? folded(digits, base) : BigInt(prefix + digits));
}

const digitValue = (digit: string): number =>
  digit >= '0' && digit <= '9' ? Number(digit) : Infinity;

/** Joins halves, so that long texts do not take quadratic time. */
function folded(digits: string, base: number): bigint {
  if (digits.length <= 10) return BigInt(Number.parseInt(digits, base));
  const low = digits.length >> 1;
  const high = folded(digits.slice(0, -low), base);
  return high * BigInt(base) ** BigInt(low) + folded(digits.slice(-low), base);
}
