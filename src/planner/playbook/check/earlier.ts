/**
 * What earlier replies to the same turn have done, one of which could not stand as a whole or was
 * cut off. A model that is to go on may tell it again, and then it is not done again; or it comes
 * to the same lines in the next round of a loop, and then it is something new.
 */
import type { LinkedPlaybook } from '../../../dialects/playbook/compiled/linked.ts';
import type { Part } from '../parts.ts';
import type { Expr } from '../reply/term.ts';
import { inWords, marksOf } from './said-again.ts';

interface Act {
  readonly line: string;
  readonly marks: readonly string[];
}

export class Earlier {
  readonly #lines: LinkedPlaybook['lines'];
  readonly #visited: ReadonlySet<string>;
  readonly #all: readonly Act[];
  /** What has not been told again. */
  #left: readonly Act[];
  /** Of that, what is of the rounds that loops are in. */
  #round: readonly Act[] = [];
  /** Whether lines that come are of another round: nothing is told again behind what is new. */
  #isPast: boolean;

  constructor(done: readonly Part[], lines: LinkedPlaybook['lines']) {
    this.#lines = lines;
    this.#visited = new Set(done.flatMap((part) => ('line' in part ? [part.line] : [])));
    this.#all = done.flatMap((part) => {
      const marks = marksOf(part);
      return marks.length === 0 || !('line' in part) ? [] : [{ line: part.line, marks }];
    });
    this.#left = this.#all;
    const order = [...lines.keys()];
    for (const act of this.#all) {
      // With its next item, what was done in a loop is of an earlier round.
      if (this.#isItem(act)) {
        this.#round = this.#round.filter(
          ({ line }) => order.indexOf(line) < order.indexOf(act.line),
        );
      }
      this.#round = [...this.#round, act];
    }
    // Where nothing was wrong, nobody begins anew.
    this.#isPast = !done.some(({ op }) => op === 'problem');
  }

  hasLine(line: string): boolean {
    return this.#visited.has(line);
  }

  /** Something was done now. An item that a loop had before is told again, with what came of it. */
  did(part: Part): void {
    const marks = marksOf(part);
    if (marks.length === 0 || !('line' in part)) return;
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

  /** Whether this is what a variable was set to last. */
  isSetTo(name: string, value: Expr): boolean {
    const last = this.#left.findLast(({ marks: [mark = ''] }) => mark.includes(` set ${name} `));
    return last?.marks[0]?.endsWith(` set ${inWords(name, value)}`) === true;
  }

  #isItem({ line, marks: [mark] }: Act): boolean {
    return this.#lines.get(line)?.step.code === 'LOP' && mark?.startsWith(`${line} set `) === true;
  }

  #take(act: Act | undefined): boolean {
    if (!act) return false;
    this.#left = this.#left.filter((one) => one !== act);
    this.#round = this.#round.filter((one) => one !== act);
    return true;
  }
}

const isOne = (act: Act, marks: readonly string[]): boolean =>
  act.marks.some((mark) => marks.includes(mark));
