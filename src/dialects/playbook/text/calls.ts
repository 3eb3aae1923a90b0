/** Calls in texts: `FreeBikes($day)`, `Weather.Forecast(day=$day)`. */
import { namePattern } from '../../../program/name.ts';
import { bracketEnd, isCased, split } from './brackets.ts';

export interface WrittenCall {
  readonly callee: string;
  /** What stands between the brackets. */
  readonly args: string;
}

/** Tools of servers may have names with a dash: `Library.list-all`. */
const member = String.raw`${namePattern}(?:-\p{XIDC}+)*`;

/**
 * `$ann.Guess`, `$players[1].Guess` are playbooks of whichever agent is named there; `$x.upper` is
 * none.
 */
const start = new RegExp(
  String.raw`^(?:await\s+)?(${namePattern}(?:[.:]${member})*|\$?${namePattern}` +
    String.raw`(?:\[[^\][()]+\]|\.${namePattern})*\.[\p{Lu}\p{Lo}]\p{XIDC}*)\(`,
  'u',
);

/** The variable whose agent is called, `$players` of `$players[1].Guess`; undefined for a name. */
export function holderIn(callee: string, locals: ReadonlySet<string>): string | undefined {
  const [, root = '', rest] = /^(\$?\p{XIDC}+)([.[])/u.exec(callee) ?? [];
  return rest !== undefined && (root.startsWith('$') || locals.has(root)) ? root : undefined;
}

/** A text that is a call and nothing else. */
export function callIn(text: string): WrittenCall | undefined {
  const bare = text
    .trim()
    .replace(/^`([^`]*)`[.;]?$/, '$1')
    .replace(/[.;]$/, '');
  const [head, callee] = start.exec(bare) ?? [];
  if (head === undefined || callee === undefined) return undefined;
  if (bracketEnd(bare, head.length - 1) !== bare.length - 1) return undefined;
  return { callee, args: bare.slice(head.length, -1).trim() };
}

export interface Argument {
  /** Absent for one by position. */
  readonly name?: string;
  readonly text: string;
}

const named = new RegExp(String.raw`^(\$?${namePattern})\s*=(?!=)\s*([\s\S]*)$`, 'u');

export function argumentsIn(args: string): Argument[] {
  if (args.trim() === '') return [];
  return split(args, ',').flatMap((part): Argument[] => {
    const text = part.trim();
    if (text === '') return [];
    const [, name, value] = named.exec(text) ?? [];
    return [name === undefined || value === undefined ? { text } : { name, text: value }];
  });
}

export const argumentText = (args: readonly Argument[]): string =>
  args.map(({ name, text }) => (name === undefined ? text : `${name}=${text}`)).join(', ');

const within = new RegExp(String.raw`(?<![\p{XIDC}.$])(${namePattern}(?:\.${member})*)\(`, 'gu');

interface InnerCall {
  readonly from: number;
  readonly to: number;
  readonly call: WrittenCall;
}

/** A call somewhere in a text, where `isKnown` knows its callee. */
export const innerCall = (
  text: string,
  isKnown: (callee: string) => boolean,
): InnerCall | undefined => innerCalls(text, isKnown).next().value ?? undefined;

/** All of them, also those within others. */
export function* innerCalls(
  text: string,
  isKnown: (callee: string) => boolean,
): Generator<InnerCall, undefined> {
  for (const match of text.matchAll(within)) {
    const [head, callee = ''] = match;
    if (!isKnown(callee) || isQuoted(text, match.index)) continue;
    const open = match.index + head.length - 1;
    const end = bracketEnd(text, open);
    if (end === undefined) continue;
    yield {
      ...{ from: match.index, to: end + 1 },
      call: { callee, args: text.slice(open + 1, end).trim() },
    };
  }
}

/** Whether an offset is within quotes, and not between braces there: that is filled in. */
function isQuoted(text: string, offset: number): boolean {
  let quote = '';
  let opened = 0;
  for (let at = 0; at < offset; at++) {
    const character = text[at] ?? '';
    if (quote !== '' && character === '\\') at += 1;
    else if (character === quote) quote = '';
    else if (
      quote === '' &&
      (character === '"' || (character === "'" && !isCased(text[at - 1] ?? '')))
    ) {
      quote = character;
      opened = at;
    }
  }
  return quote !== '' && !isFilledAt(text.slice(opened, offset));
}

const isFilledAt = (before: string): boolean => /\{[^{}]*$/.test(before);
