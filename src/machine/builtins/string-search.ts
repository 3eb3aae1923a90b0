/** Methods of strings that look for parts, take them apart and replace them. */
import { list, tuple, typeName, type Value } from '../../program/value.ts';
import { codePoints } from '../characters.ts';
import {
  aBool,
  anInt,
  anything,
  aString,
  bounds,
  type Call,
  misused,
  positional,
  room,
  roomForText,
} from './arguments.ts';
import type { BuiltinSpec } from './builtin.ts';
import { found, stringMethod } from './string-methods.ts';

type Search = (text: string, part: string) => number;
const first: Search = (text, part) => text.indexOf(part);
const last: Search = (text, part) => text.lastIndexOf(part);

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
  return [part, start < end ? text.slice(start, end) : '', start];
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
  for (let at = text.indexOf(part); at >= 0 && found < most; found++) {
    at = text.indexOf(part, at + part.length);
  }
  return found;
}

function partition(text: string, call: Call, search: Search): Value {
  const [separator] = positional(call, [aString]);
  if (separator === '') throw misused(call, 'empty separator');
  const at = search(text, separator);
  if (at < 0) return tuple(search === first ? [text, '', ''] : ['', '', text]);
  return tuple([text.slice(0, at), separator, text.slice(at + separator.length)]);
}

/** An empty `old` stands before each code point and at the end. */
function replace(text: string, call: Call): Value {
  const [old, by, limit = -1] = positional(call, [aString, aString], [anInt]);
  const most = limit < 0 ? Infinity : limit;
  const places = old === '' ? codePoints(text) + 1 : occurrences(text, old, most);
  const times = Math.min(places, most);
  roomForText(text.length + times * (by.length - old.length), call.around);
  if (old === '') {
    const before = Array.from(text, (c, i) => (i < times ? by + c : c)).join('');
    return times === places ? before + by : before;
  }
  const parts = text.split(old);
  return [parts.slice(0, times + 1).join(by), ...parts.slice(times + 1)].join(old);
}

function split(text: string, call: Call, fromRight: boolean): Value {
  const [separator = null, limit = -1] = positional(call, [], [anything, anInt]);
  const most = limit < 0 ? Infinity : limit;
  if (separator === null) return parts(call, words(text, most, fromRight));
  if (typeof separator !== 'string') {
    throw misused(call, `got ${typeName(separator)} for separator, want string`);
  }
  if (separator === '') throw misused(call, 'empty separator');
  const all = text.split(separator);
  const excess = all.length - 1 - most;
  if (excess <= 0) return parts(call, all);
  const joined = fromRight ? all.splice(0, excess + 1) : all.splice(most, excess + 1);
  all.splice(fromRight ? 0 : most, 0, joined.join(separator));
  return parts(call, all);
}

function parts(call: Call, found: readonly string[]): Value {
  room(found.length, call.around);
  return list([...found]);
}

/** Runs of what is no space; the last one, or the first from the right, may have spaces in it. */
function words(text: string, most: number, fromRight: boolean): string[] {
  const all = [...text.matchAll(/\P{White_Space}+/gu)];
  if (all.length <= most) return all.map(([word]) => word);
  if (fromRight) {
    const whole = all[all.length - 1 - most];
    const end = (whole?.index ?? 0) + (whole?.[0].length ?? 0);
    return [text.slice(0, end), ...all.slice(all.length - most).map(([word]) => word)];
  }
  return [...all.slice(0, most).map(([word]) => word), text.slice(all[most]?.index)];
}

function splitLines(text: string, call: Call): Value {
  const [keepEnds = false] = positional(call, [], [aBool]);
  if (text === '') return list([]);
  const lines = text.split('\n');
  if (text.endsWith('\n')) lines.pop();
  const ended = lines.map((line, i) =>
    keepEnds && (i < lines.length - 1 || text.endsWith('\n')) ? `${line}\n` : line,
  );
  return parts(call, ended);
}
