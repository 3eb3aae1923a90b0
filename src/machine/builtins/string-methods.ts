/** Methods of strings that look at characters, cases and edges, and those that format. */
import { typeName, type Value, type View } from '../../program/value.ts';
import {
  isCased,
  isDigit,
  isLetter,
  isLower,
  isSpace,
  isTitle,
  isUpper,
  lower,
  lowerOf,
  titleOf,
  upper,
} from '../values/characters.ts';
import { joinText, partOf } from '../values/flat-text.ts';
import { fillIn } from '../values/format.ts';
import { roomForText } from '../values/room.ts';
import {
  anything,
  aString,
  bounds,
  type Call,
  defineMethod,
  failed,
  items,
  misused,
  positional,
} from './arguments.ts';
import type { BuiltinSpec } from './builtin.ts';

/** A method of strings, which takes its fuel itself; all lift: none changes its receiver. */
export const stringMethod = (
  name: string,
  body: (text: string, call: Call) => Value,
): BuiltinSpec =>
  defineMethod(name, { lifts: true }, (value) => (typeof value === 'string' ? value : ''), body);

/** A method without arguments that looks at each character. */
const plain = (name: string, body: (text: string) => Value): BuiltinSpec =>
  stringMethod(name, (text, call) => {
    positional(call, []);
    call.around.charge?.(text.length);
    return body(text);
  });

const view = (parts: View['parts']): BuiltinSpec =>
  stringMethod(parts, (of, call): Value => {
    positional(call, []);
    return { kind: 'view', of, parts };
  });

/** True if there is a character and all are of a class. */
const every = (name: string, test: (c: string) => boolean): BuiltinSpec =>
  plain(name, (text) => {
    for (const c of text) if (!test(c)) return false;
    return text !== '';
  });

export const characterMethods: readonly BuiltinSpec[] = [
  view('elems'),
  view('elem_ords'),
  view('codepoints'),
  view('codepoint_ords'),
  every('isalnum', (c) => isLetter(c) || isDigit(c)),
  every('isalpha', isLetter),
  every('isdigit', isDigit),
  every('isspace', isSpace),
  plain('islower', (text) => hasCase(text) && text === lower(text)),
  plain('isupper', (text) => hasCase(text) && text === upper(text)),
  plain('istitle', isTitled),
  plain('lower', lower),
  plain('upper', upper),
  plain('title', title),
  plain('capitalize', capitalize),
  stringMethod('format', (text, call) => fillIn(text, call.args, call.named, call.around)),
  stringMethod('join', join),
  stringMethod('removeprefix', (text, call) => {
    const [prefix] = positional(call, [aString]);
    return text.startsWith(prefix) ? cut(call, text, prefix.length, text.length) : text;
  }),
  stringMethod('removesuffix', (text, call) => {
    const [suffix] = positional(call, [aString]);
    return text.endsWith(suffix) ? cut(call, text, 0, text.length - suffix.length) : text;
  }),
  stringMethod('startswith', (text, call) => edge(text, call, (s, part) => s.startsWith(part))),
  stringMethod('endswith', (text, call) => edge(text, call, (s, part) => s.endsWith(part))),
  stringMethod('strip', (text, call) => strip(text, call, true, true)),
  stringMethod('lstrip', (text, call) => strip(text, call, true, false)),
  stringMethod('rstrip', (text, call) => strip(text, call, false, true)),
];

function hasCase(text: string): boolean {
  for (const c of text) if (isCased(c)) return true;
  return false;
}

/** Capitals only after what has no case, small letters only after what has one. */
function isTitled(text: string): boolean {
  let found = false;
  let inWord = false;
  for (const c of text) {
    const starts = isTitle(c);
    const goesOn = !starts && isLower(c);
    if (starts ? inWord : goesOn ? !inWord : isUpper(c)) return false;
    inWord = starts || goesOn;
    found ||= inWord;
  }
  return found;
}

function title(text: string): string {
  let result = '';
  let inWord = false;
  for (const c of text) {
    const made = inWord ? lowerOf(c) : titleOf(c);
    inWord = isCased(made);
    result = joinText(result, made);
  }
  return result;
}

function capitalize(text: string): string {
  const [first = ''] = text;
  return (first === '' ? '' : titleOf(first)) + lower(text.slice(first.length));
}

function join(separator: string, call: Call): Value {
  const [parts] = positional(call, [items]);
  let length = separator.length * Math.max(0, parts.length - 1);
  for (const part of parts) {
    if (typeof part !== 'string') {
      const hint = 'make texts of the parts: ", ".join([str(x) for x in xs])';
      throw misused(call, `in list, want string, got ${typeName(part)}`, hint);
    }
    length += part.length;
  }
  roomForText(length, call.around);
  return parts.join(separator);
}

function edge(text: string, call: Call, test: (text: string, part: string) => boolean): Value {
  const [part, from = null, to = null] = positional(call, [anything], [anything, anything]);
  const [start, end] = bounds(call, from, to, text.length);
  const whole = text.slice(start, Math.max(start, end));
  const tested = (one: string): boolean => {
    call.around.charge?.(1 + (Math.min(one.length, whole.length) >> 6));
    return test(whole, one);
  };
  if (typeof part === 'string') return tested(part);
  if (typeof part !== 'object' || part?.kind !== 'tuple') {
    throw misused(call, `got ${typeName(part)}, want string or tuple of string`);
  }
  return part.items.some((item, i) => {
    if (typeof item === 'string') return tested(item);
    throw misused(call, `want string, got ${typeName(item)}, for element ${i}`);
  });
}

function strip(text: string, call: Call, left: boolean, right: boolean): Value {
  const [cutset = ''] = positional(call, [], [aString]);
  const set = cutset === '' ? undefined : new Set(cutset);
  const goes = (c: string): boolean => (set ? set.has(c) : isSpace(c));
  let start = 0;
  let end = text.length;
  for (let c = after(text, start); left && start < end && goes(c); c = after(text, start)) {
    start += c.length;
  }
  for (let c = before(text, end); right && end > start && goes(c); c = before(text, end)) {
    end -= c.length;
  }
  call.around.charge?.(text.length - (end - start) + cutset.length);
  return cut(call, text, start, end);
}

/** The character that begins at a place. */
function after(text: string, at: number): string {
  return at < text.length ? String.fromCodePoint(text.codePointAt(at) ?? 0) : '';
}

/** The character that ends at a place. */
function before(text: string, end: number): string {
  const c = after(text, end - 2);
  return c.length === 2 ? c : text.charAt(end - 1);
}

/** A part of a text, which is copied where it is a small one. */
function cut(call: Call, text: string, start: number, end: number): string {
  call.around.charge?.((end - start) >> 3);
  return partOf(text, start, end);
}

/** For `index` and its kin: the position, which must be there. */
export function found(call: Call, at: number): number {
  if (at >= 0) return at;
  throw failed(call, 'substring not found');
}
