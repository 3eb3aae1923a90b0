/**
 * Reads the arguments of a call, a line at a time, from the bracket that opens them to the one that
 * ends them: brackets of all kinds in balance, texts in quotes of all kinds, bare text between
 * commas. What models leave out or mix up is repaired with a warning.
 *
 * - C1 It goes from left to right. It looks ahead behind a quote alone, to the next sign.
 * - C2 A value is a text in quotes or a bracket where it is nothing but that; else it is bare text,
 *   with all quotes and brackets in it.
 */
import type { Diagnostic, Severity } from '../../program/diagnostic.ts';
import type { Site } from '../../program/effect.ts';
import type { CodeName } from './codes.ts';
import { diagnosticOf } from './report.ts';

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

const depthMax = 64;

/** A text in quotes: `mark` is what closes it, `end` where that begins. */
interface QuotedText extends Site {
  readonly kind: 'text';
  readonly start: number;
  readonly mark: string;
  end: number;
}

interface Bracket extends Site {
  readonly kind: 'bracket';
  readonly sign: string;
  /** Whether it stands in bare text, behind a space: no quote opens inside. */
  readonly isProse: boolean;
  readonly elements: Element[];
  /** The one that is being read. */
  element: Element;
  /** Commas with nothing before them. */
  readonly gaps: Site[];
}

/** What stands between two commas, or between a bracket and one. `key: value` where it has one. */
interface Element {
  key: Part | undefined;
  isAssigned: boolean;
  value: Part;
}

/** A key or a value, and where it begins and ends. */
interface Part extends Site {
  start: number;
  end: number;
  /** The texts, brackets and words that it consists of: how many, and which where it is one. */
  count: number;
  only: QuotedText | Bracket | 'name' | 'other';
  /** Whether the last of them is a text in quotes or a bracket. */
  isClosed: boolean;
}

/** The sign that closes a text, by the one that opens it: straight quotes, then those of print. */
const closingQuotes: ReadonlyMap<string, string> = new Map([
  ...([...'"\'`'].map((quote) => [quote, quote]) as [string, string][]),
  ...[...['“”', '‘’', '„“', '«»']].map(([open = '', close = '']) => [open, close] as const),
]);

const openerOf: ReadonlyMap<string, string> = new Map([
  [')', '('],
  [']', '['],
  ['}', '{'],
]);
const openers: ReadonlySet<string> = new Set(openerOf.values());

