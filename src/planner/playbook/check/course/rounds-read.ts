/**
 * How often the loops that a reply is in have gone round in it, for what is said of one that does
 * not come to its end. Owns how often it has come to their lines.
 */
import { isWithin } from '../../../../dialects/playbook/compiled/graph.ts';
import type { LinkedPlaybook } from '../../../../dialects/playbook/compiled/linked.ts';

/** So many rounds say that a reply has broken off for them, rather than in one of them. */
const manyRounds = 10;

/**
 * A reply is read no further behind so many rounds of a loop whose end only its model knows. Twice
 * as many are less than what a step may be entered: who goes on so once more is told of it first.
 */
const roundsMost = 300;

export class RoundsRead {
  readonly #lines: LinkedPlaybook['lines'];
  /** By heads of the loops that it is in; heads need not be named in each round. */
  readonly #came = new Map<string, Map<string, number>>();

  constructor(lines: LinkedPlaybook['lines']) {
    this.#lines = lines;
  }

  /** The reply comes to a line. */
  comes(line: string): void {
    const isAround = (head: string): boolean => line === head || isWithin(line, head);
    for (const head of this.#came.keys()) if (!isAround(head)) this.#came.delete(head);
    const head = this.#loopOf(line);
    if (head === undefined) return;
    const came = this.#came.get(head) ?? new Map<string, number>();
    this.#came.set(head, came.set(line, (came.get(line) ?? 0) + 1));
  }

  /** The loop that goes round once too often where a line comes now. */
  endlessAt(line: string): string | undefined {
    const head = this.#loopOf(line);
    const isMost = head !== undefined && this.#came.get(head)?.get(line) === roundsMost;
    return isMost ? head : undefined;
  }

  #loopOf(line: string): string | undefined {
    const loops = [...this.#lines].filter(([, { step }]) => step.code === 'LOP');
    return loops.findLast(([head]) => line === head || isWithin(line, head))?.[0];
  }

  /** In words, behind why a reply could not be taken further; empty where there are few. */
  get words(): string {
    const rounds = [...this.#came].map(([head, came]) => {
      return { head, count: Math.max(...came.values()) };
    });
    const [most] = rounds.toSorted((one, other) => other.count - one.count);
    if (!most || most.count < manyRounds) return '';
    const { text = '' } = this.#lines.get(most.head)?.step ?? {};
    const read = `${most.count} rounds of line ${most.head} (${text}) were read, without an end`;
    return `; ${read}: go on behind it once it is over, or yield behind some of its rounds`;
  }
}
