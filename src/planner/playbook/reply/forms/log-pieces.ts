/**
 * Where statements stand in lines of a log: between backticks, and without them where they can be
 * nothing else. Prose around them is none.
 */
import { namePattern } from '../../../../program/name.ts';
import { saidOf } from '../said.ts';
import { closedAt, isClosed, markAt } from './balance.ts';
import { targetPattern } from './statement.ts';

export interface LogPiece {
  readonly text: string;
  /** Where it begins. */
  readonly from: number;
  /** Whether it stands without backticks. */
  readonly isBare: boolean;
  /** Whether it goes on in the next line. */
  readonly isOpen: boolean;
  /** What it calls, where that may be prose unless somebody is called so. */
  readonly callee?: string;
}

type Found = LogPiece & { readonly end: number };

/** `isLog`: the text is certainly one of a log. */
export function piecesIn(
  text: string,
  isLog: boolean,
): { readonly pieces: readonly LogPiece[]; readonly behind: string } {
  const pieces: LogPiece[] = [];
  let at = 0;
  let mayBeBare = true;
  while (at < text.length) {
    at += /^[\s;,]*/.exec(text.slice(at))?.[0].length ?? 0;
    const found = (mayBeBare ? bareAt(text, at, isLog) : undefined) ?? markedFrom(text, at);
    if (!found) break;
    if (found.text !== '') pieces.push(found);
    at = found.end;
    mayBeBare = /^Step\b/i.test(found.text);
  }
  return { pieces, behind: text.slice(at) };
}

/** A line that begins with an element: `Step["Main:01:QUE"]`. */
export const beginsElement = (line: string): boolean => /^`?(?:Step|Var|Return|Yield)\[/.test(line);

const path = String.raw`(?:\.\p{XIDC}+(?:-\p{XIDC}+)*|\["[^"]*"\])*`;
const callPattern = String.raw`(?:await\s+)?(?:self\.)?\$?${namePattern}${path}\(`;
const head = new RegExp(
  String.raw`\s*(?:(?:Step|Var|Trigger|Return|Yield)\s*\[|${callPattern}|` +
    String.raw`${targetPattern}(?:,\s*${targetPattern})*=(?!=)|self\.state\[)`,
  'iuy',
);
const targetAtEnd = new RegExp(String.raw`\$${namePattern}\s*(?::[^=\x60]*)?=\s*$`, 'u');

/** The next one between backticks, with the variable that stands before them; empty for prose. */
function markedFrom(text: string, from: number): Found | undefined {
  const mark = text.slice(from).search(/(?<!`)`(?!`)/) + from;
  if (mark < from) return undefined;
  const target = targetAtEnd.exec(text.slice(from, mark))?.[0] ?? '';
  const begin = mark - target.length;
  const { inner, end, isOpen } = markedAt(text, mark);
  const isStatement = isOpen || /[[(=]/.test(inner) || /^\s*(?:yld|yield)\b/i.test(inner);
  const piece = isStatement ? `${target}${inner.trim()}` : '';
  return { text: piece, from: begin, end, isOpen, isBare: false };
}

function markedAt(text: string, mark: number) {
  const from = mark + 1;
  const found = (end: number, isOpen = false) => ({
    ...{ inner: text.slice(from, end), isOpen },
    end: Math.min(end + 1, text.length),
  });
  head.lastIndex = from;
  const next = text.indexOf('`', from);
  if (!head.test(text)) return found(next < 0 ? text.length : next);
  const balanced = markAt(text, from, '`');
  if (balanced >= 0) return found(balanced);
  // What lacks a bracket or a quote ends at its mark all the same, where its line has that.
  const [line = ''] = text.slice(mark).split('\n');
  if (line.split('`').length % 2 === 1) return found(next);
  // Without its mark a value may be half of one: only brackets and quotes say that it is whole.
  return found(text.length, !isClosed(text, from) || !/[)\]}"'”“»]\s*$/.test(text));
}

const bareElement = /(?:Step|Var|Trigger|Return|Yield)(?=\[)/y;
const bareTarget = new RegExp(
  String.raw`\$${namePattern}\s*(?::[^=\x60]*)?=(?!=)\s*(?=[^\x60\s])`,
  'uy',
);
const bareCall = new RegExp(callPattern, 'uy');
/** Playbooks say so of nobody: `Say("user", "Hello")`. */
const sureCall =
  /(?:Say|Ask|SendMessage)\(\s*f?["'“”][^"'”]*["'”]\s*,\s*f?["'“”]|(?:Step|Yield)\(\s*["'“”]/y;
const atLineEnd = /^[\s;,.]*(?:$|\n|#|(?:yld|yield|trig)\b)/i;

/** One without backticks that begins at an offset. */
function bareAt(text: string, from: number, isLog: boolean): Found | undefined {
  const piece = (end: number, isOpen = false): Found => ({
    ...{ text: text.slice(from, end), from, end, isOpen, isBare: true },
  });
  const bracketed = (bracket: number): Found | undefined => {
    const end = closedAt(text, bracket);
    if (end < 0) return piece(text.length, true);
    return piece(end + 1);
  };
  const element = matchEnd(bareElement, text, from);
  if (element !== undefined) return bracketed(element);
  const value = matchEnd(bareTarget, text, from);
  const call = matchEnd(bareCall, text, value ?? from);
  const isSure = isLog || value !== undefined || matchEnd(sureCall, text, from) !== undefined;
  if (call !== undefined && isSure) {
    const found = bracketed(call - 1);
    if (!found || found.isOpen || atLineEnd.test(text.slice(found.end))) {
      const callee = value === undefined ? calleeIn(text.slice(from, call - 1)) : undefined;
      return found && { ...found, ...(callee !== undefined && { callee }) };
    }
  }
  if (value === undefined || !isLog) return undefined;
  return isClosed(text, value) ? piece(text.length) : piece(text.length, true);
}

/** Undefined for what says something by itself, as `Say` does. */
function calleeIn(written: string): string | undefined {
  const callee = written.replace(/^(?:await\s+)?(?:self\.)?/, '');
  return saidOf({ callee, args: [], named: {} }).some(({ is }) => is === 'call')
    ? callee
    : undefined;
}

function matchEnd(pattern: RegExp, text: string, from: number): number | undefined {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
