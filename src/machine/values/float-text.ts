/**
 * Floats as text and back. The text is that of Go: as few digits as tell the value from its
 * neighbours, with an exponent below 1e-4 and from 1e6 on (Starlark specification, "Floating-point
 * numbers"); `%e` and `%f` have six digits after the point and round halves to even.
 */

export type FloatForm = 'e' | 'E' | 'f' | 'F' | 'g' | 'G';

/** What `str` shows: it has a point or an exponent, so it cannot be read as an int. */
export const floatText = (value: number): string => formatFloat(value, 'g');

export function formatFloat(value: number, form: FloatForm): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? '+inf' : '-inf';
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  const size = Math.abs(value);
  const upper = form < 'a';
  const text = sign + digits(size, form.toLowerCase());
  return upper ? text.toUpperCase() : text;
}

function digits(size: number, form: string): string {
  if (form === 'e') return exponent(rounded(size.toExponential(100), 6));
  if (form === 'f') return fixed(size);
  const text = size.toExponential();
  const at = text.indexOf('e');
  const power = Number(text.slice(at + 1));
  if (power < -4 || power >= 6) return exponent(text);
  const all = text.slice(0, at).replace('.', '');
  if (power < 0) return `0.${'0'.repeat(-power - 1)}${all}`;
  const whole = all.slice(0, power + 1).padEnd(power + 1, '0');
  return `${whole}.${all.slice(power + 1) || '0'}`;
}

/** `1e+6` with an exponent of two digits at least: `1e+06`. */
const exponent = (text: string): string => text.replace(/e([+-])(\d)$/, 'e$10$2');

function fixed(size: number): string {
  if (size >= 1e21) return `${BigInt(size)}.000000`;
  return rounded(size.toFixed(100), 6);
}

/** Cuts an exact decimal text after `count` digits behind the point. */
function rounded(exact: string, count: number): string {
  const [, whole = '', fraction = '', power = ''] = /^(\d+)\.(\d+)(e.*)?$/.exec(exact) ?? [];
  const all = String(cut(whole + fraction, whole.length + count)).padStart(count + 1, '0');
  const front = all.slice(0, -count);
  if (power !== '' && front.length > 1) {
    return `${front[0]}.${front.slice(1)}${all.slice(-count, -1)}e${next(power)}`;
  }
  return `${front}.${all.slice(-count)}${power}`;
}

/** The first `count` digits, rounded by the rest; halves go to even. */
function cut(digits: string, count: number): bigint {
  const kept = BigInt(digits.slice(0, count));
  const rest = digits.slice(count);
  const up = /^50*$/.test(rest) ? kept % 2n === 1n : rest >= '5';
  return up ? kept + 1n : kept;
}

/** A float to so many digits behind the point, or before it where `digits` is negative. */
export function roundHalfEven(value: number, digits: number): number {
  if (!Number.isFinite(value) || Math.abs(value) >= 1e21 || digits > 100) return value;
  const [whole = '', fraction = ''] = Math.abs(value).toFixed(100).split('.');
  const count = whole.length + digits;
  const size = count < 0 ? 0 : Number(`${cut(whole + fraction, count)}e${-digits}`);
  return value < 0 ? -size : size;
}

/** The exponent after 9.9999999 became 10. */
function next(power: string): string {
  const value = Number(power.slice(1)) + 1;
  return value < 0 ? String(value) : `+${value}`;
}

const decimal = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;
const special = /^([+-]?)(inf|infinity|nan)$/i;

/** The float that a text says; undefined where it says none. Too large a number is infinite. */
export function parseFloatText(text: string): number | undefined {
  const found = special.exec(text);
  if (found) {
    if (found[2]?.toLowerCase() === 'nan') return NaN;
    return found[1] === '-' ? -Infinity : Infinity;
  }
  return decimal.test(text) ? Number(text) : undefined;
}

/** Whether a text that stands for infinity says so itself. */
export const saysInfinity = (text: string): boolean => special.test(text);
