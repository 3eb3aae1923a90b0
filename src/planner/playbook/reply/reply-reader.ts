/**
 * A reply as it arrives, read into what it says. Owns the text that is not read yet. A line is read
 * when it has ended, and of a document in JSON each item when it closes: so whatever the pieces
 * are, what is read is that of the whole text.
 *
 * Which form a reply has is seen line by line: JSON in braces, statements between backticks or in a
 * fence for Python, traces and lists in JSON or YAML. Prose between them says nothing.
 */
import { dropsPart, readAllJson, thinkTags } from '../../../program/json-text.ts';
import { actAlone } from './forms/act-alone.ts';
import { isClosed } from './forms/balance.ts';
import { JsonDocument } from './forms/json-document.ts';
import { operationKeys, operationsIn } from './forms/json-operations.ts';
import { JsonScanner } from './forms/json-scanner.ts';
import { LogLines } from './forms/log-lines.ts';
import { isPythonLine, PythonLines } from './forms/python-lines.ts';
import { emptyTrace, isEmptyTrace, isOfSteps, traceItem } from './forms/trace.ts';
import {
  bareLine,
  beginsFence,
  namedLine,
  plainLine,
  quoteMark,
  straightened,
} from './forms/wrapping.ts';
import { beginsItem, beginsYaml, YamlDocument } from './forms/yaml-document.ts';
import { type Said, shortly, stepIn } from './said.ts';
import { behindWords, operationAmong, WordsBeside } from './words-beside.ts';

/** What has been read, and how far into the text that was. */
export interface SaidAt {
  readonly said: Said;
  /** Offset behind what says it. */
  readonly end: number;
  /** What stands before it that says nothing, as it was written. */
  readonly beside?: string;
}

type Mode =
  | { readonly is: 'lines' }
  | { readonly is: 'thinking' }
  | {
      readonly is: 'json';
      /** Where the line that it begins in does. */
      readonly begin: number;
      readonly lines: string[];
      readonly scanner: JsonScanner;
      readonly document: JsonDocument;
    }
  | { readonly is: 'yaml'; readonly document: YamlDocument; readonly isFenced: boolean }
  | { readonly is: 'python'; readonly lines: PythonLines }
  /** In a statement of a log that goes over lines. */
  | { readonly is: 'log' };

type JsonMode = Mode & { readonly is: 'json' };

const lines: Mode = { is: 'lines' };

export class ReplyReader {
  /** The line that has not ended, and where in the text it begins. */
  #rest = '';
  #begin = 0;
  /** Where in that line a document in JSON goes on, and how much it has taken from there. */
  #start = 0;
  #taken = 0;
  #mode: Mode = lines;
  readonly #log = new LogLines();
  /** Whether the line in which the mode began has marks of a quotation. */
  #isQuoted = false;
  readonly #words = new WordsBeside();
  /** The word behind the mark of the fence that is open; undefined outside of one. */
  #fence: string | undefined;
  #found: SaidAt[] = [];
  /** Whether anything was read but what is noted: words before that are a plan. */
  #hasDone = false;

  /** Names what is open, for `SayAhead`: a line, an item of a list, a statement. */
  get openKey(): string {
    const mode = this.#mode;
    if (mode.is === 'lines') return `${this.#begin}`;
    if (mode.is === 'python') return mode.lines.isBetween ? `${this.#begin}` : '';
    if (mode.is !== 'json' || mode.document.isOver) return '';
    const { items } = mode.document;
    return items === 0 ? `${mode.begin}` : `${mode.begin}:${items}`;
  }

