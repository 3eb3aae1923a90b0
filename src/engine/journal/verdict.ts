/**
 * Verdicts on answers: an opinion of a model or a person, kept with the run that has answered. It
 * is appended behind the run's end and changes neither its status nor its result.
 */
import type { Judgement } from '../../program/judgement.ts';
import type { RunResult } from '../result.ts';
import type { Journal } from './journal.ts';
import { processOwner } from './owner.ts';

export interface Verdict {
  readonly accept: boolean;
  /** Absent in older journals: a rejected answer is one whose program is to be rewritten. */
  readonly outcome?: Judgement | undefined;
  /** The answer as it should be, where that can be said from what is known. */
  readonly rewritten?: string | undefined;
  readonly reason: string;
  /** What to do otherwise; empty where there is nothing to say. */
  readonly suggestion: string;
  /** Who says so: a model's name, a person. */
  readonly by: string;
}

export interface AnswerVerdict extends Verdict {
  /** Which of the run's answers, from 0. */
  readonly answer: number;
}

/** Throws `RunOwned` while a process has the run, `JournalError` for an unknown one. */
export function keepVerdict(
  journal: Journal,
  run: string,
  verdict: AnswerVerdict,
  owner: string = processOwner(),
): void {
  const lease = journal.claim(run, owner);
  try {
    journal.append(lease, [{ type: 'answer.judged', ...verdict }]);
  } finally {
    journal.release(lease);
  }
}

/** The result with what was said of its answers; the last word on each counts. */
export function withVerdicts(result: RunResult, verdicts: readonly AnswerVerdict[]): RunResult {
  if (verdicts.length === 0) return result;
  const answers = result.answers.map((one, i) => {
    const last = verdicts.findLast(({ answer }) => answer === i);
    if (!last) return one;
    const { accept, outcome, reason, suggestion, rewritten, by } = last;
    const more = { ...(outcome && { outcome }), ...(rewritten && { rewritten }) };
    return { ...one, verdict: { accept, reason, suggestion, by, ...more } };
  });
  return { ...result, answers };
}
