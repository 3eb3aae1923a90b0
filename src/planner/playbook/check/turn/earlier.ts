/**
 * What earlier replies to the same turn have done, one of which could not stand as a whole or was
 * cut off. A model that is to go on may tell it again, and then it is not done again; or it comes
 * to the same lines in the next round of a loop, and then it is something new. Which of them it
 * is, its first line says: where it was told to go on, or where the reply before it began; where
 * both are one line, what it does first that was not done.
 */
import type { LinkedPlaybook } from '../../../../dialects/playbook/compiled/linked.ts';
import type { CallPart, Part, SayPart, SetPart } from '../../parts.ts';
import type { Expr } from '../../reply/term.ts';
import { inWords, marksOf } from './said-again.ts';

/** The code of what is asked about what a line has done before its reply was cut off. */
export const onceMore = 'PV7330';

/** What a line has done that it might do once more, in other words. */
export type DonePart = CallPart | SetPart | SayPart;

interface Act {
  readonly line: string;
  readonly part: Part;
  readonly marks: readonly string[];
  /** How many lines had been reported. */
  readonly steps: number;
  /** Whether its reply was cut off: what it would have done further nobody knows. */
  readonly isCut: boolean;
  /** Whether that was from outside, as where its process ends. */
  readonly isKilled: boolean;
}

export class Earlier {
  readonly #lines: LinkedPlaybook['lines'];
  readonly #order: readonly string[];
  #visited: ReadonlySet<string>;
  readonly #all: readonly Act[];
  /** Lines in the order in which they were reported. */
  readonly #steps: readonly string[];
  /** Where the model was told to go on. */
  readonly #told: readonly string[];
  /** Lines of which it was asked whether something is to be done once more. */
  readonly #asked: ReadonlySet<string>;
  /** What has not been told again. */
  #left: readonly Act[];
  /** Of that, what is of the rounds that loops are in. */
  #round: readonly Act[] = [];
  /** Whether lines that come are of another round: nothing is told again behind what is new. */
  #isPast: boolean;
  /** How many of the steps were told again. */
  #again = 0;
  /** Whether a line has come, by which that is known. */
  #hasBegun = false;
  /** Whether it began where the reply before it did, and where it was told to go on, too. */
  #isEither = false;
  /** Whether the line that was told again last is the last one, and nothing at it was yet. */
  #isLast = false;

