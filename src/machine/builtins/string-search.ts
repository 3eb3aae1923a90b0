/** Methods of strings that look for parts, take them apart and replace them. */
import { list, tuple, typeName, type Value } from '../../program/value.ts';
import { codePoints } from '../values/characters.ts';
import { joinText, partOf, partsOf } from '../values/flat-text.ts';
import { room, roomForText } from '../values/room.ts';
import type { Surroundings } from '../values/surroundings.ts';
import { firstIndex, lastIndex, searchCost } from '../values/text-search.ts';
import {
  aBool,
  anInt,
  anything,
  aString,
  bounds,
  type Call,
  misused,
  positional,
} from './arguments.ts';
import type { BuiltinSpec } from './builtin.ts';
import { found, stringMethod } from './string-methods.ts';

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
