/**
 * What is heard of a message while a model still writes it. Owns what of it was heard, and what
 * replies before have left heard by half.
 *
 * - H1 What was heard stands: where its message does not, that is reported by itself, in front of
 *   whatever comes instead.
 * - H2 It is not heard again: of a message that begins with what its line has left heard by half,
 *   only the rest is said.
 * - H3 What may still turn out to be another message, that of a line that has it in quotes or one
 *   that was said, is not heard before it differs from that.
 */
import type { LinkedPlaybook } from '../../../../dialects/playbook/compiled/linked.ts';
import type { Part, SayPart } from '../../parts.ts';
import { shortly } from '../../reply/said.ts';
import { type Expr, termOf, writtenText } from '../../reply/term.ts';
import { plainWords } from '../values/quoted.ts';
import { keyOfSaid } from './acts-made.ts';

export class Heard {
  /** Beginnings of other messages, in plain words. */
  readonly #others: string[];
  readonly #halves = new Map<string, string>();
  #line = '';
  /** All that has come of the message, of which that was heard which is not held. */
  #text = '';
  #isHeld = true;

  constructor({ lines }: LinkedPlaybook, done: readonly Part[]) {
    this.#others = [...lines.values()].flatMap(({ step: { say } }) =>
      say?.isLiteral ? beginningOf(say.text) : [],
    );
    for (const part of done) {
      if (part.op !== 'say') continue;
      if (part.isHalf) this.#halves.set(part.line, textOf(part.text).trimEnd());
      else this.#halves.delete(part.line);
    }
  }

  /** By lines, what was heard of a message there that has not been said yet. */
  get halves(): ReadonlyMap<string, string> {
    return this.#halves;
  }

  /** A message begins, at its line. */
  begins(line: string): void {
    this.#line = line;
    this.#text = '';
    this.#isHeld = true;
  }

  /** More of it has come: gives what is heard now. */
  hears(more: string): string {
    this.#text += more;
    if (!this.#isHeld) return more;
    const words = plainWords(this.#text);
    this.#isHeld = this.#others.some((one) => one.startsWith(words) || words.startsWith(one));
    return this.#isHeld ? '' : this.#text;
  }

  /** Whether something was heard of a message that has not been reported yet. */
  get isOpen(): boolean {
    return this.#text !== '' && !this.#isHeld;
  }

  /** A part with what has to be reported in front of it. */
  with(part: Part): readonly Part[] {
    if (part.op === 'say') this.#others.push(...beginningOf(textOf(part.text)));
    if (!this.isOpen || !comesInstead(part)) return [part];
    const begun = this.#text;
    this.#text = '';
    if (part.op === 'say' && textOf(part.text).startsWith(begun)) return [{ ...part, begun }];
    const text: Expr = { is: 'value', value: begun };
    const half: SayPart = {
      ...{ op: 'say', text, line: this.#line, key: keyOfSaid(text), isHalf: true },
    };
    this.#halves.set(half.line, begun.trimEnd());
    if (part.op !== 'problem') return [half, part];
    const told = `; ${shortly(begun)} of it was heard and stands: say no more than is left`;
    return [half, { ...part, text: part.text + told }];
  }

  /** What of a message was heard before it, by half, at its line: whatever comes there is next. */
  halfOf(text: Expr, line: string): string | undefined {
    const words = textOf(text);
    const half = this.#halves.get(line);
    this.#halves.delete(line);
    return half !== undefined && words.startsWith(half) ? wholeWords(half, words) : undefined;
  }
}

/** Whether it was only heard, and is no act. */
export const isHalf = (part: Part): part is SayPart => part.op === 'say' && part.isHalf === true;

/** What is set, or noted, beside a message may stand in front of it. */
const comesInstead = ({ op }: Part): boolean =>
  ['say', 'call', 'yield', 'return', 'problem', 'end'].includes(op);

/** Without the beginning of a word that was cut off. */
function wholeWords(half: string, text: string): string {
  const isWithin = /^[\p{L}\p{M}\p{N}]/u.test(text.slice(half.length));
  return isWithin ? half.replace(/[\p{L}\p{M}\p{N}]+$/u, '') : half;
}

/** Up to what is to be filled in; none where it begins with that. */
function beginningOf(text: string): readonly string[] {
  const words = plainWords(text.split(/[{$]/, 1)[0] ?? '');
  return words === '' ? [] : [words];
}

const textOf = (text: Expr): string => writtenText(termOf(text)) ?? '';
