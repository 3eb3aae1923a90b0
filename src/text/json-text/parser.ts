/**
 * Reads one JSON value, leniently.
 *
 * Owns the open brackets, so that the host's stack does not grow with the text.
 * - R1 Strict JSON is read as JSON.parse reads it (ints beyond 2^53 exactly), without repairs.
 * - R2 Each character is looked at a bounded number of times.
 */
import type { JsonNode, JsonScalar } from '../json-node.ts';
import {
  cutMessage,
  mayBeProgram,
  nodeOf,
  type Open,
  type OpenArray,
  type OpenObject,
  openArray,
  openObject,
  wanted,
} from './brackets.ts';
import type { Code, ReadError } from './codes.ts';
import { RepairList } from './repair-list.ts';
import {
  readNumber,
  readWord,
  type ScalarToken,
  startsNumber,
  startsValue,
} from './scalar-token.ts';
import type { Source } from './source.ts';
import * as C from './source.ts';
import { readString } from './string-token.ts';

const nestingMax = 200;

/** How far the reading has come. `cut`: the text ended first. */
export type Progress = 'done' | 'failed' | 'cut';

export class JsonParser {
  readonly start: number;
  readonly repairs: RepairList;
  /** Everything before this has been read. */
  at: number;
  node: JsonNode | undefined;
  error: ReadError | undefined;
  openBrackets = 0;
  /** Whether it has shown to be meant as JSON, and is not a bracket in prose. */
  plausible = false;

  readonly #source: Source;
  readonly #open: Open[] = [];
  readonly #note: (code: Code, message: string, start: number) => void;
  /** Where the string or number starts in whose middle the text ended. */
  #cutAt: number | undefined;
  #isCutInText = false;

  constructor(source: Source, start: number) {
    this.#source = source;
    this.start = start;
    this.at = start;
    this.repairs = new RepairList(source);
    this.#note = (code, message, at) => this.repairs.add(code, message, at);
  }

