/**
 * How often the loops that a reply is in have gone round in it, for what is said of one that does
 * not come to its end. Owns how often their lines were named.
 */
import { isWithin } from '../../../../dialects/playbook/compiled/graph.ts';
import type { LinkedPlaybook } from '../../../../dialects/playbook/compiled/linked.ts';

/** So many rounds say that a reply has broken off for them, rather than in one of them. */
const manyRounds = 10;

export class RoundsRead {
  readonly #lines: LinkedPlaybook['lines'];
  /** By heads of the loops that it is in; heads need not be named in each round. */
  readonly #named = new Map<string, Map<string, number>>();

  constructor(lines: LinkedPlaybook['lines']) {
    this.#lines = lines;
  }

  /** The reply names a line. */
  comes(line: string): void {
    const isAround = (head: string): boolean => line === head || isWithin(line, head);
    for (const head of this.#named.keys()) if (!isAround(head)) this.#named.delete(head);
    const loops = [...this.#lines].filter(([, { step }]) => step.code === 'LOP');
    const [head] = loops.findLast(([one]) => isAround(one)) ?? [];
    if (head === undefined) return;
    const named = this.#named.get(head) ?? new Map<string, number>();
    this.#named.set(head, named.set(line, (named.get(line) ?? 0) + 1));
  }

  /** In words, behind why a reply could not be taken further; empty where there are few. */
  get words(): string {
    const rounds = [...this.#named].map(([head, named]) => {
      return { head, count: Math.max(...named.values()) };
    });
    const [most] = rounds.toSorted((one, other) => other.count - one.count);
    if (!most || most.count < manyRounds) return '';
    const { text = '' } = this.#lines.get(most.head)?.step ?? {};
    const read = `${most.count} rounds of line ${most.head} (${text}) were read, without an end`;
    return `; ${read}: go on behind it once it is over, or yield behind some of its rounds`;
  }
}
