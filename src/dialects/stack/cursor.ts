/**
 * Where reading has come to in a text, and small looks at what is there. Every look is bounded or
 * moves the cursor on, so that reading takes time in proportion to the text.
 */
import type { Site } from '../../program/effect.ts';
import type { Report } from './report.ts';
import { isStatementName } from './syntax.ts';

export interface Cursor {
  readonly text: string;
  /** Behind the last character that is read. */
  readonly end: number;
  readonly report: Report;
  /** Where lines begin. */
  readonly lines: readonly number[];
  at: number;
  /** Calls, lists and objects that are open. */
  depth: number;
  /** Whether the text has ended in the middle of a statement. */
  isCut: boolean;
}

export function cursorOn(text: string, report: Report): Cursor {
  const lines = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines.push(at + 1);
  return { text, end: text.length, report, lines, at: 0, depth: 0, isCut: false };
}

/** Line and column of an offset, both from 1. */
export function siteAt({ lines }: Pick<Cursor, 'lines'>, offset: number): Site {
  let [low, high] = [0, lines.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((lines[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: offset - (lines[low] ?? 0) + 1 };
}

/** The place where the cursor stands. */
export const here = (c: Cursor): Site => siteAt(c, c.at);

/** Whether a text stands at the cursor. */
export const sees = ({ text, at, end }: Cursor, what: string): boolean =>
  at + what.length <= end && text.startsWith(what, at);

/** What a sticky pattern finds at the cursor; it is passed. */
export function taken(c: Cursor, pattern: RegExp): string | undefined {
  const found = lookedAt(c, pattern);
  if (found !== undefined) c.at += found.length;
  return found;
}

/** What a sticky pattern finds at the cursor. */
export function lookedAt({ text, at, end }: Cursor, pattern: RegExp): string | undefined {
  pattern.lastIndex = at;
  const [found] = pattern.exec(text) ?? [];
  return found !== undefined && at + found.length <= end ? found : undefined;
}

const blank = /(?:[\s\u00a0\ufeff]+|#[^\n]*|\/\/[^\n]*)/y;

/** Passes white space and comments; says whether a line has ended in them. */
export function skipBlank(c: Cursor): boolean {
  const start = c.at;
  for (;;) {
    if (taken(c, blank) !== undefined) continue;
    if (!sees(c, '/*')) break;
    const close = c.text.indexOf('*/', c.at + 2);
    // What is not closed is no comment, or it would take the rest of the program with it.
    if (close < 0 || close + 2 > c.end) break;
    c.at = close + 2;
  }
  return c.text.slice(start, c.at).includes('\n');
}

/** What models put before a statement of a list: a dash, a number. */
const mark = /[ \t]*(?:(?:[-*•]|\d{1,4}[.)])[ \t]+)?`?/y;
const head = /([A-Za-z_][\w.]{0,200})([ \t]*)\(/y;

/** The name before a bracket at an offset, where a statement may begin there. */
export function headAt(text: string, offset: number): string | undefined {
  head.lastIndex = offset;
  const [, name, space] = head.exec(text) ?? [];
  // In prose a bracket stands behind a space.
  return name !== undefined && (space === '' || isStatementName(name)) ? name : undefined;
}

/** Where a statement begins in the line that begins at an offset; undefined where none does. */
export function statementIn(text: string, lineStart: number): number | undefined {
  mark.lastIndex = lineStart;
  const start = lineStart + (mark.exec(text)?.[0].length ?? 0);
  return headAt(text, start) === undefined ? undefined : start;
}

/** The same for a line that without doubt is a statement, wherever it stands. */
export function isStatementLine(text: string, lineStart: number): boolean {
  const start = statementIn(text, lineStart);
  return start !== undefined && isStatementName(headAt(text, start) ?? '');
}
