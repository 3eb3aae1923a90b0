/** Methods of strings: those that look at characters, cases and edges, that format, that search. */
import { list, tuple, typeName, type Value, type View } from '../../program/value.ts';
import {
  codePoints,
  firstIndex,
  isCased,
  isDigit,
  isLetter,
  isLower,
  isSpace,
  isTitle,
  isUpper,
  lastIndex,
  lower,
  lowerOf,
  searchCost,
  titleOf,
  upper,
} from '../values/characters.ts';
import { fillIn } from '../values/format.ts';
import { room, roomForText } from '../values/pendings.ts';
import type { Surroundings } from '../values/surroundings.ts';
import { joinText, partOf, partsOf } from '../values/text.ts';
import {
  aBool,
  anInt,
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
const stringMethod = (name: string, body: (text: string, call: Call) => Value): BuiltinSpec =>
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
function found(call: Call, at: number): number {
  if (at >= 0) return at;
  throw failed(call, 'substring not found');
}

// Methods of strings that look for parts, take them apart and replace them.

type Search = (text: string, part: string) => number;
const first: Search = (text, part) => firstIndex(text, part);
const last: Search = lastIndex;

export const searchMethods: readonly BuiltinSpec[] = [
  stringMethod('count', count),
  stringMethod('find', (text, call) => position(text, call, first)),
  stringMethod('rfind', (text, call) => position(text, call, last)),
  stringMethod('index', (text, call) => found(call, position(text, call, first))),
  stringMethod('rindex', (text, call) => found(call, position(text, call, last))),
  stringMethod('partition', (text, call) => partition(text, call, first)),
  stringMethod('rpartition', (text, call) => partition(text, call, last)),
  stringMethod('replace', replace),
  stringMethod('split', (text, call) => split(text, call, false)),
  stringMethod('rsplit', (text, call) => split(text, call, true)),
  stringMethod('splitlines', splitLines),
];

/** The part of the text that the call means, and where it starts. */
function searched(text: string, call: Call): [part: string, within: string, start: number] {
  const [part, from = null, to = null] = positional(call, [aString], [anything, anything]);
  const [start, end] = bounds(call, from, to, text.length);
  const within = start < end ? text.slice(start, end) : '';
  call.around.charge?.(searchCost(within, part));
  return [part, within, start];
}

function position(text: string, call: Call, search: Search): number {
  const [part, within, start] = searched(text, call);
  const at = search(within, part);
  return at < 0 ? -1 : at + start;
}

function count(text: string, call: Call): Value {
  const [part, within] = searched(text, call);
  return part === '' ? codePoints(within) + 1 : occurrences(within, part, Infinity);
}

function occurrences(text: string, part: string, most: number): number {
  let found = 0;
  for (let at = firstIndex(text, part); at >= 0 && found < most; found++) {
    at = firstIndex(text, part, at + part.length);
  }
  return found;
}

function partition(text: string, call: Call, search: Search): Value {
  const [separator] = positional(call, [aString]);
  if (separator === '') throw misused(call, 'empty separator');
  call.around.charge?.(searchCost(text, separator));
  const at = search(text, separator);
  if (at < 0) return tuple(search === first ? [text, '', ''] : ['', '', text]);
  return tuple([partOf(text, 0, at), separator, partOf(text, at + separator.length)]);
}

/** An empty `old` stands before each code point and at the end. */
function replace(text: string, call: Call): Value {
  const [old, by, limit = -1] = positional(call, [aString, aString], [anInt]);
  const most = limit < 0 ? Infinity : limit;
  call.around.charge?.(searchCost(text, old));
  const places = old === '' ? codePoints(text) + 1 : occurrences(text, old, most);
  const times = Math.min(places, most);
  call.around.charge?.(times);
  roomForText(text.length + times * (by.length - old.length), call.around);
  return old === '' ? between(text, by, times) : replaced(text, old, by, times);
}

function between(text: string, by: string, times: number): string {
  let made = '';
  let left = times;
  for (const c of text) made = joinText(made, left-- > 0 ? by + c : c);
  return left > 0 ? joinText(made, by) : made;
}

function replaced(text: string, old: string, by: string, times: number): string {
  let made = '';
  let done = 0;
  for (let left = times; left > 0; left--) {
    const at = firstIndex(text, old, done);
    made = joinText(made, text.slice(done, at) + by);
    done = at + old.length;
  }
  return joinText(made, text.slice(done));
}

function split(text: string, call: Call, fromRight: boolean): Value {
  const [separator = null, limit = -1] = positional(call, [], [anything, anInt]);
  const most = limit < 0 ? Infinity : limit;
  if (separator === null) {
    call.around.charge?.(text.length);
    return parts(call, text, words(text, most, fromRight, call.around));
  }
  if (typeof separator !== 'string') {
    throw misused(call, `got ${typeName(separator)} for separator, want string`);
  }
  if (separator === '') throw misused(call, 'empty separator');
  return parts(call, text, pieces(text, separator, most, fromRight, call.around));
}

/** The parts between separators; all beyond `most` cuts stays in one piece. */
function pieces(
  text: string,
  separator: string,
  most: number,
  fromRight: boolean,
  around: Surroundings,
): string[] {
  around.charge?.(searchCost(text, separator));
  const count = occurrences(text, separator, Infinity);
  room(Math.min(count, most) + 1, around);
  const whole = fromRight ? count - Math.min(count, most) : 0;
  const found: string[] = [];
  let from = 0;
  let at = -separator.length;
  for (let cut = 0; cut < count && cut < whole + most; cut++) {
    at = firstIndex(text, separator, at + separator.length);
    if (cut < whole) continue;
    found.push(text.slice(from, at));
    from = at + separator.length;
  }
  found.push(text.slice(from));
  return found;
}

function parts(call: Call, text: string, found: readonly string[]): Value {
  room(found.length, call.around);
  return list(partsOf(text, found));
}

/** Runs of what is no space; the last one, or the first from the right, may have spaces in it. */
function words(text: string, most: number, fromRight: boolean, around: Surroundings): string[] {
  const all: [start: number, end: number][] = [];
  for (const { index, 0: word } of text.matchAll(/\P{White_Space}+/gu)) {
    all.push([index, index + word.length]);
    if (all.length % 4096 === 0) room(all.length, around);
  }
  const cut = ([start, end]: [number, number]): string => text.slice(start, end);
  if (all.length <= most) return all.map(cut);
  const rest = all.length - 1 - most;
  if (fromRight) return [text.slice(0, all[rest]?.[1]), ...all.slice(rest + 1).map(cut)];
  return [...all.slice(0, most).map(cut), text.slice(all[most]?.[0])];
}

function splitLines(text: string, call: Call): Value {
  const [keepEnds = false] = positional(call, [], [aBool]);
  if (text === '') return list([]);
  const lines = pieces(text, '\n', Infinity, false, call.around);
  if (text.endsWith('\n')) lines.pop();
  const ended = lines.map((line, i) =>
    keepEnds && (i < lines.length - 1 || text.endsWith('\n')) ? `${line}\n` : line,
  );
  return parts(call, text, ended);
}
