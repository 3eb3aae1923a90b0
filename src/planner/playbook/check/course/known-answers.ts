/**
 * Questions for what was known as a turn began: nobody is asked, and nobody waits for an answer. A
 * question that was put by a reply before is none of them, whatever is known by now. Where the
 * playbook itself has set what a line asks for, the model says whether that is the answer: it may
 * leave the question out that it has not put yet.
 */
import { asksAlone } from '../../../../dialects/playbook/compiled/asks.ts';
import type { Step } from '../../../../dialects/playbook/compiled/compiled.ts';
import type { LinkedLine } from '../../../../dialects/playbook/compiled/linked.ts';
import type { SayAct } from './line-acts.ts';

interface Known {
  /** Lines that ask for what is known; some may do more than that. */
  readonly known: readonly string[];
  /** Lines at which something was said by replies before. */
  readonly said: readonly string[];
  /** Whether a variable, as written, has a value, which is not nothing. */
  readonly has: (name: string) => boolean;
}

export class KnownAnswers {
  readonly #lines: ReadonlyMap<string, LinkedLine>;
  readonly #known: ReadonlySet<string>;
  readonly #said: Set<string>;
  readonly #has: (name: string) => boolean;

  constructor(lines: ReadonlyMap<string, LinkedLine>, { known, said, has }: Known) {
    this.#lines = lines;
    this.#said = new Set(said);
    this.#has = has;
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

  /** Something was said at a line. */
  said(line: string): void {
    this.#said.add(line);
  }

  /** Whether it asks for what the playbook has set, which may be the answer. */
  mayLeave({ number, mayHave }: Step): boolean {
    return mayHave !== undefined && !this.#said.has(number) && mayHave.every(this.#has);
  }

  /** Lines that may be meant by what is said at none: it puts another question, where it can. */
  besides(found: readonly string[], act: SayAct): readonly string[] {
    const stepAt = (line: string): Step | undefined => this.#lines.get(line)?.step;
    const isQuoted = found.map(stepAt).some((one) => one?.say?.isLiteral && !act.isOtherAt(one));
    const others = found.filter((line) => {
      const step = stepAt(line);
      return !this.has(line) && !(isQuoted && step && this.mayLeave(step));
    });
    const isAsked = others.some((line) => stepAt(line)?.asks);
    return act.isQuestion && !isAsked ? found : others;
  }

  /** Whether all that a line waits for is the answer to such questions. */
  isWait(line: string): boolean {
    const { waits } = this.#lines.get(line)?.step ?? {};
    if (waits !== 'user' && waits !== 'agent') return false;
    const before = [...this.#lines.values()].filter(({ edges }) =>
      edges.some(({ to }) => to === line),
    );
    return (
      before.length > 0 && before.every(({ step }) => this.has(step.number) || this.mayLeave(step))
    );
  }
}
