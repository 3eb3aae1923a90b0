/** Texts with values in them: `format % values`, replacement fields, templates. */
import { wordsOf } from '../../program/retrieved-text.ts';
import { dictGet, isDict, typeName, type Value } from '../../program/value.ts';
import { character, codePoints } from './characters.ts';
import { Fault, faults } from './fault.ts';
import { toFloat, toInt } from './numbers.ts';
import { asData, fits, need } from './pendings.ts';
import type { Surroundings } from './surroundings.ts';
import {
  type FloatForm,
  floatText,
  formatFloat,
  inShort,
  joinText,
  partOf,
  repr,
  roundHalfEven,
  str,
} from './text.ts';

/** Throws PV3002 where values and conversions do not fit each other. */
export function interpolate(format: string, values: Value, around: Surroundings): string {
  const all = typeof values === 'object' && values?.kind === 'tuple' ? values.items : [values];
  const byName = isDict(values);
  let used = 0;
  let text = '';
  let done = 0;
  for (let at = format.indexOf('%'); at >= 0; at = format.indexOf('%', done)) {
    text = joinText(text, format.slice(done, at));
    done = at + 1;
    if (format[done] === '%') {
      text += '%';
      done++;
      continue;
    }
    let value: Value;
    if (format[done] === '(') {
      const end = format.indexOf(')', done);
      if (end < 0) throw wrong('incomplete format key');
      value = lookUp(values, format.slice(done + 1, end));
      done = end + 1;
    } else {
      if (used >= all.length) throw wrong('not enough arguments for format string');
      value = need(all[used] ?? null);
    }
    const width = around.strict || isLetter(format, done) ? '' : placed(format, done);
    done += width.length;
    const form = format[done++];
    if (form === undefined) throw wrong('incomplete format');
    const piece = width === '' ? converted(form, value, around) : wide(width, form, value, around);
    text = joinText(text, piece);
    fits(text.length, around.valueBytes);
    used++;
  }
  if (used < all.length && !byName) throw wrong('too many arguments for format string');
  text = joinText(text, format.slice(done));
  fits(text.length, around.valueBytes);
  around.charge?.(text.length >> 3);
  return text;
}

/** Flags, width and precision before the letter of a conversion, if there are any. */
function placed(format: string, at: number): string {
  widthPattern.lastIndex = at;
  return widthPattern.exec(format)?.[0] ?? '';
}

/** Most conversions are a letter and no more. */
const isLetter = (format: string, at: number): boolean => format.charCodeAt(at) >= 65;

