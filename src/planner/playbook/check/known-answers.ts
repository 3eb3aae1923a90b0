/**
 * Questions for what was known as a turn began: nobody is asked, and nobody waits for an answer.
 * A question that was put by a reply before is none of them, whatever is known by now.
 */
import { asksAlone } from '../../../dialects/playbook/compiled/asks.ts';
import type { LinkedLine } from '../../../dialects/playbook/compiled/linked.ts';
import type { SayAct } from './line-acts.ts';

export class KnownAnswers {
  readonly #lines: ReadonlyMap<string, LinkedLine>;
  readonly #known: ReadonlySet<string>;

  /** `known` are lines that ask for what is known; some may do more than that. */
  constructor(lines: ReadonlyMap<string, LinkedLine>, known: readonly string[]) {
    this.#lines = lines;
    this.#known = new Set(
      known.filter((line) => {
        const step = lines.get(line)?.step;
        return step !== undefined && asksAlone(step);
      }),
    );
  }

  has(line: string): boolean {
    return this.#known.has(line);
  }

  /** Lines that may be meant by what is said at none: it puts another question, where it can. */
  besides(found: readonly string[], { isQuestion }: SayAct): readonly string[] {
    const others = found.filter((line) => !this.has(line));
    const isAsked = others.some((line) => this.#lines.get(line)?.step.asks);
    return isQuestion && !isAsked ? found : others;
  }

  /** Whether all that a line waits for is the answer to such a question. */
  isWait(line: string): boolean {
    if (this.#lines.get(line)?.step.waits !== 'user') return false;
    const before = [...this.#lines.values()].filter(({ edges }) =>
      edges.some(({ to }) => to === line),
    );
    return before.length > 0 && before.every(({ step }) => this.has(step.number));
  }
}
