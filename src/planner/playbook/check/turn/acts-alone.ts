/**
 * Calls and messages that stand alone in lines of a reply whose operations have another form. They
 * are held until what comes next is known: an operation that does the same as one of them shows
 * that they were words.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Said } from '../../reply/said.ts';

export class ActsAlone {
  /** The acts, and the lines that were named behind the first one. */
  #held: readonly Said[] = [];
  /** What an operation did last: who names that once more does not do it again. */
  #last: Said | undefined;

  get isHolding(): boolean {
    return this.#held.length > 0;
  }

  /** What is said now that this comes. */
  take(said: Said): readonly Said[] {
    if (said.isAlone && !this.isHolding && this.#last && isEqual(this.#last, said)) return [];
    if (!said.isAlone && !isIdle.test(said.is)) this.#last = said;
    if (said.isAlone || (this.isHolding && isIdle.test(said.is))) {
      this.#held = [...this.#held, said];
      return [];
    }
    const held = this.end();
    const areWords = held.some((one) => one.isAlone && doesSame(one, said));
    return [...held.filter(({ isAlone }) => !isAlone || !areWords), said];
  }

  /** Nothing more comes. */
  end(): readonly Said[] {
    const held = this.#held;
    this.#held = [];
    return held;
  }
}

const isIdle = /^(?:step|think|note|mended)$/;

/** With the same arguments, by position or by name. */
const isEqual = (act: Said, said: Said): boolean =>
  doesSame(act, said) && isDeepStrictEqual(valuesOf(act), valuesOf(said));

const valuesOf = (said: Said): unknown =>
  said.is === 'call' ? [...said.args, ...Object.values(said.named)] : 'text' in said && said.text;

const doesSame = (act: Said, said: Said): boolean =>
  act.is === 'call' && said.is === 'call'
    ? act.callee.toLowerCase() === said.callee.toLowerCase()
    : act.is === said.is;
