/** The question that a line goes on behind: an answer may leave out some of what was asked for. */
import type { LinkedLine } from '../../../dialects/playbook/compiled/linked.ts';

export interface OpenQuestion {
  /** The line that asks. */
  readonly line: string;
  /** The one that waits for the answer. */
  readonly wait: string;
}

/**
 * Undefined where nobody was asked, or all that was asked for is there. `asks` is empty where a
 * question is put also to whom it is known: whether that was answered is the model's to say.
 */
export function openQuestion(
  lines: ReadonlyMap<string, LinkedLine>,
  from: string,
  has: (name: string) => boolean,
): OpenQuestion | undefined {
  const before = (line: string): readonly LinkedLine[] =>
    [...lines.values()].filter(({ edges }) => edges.some(({ to }) => to === line));
  for (const { step: wait } of before(from)) {
    if (wait.code !== 'YLD' || (wait.waits !== 'user' && wait.waits !== 'agent')) continue;
    for (const { step } of before(wait.number)) {
      const { asks } = step;
      const isOpen = asks && (asks.length === 0 || !asks.every(has));
      if (isOpen) return { line: step.number, wait: wait.number };
    }
  }
  return undefined;
}
