/** Verdicts on answers on their way into the journal, and beside the answers they are about. */
import type { Journal } from './journal/journal.ts';
import { processOwner } from './journal/owner.ts';
import type { AnswerVerdict } from './journal/verdict.ts';
import type { RunResult } from './result.ts';

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
export function withVerdicts<Answered extends Pick<RunResult, 'answers'>>(
  result: Answered,
  verdicts: readonly AnswerVerdict[],
): Answered {
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
