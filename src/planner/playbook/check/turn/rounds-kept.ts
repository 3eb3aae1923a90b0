/**
 * Whether a reply keeps to the rounds of counted loops, as far as that is known while it is read:
 * whoever plays it counts them, and takes nothing behind a round that there is not. Owns the loops
 * that the reply has come into, with their rounds.
 */
import { isWithin } from '../../../../dialects/playbook/compiled/graph.ts';
import type { Rounds } from '../../../../dialects/playbook/compiled/rounds.ts';
import type { Part, SetPart } from '../../parts.ts';
import { asText } from '../values/known-values.ts';
import type { TurnPlace } from './turn-place.ts';
import type { TurnValues } from './turn-values.ts';

interface Loop {
  readonly count: number;
  readonly itemIn: (at: number) => unknown;
  /** From 0. */
  at: number;
  /** Whether this round has come to a line of the body. */
  hasBody: boolean;
}

export class RoundsKept {
  readonly #rounds: ReadonlyMap<string, Rounds>;
  readonly #values: TurnValues;
  readonly #loops = new Map<string, Loop>();
  /** Loops in the body of which it begins: it is in their rounds as long as it goes on there. */
  readonly #since: ReadonlySet<string>;
  #line: string;
  #isKept = true;

  /** `isUnderWay`: some of them have begun before this reply. */
  constructor(
    rounds: ReadonlyMap<string, Rounds>,
    values: TurnValues,
    { line, isUnderWay = false }: Pick<TurnPlace, 'line' | 'isUnderWay'>,
  ) {
    this.#rounds = rounds;
    this.#values = values;
    this.#line = line;
    this.#since = new Set([...rounds.keys()].filter((head) => isWithin(line, head)));
    // Which round is the next one there is not known.
    this.#isKept = !rounds.has(line) || !isUnderWay;
  }

  /** Something of the reply stands. */
  did(part: Part): void {
    if (part.op === 'set') this.#sets(part);
    else if (part.op === 'step' && !part.isAgain) this.#comes(part.line, true);
    else if (part.op === 'say' || part.op === 'call') this.#comes(part.line, false);
  }

  /** Whether what is done now at a line is of a round that there is, with none left out before. */
  mayActAt(line: string): boolean {
    return (
      this.#isKept && !this.#isBack(line) && this.#heads.every((head) => this.#may(head, line))
    );
  }

  get #heads(): readonly string[] {
    return [...this.#rounds.keys()];
  }

  #may(head: string, line: string): boolean {
    const isIn = isWithin(line, head);
    if (this.#since.has(head)) return isIn;
    const loop = this.#loops.get(head);
    if (!loop) return !isIn || this.#values.roundsAt(head) !== undefined;
    const done = loop.at + (loop.hasBody ? 1 : 0);
    return isIn ? loop.at < loop.count : line === head || done >= loop.count;
  }

  /** Whether that is another round of a loop, without a word of its head. */
  #isBack(line: string): boolean {
    const isAround = (head: string): boolean => isWithin(line, head) && isWithin(this.#line, head);
    return line < this.#line && this.#heads.some(isAround);
  }

  #comes(line: string, isNamed: boolean): void {
    const isHead = this.#rounds.has(line);
    const isSame = line === this.#line && !isHead;
    const isRound = isSame && isNamed && this.#heads.some((head) => isWithin(line, head));
    this.#isKept = this.#isKept && !isRound && (isHead || isSame || this.mayActAt(line));
    for (const [head, loop] of this.#loops) {
      if (isWithin(line, head)) loop.hasBody = true;
      else if (line !== head) this.#loops.delete(head);
    }
    for (const head of this.#heads) {
      if (line === head && isNamed) this.#goesRound(head);
      else if (isWithin(line, head) && !this.#loops.has(head)) this.#begins(head, true);
    }
    this.#line = line;
  }

  #goesRound(head: string): void {
    const loop = this.#loops.get(head);
    if (!loop) this.#begins(head, false);
    else if (loop.hasBody) [loop.at, loop.hasBody] = [loop.at + 1, false];
  }

  #begins(head: string, hasBody: boolean): void {
    const rounds = this.#since.has(head) ? undefined : this.#values.roundsAt(head);
    if (rounds) this.#loops.set(head, { ...rounds, at: 0, hasBody });
    else if (!hasBody) this.#isKept = false;
  }

  /** An item that is not the next one is refused. */
  #sets({ name, value }: SetPart): void {
    for (const [head, { item = '' }] of this.#rounds) {
      if (item.replace('$', '') !== name) continue;
      const loop = this.#loops.get(head);
      const wanted = loop?.itemIn(loop.at);
      const isIts = wanted !== undefined && this.#values.known.text(value) === asText(wanted);
      this.#isKept = this.#isKept && isIts;
    }
  }
}
