/** A saved plan by its name, `@name`, with the inputs that it declares. */

import { findPlan, savedPlans } from '../../agent/record/plan-store.ts';
import type { SavedPlan } from '../../engine/journal/saved-plans.ts';
import { inputsIn } from '../../planner/compile.ts';
import { fromJson } from '../../program/json.ts';
import type { Value } from '../../program/value.ts';
import { type OpenProgram, openSource, type ProgramFlags } from '../open/open-program.ts';
import { readInputs } from '../program/inputs.ts';
import { openWorkspace } from '../settings/workspace.ts';

export interface OpenSaved extends OpenProgram {
  readonly plan: SavedPlan;
}

/** `name` is without the `@`. Throws as `openProgram` does, and `AgentError` PV6041. */
export async function openSaved(name: string, flags: ProgramFlags): Promise<OpenSaved> {
  const plan = findPlan(savedPlans(await openWorkspace({ flags })), name);
  const given = readInputs(flags);
  const inputs = new Map<string, Value>([
    ...inputsIn(plan.text).map((input) => [input.name, fromJson(input.value)] as const),
    ...given,
  ]);
  const source = { text: plan.text, file: `@${name}`, title: plan.goal };
  return {
    ...(await openSource(source, inputs, { goal: plan.goal, ...flags, dialect: plan.dialect })),
    plan,
  };
}
