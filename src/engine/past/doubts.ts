/** Of which effects of a run nobody knows whether they happened: what a person may decide about. */
import type { ToolSpec } from '../../program/effect.ts';
import { RunError } from '../codes.ts';
import type { RunSummary } from '../journal/journal.ts';
import type { Past } from './past.ts';
import type { Assume } from './past-effect.ts';

export interface Decided {
  readonly summary: Pick<RunSummary, 'id' | 'status'>;
  readonly past: Past;
  readonly specs: ReadonlyMap<string, ToolSpec>;
  readonly assume: Assume | undefined;
}

/**
 * Looks at a decision before the run goes on with it: whether it decides anything. What a fork may
 * take over in doubt shows only when the fork asks for it.
 *
 * Throws `RunError` PV5145 where it names an effect that is not in doubt, and where the run has
 * failed and would perform again what the decision calls done, or failed.
 */
export function decides({ summary, past, specs, assume }: Decided): boolean {
  if (assume === undefined || past.reuse) return true;
  const { id, status } = summary;
  const doubts = doubtsIn(past, specs);
  const wrong = 'as' in assume ? [] : [...assume.keys()].filter((one) => !doubts.includes(one));
  if (wrong.length > 0) {
    const hint =
      doubts.length > 0
        ? `in doubt: ${doubts.join(', ')}`
        : 'nothing is: resume it without a decision';
    throw new RunError('PV5145', `effect ${wrong.join(', ')} of run ${id} is not in doubt`, {
      ...{ run: id, hint },
    });
  }
  if (doubts.length === 0 && status === 'failed' && 'as' in assume && assume.as !== 'retry') {
    throw new RunError('PV5145', `nothing of run ${id} is in doubt: it has failed`, {
      run: id,
      hint: 'resume it to perform again what has failed, or fork it with another outcome',
    });
  }
  return doubts.length > 0;
}

/** Ids, in the order in which they were begun. */
function doubtsIn({ effects }: Past, specs: ReadonlyMap<string, ToolSpec>): string[] {
  return [...effects].flatMap(([id, { state, tool }]) => {
    const isOpen = state === 'started' && !(specs.get(tool)?.idempotent ?? false);
    return state === 'unknown' || isOpen ? [id] : [];
  });
}
