/** What a run is for, in words, as far as that is known. */
import type { Journal, RunSummary } from '../../engine/journal/journal.ts';
import { readSettings } from '../../engine/settings.ts';
import { type Goal, readGoal } from '../../planner/goal.ts';
import { AgentError } from '../port/errors.ts';
import { askedOf, inputData, isTaskLoopRun, loopOf } from '../record/asked.ts';

/** The goal as it was given, else as the run has it, else what its title says. */
export function goalOf(journal: Journal, run: RunSummary, given?: string): Goal {
  return ownGoal(journal, run, given) ?? { text: `Do what ${run.title} was written for.` };
}

/** Throws `AgentError` PV6043 where nobody has said what the run is for. */
export function requireGoal(journal: Journal, run: RunSummary, given?: string): Goal {
  const goal = ownGoal(journal, run, given);
  if (goal) return goal;
  throw new AgentError('PV6043', `nobody has said what run ${run.id} is for`, {
    hint: 'give its goal',
    facts: { run: run.id, lacks: 'goal' },
  });
}

/** Undefined where nobody has said what the run is for. */
export function ownGoal(journal: Journal, run: RunSummary, given?: string): Goal | undefined {
  if (given !== undefined) return { text: given };
  const asked = askedOf(run);
  if (asked) return asked.goal;
  if (loopOf(run) === 'plan' || isTaskLoopRun(run)) return readGoal(inputData(run, 'goal'));
  const { goal: words } = readSettings(run.settings);
  if (words !== undefined) return { text: words };
  // A fork of a fork asks further up.
  const base = run.base && journal.find(run.base.run);
  return base && ownGoal(journal, base);
}
