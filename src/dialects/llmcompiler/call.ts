/**
 * Reads the arguments of a call, a line at a time, from the bracket that opens them to the one that
 * ends them: brackets of all kinds in balance, texts in quotes of all kinds, bare text between
 * commas. What models leave out or mix up is repaired with a warning.
 *
 * - C1 It goes from left to right, and waits for the next line where one ends. It looks ahead only
 *   after a quote, to the next sign.
 * - C2 A value is a text in quotes or a bracket where it is nothing but that; else it is bare text,
 *   with all quotes and brackets in it.
 */
import type { Diagnostic, Severity } from '../../program/diagnostic.ts';
import { type Site, siteOf } from '../../program/effect.ts';
import type { CodeName } from './codes.ts';
import { diagnosticOf } from './report.ts';

/** `bare`: text without quotes, numbers, references, expressions, whatever it will be. */
export type Syntax =
  | ({ readonly kind: 'bare'; readonly text: string } & Site)
  | ({ readonly kind: 'string'; readonly raw: string } & Site)
  | ({ readonly kind: 'list'; readonly items: readonly Syntax[] } & Bracketed)
  | ({ readonly kind: 'object'; readonly entries: readonly ObjectEntry[] } & Bracketed);

/** What stands in brackets, with its offsets in the text of the call. */
export interface Bracketed extends Site {
  readonly start: number;
  readonly end: number;
}

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

/** A call that has been read to its end. */
export interface CallText {
  /** As written, from the bracket that opens the arguments to the one that ends them. */
  readonly text: string;
  /** The place of its first character. */
  readonly at: Site;
  /** Everything between the brackets. */
  readonly inside: string;
  readonly args: readonly Argument[];
}

