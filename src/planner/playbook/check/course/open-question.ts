/** The question that a line goes on behind: an answer may leave out some of what was asked for. */
import type { Step } from '../../../../dialects/playbook/compiled/compiled.ts';
import type { LinkedLine } from '../../../../dialects/playbook/compiled/linked.ts';

type Lines = ReadonlyMap<string, LinkedLine>;

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
  lines: Lines,
  from: string,
  has: (name: string) => boolean,
): OpenQuestion | undefined {
  for (const { step: wait } of before(lines, from)) {
    if (wait.code !== 'YLD' || (wait.waits !== 'user' && wait.waits !== 'agent')) continue;
    for (const { step } of before(lines, wait.number)) {
      const { asks } = step;
      const isOpen = asks && (asks.length === 0 || !asks.every(has));
      if (isOpen) return { line: step.number, wait: wait.number };
    }
  }
  return undefined;
}

/**
 * Variables, without the dollar, that somebody was asked for before a line, which goes on behind
 * the wait for that. Undefined where it goes on behind no wait for anybody.
 */
export function answeredBefore(lines: Lines, from: string): ReadonlySet<string> | undefined {
  const waits = before(lines, from).filter(({ step }) => isForSomebody(step));
  if (waits.length === 0) return undefined;
  const seen = new Set(waits);
  for (const { step } of seen) {
    // Several questions may have one wait.
    for (const one of before(lines, step.number)) if (one.step.code === 'QUE') seen.add(one);
  }
  const writes = [...seen].flatMap(({ step }) => step.writes);
  return new Set(writes.map((name) => name.replace('$', '')));
}

const isForSomebody = ({ code, waits }: Step): boolean =>
  code === 'YLD' && waits !== 'call' && waits !== 'timer';

const before = (lines: Lines, line: string): readonly LinkedLine[] =>
  [...lines.values()].filter(({ edges }) => edges.some(({ to }) => to === line));
