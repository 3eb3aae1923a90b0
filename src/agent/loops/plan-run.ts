/**
 * From a goal to a program: by a plan that was saved for this very goal, else by the control loop
 * `plan`. A later process resumes the loop from what its record has.
 */

import type { Environment } from '../../dialects/dialect.ts';
import { checkProgram } from '../../dialects/index.ts';
import type { Usage } from '../../engine/handler.ts';
import type { RunRecord } from '../../engine/journal/journal.ts';
import type { SavedPlan } from '../../engine/journal/saved-plans.ts';
import type { Goal } from '../../planner/goal.ts';
import { exactPlan, nearPlans, usablePrograms } from '../../planner/known-plans.ts';
import { PlanFailure } from '../../planner/plan-failure.ts';
import type { Plan } from '../../planner/planner.ts';
import type { GoalAndProgram } from '../../planner/prompt.ts';
import { encode } from '../../program/json.ts';
import { dict, type Value } from '../../program/value.ts';
import { type Asked, type KeptPlanning, keptEnvironment, keptOf } from '../record/kept.ts';
import { refuseSecretGoal } from '../run/secret-goal.ts';
import { defaultDialect, nothingUsed, remaining } from '../run/usage.ts';
import type { Work } from '../run/work.ts';
import { runLoop } from './loop-run.ts';

/** What a plan is written for. */
export interface Planning extends Work {
  readonly goal: Goal;
  readonly inputs: ReadonlyMap<string, Value>;
  /** How often the model may correct a plan that fails the check. */
  readonly corrections: number;
  /** Plans that were saved, newest first, and the label of those to look at above all. */
  readonly saved?: readonly SavedPlan[] | undefined;
  readonly label?: string | undefined;
  /** What the plan is for, where it is run. */
  readonly asked?: Asked | undefined;
  /** What the budgets have paid for before. */
  readonly spent?: Usage;
}

export interface Planned {
  readonly plan: Plan;
  /** The run of the loop; absent where the plan is a saved one. */
  readonly run?: string;
  /** Of this plan alone. */
  readonly usage: Usage;
}

/** Throws as `runLoop` does. */
export async function planGoal(planning: Planning): Promise<Planned> {
  const { toolbox, goal, inputs, corrections, saved = [], spent = nothingUsed } = planning;
  const { background } = goal;
  refuseSecretGoal(planning.workspace, goal, inputs);
  const workspace = remaining(planning.workspace, spent);
  const dialect = dialectOf(planning);
  const names = [...inputs.keys()];
  const bare = { tools: toolbox.specs, inputs: names };
  const environment = withPrograms(bare, dialect, saved);
  const wanted = { goal, inputs: names, dialect, label: planning.label };
  const known = savedPlan(planning);
  if (known) {
    const { id, label, text } = known;
    planning.host.notice?.({ type: 'plan.reused', id, label });
    const checked = checkProgram(text, environment, { dialect: known.dialect });
    return { plan: { text, checked, rounds: 0 }, usage: nothingUsed };
  }
  const near = nearPlans(saved, wanted, environment).map(
    ({ goal, text }): GoalAndProgram => ({ goal, program: text }),
  );
  const kept: KeptPlanning = {
    ...{ dialect, saved: near, background },
    ...keptEnvironment(environment),
  };
  const { asked } = planning;
  const { run, answer, usage, rounds } = await runLoop({
    ...{ ...planning, name: 'plan', workspace, spent },
    inputs: { goal, rounds: 1 + corrections },
    title: `plan: ${goal.text}`,
    settings: { planning: kept, ...(asked && { asked, values: encode(dict(inputs)) }) },
    doing: 'planning',
  });
  const text = String(answer);
  const checked = checkProgram(text, environment, { dialect });
  if (checked.ok) return { plan: { text, checked, rounds }, run, usage };
  throw new PlanFailure('PV7004', 'the loop that plans answered with no valid program', {
    hint: 'a loop answers with the program of a check that was ok',
  });
}

/** With the saved plans that a program may use; as it was where there are none. */
export function withPrograms(
  environment: Environment,
  dialect: string,
  saved: readonly SavedPlan[],
): Environment {
  const programs = usablePrograms(saved, dialect, environment);
  return programs.length === 0 ? environment : { ...environment, programs };
}

type Wanted = Pick<Planning, 'workspace' | 'toolbox' | 'goal' | 'inputs' | 'saved' | 'asked'>;

/** The plan that was saved for this very goal. */
function savedPlan(wanted: Wanted): SavedPlan | undefined {
  const { toolbox, goal, saved = [] } = wanted;
  const inputs = [...wanted.inputs.keys()];
  const environment = { tools: toolbox.specs, inputs };
  return exactPlan(saved, { goal, inputs, dialect: dialectOf(wanted) }, environment);
}

const dialectOf = ({ workspace, asked }: Pick<Wanted, 'workspace' | 'asked'>): string =>
  asked?.dialect ?? workspace.settings.dialect ?? defaultDialect;

/** What the record of a planning run was started with. */
export const keptPlanning = (record: RunRecord): KeptPlanning | undefined =>
  keptOf(record).planning;