export interface ReadCall {
  readonly call: CallText;
  /** What was repaired, and what cannot be. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Brackets within brackets, that of the call counted. */
const depthMax = 64;

/** What reads on with the next line. */
type Steps<T> = Generator<undefined, T, undefined>;

interface Bracket {
  readonly sign: string;
  readonly elements: readonly Element[];
  /** Whether a comma stands before its end. */
  readonly hasLastComma: boolean;
}

/** What stands between two commas, or between a bracket and one. */
interface Element extends Site {
  readonly key: Syntax | undefined;
  readonly isAssigned: boolean;
  readonly value: Syntax;
  /** Offsets in the text of the call. */
  readonly start: number;
  readonly end: number;
}

/** A key or a value while it is read. */
interface Part extends Site {
  readonly start: number;
  end: number;
  /** The texts in quotes, brackets and words that it consists of. */
  count: number;
  /** The last of them, where it is more than a word. */
  last: Syntax | Bracket | undefined;
  /** Whether the last of them is a name. */
  isName: boolean;
}

/** The sign that closes a text, by the one that opens it: straight quotes, then those of print. */
const closingQuotes: ReadonlyMap<string, string> = new Map([
  ...[...'"\'`'].map((quote) => [quote, quote] as const),
  ...['“”', '‘’', '„“', '«»'].map(([open = '', close = '']) => [open, close] as const),
]);

const openerOf: ReadonlyMap<string, string> = new Map([
  [')', '('],
  [']', '['],
  ['}', '{'],
]);
const openers: ReadonlySet<string> = new Set(openerOf.values());

/** Characters that mean nothing by themselves. */
const plainRun = /[^\s()[\]{},:=#"'`“‘„«]+/y;
/** What stands in a text in quotes and does not end it. */
const textRun = /[^\\"'`“”’»]+/y;
const nameShape = /^[A-Za-z_]\w*$/;
/** What shows that a quote before it stands inside of a text: a word, or another quote. */
const goesOn = /[^\S\n]*["'\w\u00c0-\u1fff\u2070-\uffff]/y;

function runAt(run: RegExp, line: string, at: number): string {
  run.lastIndex = at;
  return run.exec(line)?.[0] ?? '';
}

const isBlank = (sign: string | undefined): boolean =>
  sign === ' ' || sign === undefined || sign.trim() === '';

export class CallReader {
  readonly #diagnostics: Diagnostic[] = [];
  readonly #callAt: Site;
  readonly #shown: string;
  readonly #reading: Steps<Bracket> = this.#bracket(false, false);
  #root: Bracket | undefined;
  /** The lines before the one that is read, and how long they are. */
  readonly #before: string[] = [];
  #base = 0;
  #line = '';
  #lineAt: Site;
  /** The offset in the line of what is next. */
  #at = 0;
  /** Whether all has been read, although brackets are open. */
  #isOver = false;
  /** The brackets that are open, and how many there are of each kind. */
  readonly #open: string[] = [];
  readonly #counts = new Map<string, number>();
  #quoted: { readonly mark: string; readonly at: Site } | undefined;
  #isClosed = false;
  /** Where in the line a bracket of the wrong kind would have ended the call. */
  #wrongAt = -1;

  /** `shown` is how a hint begins: `1. search[`. */
  constructor(callAt: Site, shown: string) {
    this.#callAt = callAt;
    this.#lineAt = callAt;
    this.#shown = shown;
  }

  /** The text in quotes that is open at the end of what has been read. */
  get quoted(): { readonly mark: string } | undefined {
    return this.#quoted;
  }

  /** Whether what has been read ends with a text in quotes or a bracket that is closed. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  get length(): number {
    return this.#base + this.#line.length;
  }

  /** Whether the line has a bracket of the wrong kind where the call should have ended. */
  get hasWrongEnd(): boolean {
    return this.#wrongAt >= 0 && this.#open.length === 1 && !this.#quoted;
  }

  /**
   * Reads the next line, the first one from its bracket on. Gives the offset after the end of the
   * call, or -1 where it goes on.
   */
  read(line: string, at: Site): number {
    if (this.length > 0) {
      this.#before.push(this.#line);
      this.#base = this.length + 1;
    }
    this.#line = line;
    this.#lineAt = at;
    this.#at = 0;
    this.#wrongAt = -1;
    const { done, value } = this.#reading.next();
    if (!done) return -1;
    this.#root = value;
    this.#line = line.slice(0, this.#at);
    return this.#at;
  }

  /** The call, which has ended. */
  end(): ReadCall {
    const text = this.#slice(0, this.length);
    const inside = text.slice(1, -1);
    const before = inside.length - inside.trimStart().length + 1;
    const args = this.#root?.elements.map(({ key, start, end, ...element }): Argument => {
      const name = key?.kind === 'bare' ? key.text : key?.kind === 'string' ? key.raw : undefined;
      return { ...element, name, text: text.slice(start, end), at: start - before };
    });
    const call = { text, at: this.#callAt, inside: inside.trim(), args: args ?? [] };
    return { call, diagnostics: this.#diagnostics };
  }

  /** The call that ends at the bracket of the wrong kind; `after` is an offset in the line. */
  endAtWrong(): { readonly call: ReadCall; readonly after: number } {
    const text = this.#slice(0, this.#base + this.#wrongAt);
    const [open = ''] = text;
    const got = this.#line[this.#wrongAt];
    const message = `got ${got}, want ${closerOf(open)} for the ${open} of the call`;
    const warning = diagnosticOf('warning', 'wrongBracket', this.#place(this.#wrongAt), message);
    const { call, diagnostics } = callOf(text + closerOf(open), this.#callAt);
    return { call: { call, diagnostics: [warning, ...diagnostics] }, after: this.#wrongAt + 1 };
  }

  /** Ends the call where its text does, or at a length of it, although its bracket is missing. */
  endAtText(length: number = this.length): ReadCall {
    const text = this.#slice(0, length).trimEnd();
    const closer = closerOf(text[0] ?? '');
    let end = text.length;
    if (this.#quoted) {
      const message = 'a text in quotes is never closed; it was closed at the end of its line';
      const hint = 'close it with the quote it begins with';
      this.say('warning', 'unclosedText', this.#quoted.at, message, hint);
      if (text.endsWith(closer)) end--;
    } else {
      const hint = `close the call: ${this.#shown}…${closer}`;
      const at = siteIn(this.#callAt, text, end);
      this.say('warning', 'unclosed', at, `the line ends without ${closer}; it was added`, hint);
    }
    this.#before.length = 0;
    this.#base = 0;
    this.#line = text.slice(0, end);
    this.#at = end;
    this.#isOver = true;
    this.#root = this.#reading.next().value;
    this.#line += closer;
    return this.end();
  }

  say(severity: Severity, code: CodeName, at: Site, message: string, hint?: string): void {
    this.#diagnostics.push(diagnosticOf(severity, code, at, message, hint));
  }

  /** Of what there may be much in a call, the first. */
  #warnOnce(at: Site, code: CodeName, message: string, hint?: string): void {
    const isNew = this.#diagnostics.every((known) => known.message !== message);
    if (isNew) this.say('warning', code, at, message, hint);
  }

  #place(at = this.#at): Site {
    return { line: this.#lineAt.line, column: this.#lineAt.column + at };
  }

  get #offset(): number {
    return this.#base + this.#at;
  }

  /** Takes no more time than what it gives is long. */
  #slice(start: number, end: number): string {
    let from = this.#base;
    let text = this.#line;
    for (let i = this.#before.length - 1; from > start && i >= 0; i--) {
      const line = this.#before[i] ?? '';
      text = `${line}\n${text}`;
      from -= line.length + 1;
    }
    return text.slice(start - from, end - from);
  }

  /**
   * A bracket and all that stands in it. In bare text (`inText`) it means nothing; after a space
   * there (`isProse`), no quote opens in it. Brackets that are open in it end with it.
   */
  *#bracket(inText: boolean, isProse: boolean): Steps<Bracket> {
    const sign = this.#line[this.#at++] ?? '';
    const site = this.#place(this.#at - 1);
    this.#count(sign, 1);
    this.#open.push(sign);
    if (this.#open.length > depthMax + 1) this.#tooDeep(site);
    const elements: Element[] = [];
    let hasLastComma = false;
    for (let isLast = false; !isLast; ) {
      this.#isClosed = false;
      const at = this.#place();
      const element = yield* this.#element(inText, isProse);
      isLast = this.#isOver || this.#line[this.#at] !== ',';
      if (element) elements.push(element);
      else if (isLast) hasLastComma = elements.length > 0;
      else if (!inText) this.say('error', 'missingArgument', at, gapText);
      if (!isLast) this.#at++;
    }
    this.#open.pop();
    this.#count(sign, -1);
    this.#isClosed = true;
    if (this.#isOver) return { sign, elements, hasLastComma };
    if (openerOf.get(this.#line[this.#at] ?? '') === sign) this.#at++;
    else this.#warnOnce(this.#place(), 'unclosed', 'a bracket inside of the call is never closed');
    return { sign, elements, hasLastComma };
  }

  #count(sign: string, more: number): void {
    this.#counts.set(sign, (this.#counts.get(sign) ?? 0) + more);
  }

  /** Nobody means this: the rest of the line is passed over. */
  #tooDeep(at: Site): void {
    this.say('error', 'tooDeep', at, `got brackets ${depthMax} deep, want fewer`);
    this.#at = this.#line.length;
    this.#isOver = true;
  }

  /** Up to the comma or the bracket that ends it; undefined where there is nothing. */
  *#element(inText: boolean, isProse: boolean): Steps<Element | undefined> {
    let key: { readonly syntax: Syntax; readonly isAssigned: boolean } | undefined;
    let part = this.#part();
    let first = part;
    for (let sign = this.#sign(part); sign !== ''; sign = this.#sign(part)) {
      if (sign === undefined) {
        yield;
        continue;
      }
      if (!key && (sign === ':' || sign === '=') && isKey(part)) {
        key = { syntax: this.#syntax(part), isAssigned: sign === '=' };
        this.#at++;
        this.#isClosed = false;
        part = this.#part();
        continue;
      }
      const isFirst = part.count === 0;
      if (isFirst) part = this.#part();
      if (!key) first = part;
      part.count++;
      if (openers.has(sign)) {
        const isBare = !isFirst && !part.last;
        const isInProse = isBare && (isProse || isBlank(this.#line[this.#at - 1]));
        part.last = yield* this.#bracket(inText || !isFirst, isInProse);
      } else if (isFirst && closingQuotes.has(sign) && !isProse) {
        part.last = yield* this.#text(sign);
      } else this.#plain(part, sign);
      part.end = this.#offset;
      this.#isClosed = part.last !== undefined;
    }
    if (!key && part.count === 0) return undefined;
    const value = inText
      ? ({ kind: 'bare', text: '', ...siteOf(part) } as const)
      : this.#syntax(part);
    const [start, end] = [first.start, Math.max(first.end, part.end)];
    const { syntax, isAssigned = false } = key ?? {};
    const { line, column } = first;
    return { key: syntax, isAssigned, value, start, end, line, column };
  }

  #part(): Part {
    const start = this.#offset;
    const { line, column } = this.#place();
    return { start, end: start, count: 0, last: undefined, isName: false, line, column };
  }

  /** A word, or a sign that means nothing here. */
  #plain(part: Part, sign: string): void {
    const run = runAt(plainRun, this.#line, this.#at) || sign;
    if (this.#open.length === 1 && openerOf.has(sign)) this.#wrongAt = this.#at;
    part.last = undefined;
    part.isName = part.count === 1 && nameShape.test(run);
    this.#at += run.length;
  }

  /** The next sign, after spaces and comments; empty where the element ends. */
  #sign({ count, last }: Part): string | undefined {
    const isBetween = count === 0 || last !== undefined;
    for (; !this.#isOver; this.#at++) {
      const sign = this.#line[this.#at];
      if (sign === undefined) return undefined;
      if (isBlank(sign)) continue;
      if (sign !== '#' || !isBetween || !this.#isComment(count)) {
        return sign === ',' || this.#isEnd(sign) ? '' : sign;
      }
      this.#at = this.#line.length;
      this.#isClosed = false;
      return undefined;
    }
    return '';
  }

  /** Behind a space; before a value also in front of one. */
  #isComment(count: number): boolean {
    const isBehind = isBlank(this.#line[this.#at - 1]);
    return isBehind && (count > 0 || isBlank(this.#line[this.#at + 1]));
  }

  /** Whether a sign closes a bracket that is open. */
  #isEnd(sign: string): boolean {
    const opener = openerOf.get(sign);
    return opener !== undefined && (this.#counts.get(opener) ?? 0) > 0;
  }

  /** A text in quotes. A quote before a word stands inside of it, and ends it elsewhere. */
  *#text(sign: string): Steps<Syntax> {
    const at = this.#place();
    const close = closingQuotes.get(sign) ?? sign;
    const isTriple = close === sign && this.#line.startsWith(sign.repeat(3), this.#at);
    const mark = isTriple ? close.repeat(3) : close;
    this.#quoted = { mark, at };
    if (sign !== '"' && sign !== "'")
      this.#warnOnce(at, 'curly', `got a text in ${sign}, want "…"`);
    this.#at += mark.length;
    const start = this.#offset;
    while (!this.#isOver && !this.#endsText(mark)) {
      if (this.#at >= this.#line.length) yield;
      else if (this.#line[this.#at] === '\\') this.#at += 2;
      else this.#at += runAt(textRun, this.#line, this.#at).length || 1;
    }
    this.#quoted = undefined;
    const raw = this.#slice(start, this.#isOver ? this.length : this.#offset);
    if (!this.#isOver) this.#at += mark.length;
    // In « quotes of this kind », spaces stand that are no part of the text.
    return { kind: 'string', raw: mark === '»' ? raw.trim() : raw, ...at };
  }

  #endsText(mark: string): boolean {
    if (!this.#line.startsWith(mark, this.#at)) return false;
    goesOn.lastIndex = this.#at + 1;
    // Those of « this kind » and three in a row cannot be meant otherwise.
    if (mark === '»' || mark.length > 1 || !goesOn.test(this.#line)) return true;
    const message = 'a quote inside of a text in quotes; it was taken as part of the text';
    const hint = 'write \\" for a quote inside of a text';
    this.#warnOnce(this.#place(), 'innerQuote', message, hint);
    return false;
  }

  // What has been read, as syntax.

  #syntax({ count, last, start, end, line, column }: Part): Syntax {
    if (count === 1 && last) {
      return 'sign' in last ? this.#bracketed(last, { start, end, line, column }) : last;
    }
    return { kind: 'bare', text: this.#slice(start, end).trim(), line, column };
  }

  #bracketed({ sign, elements, hasLastComma }: Bracket, place: Bracketed): Syntax {
    if (sign === '{') {
      return { kind: 'object', entries: elements.map((element) => this.#entry(element)), ...place };
    }
    const [only, ...more] = elements;
    const isGroup = sign === '(' && only && more.length === 0 && !hasLastComma;
    if (isGroup && !only.key) return only.value;
    // In a list a colon means nothing: what stands before it belongs to the text.
    const items = elements.map((element): Syntax => {
      if (!element.key) return element.value;
      const text = this.#slice(element.start, element.end);
      return { kind: 'bare', text, ...siteOf(element) };
    });
    return { kind: 'list', items, ...place };
  }

  #entry({ key, value, start, end, line, column }: Element): ObjectEntry {
    if (key?.kind === 'string' || (key?.kind === 'bare' && !key.text.startsWith('$'))) {
      return { key, value, line, column };
    }
    const at = { line, column };
    const got = key
      ? 'a reference as key, want text'
      : `${this.#slice(start, end)}, want key: value`;
    this.say('error', 'badKey', at, `got ${got}`);
    return { key: { kind: 'bare', text: '', ...at }, value, ...at };
  }
}

const gapText = 'got a comma, want an argument before it';

/** A text in quotes, a bracket or a name may name what follows a colon or `=`. */
const isKey = ({ count, last, isName }: Part): boolean =>
  last !== undefined || (count === 1 && isName);

const closerOf = (open: string): string => (open === '(' ? ')' : ']');

/** The place of an offset in a text that begins at a place. */
function siteIn({ line, column }: Site, text: string, at: number): Site {
  const lines = text.slice(0, at).split('\n');
  const last = lines.at(-1)?.length ?? 0;
  return lines.length === 1
    ? { line, column: column + at }
    : { line: line + lines.length - 1, column: last + 1 };
}

/** A call whose whole text is known: `[…]`. */
export function callOf(text: string, at: Site, name = ''): ReadCall {
  const reader = new CallReader(at, `${name}[`);
  return reader.read(text, at) < 0 ? reader.endAtText() : reader.end();
}
