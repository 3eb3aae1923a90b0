/**
 * Arguments as they are written, before a tool says what they are to be. Made of the marks of the
 * scanner, which alone decides what is a quote or a bracket.
 */
import type { Diagnostic } from '../../program/diagnostic.ts';
import type { Site } from '../../program/effect.ts';
import type { Mark } from './call-scanner.ts';
import { type CodeName, codeByName } from './codes.ts';
import type { CallText } from './item.ts';

/** `bare`: text without quotes, numbers, references, expressions, whatever it will be. */
export type Syntax =
  | ({ readonly kind: 'bare'; readonly text: string } & Site)
  | ({ readonly kind: 'string'; readonly raw: string } & Site)
  | ({ readonly kind: 'list'; readonly items: readonly Syntax[] } & Site)
  | ({ readonly kind: 'object'; readonly entries: readonly ObjectEntry[] } & Site);

export interface ObjectEntry extends Site {
  readonly key: Syntax;
  readonly value: Syntax;
}

export interface Argument extends Site {
  /** `query` of `query="x"`; undefined without one. */
  readonly name: string | undefined;
  /** Whether the name stands before `=`, and not before a colon, which text has, too. */
  readonly isAssigned: boolean;
  readonly value: Syntax;
  /** All of it as written, with its name, and its offset in what stands between the brackets. */
  readonly text: string;
  readonly at: number;
}

export interface Arguments {
  readonly list: readonly Argument[];
  /** Everything between the brackets, without comments. */
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
}

const depthMax = 64;

interface Reading {
  readonly text: string;
  readonly marks: readonly Mark[];
  /** The mark that is next. */
  next: number;
  readonly call: CallText;
  /** Offsets of the line breaks in the text. */
  readonly breaks: readonly number[];
  readonly diagnostics: Diagnostic[];
}

export function argumentsOf(call: CallText): Arguments {
  const text = withoutComments(call);
  const marks = call.marks.filter(({ kind }) => kind !== 'hash' && kind !== 'line');
  const r: Reading = { text, marks, next: 1, call, breaks: breaksIn(text), diagnostics: [] };
  const end = marks.at(-1)?.at ?? text.length;
  const before = skipSpace(text, 1);
  const list = elements(r, 1, 0).map((element) => argument(element, before));
  return { list, text: text.slice(1, end).trim(), diagnostics: r.diagnostics };
}

function withoutComments({ text, marks }: CallText): string {
  let out = '';
  let from = 0;
  for (const [i, { kind, at }] of marks.entries()) {
    if (kind !== 'hash') continue;
    const end = marks[i + 1]?.kind === 'line' ? (marks[i + 1]?.at ?? at) : text.length;
    out += text.slice(from, at) + ' '.repeat(end - at);
    from = end;
  }
  return from === 0 ? text : out + text.slice(from);
}

/** What stands between two commas, or between a bracket and one. */
interface Element extends Site {
  readonly key: Syntax | undefined;
  readonly isAssigned: boolean;
  readonly value: Syntax;
  readonly text: string;
  readonly at: number;
}

function argument({ key, ...element }: Element, before: number): Argument {
  const name = key?.kind === 'bare' ? key.text : key?.kind === 'string' ? key.raw : undefined;
  return { ...element, name, at: element.at - before };
}

/** The elements up to the bracket that closes them, which is passed. */
function elements(r: Reading, from: number, depth: number): Element[] {
  const found: Element[] = [];
  let start = from;
  for (;;) {
    const element = oneElement(r, start, depth);
    const end = r.marks[r.next++];
    const isLast = end?.kind !== 'comma';
    const isEmpty = element.text === '';
    if (!isEmpty) found.push(element);
    else if (!isLast) say(r, 'missingArgument', start, 'got a comma, want an argument before it');
    if (isLast) return found;
    start = end.at + 1;
  }
}

function oneElement(r: Reading, start: number, depth: number): Element {
  const first = skipSpace(r.text, start);
  const value = valueAt(r, start, depth);
  const mark = r.marks[r.next];
  if (mark?.kind !== 'name') {
    const text = r.text.slice(start, mark?.at ?? r.text.length).trim();
    return { key: undefined, isAssigned: false, value, text, at: first, ...place(r, first) };
  }
  r.next++;
  const own = valueAt(r, mark.at + 1, depth);
  const text = r.text.slice(start, r.marks[r.next]?.at ?? r.text.length).trim();
  const isAssigned = r.text[mark.at] === '=';
  return { key: value, isAssigned, value: own, text, at: first, ...place(r, first) };
}

