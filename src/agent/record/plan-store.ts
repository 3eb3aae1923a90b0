/** The saved plans of a workspace. */
import { existsSync } from 'node:fs';
import type { PlanStore, SavedPlan } from '../../engine/journal/saved-plans.ts';
import { sqlitePlans } from '../../engine/journal/sqlite/saved-plans.ts';
import { AgentError } from '../port/errors.ts';
import { type Files, journalPath } from '../port/workspace.ts';

/** Makes the file where there is none. */
export function withPlans<T>(workspace: Files, act: (plans: PlanStore) => T): T {
  const plans = sqlitePlans(journalPath(workspace));
  try {
    return act(plans);
  } finally {
    plans.close();
  }
}

/** Newest first; makes nothing. */
export function savedPlans(workspace: Files): SavedPlan[] {
  if (!existsSync(journalPath(workspace))) return [];
  return withPlans(workspace, (plans) => plans.list());
}

/** By its name or the beginning of its id. Throws `AgentError` PV6041 unless one plan is meant. */
export function findPlan(plans: readonly SavedPlan[], name: string): SavedPlan {
  const named = plans.filter(({ label }) => name !== '' && label === name);
  const found =
    named.length > 0 ? named : plans.filter(({ id }) => name !== '' && id.startsWith(name));
  const [only, ...more] = found;
  if (only && more.length === 0) return only;
  const ids = found.map(({ id }) => id).join(', ');
  const why = only ? `${name} stands for several plans: ${ids}` : `there is no plan ${name}`;
  throw new AgentError('PV6041', why);
}
