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
} from '../characters.ts';
import { fillIn } from '../format.ts';
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
  roomForText,
} from './arguments.ts';
import type { BuiltinSpec } from './builtin.ts';

/** A method of strings; all of them lift, since none changes its receiver. */
export const stringMethod = (
  name: string,
  body: (text: string, call: Call) => Value,
): BuiltinSpec =>
  defineMethod(
    name,
    { lifts: true },
    (value) => (typeof value === 'string' ? value : ''),
    (text, call) => {
      call.around.charge?.(text.length);
      return body(text, call);
    },
  );

/** A method without arguments. */
const plain = (name: string, body: (text: string) => Value): BuiltinSpec =>
  stringMethod(name, (text, call) => {
    positional(call, []);
    return body(text);
  });

const view = (parts: View['parts']): BuiltinSpec =>
  plain(parts, (text) => ({ kind: 'view', of: text, parts }));

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
    return text.startsWith(prefix) ? text.slice(prefix.length) : text;
  }),
  stringMethod('removesuffix', (text, call) => {
    const [suffix] = positional(call, [aString]);
    return text.endsWith(suffix) ? text.slice(0, text.length - suffix.length) : text;
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
    result += made;
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
    if (typeof part !== 'string')
      throw misused(call, `in list, want string, got ${typeName(part)}`);
    length += part.length;
  }
  roomForText(length, call.around);
  return parts.join(separator);
}

function edge(text: string, call: Call, test: (text: string, part: string) => boolean): Value {
  const [part, from = null, to = null] = positional(call, [anything], [anything, anything]);
  const [start, end] = bounds(call, from, to, text.length);
  const whole = text.slice(start, Math.max(start, end));
  if (typeof part === 'string') return test(whole, part);
  if (typeof part !== 'object' || part?.kind !== 'tuple') {
    throw misused(call, `got ${typeName(part)}, want string or tuple of string`);
  }
  return part.items.some((item, i) => {
    if (typeof item === 'string') return test(whole, item);
    throw misused(call, `want string, got ${typeName(item)}, for element ${i}`);
  });
}

function strip(text: string, call: Call, left: boolean, right: boolean): Value {
  const [cutset = ''] = positional(call, [], [aString]);
  const all = [...text];
  const set = new Set(cutset);
  const goes = (c: string | undefined): boolean =>
    c !== undefined && (cutset === '' ? isSpace(c) : set.has(c));
  let start = 0;
  let end = all.length;
  while (left && start < end && goes(all[start])) start++;
  while (right && end > start && goes(all[end - 1])) end--;
  return all.slice(start, end).join('');
}

/** For `index` and its kin: the position, which must be there. */
export function found(call: Call, at: number): number {
  if (at >= 0) return at;
  throw failed(call, 'substring not found');
}
