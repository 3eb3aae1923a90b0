/** Runs within effects of others: what is done with them is done with the run around them. */

import type { RunRecord } from '../../engine/journal/journal.ts';
import { AgentError } from '../port/errors.ts';

/** Throws `AgentError` PV6065 for a run that goes on, or is forked, only with the one around it. */
export function refuseInner({ id, parent }: Pick<RunRecord, 'id' | 'parent'>): void {
  if (parent === undefined) return;
  throw new AgentError('PV6065', `run ${id} is within effect ${parent.effect} of ${parent.run}`, {
    hint: `name the run around it: ${parent.run}`,
  });
}