  constructor(done: readonly Part[], lines: LinkedPlaybook['lines'], told: readonly string[]) {
    this.#lines = lines;
    this.#order = [...lines.keys()];
    this.#told = told;
    this.#visited = new Set(done.flatMap((part) => ('line' in part ? [part.line] : [])));
    this.#steps = done.flatMap((part) => (part.op === 'step' ? [part.line] : []));
    const cutFrom = done.findLastIndex((part) => part.op === 'problem' && part.code !== 'PV7308');
    const killed = done.findLastIndex((part) => part.op === 'problem' && part.isFromOutside);
    let [line, steps] = ['', 0];
    this.#all = done.flatMap((part, index) => {
      const marks = marksOf(part);
      if (part.op === 'step') {
        this.#round = this.#inRound(part.line, line);
        steps++;
      }
      if ('line' in part) line = part.line;
      if (marks.length === 0) return [];
      const isCut = index > cutFrom;
      const act = { line, part, marks, steps, isCut, isKilled: isCut && index < killed };
      // With its next item, what was done in a loop is of an earlier round.
      if (this.#isItem(act)) this.#round = this.#before(line);
      this.#round = [...this.#round, act];
      return [act];
    });
    this.#left = this.#all;
    this.#asked = new Set(
      done.flatMap((part) => (part.op === 'problem' && part.code === onceMore ? [part.line] : [])),
    );
    // Where nothing was wrong, nobody begins anew.
    this.#isPast = !done.some(({ op }) => op === 'problem');
    if (this.#isPast) this.#again = this.#steps.length;
  }

  hasLine(line: string): boolean {
    return this.#visited.has(line);
  }

  /**
   * A line comes. `before`: it is told again by a reply that tells all of it, and more was done
   * behind it; `last`: it is the last one that such a reply tells again; `other`: the reply has
   * gone on, it seems, from where it began.
   */
  comes(line: string): 'before' | 'last' | 'new' | 'other' {
    this.#begin(line);
    const isSame = line === this.#steps[this.#again - 1] && line !== this.#steps[this.#again];
    const found = isSame ? this.#again - 1 : this.#steps.indexOf(line, this.#again);
    const isPart = this.#again < this.#steps.length;
    // Who was asked about a line has come to it once more.
    const isAsked = this.#asked.has(line) && this.#steps.slice(found).every((one) => one === line);
    this.#again = found < 0 || isAsked ? this.#steps.length : found + 1;
    this.#isLast = found >= 0 && this.#again === this.#steps.length;
    if (found >= 0) return this.#isLast ? 'last' : 'before';
    if (this.#isEither && isPart) return 'other';
    this.#isEither = false;
    return 'new';
  }

  /** The first line says what the reply is: one that goes on as it was told tells nothing again. */
  #begin(line: string): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    const [isFirst, isTold] = [line === this.#steps[0], this.#told.includes(line)];
    if (!this.#isPast) {
      this.#again = isFirst ? 0 : this.#steps.length;
      this.#isEither = isFirst && isTold;
    }
    if (isTold && !isFirst) this.goOnAt(line);
  }

  /** Whether all that came since it began may be another round. */
  get isEither(): boolean {
    return this.#isEither;
  }

  /** Whether what comes at the line that it is at may be another round. */
  get isLast(): boolean {
    return this.#isLast;
  }

  /** Who goes on tells nothing again, but for what was done at that line. */
  goOnAt(line: string): void {
    this.#again = this.#steps.length;
    this.#isEither = false;
    this.#isLast = false;
    this.#visited = new Set();
    this.#round = this.#round.filter((one) => one.line === line);
    this.#left = this.#round;
    this.#isPast = true;
  }

  /** Whether anything was done since the last line was reported. */
  get hasActed(): boolean {
    return this.#all.some(({ steps }) => steps === this.#steps.length);
  }

  /**
   * At the head of a loop that is told again, another item is set than it had: the head, which is
   * told again no more. Undefined where it had the item, and goes on from there.
   */
  turns(name: string, value: Expr): string | undefined {
    const line = this.#steps[this.#again - 1] ?? '';
    const mark = `${line} set ${inWords(name, value)}`;
    const { code, writes = [] } = this.#lines.get(line)?.step ?? {};
    if (code !== 'LOP' || !writes.some((one) => one.replace('$', '') === name)) return undefined;
    const item = this.#all.find(({ marks }) => marks.includes(mark));
    this.#again = item?.steps ?? this.#steps.length;
    if (item) this.#isEither = false;
    return item ? undefined : line;
  }

  /** Something was done now. An item that a loop had before is told again, with what came of it. */
  did(part: Part): void {
    const marks = marksOf(part);
    if (marks.length === 0 || !('line' in part)) return;
    // What a variable was set to before, it has no more.
    const isStill = (one: Act): boolean => !isSetOf(one.part, part);
    this.#left = this.#left.filter(isStill);
    this.#round = this.#round.filter(isStill);
    const before = this.#all.findIndex((one) => isOne(one, marks));
    if (before < 0) this.#isPast = true;
    else if (this.#isItem({ line: part.line, marks })) {
      if (this.#round.some((one) => isOne(one, marks))) return;
      const since = new Set(this.#all.slice(before));
      this.#round = this.#left.filter((one) => since.has(one));
    }
  }

  /** A line was come to from another one. */
  enter(line: string): void {
    if (this.#isPast) this.#round = this.#round.filter((one) => one.line !== line);
  }

  /** Takes one equal act off, wherever it was done. */
  takes(marks: readonly string[]): boolean {
    const isIt = (one: string): boolean => marks.some((mark) => one.endsWith(mark));
    return this.#take(this.#left.find((one) => one.marks.some(isIt)));
  }

  /** Takes one equal act of this round off. */
  takesHere(marks: readonly string[]): boolean {
    return this.#take(this.#round.find((one) => isOne(one, marks)));
  }

  /** Whether this is what a variable was set to last, or by what was answered. */
  isSetTo(name: string, value: Expr): boolean {
    const sets = this.#left.filter(({ marks: [mark = ''] }) => mark.includes(` set ${name} `));
    const isIt = (one?: Act): boolean =>
      one?.marks[0]?.endsWith(` set ${inWords(name, value)}`) === true;
    return isIt(sets.at(-1)) || sets.some((one) => 'isAnswer' in one.part && isIt(one));
  }

  /** Whether it was asked whether a line does something once more. */
  wasAsked(line: string): boolean {
    return this.#asked.has(line);
  }

  /**
   * What a line has called and set in this round, cut off there, and what it has said where that
   * was from outside: what a trigger cuts off often goes on with something else to say. None once
   * that was asked.
   */
  cutAt(line: string): readonly DonePart[] {
    if (this.#asked.has(line)) return [];
    return this.#round.flatMap(({ part, isCut, isKilled }) => {
      const isDone = isDonePart(part) && (part.op === 'say' ? isKilled : isCut);
      return isDone && part.line === line ? [part] : [];
    });
  }

  /** What the line that is told again has set a variable to. */
  setHere(name: string): Expr | undefined {
    const line = this.#steps[this.#again - 1];
    const sets = this.#all.flatMap(({ part }) =>
      part.op === 'set' && part.line === line && part.name === name ? [part.value] : [],
    );
    return sets.at(-1);
  }

  #isItem({ line, marks: [mark] }: Pick<Act, 'line' | 'marks'>): boolean {
    return this.#lines.get(line)?.step.code === 'LOP' && mark?.startsWith(`${line} set `) === true;
  }

  /** What is left of a round where a line comes behind another: back is the next one. */
  #inRound(line: string, from: string): readonly Act[] {
    const isBack = this.#order.indexOf(line) < this.#order.indexOf(from);
    return isBack ? this.#before(line) : this.#round;
  }

  /** What was done of this round before a line. */
  #before(line: string): readonly Act[] {
    const at = this.#order.indexOf(line);
    return this.#round.filter((one) => this.#order.indexOf(one.line) < at);
  }

  #take(act: Act | undefined): boolean {
    if (!act) return false;
    this.#isLast = false;
    this.#left = this.#left.filter((one) => one !== act);
    this.#round = this.#round.filter((one) => one !== act);
    return true;
  }
}

const isDonePart = (part: Part): part is DonePart =>
  part.op === 'call' || part.op === 'say' || (part.op === 'set' && !part.isAnswer);

const isSetOf = (one: Part, other: Part): boolean =>
  one.op === 'set' && other.op === 'set' && one.name === other.name && one.scope === other.scope;

const isOne = (act: Act, marks: readonly string[]): boolean =>
  act.marks.some((mark) => marks.includes(mark));