  openWith(piece: string): { readonly text: string; readonly isCode: boolean } {
    const mode = this.#mode;
    const line = this.#rest + piece;
    const isCode = mode.is === 'python' || (mode.is === 'lines' && this.#log.isShown);
    const blanks = line.slice(line.trimEnd().length);
    if (mode.is !== 'json') return { text: bareLine(plainLine(line)) + blanks, isCode };
    return { text: mode.document.open + line.slice(this.#start + this.#taken), isCode };
  }

  /** What stands behind all that was said, and says nothing. */
  rest(): string {
    this.#words.begin();
    return this.#words.taken();
  }

  /** The next piece of the text. */
  feed(piece: string): SaidAt[] {
    this.#rest += piece;
    for (let at = this.#rest.indexOf('\n'); at >= 0; at = this.#rest.indexOf('\n')) {
      const line = this.#rest.slice(0, at).replace(/\r$/, '');
      const rest = this.#rest.slice(at + 1);
      this.#endLine(line, at + 1);
      this.#rest = rest;
    }
    this.#lookAhead(this.#rest.replace(/\r$/, ''));
    return this.#given();
  }

  /** The text is over; `isCut` says that it was not meant to be. */
  end(isCut = false): SaidAt[] {
    const line = this.#rest;
    if (line.trim() === '') this.#begin += line.length;
    else if (!isCut || this.#isSafeInHalf(line)) this.#endLine(line, line.length);
    else {
      this.#begin += line.length;
      this.#note([...this.#close(true), { is: 'cut', text: line }], this.#begin);
    }
    this.#rest = '';
    this.#note(this.#close(true, isCut), this.#begin);
    const found = this.#given();
    if (line.trim() === '' || !isHalf(line)) return found;
    // What cannot be read of a text that ends amid its last line was not written to its end.
    const isLast = ({ said, end }: SaidAt): boolean => said.is === 'wrong' && end === this.#begin;
    return found.map((one) => (isLast(one) ? { ...one, said: { is: 'cut', text: line } } : one));
  }

  /** What is no JSON does not say where it ends: a line of it that was cut may look whole. */
  #isSafeInHalf(line: string): boolean {
    const mode = this.#mode;
    if (mode.is === 'yaml') return mode.isFenced || mode.document.goesOn(this.#unquoted(line));
    return mode.is === 'json' || /^\s*[{[].*[}\]]\s*$/.test(line);
  }

  #given(): SaidAt[] {
    const found = this.#found;
    this.#found = [];
    return found;
  }

  #note(said: readonly Said[], end: number): void {
    this.#hasDone ||= said.some(({ is }) => !/^(?:think|note|mended)$/.test(is));
    if (said.some(({ is }) => is !== 'mended')) this.#words.read();
    for (const one of said) {
      const beside = this.#words.taken();
      this.#found.push({ said: one, end, ...(beside !== '' && { beside }) });
    }
  }

  #endLine(line: string, length: number): void {
    const said = this.#line(line);
    this.#words.add(line);
    this.#begin += length;
    this.#start = 0;
    this.#taken = 0;
    this.#note(said, this.#begin);
  }

  #line(written: string): readonly Said[] {
    const mode = this.#mode;
    const line = this.#unquoted(written);
    // What stands behind what is quoted is none of it.
    if (this.#isQuoted && line === written && /^(?:yaml|python|log)$/.test(mode.is)) {
      this.#note(this.#closeFence(), this.#begin);
      return this.#fresh(line);
    }
    switch (mode.is) {
      case 'thinking':
        return this.#think(line);
      case 'json':
        return this.#goOnWithJson(mode, mode.lines.length === 0 ? bareLine(plainLine(line)) : line);
      case 'yaml': {
        const { document, isFenced } = mode;
        const isOver = isFenced
          ? isFence(line) || (document.isEmpty && beginsJson(bareLine(plainLine(line))))
          : !document.goesOn(line);
        if (isOver && !document.holds(line)) {
          this.#note(this.#close(false), this.#begin);
          return this.#fresh(written);
        }
        // What is said here is of the lines before this one.
        this.#note(document.add(line), this.#begin);
        return [];
      }
      case 'python':
        if (isFence(line) && !mode.lines.isInText) return this.#closeFence();
        // Who begins in one form and goes on in another one means both.
        if (mode.lines.isBetween && (beginsOperation(line) || noPython.test(line))) {
          this.#mode = lines;
          return this.#fresh(written);
        }
        return mode.lines.add(line);
      case 'log':
        return this.#goOnWithLog(line, written);
      case 'lines':
        return this.#fresh(line);
    }
  }

