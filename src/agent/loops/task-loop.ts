/**
 * A goal that a loop over tasks pursues, `llmcompiler` or `react`: one run from the question to the
 * answer, so that resuming, forking, showing and budgets are those of any run.
 */

import type { Handler } from '../../engine/handler.ts';
import type { RunRecord } from '../../engine/journal/journal.ts';
import type { RunResult } from '../../engine/result.ts';
import { nearPlans } from '../../planner/known-plans.ts';
import { PlanFailure } from '../../planner/plan-failure.ts';
import { taskLoopHandlers } from '../../planner/tasks/handlers.ts';
import { promptLanguage } from '../../planner/tasks/languages.ts';
import type { TaskLoop } from '../../planner/tasks/task-loops.ts';
import type { ToolSpec } from '../../program/effect.ts';
import { fromJson } from '../../program/json.ts';
import { dict, type Value } from '../../program/value.ts';
import { AgentError } from '../port/errors.ts';
import type { Workspace } from '../port/workspace.ts';
import { compileLoop, loopFile } from '../program/loop-file.ts';
import { type Asked, type KeptTaskLoop, keptOf } from '../record/kept.ts';
import { savedPlans } from '../record/plan-store.ts';
import { begin } from '../run/begin.ts';
import { drive } from '../run/drive.ts';
import { refuseSecretGoal } from '../run/secret-goal.ts';
import type { Ended, GoalRequest } from '../run/work.ts';
import { settingsOf } from '../settings/kept-settings.ts';
import { asTools, refuseSecrets, type Toolbox } from '../tools/toolbox.ts';

/** How often a model may plan, or reply, where nobody says. */
const roundsOf: Readonly<Record<TaskLoop, number>> = { llmcompiler: 3, react: 15 };

/** How deep plans may stand in plans, where nobody says. */
const depthOf = 2;

/** Runs the loop to its end, or as far as it comes. Throws `AgentError`, `PlanFailure` PV7208. */
export async function runTaskLoop(
  asking: GoalRequest,
  loop: TaskLoop,
  asked: Asked,
): Promise<{ readonly result: RunResult; readonly ran: Ended }> {
  const { workspace, toolbox, goal, host, isDurable, options } = asking;
  refuseSecretGoal(workspace, goal, asking.inputs);
  const taskLoop = taskLoopKept(loop, asking);
  refuseSecrets(workspace, 'an example', taskLoop.examples ?? '');
  const handlers = await effectsWith(taskLoop, toolbox, workspace);
  const source = loopFile(workspace, loop);
  const inputs = inputsOf(loop, asking);
  refuseShadows(inputs.keys(), toolbox);
  const program = compileLoop(source, handlers, [...inputs.keys()]);
  const warnings = toolbox.prepare(program);
  const { settings } = workspace;
  const judged = asked.revisions === undefined ? {} : { asked };
  const title = goal.text;
  const handle = begin(asking, {
    ...{ handlers, program, text: source.text, dialect: 'starlark', inputs, title, warnings },
    settings: { ...settingsOf(settings, source.file), ...toolbox.kept, taskLoop, ...judged },
    sequential: options.sequential === true,
  });
  const result = await drive(host, {
    ...{ handle, program, title, isDurable },
    callsFunctions: toolbox.callsFunctions(program),
    endWith: (ended) => ({ result: ended, ...source }),
  });
  return { result, ran: { source, program } };
}

function taskLoopKept(loop: TaskLoop, asking: GoalRequest): KeptTaskLoop {
  const { goal, options } = asking;
  const asked = goal.language === undefined ? undefined : promptLanguage(goal.language);
  const given = options.examples === undefined ? [] : [options.examples];
  const examples = [...given, ...savedExamples(loop, asking)];
  return {
    loop,
    language: asked ?? 'en',
    native: options.nativeTools !== false,
    ...(examples.length > 0 && { examples: examples.join('\n\n') }),
  };
}

/** Plans that were saved for goals like this one. */
function savedExamples(loop: TaskLoop, call: GoalRequest): string[] {
  const { workspace, toolbox, goal, inputs, label } = call;
  const names = [...inputs.keys()];
  const wanted = { goal, inputs: names, dialect: loop, label };
  const saved = call.saved === false ? [] : savedPlans(workspace);
  const near = nearPlans(saved, wanted, { tools: toolbox.specs, inputs: names });
  return near.map((plan) => `Question: ${plan.goal}\n\n${bare(plan.text)}`);
}

/** Without the question, which the goal says. */
const bare = (plan: string): string => plan.replace(/^\s*Question:[^\n]*\n+/i, '').trim();

function inputsOf(loop: TaskLoop, asking: GoalRequest): ReadonlyMap<string, Value> {
  const { goal, options, inputs } = asking;
  const { rounds = roundsOf[loop], join: joins = true, depth = depthOf } = options;
  if (rounds < 1) throw new AgentError('PV6002', 'got 0 rounds, want at least 1');
  const data = {
    ...{ rounds, remarks: [] },
    ...(loop === 'llmcompiler' && { joins, plan_depth: depth }),
  };
  const words = Object.entries(goal).map(([name, one]) => [name, fromJson(one)] as const);
  const given = inputs.size > 0 ? [['given', dict(inputs)] as const] : [];
  return new Map([
    ['goal', dict([...words, ...given])],
    ...Object.entries(data).map(([name, one]) => [name, fromJson(one)] as const),
  ]);
}

/** The tools of the run, and beside them what the loop asks for. Throws `PlanFailure` PV7208. */
async function effectsWith(
  kept: KeptTaskLoop,
  toolbox: Toolbox,
  workspace: Workspace,
): Promise<ReadonlyMap<string, Handler>> {
  const tools = givenFirst(toolbox);
  const own = taskLoopHandlers({ ...kept, tools, model: toolbox.models.planner });
  for (const name of own.keys()) {
    if (!toolbox.handlers.has(name)) continue;
    throw new PlanFailure('PV7208', `the tool ${name} has the name of an effect of the loop`, {
      hint: `give the tool another name`,
    });
  }
  return new Map([...toolbox.handlers, ...(await asTools(own, workspace))]);
}

/**
 * The tools that somebody has brought say more of what is asked than those of every run: they stand
 * at the head of the list, and examples are made of them.
 */
function givenFirst({ specs, origins }: Toolbox): ReadonlyMap<string, ToolSpec> {
  const isOurs = ([name]: readonly [string, ToolSpec]): boolean => origins.get(name) === 'built in';
  const all = [...specs];
  return new Map([...all.filter((one) => !isOurs(one)), ...all.filter(isOurs)]);
}

/** A tool would stand for the input of its name. Throws `PlanFailure` PV7208. */
function refuseShadows(inputs: Iterable<string>, { handlers }: Toolbox): void {
  for (const name of inputs) {
    if (!handlers.has(name)) continue;
    throw new PlanFailure('PV7208', `the tool ${name} has the name of an input of the loop`, {
      hint: `give the tool another name`,
    });
  }
}

/** The effects of a run that was started here; undefined for all other runs. */
export async function taskLoopEffects(
  record: RunRecord,
  toolbox: Toolbox,
  workspace: Workspace,
): Promise<ReadonlyMap<string, Handler> | undefined> {
  const kept = keptTaskLoop(record);
  return kept && (await effectsWith(kept, toolbox, workspace));
}

export const keptTaskLoop = (record: Pick<RunRecord, 'settings'>): KeptTaskLoop | undefined =>
  keptOf(record).taskLoop;
