/**
 * The program of a file, or a saved plan by its name, checked, with what running it needs: what
 * `run`, `chat` and `debug` share.
 */
import { type OpenProgram, openProgram as openText } from '../../agent/open-program.ts';
import type { Source } from '../../agent/program/source.ts';
import { findPlan, savedPlans } from '../../agent/record/plan-store.ts';
import { refuseSecrets } from '../../agent/tools/toolbox.ts';
import type { SavedPlan } from '../../engine/journal/saved-plans.ts';
import { fromJson } from '../../program/json.ts';
import type { Value } from '../../program/value.ts';
import { type InputFlags, readInputs, readingInputsOf } from '../program/inputs.ts';
import { readProgram } from '../program/read-program.ts';
import type { PlanFlags, RunFlags } from '../run/run-options.ts';
import { givenLimits } from '../settings/limit-options.ts';
import { openWorkspace } from '../settings/workspace.ts';

export type { OpenProgram } from '../../agent/open-program.ts';

export interface ProgramFlags extends RunFlags, InputFlags, PlanFlags {
  readonly strict?: true;
  /** Of playbooks: whether servers may have what the file says that they need. */
  readonly trustServers?: true;
  /** What the program is for, where somebody says it. */
  readonly goal?: string;
}

/** Throws `AgentError` for what is wrong with anything but the program. */
export async function openProgram(file: string, flags: ProgramFlags): Promise<OpenProgram> {
  const inputs = new Map([...readInputs(flags), ...readingInputsOf(flags)]);
  return await openSource(await readProgram(file), inputs, flags);
}

/** The same for a text that is there already. */
export async function openSource(
  source: Source,
  inputs: ReadonlyMap<string, Value>,
  flags: ProgramFlags,
): Promise<OpenProgram> {
  const { goal, strict, join = true, trustServers, prompts = true } = flags;
  const workspace = await openWorkspace({ flags });
  if (goal !== undefined) refuseSecrets(workspace, 'the goal', goal);
  return await openText(source, workspace, {
    ...{ inputs, goal, strict, joins: join },
    ...{ trusts: trustServers, asks: prompts, repairs: givenLimits(flags).repairs ?? 0 },
  });
}

export interface OpenSaved extends OpenProgram {
  readonly plan: SavedPlan;
}

/** `name` is without the `@`. Throws as `openProgram` does, and `AgentError` PV6041. */
export async function openSaved(name: string, flags: ProgramFlags): Promise<OpenSaved> {
  const plan = findPlan(savedPlans(await openWorkspace({ flags })), name);
  const given = readInputs(flags);
  const { inputsIn } = await import('../../planner/compile.ts');
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