  /** A further line of what is quoted, without the marks of that. */
  #unquoted(line: string): string {
    const { is } = this.#mode;
    const isFirst = is === 'lines' || (this.#mode.is === 'json' && this.#mode.lines.length === 0);
    if (isFirst || !this.#isQuoted) return line;
    const { length } = quoteMark(line);
    if (is === 'json') this.#start = length;
    return line.slice(length);
  }

  /** A line that begins something of its own, `at` an offset in the one that has come. */
  #fresh(written: string, at = 0): readonly Said[] {
    if (at === 0) this.#words.begin();
    const whole = written.replace(unseen, '');
    const line = whole.slice(quoteMark(whole).length);
    if (at === 0) this.#isQuoted = line.length < whole.length;
    if (isFence(line)) return this.#atFence(line);
    const plain = plainLine(line);
    const isJson = beginsJson(bareLine(plain));
    if (beginsThought.test(line)) return this.#think(line);
    if (!isJson && endsThought.test(line)) return [...this.#unopened(), ...this.#think(line)];
    if (!isJson && leadsToThought.test(line)) return this.#think(line);
    if (isJson) return this.#goOnWithJson(this.#beginJson(written, at), bareLine(plain));
    const named = namedLine(plain);
    const step = named && stepIn(named.name);
    if (named && step) {
      const { rest } = named;
      return [step, ...this.#fresh(rest, at + written.trimEnd().length - rest.length)];
    }
    if (beginsItem(line)) return this.#beginYaml(line);
    const logged = this.#log.begin(plain);
    if (this.#log.isOpen) this.#mode = { is: 'log' };
    if (logged) {
      if (mayBeProse(plain, logged)) this.#words.keep();
      else this.#words.read();
      return [...logged, ...this.#behindLog(written, at)];
    }
    if (isPythonLine(plain)) {
      const mode = { is: 'python', lines: new PythonLines() } as const;
      this.#mode = mode;
      return mode.lines.add(line);
    }
    if (beginsYaml(plain)) return this.#beginYaml(line);
    const led = behindWords(plain);
    if (led !== undefined) return this.#fresh(led, at + written.trimEnd().length - led.length);
    if (operationAmong(line) !== undefined) return [leftOut(plain)];
    const alone = this.#hasDone ? actAlone(plain) : undefined;
    if (alone) this.#words.keep();
    return alone ? [alone] : [];
  }

  /** JSON that stands behind a statement of a log, in its line. */
  #behindLog(line: string, at: number): readonly Said[] {
    const rest = this.#log.behind.trimStart();
    return beginsJson(rest) ? this.#fresh(rest, at + line.trimEnd().length - rest.length) : [];
  }

  #goOnWithLog(line: string, written: string): readonly Said[] {
    const isOver = isFence(line) ? this.#fence !== undefined : this.#log.isOver(plainLine(line));
    if (isOver || beginsOperation(line)) {
      this.#note(this.#close(false), this.#begin);
      return this.#fresh(written);
    }
    const said = this.#log.add(line);
    if (!this.#log.isOpen) this.#mode = lines;
    return said;
  }

  #atFence(line: string): readonly Said[] {
    const word = line.replace(/[\s`~]/g, '').toLowerCase();
    // Its beginning stood in the line of what was read.
    if (this.#fence === besideJson) this.#words.read();
    this.#fence = this.#fence === undefined ? word : undefined;
    if (/^(python3?|py|starlark)$/.test(this.#fence ?? '')) {
      this.#mode = { is: 'python', lines: new PythonLines() };
    } else if (/^ya?ml$/.test(this.#fence ?? '')) {
      this.#mode = { is: 'yaml', document: new YamlDocument(), isFenced: true };
    }
    return [];
  }

  #beginYaml(line: string): readonly Said[] {
    const document = new YamlDocument();
    this.#mode = { is: 'yaml', document, isFenced: false };
    return document.add(line);
  }

  #beginJson(line: string, at: number): JsonMode {
    if (at === 0) this.#words.begin();
    const plain = plainLine(line);
    if (beginsFence(plain)) this.#fence = besideJson;
    this.#start = at + line.trimEnd().length - bareLine(plain).length;
    this.#taken = 0;
    const mode: JsonMode = {
      ...{ is: 'json', begin: this.#begin, lines: [] },
      ...{ scanner: new JsonScanner(), document: new JsonDocument() },
    };
    this.#mode = mode;
    return mode;
  }

  /** Thoughts are for nobody; what stands behind them in their last line is read. */
  #think(line: string): readonly Said[] {
    const end = endsThought.exec(line);
    this.#mode = end ? lines : { is: 'thinking' };
    const [, rest = ''] = end ?? [];
    return rest.trim() === '' ? [] : this.#fresh(rest, line.length - rest.length);
  }

  /** Some servers keep the mark back that begins a thought. */
  #unopened(): readonly Said[] {
    return this.#hasDone ? [unopened] : [];
  }

  /** Hands a document in JSON what has come of a line that may be long in coming. */
  #lookAhead(line: string): void {
    const isFresh = this.#mode.is === 'lines' && line.length < beginningMax;
    if (isFresh && !beginsThought.test(line) && beginsList(bareLine(plainLine(line)))) {
      this.#isQuoted = quoteMark(line) !== '';
      this.#beginJson(line, 0);
    }
    const mode = this.#mode;
    if (mode.is !== 'json') return;
    this.#unquoted(line);
    // Quotes are straightened in lines without plain ones.
    const isFirst = mode.lines.length === 0;
    if (isFirst || (mode.document.isList && line.includes('"'))) {
      this.#take(mode, line.slice(this.#start));
    }
  }

  /** Takes what is new of a line, as far as it may close something. */
  #take({ document }: JsonMode, text: string): void {
    for (const [piece] of text.slice(this.#taken).matchAll(/[^\]},\n]*[\]},\n]/g)) {
      if (document.isOver) return;
      const said = document.add(piece);
      this.#taken += piece.length;
      this.#note(said, this.#begin + this.#start + this.#taken);
    }
  }

  #goOnWithJson(mode: JsonMode, written: string): readonly Said[] {
    const { scanner, document } = mode;
    const line = scanner.isInText ? written : straightened(written);
    const isNew = mode.lines.length > 0 && beginsOperation(line) && beginsOperation(mode.lines[0]);
    if (!document.isList && (isNew || (isFence(line) && !scanner.isInText))) {
      this.#note(this.#closeJson(mode, false), this.#begin);
      this.#words.begin();
      return this.#fresh(line, this.#start);
    }
    mode.lines.push(line);
    scanner.add(`${line}\n`);
    this.#take(mode, `${line}\n`);
    if (!document.isList) {
      if (!scanner.isWhole) return [];
      this.#words.behind(line.slice(1 + Math.max(line.lastIndexOf('}'), line.lastIndexOf(']'))));
      return this.#closeJson(mode, false);
    }
    if (!document.isOver) return [];
    this.#mode = lines;
    const rest = document.isWhole ? document.behind + line.slice(this.#taken) : '';
    const at = this.#start + line.length - rest.length;
    return rest.trim() === '' ? [] : this.#fresh(rest.trimEnd(), at);
  }

  /** `isEnd`: nothing follows, so what is not whole is cut off, and is not guessed at. */
  #closeJson(mode: JsonMode, isEnd: boolean): readonly Said[] {
    this.#mode = lines;
    const text = mode.lines.join('\n');
    const { isWhole, isInText } = mode.scanner;
    if (mode.document.isList) {
      const said = mode.document.end();
      return mode.document.isWhole ? said : [...said, { is: 'cut', text }];
    }
    if (!isWhole && isEnd) return [{ is: 'cut', text }];
    if (isInText) return [{ is: 'wrong', text: `got a text without its end in ${clipped(text)}` }];
    return jsonSaid(text);
  }

  #closeFence(): readonly Said[] {
    this.#fence = undefined;
    return this.#close(false);
  }

  #close(isEnd: boolean, isCut = false): readonly Said[] {
    const mode = this.#mode;
    this.#mode = lines;
    switch (mode.is) {
      case 'lines':
        return [];
      case 'thinking':
        return [{ is: 'cut', text: 'a thought that does not end' }];
      case 'json':
        return this.#closeJson(mode, isEnd);
      case 'yaml':
        return mode.document.end(isCut);
      case 'python':
        return mode.lines.end();
      case 'log':
        return this.#log.end(isEnd);
    }
  }
}

/** Whether a line leaves something open, or lacks what is to come behind its last sign. */
const isHalf = (line: string): boolean =>
  !isClosed(line.replace(/^\s*(?:[-*+]\s+)?`/, '')) || /(?:[=.,+*/-]|\bawait)\s*$/.test(line);

/** The fence that begins in the line of what it holds. */
const besideJson = 'json ';

const unseen = /^[\u200b-\u200d\u2060\ufeff]+/;

const thoughtTag = String.raw`<(?:${thinkTags})(?:\s[^<>]*)?>`;
const beginsThought = new RegExp(String.raw`^\s*${thoughtTag}`, 'i');
/** It begins behind words, and goes on in the next line. */
const leadsToThought = new RegExp(String.raw`${thoughtTag}\s*$`, 'i');
const endsThought = new RegExp(String.raw`</(?:${thinkTags})\s*>(.*)$`, 'i');

const unopened: Said = {
  is: 'mended',
  text: 'it ended a thought that it had not begun: what stands before that was taken as meant',
};

const beginsJson = (bare: string): boolean =>
  /^(?:\{\s*(?:["'}\w“”„«‘‚]|$)|\[\s*(?:[{]|$))/.test(bare);

/** A line of a log that Python cannot have. */
const noPython = /^\s*(?:`(?!`)|(?:yld|trig)\b|(?:recap|plan)\s+-\s)/;

/** Whether a line that reads as one of a log may be of a text that somebody is to have. */
const mayBeProse = (plain: string, logged: readonly Said[]): boolean =>
  !/^(?:trig\b|(?:recap|plan)\s+-\s)/.test(plain) &&
  logged.length > 0 &&
  logged.every(
    ({ is, perhaps }) => perhaps !== undefined || /^(?:think|note|unexpected)$/.test(is),
  );

/** A line that begins a list of operations, or an object around one. */
const beginsList = (bare: string): boolean =>
  /^\[\s*\{\s*"/.test(bare) || (/^\{\s*"/.test(bare) && listInside.test(bare));

/** Characters within which a list shows, for lines to be looked at before they have ended. */
const beginningMax = 4000;

const listInside = /"\w+"\s*:\s*\[\s*[{"]/;

const isFence = (line: string): boolean => /^\s*(?:```|~~~)[\w-]*\s*$/.test(line);

/** A line that begins an operation of its own, whatever the line before it lacks. */
function beginsOperation(line: string | undefined): boolean {
  const key = /^\s*(?:[-*+]\s+)?\{\s*["'](\w+)["']\s*:/.exec(line ?? '')?.[1];
  return key !== undefined && operationKeys.has(key);
}

function jsonSaid(text: string): readonly Said[] {
  const nodes = readAllJson(text);
  if (nodes.length === 0) return [{ is: 'wrong', text: `cannot read ${clipped(text)} as JSON` }];
  const lost = nodes.flatMap(({ repairs }) => repairs).find(dropsPart);
  // All of its brackets are closed: a text in it has quotes that are not.
  if (lost) {
    return [{ is: 'wrong', text: `cannot read ${clipped(text)} as JSON: ${lost.message}` }];
  }
  return nodes.flatMap(({ node, repairs }, at) => {
    const between = text.slice(nodes[at - 1]?.node.end ?? 0, node.start);
    if (inComment.test(between)) return [leftOut(text.slice(node.start, node.end))];
    return [
      ...[...new Set(repairs.map(({ message }) => message))].map(
        (message) => ({ is: 'mended', text: `its JSON was mended: ${message}` }) as const,
      ),
      ...(isEmptyTrace(node)
        ? [emptyTrace]
        : isOfSteps(node)
          ? traceItem(node)
          : operationsIn(node)),
    ];
  });
}

/** What stands before an operation that a comment behind another one has. */
const inComment = /^[\s,;]*(?:\/\/|\/\*|#)[^\n]*$/;

const leftOut = (written: string): Said => ({
  is: 'mended',
  text: `it wrote an operation among words, which was left out: ${shortly(written)}`,
});

const clipped = (text: string): string =>
  JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