const widthPattern = /[-+ 0#]*\d{0,9}(?:\.\d{1,9})?/y;

/** `%-8s`, `%05.2f`: numbers and texts alike stand at the right end of their width. */
function wide(width: string, form: string, value: Value, around: Surroundings): string {
  const [, flags = '', places = '', digits] = /^([-+ 0#]*)(\d*)(?:\.(\d+))?$/.exec(width) ?? [];
  const isText = form === 's' || form === 'r';
  const plain = isText || form === 'c' ? converted(form, value, around) : value;
  const isLeft = flags.includes('-');
  const isFilled = flags.includes('0') && !isLeft && !isText;
  const spec: Spec = {
    fill: isFilled ? '0' : ' ',
    align: isLeft ? '<' : isFilled ? '=' : '>',
    sign: flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '',
    alternate: flags.includes('#'),
    width: Number(places),
    grouping: '',
    precision: digits === undefined ? undefined : Number(digits),
    type: isText || form === 'c' ? 's' : form,
  };
  return shaped(whole(plain, form), spec, `%${width}${form}`, around);
}

/** `%d` cuts a float. */
function whole(value: Value, form: string): Value {
  const cut = /[dioxX]/.test(form) ? toInt(value) : value;
  return typeof cut === 'string' ? value : cut;
}

const wrong = (message: string, hint?: string): Fault =>
  new Fault(faults.operandTypes, message, hint);

function lookUp(values: Value, key: string): Value {
  if (!isDict(values)) {
    throw wrong('format requires a mapping');
  }
  const found = dictGet(values, key);
  if (found === undefined) throw wrong(`key not found: ${key}`);
  return need(found);
}

function converted(form: string, value: Value, around: Surroundings): string {
  switch (form) {
    case 's':
      return typeof value === 'string' ? value : repr(value, around);
    case 'r':
      return repr(value, around);
    case 'd':
    case 'i':
    case 'o':
    case 'x':
    case 'X':
      return integer(form, value);
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
      return floating(form, value);
    case 'c':
      return single(value);
    case '%':
      return '%';
    default:
      throw wrong(
        `unknown conversion %${form}`,
        'there are %s, %r, %d, %x, %o, %e, %f, %g, %c, with widths as in %8.2f',
      );
  }
}

function integer(form: string, value: Value): string {
  const whole = toInt(value);
  if (typeof whole === 'string') throw wrong(`%${form} format requires integer: ${whole}`);
  const text = whole.toString(form === 'o' ? 8 : form === 'x' || form === 'X' ? 16 : 10);
  return form === 'X' ? text.toUpperCase() : text;
}

function floating(form: FloatForm, value: Value): string {
  const number = toFloat(value);
  if (number !== undefined) return formatFloat(number, form);
  throw wrong(`%${form} format requires float, not ${typeName(value)}`);
}

function single(value: Value): string {
  if (typeof value === 'number' || typeof value === 'bigint') {
    const found = character(value);
    if (found !== undefined) return found;
    throw wrong(`%c format requires a valid Unicode code point, got ${inShort(value)}`);
  }
  if (typeof value === 'string') {
    if (codePoints(value) === 1) return value;
    throw wrong('%c format requires a single-character string');
  }
  throw wrong(`%c format requires int or single-character string, not ${typeName(value)}`);
}

/** `"{} {name!r}".format(…)`; `fail` makes an error of a message. Throws what `fail` gives. */
export function fillIn(
  format: string,
  positional: readonly Value[],
  named: ReadonlyMap<string, Value>,
  around: Surroundings,
): string {
  const numbering: Numbering = { next: 0, mode: undefined };
  let text = '';
  let done = 0;
  while (done < format.length) {
    const at = nextBrace(format, done);
    text = joinText(text, format.slice(done, at));
    if (at === format.length) break;
    if (format[at] === format[at + 1]) {
      text += format[at];
      done = at + 2;
      continue;
    }
    if (format[at] === '}') throw wrong("format: single '}' in format");
    const end = format.indexOf('}', at);
    if (end < 0) throw wrong("format: unmatched '{' in format");
    const [, name = '', conversion = 's', spec = ''] =
      /^([^!:]*)(?:!([^:]*))?(?::(.*))?$/s.exec(format.slice(at + 1, end)) ?? [];
    const value = need(fieldValue(name, positional, named, numbering));
    text = joinText(text, shown(value, conversion, spec, around));
    fits(text.length, around.valueBytes);
    done = end + 1;
  }
  fits(text.length, around.valueBytes);
  around.charge?.(text.length >> 3);
  return text;
}

interface Numbering {
  next: number;
  mode: 'automatic' | 'manual' | undefined;
}

function nextBrace(format: string, from: number): number {
  for (let at = from; at < format.length; at++) {
    if (format[at] === '{' || format[at] === '}') return at;
  }
  return format.length;
}

function fieldValue(
  name: string,
  positional: readonly Value[],
  named: ReadonlyMap<string, Value>,
  numbering: Numbering,
): Value {
  if (!/^\d*$/.test(name)) return namedValue(name, named);
  const mode = name === '' ? 'automatic' : 'manual';
  if (numbering.mode !== undefined && numbering.mode !== mode) {
    const [from, to] =
      mode === 'manual'
        ? ['automatic field numbering', 'manual field specification']
        : ['manual field specification', 'automatic field numbering'];
    throw wrong(`format: cannot switch from ${from} to ${to}`);
  }
  numbering.mode = mode;
  const value = positional[name === '' ? numbering.next++ : Number(name)];
  if (value === undefined) throw wrong('format: tuple index out of range');
  return value;
}

function namedValue(name: string, named: ReadonlyMap<string, Value>): Value {
  const value = named.get(name);
  if (value !== undefined) return value;
  const where = `is not supported in replacement fields: ${name}`;
  if (name.includes('.')) throw wrong(`format: attribute syntax x.y ${where}`);
  if (name.includes('[')) throw wrong(`format: element syntax a[i] ${where}`);
  if (name.includes('{')) throw wrong('format: nested replacement fields not supported');
  throw wrong(`format: keyword ${name} not found`);
}

function shown(value: Value, conversion: string, spec: string, around: Surroundings): string {
  if (spec !== '' && around.strict) {
    throw wrong(`format spec features not supported in replacement fields: ${spec}`);
  }
  if (conversion !== 's' && conversion !== 'r') {
    throw wrong(`format: unknown conversion ${JSON.stringify(conversion)}`);
  }
  const text = conversion === 'r' ? repr(value, around) : undefined;
  if (spec !== '') return formatted(text ?? value, spec, around);
  return text ?? (typeof value === 'string' ? value : repr(value, around));
}

// What stands behind the colon of a replacement field, as in `{x:>8.2f}`, and between `%` and its
// letter: Python's, as far as it says how one number or text looks. The specification of Starlark
// has none of it; programs of models have.

interface Spec {
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
function shaped(value: Value, spec: Spec, text: string, around: Surroundings): string {
  fits(Math.max(spec.width, spec.precision ?? 0), around.valueBytes);
  if (spec.type === 's' || (spec.type === '' && !isNumber(value))) {
    const shown = firstOf(str(value, around), spec.precision);
    return padded('', shown, { ...spec, align: spec.align === '=' ? '<' : (spec.align ?? '<') });
  }
  if (spec.type === 'c')
    return padded('', characterOf(value, text), { ...spec, align: spec.align ?? '<' });
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
  if (base !== undefined) return integerInBase(value, base, spec, text);
  const number = typeof value === 'boolean' ? Number(value) : toFloat(value);
  if (number === undefined) throw unfit(value, text, 'a number');
  return real(number, spec, text);
}

function integerInBase(value: Value, base: number, spec: Spec, text: string): string {
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

function characterOf(value: Value, text: string): string {
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

// Texts with values in them: the one rule by which values become text (design, "Values").

/** Joins the texts of values. */
export function template(parts: readonly Value[], around: Surroundings): string {
  let text = '';
  for (const part of parts) {
    text = joinText(text, asData(need(part), around, wordsOf));
    fits(text.length, around.valueBytes);
  }
  return text;
}