/** Up to a comma, the end of its list, or, as a key, its colon. Leaves that mark as the next. */
function valueAt(r: Reading, start: number, depth: number): Syntax {
  const first = skipSpace(r.text, start);
  const mark = r.marks[r.next];
  const before = r.next;
  if (mark?.at === first && mark.kind === 'quote') {
    const end = r.marks[r.next + 1];
    r.next += 2;
    if (end && isEnd(r, end.at + end.width)) {
      const inside = r.text.slice(mark.at + mark.width, end.at);
      // In « quotes of this kind », spaces stand that are no part of the text.
      const raw = r.text[mark.at] === '\u00ab' ? inside.trim() : inside;
      return { kind: 'string', raw, ...place(r, first) };
    }
  } else if (mark?.at === first && mark.kind === 'open' && depth < depthMax) {
    r.next++;
    const value = bracketed(r, mark, depth);
    if (isEnd(r, (r.marks[r.next - 1]?.at ?? first) + 1)) return value;
  } else if (mark?.at === first && mark.kind === 'open') {
    say(r, 'tooDeep', first, `got brackets ${depthMax} deep, want fewer`);
  }
  r.next = before;
  return bareAt(r, first);
}

/** Whether there is nothing more before the next mark, and that ends a value. */
function isEnd(r: Reading, from: number): boolean {
  const mark = r.marks[r.next];
  if (mark?.kind === 'open' || mark?.kind === 'quote') return false;
  return r.text.slice(from, mark?.at ?? r.text.length).trim() === '';
}

function bracketed(r: Reading, open: Mark, depth: number): Syntax {
  const site = place(r, open.at);
  const sign = r.text[open.at];
  const found = elements(r, open.at + 1, depth + 1);
  if (sign === '{') return { kind: 'object', entries: found.map((one) => entry(r, one)), ...site };
  const [only] = found;
  const close = r.marks[r.next - 1]?.at ?? r.text.length;
  const isGroup = sign === '(' && found.length === 1 && !/,\s*$/.test(r.text.slice(open.at, close));
  if (isGroup && only && !only.key) return only.value;
  // In a list a colon means nothing: what stands before it belongs to the text.
  const items = found.map(({ key, value, text, line, column }): Syntax => {
    return key ? { kind: 'bare', text, line, column } : value;
  });
  return { kind: 'list', items, ...site };
}

function entry(r: Reading, { key, value, text, line, column }: Element): ObjectEntry {
  if (key?.kind === 'string' || (key?.kind === 'bare' && !key.text.startsWith('$'))) {
    return { key, value, line, column };
  }
  const message = key ? 'got a reference as key, want text' : `got ${text}, want key: value`;
  r.diagnostics.push({ code: codeByName.badKey, severity: 'error', message, line, column });
  return { key: { kind: 'bare', text: '', line, column }, value, line, column };
}

/** Text without quotes, with all brackets and quotes in it. */
function bareAt(r: Reading, first: number): Syntax {
  let open = 0;
  for (; r.next < r.marks.length; r.next++) {
    const kind = r.marks[r.next]?.kind;
    if (open === 0 && (kind === 'close' || kind === 'comma' || kind === 'name')) break;
    if (kind === 'open') open++;
    else if (kind === 'close') open--;
  }
  const text = r.text.slice(first, r.marks[r.next]?.at ?? r.text.length).trim();
  return { kind: 'bare', text, ...place(r, first) };
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && /\s/.test(text[at] ?? '')) at++;
  return at;
}

function breaksIn(text: string): number[] {
  const breaks: number[] = [];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) breaks.push(at);
  return breaks;
}

function place({ call, breaks }: Reading, at: number): Site {
  let [low, high] = [0, breaks.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((breaks[middle] ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  const { line, column } = call.at;
  return low === 0
    ? { line, column: column + at }
    : { line: line + low, column: at - (breaks[low - 1] ?? 0) };
}

function say(r: Reading, code: CodeName, at: number, message: string): void {
  r.diagnostics.push({ code: codeByName[code], severity: 'error', message, ...place(r, at) });
}
