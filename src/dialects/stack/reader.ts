/**
 * Reads a program out of whatever stands around it: fences, prose, lists with numbers, the word
 * `Assistant:`. A statement begins a line, or stands behind another one; anything else is left out
 * and said to be.
 */
import { type Cursor, cursorOn, headAt, here, siteAt, skipBlank, statementIn } from './cursor.ts';
import { fencesIn } from './fences.ts';
import { type Report, report, warn } from './report.ts';
import type { StatementSyntax } from './syntax.ts';
import { readCall } from './value-reader.ts';

export interface Read {
  readonly statements: readonly StatementSyntax[];
  /** How many more there are that could not be read. */
  readonly broken: number;
  readonly report: Report;
}

export function readStatements(text: string): Read {
  const all = report();
  const whole = cursorOn(text, all);
  const { region, others } = fencesIn(text);
  for (const other of others) {
    warn(all, 'otherFence', siteAt(whole, other), 'statements in this fence were left out', {
      hint: 'write the program once, in one fence',
    });
  }
  const c = { ...whole, at: region.start, end: region.end };
  if (region.start > 0) sayProse(whole, 0, region.start);
  const statements: StatementSyntax[] = [];
  let broken = 0;
  while (c.at < c.end) if (!readLine(c, statements)) broken += 1;
  if (region.end < text.length) sayProse(whole, region.end, text.length);
  return { statements, broken, report: all };
}

const label = /[ \t]*(?:\*\*)?(?:assistant|program|ast)(?:\*\*)?:(?:\*\*)?[ \t]*/iy;

/** Reads what begins in the line at whose beginning the cursor stands; false for what is broken. */
function readLine(c: Cursor, statements: StatementSyntax[]): boolean {
  label.lastIndex = c.at;
  c.at += label.exec(c.text)?.[0].length ?? 0;
  const start = statementIn(c.text, c.at);
  if (start === undefined || start >= c.end) {
    leaveOut(c);
    return true;
  }
  const comment = commentAbove(c, start);
  c.at = start;
  let first = true;
  while (c.at < c.end && headAt(c.text, c.at) !== undefined) {
    const from = c.at;
    const call = readCall(c);
    if (!call) {
      goOn(c);
      return false;
    }
    statements.push({ call, comment: first ? comment : '', start: from, end: c.at });
    first = false;
    if (passRest(c)) return true;
  }
  leaveOut(c, 'stray');
  return true;
}

/** Passes what may stand between statements; says whether the line has come to its end. */
function passRest(c: Cursor): boolean {
  for (;;) {
    const isLine = skipBlank(c);
    if (isLine || c.at >= c.end) {
      // The next line is read from its beginning, with what marks it.
      if (isLine) c.at = c.text.lastIndexOf('\n', c.at - 1) + 1;
      return true;
    }
    const character = c.text[c.at] ?? '';
    if (!';,`'.includes(character)) return false;
    c.at += 1;
  }
}

/** Goes on behind a broken statement: where a line is one again. */
function goOn(c: Cursor): void {
  do {
    const line = c.text.indexOf('\n', c.at);
    c.at = line < 0 || line >= c.end ? c.end : line + 1;
  } while (c.at < c.end && statementIn(c.text, c.at) === undefined);
}

/** Leaves the rest of a line out. */
function leaveOut(c: Cursor, code: 'prose' | 'stray' = 'prose'): void {
  const line = c.text.indexOf('\n', c.at);
  const end = line < 0 || line > c.end ? c.end : line;
  const text = c.text.slice(c.at, end);
  const words = text.trim();
  const close = words.startsWith('/*') ? c.text.indexOf('*/', c.at) : -1;
  if (close >= 0 && close + 2 <= c.end) {
    c.at = close + 2;
    return;
  }
  if (words !== '' && !isQuiet(words)) {
    const at = siteAt(c, c.at + text.indexOf(words.slice(0, 1)));
    warn(c.report, code, at, `got ${shorten(words)}; it was left out`, {
      hint:
        code === 'stray'
          ? 'a statement stands in a line of its own; what explains it stands behind #'
          : 'the program consists of statements such as answer(stack_pop(1))',
    });
  }
  c.at = end >= c.end ? c.end : end + 1;
}

/** Comments, fences, rules and headings are no loss. */
const isQuiet = (words: string): boolean =>
  /^(?:#|\/\/|```|~~~|-{3,}$|[;,`*_\s]+$|<\/?[\w -]{1,40}>$)/.test(words);

const shorten = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);

/** Says what was written around the program: a line for its first words. */
function sayProse(c: Cursor, start: number, end: number): void {
  for (let at = start; at < end; ) {
    const line = c.text.indexOf('\n', at);
    const stop = line < 0 || line > end ? end : line;
    const words = c.text.slice(at, stop).trim();
    if (words !== '' && !isQuiet(words) && !/^assistant:$/i.test(words)) {
      warn(c.report, 'prose', siteAt(c, at), `got ${shorten(words)}; it was left out`, {
        hint: 'only what stands in the fence is the program',
      });
    }
    at = stop + 1;
  }
}

/** What the author says of a statement: the lines of comment that end right above it. */
function commentAbove(c: Cursor, start: number): string {
  const words: string[] = [];
  let line = here({ ...c, at: start }).line - 2;
  for (; line >= 0; line--) {
    const from = c.lines[line] ?? 0;
    const text = c.text.slice(from, (c.lines[line + 1] ?? c.text.length + 1) - 1).trim();
    const comment = /^(?:#+|\/\/+)\s*(.*)$/s.exec(text)?.[1];
    if (comment === undefined || words.length >= commentLinesMax) break;
    words.unshift(comment);
  }
  return words.join(' ').trim();
}

const commentLinesMax = 20;
