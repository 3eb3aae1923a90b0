/** The plan of a run that has served well, to be saved for its goal. */
import type { Journal, RunSummary } from '../../engine/journal/journal.ts';
import type { SavedPlan } from '../../engine/journal/saved-plans.ts';
import { readPast } from '../../engine/past/read-past.ts';
import { planId, planKey } from '../../planner/known-plans.ts';
import { keptPlanning } from '../loops/plan-run.ts';
import { keptTaskLoop } from '../loops/task-loop.ts';
import { AgentError } from '../port/errors.ts';
import { inputsOf, loopOf } from '../record/asked.ts';
import { findProgramRun } from '../record/find-run.ts';
import { keptResult } from '../record/kept-result.ts';
import { requireGoal } from './goal-of.ts';

interface PlanName {
  /** From the wide to the narrow: `reports/weekly`. */
  readonly label: string;
  /** What the plan is for, where the run does not know. */
  readonly goal?: string | undefined;
}

/** Of a run that has planned, the plan that it has written. Throws `AgentError` PV6043. */
export function planOfRun(
  journal: Journal,
  name: string,
  { label: words, goal: given }: PlanName,
): SavedPlan {
  const run = findProgramRun(journal, name, hasPlan);
  if (run.status !== 'done') {
    throw new AgentError('PV6043', `run ${run.id} is ${run.status}, want one that is done`, {
      hint: 'save a plan that has reached its end',
    });
  }
  if (keptTaskLoop(run)) {
    throw new AgentError('PV6043', `run ${run.id} is of a loop, which plans as it goes on`, {
      hint: 'put tasks of it into a file, run that, and save the plan of that run',
    });
  }
  const goal = requireGoal(journal, run, given);
  const planning = keptPlanning(run);
  const { program } = readPast(journal.events(run.id));
  const text = planning ? String(keptResult(journal, run.id)?.answer ?? '') : (program?.text ?? '');
  const dialect = planning?.dialect ?? program?.dialect ?? run.dialect;
  const inputs = planning?.inputs ?? [...inputsOf(run).keys()];
  const key = planKey({ goal, inputs, dialect });
  const label = normalLabel(words);
  return {
    ...{ id: planId(key, label), label, key, goal: goal.text, inputs, dialect, text },
    ...(goal.language && { language: goal.language }),
    ...(goal.format && { format: goal.format }),
    ...{ run: run.id, savedAt: Date.now() },
  };
}

/** Of the control loops, planning alone comes to a plan. */
const hasPlan = (run: RunSummary): boolean => [undefined, 'plan'].includes(loopOf(run));

/** As it is compared: without empty parts and blanks around them. */
export const normalLabel = (label: string): string =>
  label
    .split('/')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('/');