  /** Whether a list of objects has begun that may be the program. */
  get isProgram(): boolean {
    return this.#open.some((open, at) => {
      const isList = open.kind === 'array' && open.items[0]?.kind === 'object';
      return isList && mayBeProgram(this.#open.slice(0, at));
    });
  }

  run(): Progress {
    for (;;) {
      const stop = this.#skip() ?? this.#step();
      if (stop) return stop;
    }
  }

  /** Skips space and comments. */
  #skip(): Progress | undefined {
    for (;;) {
      this.at = C.skipSpace(this.#source, this.at);
      const code = this.#source.code(this.at);
      if (code === -1) return 'cut';
      const next = this.#source.code(this.at + 1);
      const isBlock = code === C.slash && next === C.star;
      if (!isBlock && code !== C.hash && (code !== C.slash || next !== C.slash)) return undefined;
      const end = isBlock ? '*/' : '\n';
      const found = this.#source.text.indexOf(end, this.at + 2);
      if (found < 0) return 'cut';
      this.#note('PV1015', 'got a comment; JSON has none', this.at);
      this.at = found + end.length;
    }
  }

  /** Takes one token, which stands at `at`. */
  #step(): Progress | undefined {
    const top = this.#open.at(-1);
    if (!top) return this.#value();
    const code = this.#source.code(this.at);
    if (C.endsRegion(this.#source, this.at)) return this.#closeAll(top);
    return top.kind === 'array' ? this.#inArray(top, code) : this.#inObject(top, code);
  }

  #inArray(top: OpenArray, code: number): Progress | undefined {
    if (code === C.bracketClose) {
      if (top.expect === 'item') this.#note('PV1013', 'got a comma before ]', top.commaAt);
      return this.#close();
    }
    if (code === C.comma) return this.#comma(top);
    if (code === C.braceClose) return this.#closeInner('object');
    if (!startsValue(code)) return this.#unexpected(top);
    if (top.expect === 'comma') {
      if (isText(top) || code === C.minus) return this.#unexpected(top);
      this.#missingComma(top, this.at);
    }
    return this.#value();
  }

  #inObject(top: OpenObject, code: number): Progress | undefined {
    if (top.expect === 'colon') return this.#colon(top, code);
    if (top.expect === 'value') {
      return startsValue(code) ? this.#value() : this.#unexpected(top);
    }
    if (code === C.braceClose) {
      if (top.expect === 'key') this.#note('PV1013', 'got a comma before }', top.commaAt);
      return this.#close();
    }
    if (code === C.comma) return this.#comma(top);
    if (code === C.bracketClose) return this.#closeInner('array');
    if (code === C.braceOpen && top.members.length > 0 && this.#open.at(-2)?.kind === 'array') {
      return this.#closeInner('array');
    }
    if (!C.isQuote(code) && !C.startsWord(code) && !C.isDigit(code)) return this.#unexpected(top);
    return this.#key(top, code);
  }

  #key(top: OpenObject, code: number): Progress | undefined {
    if (C.isQuote(code)) {
      if (top.expect === 'comma') this.#missingComma(top, this.at);
      return this.#string(true);
    }
    if (top.expect === 'comma' && isText(top)) return this.#unexpected(top);
    const word = this.#word();
    if (top.expect === 'comma') this.#missingComma(top, this.at);
    this.#note('PV1017', `got the key ${word}, want "${word}"`, this.at);
    top.key = this.#scalar('string', word, this.at, this.at + word.length);
    top.expect = 'colon';
    top.quoted = false;
    this.at += word.length;
    return undefined;
  }

  #colon(top: OpenObject, code: number): Progress | undefined {
    if (code !== C.colon) return this.#unexpected(top);
    if (top.quoted) this.plausible = true;
    top.expect = 'value';
    this.at++;
    return undefined;
  }

  #comma(top: Open): undefined {
    if (top.expect !== 'comma' && top.expect !== 'gap') {
      this.#note('PV1013', 'got a comma too many', this.at);
    } else if (top.kind === 'array') top.expect = 'item';
    else top.expect = 'key';
    top.commaAt = this.at;
    this.at++;
  }

  #missingComma(top: Open, at: number): void {
    this.#note('PV1014', 'a comma is missing here', at);
    top.expect = 'gap';
  }

  #value(): Progress | undefined {
    const code = this.#source.code(this.at);
    if (code === C.bracketOpen || code === C.braceOpen) return this.#openBracket(code);
    if (C.isQuote(code)) return this.#string(false);
    const inside = this.#open.length > 0;
    const read = startsNumber(code) ? readNumber : C.startsWord(code) ? readWord : undefined;
    if (!read) return this.#unexpected(undefined);
    return this.#token(read(this.#source, this.at, inside, this.#note));
  }

  #string(isKey: boolean): Progress | undefined {
    const start = this.at;
    const { text, end, isWhole } = readString(this.#source, start, this.#note);
    if (!isWhole) {
      this.#cutAt = start;
      this.#isCutInText = true;
      return 'cut';
    }
    const node = this.#scalar('string', text, start, end);
    const top = this.#open.at(-1);
    if (!isKey || top?.kind !== 'object') return this.#complete(node);
    this.at = end;
    top.key = node;
    top.expect = 'colon';
    top.quoted = true;
    return undefined;
  }

  #openBracket(code: number): Progress | undefined {
    if (this.#open.length >= nestingMax) {
      return this.#fail('PV1003', `got nesting deeper than ${nestingMax}`, this.at);
    }
    const open = code === C.bracketOpen ? openArray(this.at) : openObject(this.at);
    this.#open.push(open);
    this.at++;
    return undefined;
  }

  #token(token: ScalarToken): Progress | undefined {
    if (token.kind === 'cut') {
      this.#cutAt = this.at;
      return 'cut';
    }
    if (token.kind === 'refused') {
      return this.#fail(token.code, token.message, this.at, token.hint);
    }
    const { kind, value } = token.scalar;
    return this.#complete(this.#scalar(kind, value, this.at, token.end));
  }

  #scalar(kind: JsonScalar['kind'], value: JsonScalar['value'], start: number, end: number) {
    return { kind, value, ...this.#source.place(start), start, end };
  }

  /** Puts a whole value where it belongs. */
  #complete(node: JsonNode): Progress | undefined {
    this.at = node.end;
    if (this.#open.length === 0) {
      this.node = node;
      return 'done';
    }
    this.#place(node);
    return undefined;
  }

  #place(node: JsonNode): void {
    const top = this.#open.at(-1);
    if (!top) return;
    if (top.kind === 'array') top.items.push(node);
    else if (top.key)
      top.members.push({ key: String(top.key.value), keyNode: top.key, value: node });
    top.expect = 'comma';
    if (top.kind === 'object' || (this.#open.length === 1 && top.items.length > 1)) {
      this.plausible = true;
    }
  }

  /** Closes the innermost bracket with the closing one at `at`. */
  #close(end: number = this.at + 1): Progress | undefined {
    const open = this.#open.pop();
    return open ? this.#complete(nodeOf(this.#source, open, end)) : undefined;
  }

  /** A bracket stands here that belongs to an outer list or object, or to none. */
  #closeInner(kind: Open['kind']): Progress | undefined {
    const code = this.#source.text.slice(this.at, this.at + 1);
    if (!this.#open.some((open) => open.kind === kind)) {
      this.#note('PV1012', `got ${code}, which closes nothing`, this.at);
      this.at++;
      return undefined;
    }
    const here = this.at;
    while (this.#open.length > 1 && this.#open.at(-1)?.kind !== kind) {
      const missing = this.#open.at(-1)?.kind === 'array' ? ']' : '}';
      this.#note('PV1011', `got ${code}, want ${missing} before it`, here);
      const after = this.#open.at(-1)?.expect;
      this.#close(here);
      // The comma that was read inside stands for the one that is wanted outside.
      const outer = this.#open.at(-1);
      if (outer && (after === 'key' || after === 'item')) outer.expect = 'gap';
    }
    return undefined;
  }

  /** The fence or the answer around the value ends before its brackets do. */
  #closeAll(top: Open): Progress | undefined {
    if (top.expect === 'colon' || top.expect === 'value') return this.#unexpected(top);
    const missing = this.#open.map((open) => (open.kind === 'array' ? ']' : '}')).toReversed();
    this.#note('PV1011', `want ${missing.join('')} before the end of the block`, this.at);
    const here = this.at;
    for (;;) {
      const progress = this.#close(here);
      if (progress || this.#open.length === 0) return progress;
    }
  }

  #unexpected(top: Open | undefined): Progress {
    const word = this.#word();
    const hint =
      top?.expect === 'comma' && isText(top)
        ? 'write \\" for a quote inside a text, and the whole text in one pair of quotes'
        : undefined;
    const message = `got ${word}, want ${top ? wanted(top) : 'a value'}`;
    return this.#fail('PV1004', message, this.at, hint);
  }

  /** The word or the character at `at`. */
  #word(): string {
    let end = this.at;
    while (end - this.at < wordMax && C.inWord(this.#source.code(end))) end++;
    return this.#source.text.slice(this.at, Math.max(end, this.at + 1));
  }

  #fail(code: Code, message: string, start: number, hint?: string): 'failed' {
    const place = this.#source.place(start);
    this.error = { code, message, ...place, ...(hint === undefined ? {} : { hint }) };
    this.openBrackets = this.#open.length;
    return 'failed';
  }

  /** What stands behind the value besides space and comments; undefined for nothing. */
  rest(): string | undefined {
    return this.#skip() === undefined ? this.#word() : undefined;
  }

  /**
   * The value as far as it goes when the text was cut short: whole elements of the list, or whole
   * members of the object; undefined when there is neither.
   */
  salvage(): JsonNode | undefined {
    const list = this.#open.findIndex(
      (open, at) => open.kind === 'array' && mayBeProgram(this.#open.slice(0, at)),
    );
    const kept = Math.max(list, 0);
    if (this.#open.length === 0) return undefined;
    this.#note('PV1010', ...this.#cutMessage(kept));
    this.#open.length = kept + 1;
    const end = this.#source.text.length;
    while (this.#open.length > 0) this.#close(end);
    return this.node;
  }

  #cutMessage(kept: number): [message: string, at: number] {
    const open = this.#open[kept];
    const dropped = this.#open[kept + 1]?.start ?? this.#cutAt;
    const message = cutMessage(open, dropped !== undefined, this.#isCutInText);
    return [message, this.#cutAt ?? dropped ?? open?.start ?? this.start];
  }
}

/** Whether the last value in an open bracket is a text: what follows may belong to it. */
function isText(open: Open): boolean {
  const last = open.kind === 'array' ? open.items.at(-1) : open.members.at(-1)?.value;
  return last?.kind === 'string';
}

/** Longest key without quotes, and longest word that a message shows. */
const wordMax = 100;