/** Characters that mean nothing by themselves. */
const plainRun = /[^\s()[\]{},:=#"'`“‘„«]+/y;
const nameShape = /^[A-Za-z_]\w*$/;
/** What shows that a quote before it stands inside of a text: a word, or another quote. */
const goesOn = /[^\S\n]*["'\w\u00c0-\u1fff\u2070-\uffff]/y;

const isBlank = (sign: string | undefined): boolean => sign === undefined || /\s/.test(sign);

export class CallReader {
  readonly #diagnostics: Diagnostic[] = [];
  readonly #shown: string;
  readonly #at: Site;
  #text = '';
  /** The offset of the line that is read, and its place. */
  #base = 0;
  #site: Site;
  readonly #open: Bracket[] = [];
  /** How many of them there are of each kind. */
  readonly #depths = new Map<string, number>();
  #root: Bracket | undefined;
  #quoted: QuotedText | undefined;
  /** Where a bracket of the wrong kind would have ended the call in this line. */
  #wrong: { readonly at: number; readonly count: number; readonly element: Element } | undefined;

  /** `shown` is how a hint begins: `1. search[`. */
  constructor(at: Site, shown: string) {
    this.#at = at;
    this.#site = at;
    this.#shown = shown;
  }

  /** The text in quotes that is open at the end of what has been read. */
  get quoted(): { readonly mark: string } | undefined {
    return this.#quoted;
  }

  /** Whether what has been read ends with a text in quotes or a bracket that is closed. */
  get isClosed(): boolean {
    return !this.#quoted && this.#open.at(-1)?.element.value.isClosed === true;
  }

  get length(): number {
    return this.#text.length;
  }

  /**
   * Reads the next line, the first one from its bracket on. Gives the offset behind the end of the
   * call, or -1 where it goes on.
   */
  read(line: string, site: Site): number {
    if (this.#text !== '') this.#text += '\n';
    this.#base = this.#text.length;
    this.#site = site;
    this.#wrong = undefined;
    for (let at = 0; at < line.length; ) {
      at = this.#quoted ? this.#inQuotes(this.#quoted, line, at) : this.#next(line, at);
      if (this.#open.length > 0) continue;
      this.#text += line.slice(0, at);
      return at;
    }
    this.#text += line;
    return -1;
  }

  /** The call, which has ended. */
  end(): ReadCall {
    const text = this.#text;
    const root = this.#root;
    const inside = text.slice(1, -1);
    const before = inside.length - inside.trimStart().length + 1;
    const args = root?.elements.map((element) => this.#argument(element, before)) ?? [];
    this.#tellGaps(root);
    const call = { text, at: this.#at, inside: inside.trim(), args };
    return { call, diagnostics: this.#diagnostics };
  }

  /** Whether the line has a bracket of the wrong kind where the call should have ended. */
  get hasWrongEnd(): boolean {
    return this.#wrong !== undefined && this.#open.length === 1 && !this.#quoted;
  }

  /** Ends the call at that bracket; gives the offset behind it in the line. */
  endAtWrong(): number {
    const [root] = this.#open;
    const wrong = this.#wrong;
    if (!root || !wrong) return 0;
    const got = this.#text[wrong.at];
    const want = closerOf(root.sign);
    const message = `got ${got}, want ${want} for the ${root.sign} of the call`;
    this.say('warning', 'wrongBracket', this.#place(wrong.at - this.#base), message);
    root.elements.length = wrong.count;
    root.element = wrong.element;
    this.#text = this.#text.slice(0, wrong.at + 1);
    this.#pop(wrong.at);
    return wrong.at + 1 - this.#base;
  }

  /** Ends the call where its text does, or at a length of it, although its bracket is missing. */
  endAtText(length = this.#text.length): void {
    const [root] = this.#open;
    const text = this.#text.slice(0, length).trimEnd();
    const closer = closerOf(root?.sign ?? '');
    const quoted = this.#quoted;
    let end = text.length;
    if (quoted) {
      const message = 'a text in quotes is never closed; it was closed at the end of its line';
      this.say(
        'warning',
        'unclosedText',
        quoted,
        message,
        'close it with the quote it begins with',
      );
      if (text.endsWith(closer)) end--;
      this.#closeText(quoted, end, end);
    } else {
      const behind = siteIn(this.#at, text, end);
      const hint = `close the call: ${this.#shown}…${closer}`;
      this.say(
        'warning',
        'unclosed',
        behind,
        `the line ends without ${closer}; it was added`,
        hint,
      );
    }
    this.#text = end < text.length ? text : `${text}${closer}`;
    while (this.#open.length > 0) this.#pop(end);
  }

  #place(at: number): Site {
    return { line: this.#site.line, column: this.#site.column + at };
  }

  say(severity: Severity, code: CodeName, at: Site, message: string, hint?: string): void {
    this.#diagnostics.push(diagnosticOf(severity, code, at, message, hint));
  }

  /** Of what there may be much in a call, the first. */
  #warnOnce(at: Site, code: CodeName, message: string, hint?: string): void {
    const isNew = this.#diagnostics.every((one) => one.message !== message);
    if (isNew) this.say('warning', code, at, message, hint);
  }

  /** Reads what stands at an offset of the line; gives the offset behind it. */
  #next(line: string, at: number): number {
    const sign = line[at] ?? '';
    const bracket = this.#open.at(-1);
    if (!bracket) {
      this.#openBracket(sign, at, false);
      return at + 1;
    }
    const { value } = bracket.element;
    const isFirst = value.count === 0;
    if (isBlank(sign)) return at + 1;
    if (sign === '#' && isComment(value, line, at)) return line.length;
    if (openers.has(sign)) {
      const isBare = !isFirst && !value.isClosed;
      this.#openBracket(sign, at, isBare && (bracket.isProse || isBlank(line[at - 1])));
    } else if (openerOf.has(sign)) this.#closeBracket(sign, at);
    else if (sign === ',') this.#comma(bracket, at);
    else if ((sign === ':' || sign === '=') && isKey(bracket.element)) {
      const next = emptyPart(this.#place(at + 1), this.#base + at + 1);
      bracket.element = { key: value, isAssigned: sign === '=', value: next };
    } else if (isFirst && closingQuotes.has(sign) && !bracket.isProse) {
      return this.#openText(line, at);
    } else {
      plainRun.lastIndex = at;
      const run = plainRun.exec(line)?.[0] ?? sign;
      this.#add(at, run.length, nameShape.test(run) ? 'name' : 'other');
      return at + run.length;
    }
    return at + 1;
  }

  /** One more thing in what is being read. */
  #add(at: number, length: number, what: Part['only']): void {
    const value = this.#open.at(-1)?.element.value;
    if (!value) return;
    if (value.count === 0) Object.assign(value, { start: this.#base + at, ...this.#place(at) });
    value.count++;
    value.only = what;
    value.isClosed = typeof what === 'object';
    value.end = this.#base + at + length;
  }

  #comma(bracket: Bracket, at: number): void {
    const { element } = bracket;
    if (isEmpty(element)) bracket.gaps.push(siteOfPart(element.value));
    else bracket.elements.push(element);
    bracket.element = emptyElement(this.#place(at + 1), this.#base + at + 1);
  }

  // Texts in quotes.

  #openText(line: string, at: number): number {
    const sign = line[at] ?? '';
    const close = closingQuotes.get(sign) ?? sign;
    const isTriple = close === sign && line.startsWith(sign.repeat(3), at);
    const mark = isTriple ? close.repeat(3) : close;
    const start = this.#base + at + mark.length;
    this.#quoted = { kind: 'text', start, mark, end: start, ...this.#place(at) };
    this.#add(at, mark.length, this.#quoted);
    if (sign !== '"' && sign !== "'") {
      this.#warnOnce(this.#place(at), 'curly', `got a text in ${sign}, want "…"`);
    }
    return at + mark.length;
  }

  /** A quote before a word stands inside of the text; before anything else it ends it. */
  #inQuotes(quoted: QuotedText, line: string, from: number): number {
    const { mark } = quoted;
    for (let at = from; at < line.length; at++) {
      if (line[at] === '\\') at++;
      else if (line.startsWith(mark, at)) {
        goesOn.lastIndex = at + 1;
        // Those of « this kind » and three in a row cannot be meant otherwise.
        if (mark === '»' || mark.length > 1 || !goesOn.test(line)) {
          this.#closeText(quoted, this.#base + at, this.#base + at + mark.length);
          return at + mark.length;
        }
        const message = 'a quote inside of a text in quotes; it was taken as part of the text';
        const hint = 'write \\" for a quote inside of a text';
        this.#warnOnce(this.#place(at), 'innerQuote', message, hint);
      }
    }
    return line.length;
  }

  #closeText(quoted: QuotedText, end: number, behind: number): void {
    quoted.end = end;
    this.#quoted = undefined;
    const value = this.#open.at(-1)?.element.value;
    if (value) value.end = behind;
  }

  // Brackets.

  #openBracket(sign: string, at: number, isProse: boolean): void {
    const element = emptyElement(this.#place(at + 1), this.#base + at + 1);
    const site = this.#place(at);
    const bracket: Bracket = {
      ...{ kind: 'bracket', sign, isProse, elements: [], element, gaps: [], ...site },
    };
    this.#add(at, 1, bracket);
    this.#root ??= bracket;
    this.#open.push(bracket);
    this.#depths.set(sign, (this.#depths.get(sign) ?? 0) + 1);
  }

  /** Brackets that are open inside of the one that is meant end with it. */
  #closeBracket(sign: string, at: number): void {
    const opener = openerOf.get(sign);
    const offset = this.#base + at;
    const [root] = this.#open;
    if (opener === undefined || (this.#depths.get(opener) ?? 0) === 0) {
      if (root && this.#open.length === 1) {
        const element = { ...root.element, value: { ...root.element.value } };
        this.#wrong = { at: offset, count: root.elements.length, element };
      }
      this.#add(at, 1, 'other');
      return;
    }
    while (this.#open.at(-1)?.sign !== opener) {
      const message = 'a bracket inside of the call is never closed';
      this.#warnOnce(this.#place(at), 'unclosed', message);
      this.#pop(offset);
    }
    this.#pop(offset + 1);
  }

  #pop(end: number): void {
    const bracket = this.#open.pop();
    if (!bracket) return;
    this.#depths.set(bracket.sign, (this.#depths.get(bracket.sign) ?? 1) - 1);
    if (!isEmpty(bracket.element)) bracket.elements.push(bracket.element);
    const around = this.#open.at(-1)?.element.value;
    if (around) Object.assign(around, { end, isClosed: true });
  }

  // What has been read, as syntax.

  #argument({ key, isAssigned, value }: Element, before: number): Argument {
    const first = key ?? value;
    const named = key && this.#value(key, 0);
    const name =
      named?.kind === 'bare' ? named.text : named?.kind === 'string' ? named.raw : undefined;
    const text = this.#text.slice(first.start, value.end).trim();
    const at = first.start - before;
    return { name, isAssigned, value: this.#value(value, 0), text, at, ...siteOfPart(first) };
  }

  #value(part: Part, depth: number): Syntax {
    const { only, count, start, end } = part;
    const site = siteOfPart(part);
    if (count === 1 && typeof only === 'object') {
      if (only.kind === 'text') return { kind: 'string', raw: this.#rawText(only), ...site };
      if (depth < depthMax) return this.#bracketed(only, depth + 1);
      this.say('error', 'tooDeep', site, `got brackets ${depthMax} deep, want fewer`);
    }
    return { kind: 'bare', text: this.#text.slice(start, end).trim(), ...site };
  }

  /** In « quotes of this kind », spaces stand that are no part of the text. */
  #rawText({ start, end, mark }: QuotedText): string {
    const inside = this.#text.slice(start, end);
    return mark === '»' ? inside.trim() : inside;
  }

  #bracketed(bracket: Bracket, depth: number): Syntax {
    const { sign, elements, element } = bracket;
    const site = { line: bracket.line, column: bracket.column };
    this.#tellGaps(bracket);
    if (sign === '{') {
      return { kind: 'object', entries: elements.map((one) => this.#entry(one, depth)), ...site };
    }
    const [only, ...more] = elements;
    const isGroup = sign === '(' && more.length === 0 && only === element;
    if (isGroup && !only.key) return this.#value(only.value, depth);
    // In a list a colon means nothing: what stands before it belongs to the text.
    const items = elements.map(({ key, value }) => {
      return this.#value(key ? { ...key, count: 2, end: value.end } : value, depth);
    });
    return { kind: 'list', items, ...site };
  }

  #entry({ key, value }: Element, depth: number): ObjectEntry {
    const site = siteOfPart(key ?? value);
    const name = key && this.#value(key, depth);
    const own = this.#value(value, depth);
    if (name?.kind === 'string' || (name?.kind === 'bare' && !name.text.startsWith('$'))) {
      return { key: name, value: own, ...site };
    }
    const got = this.#text.slice(value.start, value.end);
    this.say(
      'error',
      'badKey',
      site,
      key ? 'got a reference as key, want text' : `got ${got}, want key: value`,
    );
    return { key: { kind: 'bare', text: '', ...site }, value: own, ...site };
  }

  #tellGaps(bracket: Bracket | undefined): void {
    for (const site of bracket?.gaps ?? []) {
      this.say('error', 'missingArgument', site, 'got a comma, want an argument before it');
    }
  }
}

const emptyPart = (site: Site, at: number): Part => {
  return { start: at, end: at, count: 0, only: 'other', isClosed: false, ...site };
};

const emptyElement = (site: Site, at: number): Element => {
  return { key: undefined, isAssigned: false, value: emptyPart(site, at) };
};

const isEmpty = ({ key, value }: Element): boolean => key === undefined && value.count === 0;

const siteOfPart = ({ line, column }: Part): Site => ({ line, column });

/** A text in quotes, a bracket or a name may name what follows a colon or `=`. */
const isKey = ({ key, value }: Element): boolean =>
  key === undefined && (value.isClosed || (value.count === 1 && value.only === 'name'));

/** Behind a space: after a value that is closed, or, with a space behind it, before a value. */
const isComment = (value: Part, line: string, at: number): boolean =>
  isBlank(line[at - 1]) && (value.count === 0 ? isBlank(line[at + 1]) : value.isClosed);

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
export function callOf(text: string, at: Site): ReadCall {
  const reader = new CallReader(at, '');
  if (reader.read(text, at) < 0) reader.endAtText();
  return reader.end();
}
