/** `format % values` (Starlark specification, "String interpolation"). */
import { dictGet, isDict, typeName, type Value } from '../../program/value.ts';
import { character, codePoints } from './characters.ts';
import { faults } from './code-names.ts';
import { Fault } from './fault.ts';
import { joinText } from './flat-text.ts';
import { type FloatForm, formatFloat } from './float-text.ts';
import { formatted, type Spec, shaped } from './format-spec.ts';
import { toFloat, toInt } from './numbers.ts';
import { fits, need } from './pendings.ts';
import type { Surroundings } from './surroundings.ts';
import { inShort, repr } from './text.ts';

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
