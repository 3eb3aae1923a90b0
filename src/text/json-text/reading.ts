/** One reading of a model's text, whole or arriving: its limit, its value, how it went. */
import { limitDefaults } from '../../program/limit-defaults.ts';
import type { JsonNode } from '../json-node.ts';
import type { Code, ReadError, Repair } from './codes.ts';
import { asList, type Choice, choose, Finder, isProgramLike, type Want } from './finder.ts';
import { answerTags, Source } from './source.ts';

/** The value that was found, and the text around it. */
export interface ReadText {
  /** Absent exactly when there is an error. */
  readonly node?: JsonNode;
  /** What was mended, in the order of the text. */
  readonly repairs: readonly Repair[];
  readonly error?: ReadError;
  /** The text around the value, with its tags and fences. */
  readonly before: string;
  readonly after: string;
}

/** One of the values of a text. */
export interface ReadNode {
  readonly node: JsonNode;
  readonly repairs: readonly Repair[];
}

export interface ReadOptions {
  /** UTF-8 bytes that are read; more is an error. Default: the limit on program texts. */
  readonly bytesMax?: number;
}

/** Lists beside the chosen one that are named one by one. */
const othersMax = 5;

export class Reading {
  readonly #source = new Source();
  readonly #finder: Finder;
  readonly #want: Want;
  readonly #bytesMax: number;
  #bytes = 0;
  #full = false;

  constructor(want: Want, options: ReadOptions) {
    this.#want = want;
    this.#finder = new Finder(this.#source, want);
    this.#bytesMax = options.bytesMax ?? limitDefaults.sourceBytes;
  }

  push(piece: string): void {
    if (this.#full) return;
    const fits = this.#fitting(piece);
    this.#full = fits < piece.length;
    this.#source.push(this.#full ? piece.slice(0, fits) : piece);
    this.#finder.run();
  }

  /** Elements so far of the list that was taken while it arrived. */
  get elements(): readonly JsonNode[] {
    return this.#finder.taken?.list ?? [];
  }

  /** Ends the text and says what was read. */
  end(): ReadText {
    if (this.#full) return this.#failed('PV1002', this.#source.length, this.#tooLarge());
    this.#source.end();
    this.#finder.run();
    this.#lookIntoThinking();
    const { taken, takenAs } = this.#finder;
    if (taken?.error) return this.#refused(taken.error, taken.repairs.all());
    const choice = takenAs
      ? asList(this.#source, takenAs)
      : choose(this.#source, this.#finder.candidates, this.#want);
    if (!choice) return this.#nothing();
    const better = this.#finder.failure;
    const poor =
      choice.node.kind !== this.#want || (this.#want === 'array' && !isProgramLike(choice.node));
    if (better && poor && this.#want !== 'any' && !takenAs) return this.#refused(better.error, []);
    return this.#found(choice);
  }

  /** Every value that was read, in order; after `end`. */
  get nodes(): readonly ReadNode[] {
    return this.#finder.candidates;
  }

  /** Thinking that never ends may hold an answer all the same: its end tag was forgotten. */
  #lookIntoThinking(): void {
    const from = this.#finder.thinkingFrom;
    if (from === undefined || this.#finder.candidates.length > 0) return;
    const tags = this.#source.whole().matchAll(new RegExp(`<(${answerTags})\\s*>`, 'gi'));
    const last = [...tags].at(-1);
    if (last && last.index > from) this.#finder.lookFrom(last.index);
  }

  #found(choice: Choice): ReadText {
    const others = this.#others(choice);
    const rival = others.find((other) => this.#isRival(other, choice));
    const text = this.#source.whole();
    const around = { before: text.slice(0, choice.start), after: text.slice(choice.end) };
    if (rival) return this.#ambiguous(choice, rival);
    const repairs = [...choice.repairs];
    const fence = choice.candidate.fence;
    if (fence && !fence.closed && !choice.candidate.cut) {
      repairs.unshift(
        this.#repair('PV1025', 'the fence that opens here is never closed', fence.start),
      );
    }
    for (const other of others.slice(0, othersMax)) {
      repairs.push(
        this.#repair(
          'PV1026',
          `another ${nounOf(other)} stands here; it was not read`,
          other.start,
        ),
      );
    }
    return { node: choice.node, repairs, ...around };
  }

  /** What else could have been meant: lists of objects, or objects beside a lone one. */
  #others(choice: Choice): Choice[] {
    if (this.#want !== 'array') return [];
    const { kind } = choice.node;
    return this.#finder.candidates
      .filter((one) => one.start < choice.start || one.start >= choice.end)
      .map((one) => asList(this.#source, one))
      .filter((one) => isProgramLike(one.node) || (kind === 'object' && one.node.kind === kind));
  }

  /** Whether a list claims to replace one that was taken before the text had ended. */
  #isRival(other: Choice, choice: Choice): boolean {
    if (choice.candidate !== this.#finder.takenAs || other.start < choice.end) return false;
    const { answer } = other.candidate;
    return this.#finder.disowned || (answer > 0 && answer !== choice.candidate.answer);
  }

  #ambiguous(choice: Choice, rival: Choice): ReadText {
    const { line } = this.#source.place(choice.start);
    const message = `got a second list, want one; the first starts on line ${line}`;
    return this.#failed(
      'PV1009',
      rival.start,
      message,
      'keep the list that is meant, and no other',
    );
  }

  #nothing(): ReadText {
    const { failure, thinkingFrom, thought } = this.#finder;
    if (failure) return this.#refused(failure.error, []);
    const want = { array: 'a JSON list', object: 'a JSON object', any: 'a JSON value' }[this.#want];
    if (thinkingFrom !== undefined) {
      return this.#failed(
        'PV1007',
        thinkingFrom,
        `got thinking that never ends, want ${want} after it`,
      );
    }
    const empty = this.#source.whole().trim() === '';
    const what = empty ? 'an empty text' : thought ? 'nothing after the thinking' : 'only prose';
    return this.#failed('PV1001', 0, `got ${what}, want ${want}`);
  }

  #refused(error: ReadError, repairs: readonly Repair[]): ReadText {
    return { error, repairs, before: this.#source.whole(), after: '' };
  }

  #failed(code: Code, start: number, message: string, hint?: string): ReadText {
    const place = this.#source.place(start);
    return this.#refused({ code, message, ...place, ...(hint === undefined ? {} : { hint }) }, []);
  }

  #repair(code: Code, message: string, start: number): Repair {
    return { code, message, ...this.#source.place(start), start };
  }

  #tooLarge(): string {
    return `got a text of more than ${this.#bytesMax} bytes, want at most that`;
  }

  /** How much of a piece the limit lets through, counting what it takes as UTF-8. */
  #fitting(piece: string): number {
    const room = this.#bytesMax - this.#bytes;
    if (piece.length * 3 <= room) {
      // Halves of surrogate pairs count 2 each, so that a cut between them changes nothing.
      this.#bytes += bytesOf(piece);
      return piece.length;
    }
    for (let at = 0; at < piece.length; at++) {
      this.#bytes += bytesOf(piece.charAt(at));
      if (this.#bytes > this.#bytesMax) return at;
    }
    return piece.length;
  }
}

const nounOf = ({ node }: Choice): string => (node.kind === 'array' ? 'list' : node.kind);

function bytesOf(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x80) continue;
    bytes += code < 0x800 || (code >= 0xd800 && code < 0xe000) ? 1 : 2;
  }
  return bytes;
}
