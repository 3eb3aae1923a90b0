/**
 * What stands behind the colon of a replacement field, as in `{x:>8.2f}`, and between `%` and its
 * letter: Python's, as far as it says how one number or text looks. The specification of Starlark
 * has none of it; programs of models have.
 */
import type { Value } from '../../program/value.ts';
import { typeName } from '../../program/value.ts';
import { character, codePoints } from './characters.ts';
import { faults } from './code-names.ts';
import { Fault } from './fault.ts';
import { partOf } from './flat-text.ts';
import { floatText, roundHalfEven } from './float-text.ts';
import { toFloat, toInt } from './numbers.ts';
import { fits } from './pendings.ts';
import type { Surroundings } from './surroundings.ts';
import { str } from './text.ts';

export interface Spec {
  readonly fill: string;
  /** `=` puts the fill between sign and digits. */
  readonly align: '<' | '>' | '^' | '=' | undefined;
  /** What stands before a number that is not negative. */
  readonly sign: '' | '+' | ' ';
  /** `0x` and the like before digits to another base. */
  readonly alternate: boolean;
  readonly width: number;
  /** Between groups of three digits. */
  readonly grouping: '' | ',' | '_';
  readonly precision: number | undefined;
  readonly type: string;
}

const pattern =
  /^(?:(.)?([<>=^]))?([-+ ])?(#)?(0)?(\d{1,9})?([,_])?(?:\.(\d{1,9}))?([a-zA-Z%])?$/su;

/** The text of a value in a format. Throws PV3002 for a format that is none, or not for it. */
export function formatted(value: Value, text: string, around: Surroundings): string {
  const found = pattern.exec(text);
  if (!found) throw unknown(text);
  const [, fill, align, sign, alternate, zero, width, grouping, precision, type = ''] = found;
  const spec: Spec = {
    fill: fill ?? (zero === undefined ? ' ' : '0'),
    align: (align as Spec['align']) ?? (zero === undefined ? undefined : '='),
    sign: sign === '+' || sign === ' ' ? sign : '',
    alternate: alternate !== undefined,
    width: Number(width ?? 0),
    grouping: grouping === ',' || grouping === '_' ? grouping : '',
    precision: precision === undefined ? undefined : Number(precision),
    type,
  };
  return shaped(value, spec, text, around);
}

/** `text` is the format as it is written, for messages. */
export function shaped(value: Value, spec: Spec, text: string, around: Surroundings): string {
  fits(Math.max(spec.width, spec.precision ?? 0), around.valueBytes);
  if (spec.type === 's' || (spec.type === '' && !isNumber(value))) {
    const shown = firstOf(str(value, around), spec.precision);
    return padded('', shown, { ...spec, align: spec.align === '=' ? '<' : (spec.align ?? '<') });
  }
  if (spec.type === 'c')
    return padded('', single(value, text), { ...spec, align: spec.align ?? '<' });
  const number = numberText(value, spec, text);
  const isNegative = number.startsWith('-');
  const sign = isNegative ? '-' : spec.sign;
  const [, prefix = '', digits = ''] =
    /^(0[xXob])?(.*)$/s.exec(isNegative ? number.slice(1) : number) ?? [];
  return padded(sign + prefix, grouped(digits, spec), { ...spec, align: spec.align ?? '>' });
}

/** So many characters of a text. */
function firstOf(text: string, count = Infinity): string {
  if (text.length <= count) return text;
  let end = 0;
  for (let left = count; left > 0 && end < text.length; left--) {
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  }
  return partOf(text, 0, end);
}

function padded(sign: string, digits: string, { fill, align, width }: Spec): string {
  const missing = width - sign.length - codePoints(digits);
  if (missing <= 0) return sign + digits;
  switch (align) {
    case '=':
      return sign + fill.repeat(missing) + digits;
    case '<':
      return sign + digits + fill.repeat(missing);
    case '^': {
      const left = missing >> 1;
      return fill.repeat(left) + sign + digits + fill.repeat(missing - left);
    }
    default:
      return fill.repeat(missing) + sign + digits;
  }
}

function grouped(digits: string, { grouping }: Spec): string {
  if (grouping === '') return digits;
  const [, whole = '', rest = ''] = /^(\d+)(.*)$/s.exec(digits) ?? [undefined, '', digits];
  const groups: string[] = [];
  for (let end = whole.length; end > 0; end -= 3)
    groups.push(whole.slice(Math.max(0, end - 3), end));
  return groups.reverse().join(grouping) + rest;
}

const isNumber = (value: Value): boolean =>
  typeof value === 'number' ||
  typeof value === 'bigint' ||
  (typeof value === 'object' && value?.kind === 'float');

const bases: Readonly<Record<string, number>> = { b: 2, o: 8, x: 16, X: 16, d: 10, n: 10, i: 10 };

function numberText(value: Value, spec: Spec, text: string): string {
  const { type } = spec;
  const isFloat = typeof value === 'object' && value?.kind === 'float';
  const base = type === '' && !isFloat ? 10 : Object.hasOwn(bases, type) ? bases[type] : undefined;
  if (base !== undefined) return integer(value, base, spec, text);
  const number = typeof value === 'boolean' ? Number(value) : toFloat(value);
  if (number === undefined) throw unfit(value, text, 'a number');
  return real(number, spec, text);
}

function integer(value: Value, base: number, spec: Spec, text: string): string {
  const number = typeof value === 'boolean' ? Number(value) : value;
  if (typeof number !== 'number' && typeof number !== 'bigint') throw unfit(value, text, 'an int');
  if (spec.precision !== undefined) throw unknown(text);
  const digits = number.toString(base);
  const size = spec.type === 'X' ? digits.toUpperCase() : digits;
  if (!spec.alternate || base === 10) return size;
  const prefix = `0${spec.type}`;
  return size.startsWith('-') ? `-${prefix}${size.slice(1)}` : prefix + size;
}

function real(number: number, { type, precision }: Spec, text: string): string {
  if (!Number.isFinite(number)) return Number.isNaN(number) ? 'nan' : number > 0 ? 'inf' : '-inf';
  if (precision !== undefined && precision > 100) {
    throw new Fault(faults.operandTypes, `got ${precision} digits in ${text}, want at most 100`);
  }
  switch (type) {
    case '':
      return precision === undefined ? floatText(number) : general(number, precision);
    case 'f':
    case 'F':
      return fixed(number, precision ?? 6);
    case 'e':
      return exponential(number, precision ?? 6);
    case 'E':
      return exponential(number, precision ?? 6).toUpperCase();
    case 'g':
      return general(number, precision ?? 6);
    case 'G':
      return general(number, precision ?? 6).toUpperCase();
    case '%':
      return `${fixed(number * 100, precision ?? 6)}%`;
    default:
      throw unknown(text);
  }
}

const minus = (number: number): string => (Object.is(number, -0) ? '-' : '');

/** Halves go to the even digit, as they do in `round`. */
const fixed = (number: number, digits: number): string =>
  Math.abs(number) < 1e21
    ? minus(number) + roundHalfEven(number, digits).toFixed(digits)
    : `${BigInt(number)}${digits > 0 ? `.${'0'.repeat(digits)}` : ''}`;

const exponential = (number: number, digits: number): string =>
  minus(number) + number.toExponential(digits).replace(/e([+-])(\d)$/, 'e$10$2');

/** So many digits that count; the exponent is written where they do not reach the point. */
function general(number: number, precision: number): string {
  const digits = Math.max(precision, 1);
  const text = exponential(number, digits - 1);
  const [mantissa = '', power = '0'] = text.split('e');
  if (Number(power) < -4 || Number(power) >= digits) {
    return `${trimmed(mantissa)}e${power}`;
  }
  return trimmed(fixed(number, digits - 1 - Number(power)));
}

const trimmed = (digits: string): string =>
  digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits;

function single(value: Value, text: string): string {
  const code = toInt(value);
  const found = typeof code === 'string' ? undefined : character(code);
  if (found === undefined) throw unfit(value, text, 'a code point');
  return found;
}

const unfit = (value: Value, text: string, wanted: string): Fault =>
  new Fault(faults.operandTypes, `got ${typeName(value)} in the format ${text}, want ${wanted}`);

const unknown = (text: string): Fault =>
  new Fault(
    faults.operandTypes,
    `got the format ${text}, want one such as .2f, >8, 05d, x, e or %`,
    'a format is [fill][<>=^][+][0][width][,][.digits][type]',
  );
