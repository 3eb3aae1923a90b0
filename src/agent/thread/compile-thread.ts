/**
 * A conversation as one program with inputs and guards, saved as a plan that has a name. The run
 * that writes it says what it is for, so that whoever resumes it saves the plan, too.
 */

import { checkProgram } from '../../dialects/index.ts';
import type { RunRecord } from '../../engine/journal/journal.ts';
import type { SavedPlan } from '../../engine/journal/saved-plans.ts';
import type { Said, Thread } from '../../engine/journal/threads.ts';
import type { RunResult } from '../../engine/result.ts';
import { type CompiledTurn, inputsIn } from '../../planner/compile.ts';
import { planId, planKey } from '../../planner/known-plans.ts';
import { PlanFailure } from '../../planner/plan-failure.ts';
import { runLoop } from '../loops/loop-run.ts';
import { AgentError } from '../port/errors.ts';
import type { Workspace } from '../port/workspace.ts';
import { type KeptCompiling, type KeptPlanning, keptOf } from '../record/kept.ts';
import { savedPlans, withPlans } from '../record/plan-store.ts';
import { nothingUsed } from '../run/usage.ts';
import type { Work } from '../run/work.ts';
import { refuseSecrets } from '../tools/toolbox.ts';

export interface CompileCall extends Work {
  readonly thread: Thread;
  /** What `planvm run @name` calls it. */
  readonly name?: string | undefined;
  readonly goal?: string | undefined;
  readonly corrections?: number;
}

/** Programs that a model is shown: the latest. */
const turnsMost = 8;

const dialect = 'starlark';

/**
 * Gives the plan that it has saved. Throws `AgentError` PV6708 where no program in Starlark has run
 * to its end, PV6709 for a name that cannot be called; else as `runLoop` does.
 */
export async function compileThread(call: CompileCall): Promise<SavedPlan> {
  const { workspace, toolbox, thread, corrections = 2 } = call;
  const turns = turnsOf(thread);
  if (turns.length === 0) {
    throw new AgentError('PV6708', `no program of thread ${thread.id} has run to its end`, {
      hint: 'programs are to be in Starlark',
      facts: { thread: thread.id },
    });
  }
  const name = nameFor(call);
  const goal = call.goal ?? turns.map((turn) => turn.goal).join('\n');
  refuseSecrets(workspace, 'the conversation', JSON.stringify(turns));
  const planning: KeptPlanning = {
    ...{ dialect, inputs: [], tools: [...toolbox.specs.values()], compiling: turns },
  };
  const { answer, run } = await runLoop({
    ...{ ...call, name: 'plan', spent: nothingUsed },
    inputs: { goal: { text: goal }, rounds: 1 + corrections },
    title: `compile: ${thread.title}`,
    settings: { planning, compiling: { name, goal } },
    doing: 'compiling',
  });
  const plan = planOf(run, { name, goal }, planning, String(answer));
  withPlans(workspace, (plans) => plans.save(plan));
  return plan;
}

/**
 * Saves the plan of a compilation that another process has begun; undefined for other runs, and
 * where it is saved already. Throws `PlanFailure` PV7004.
 */
export function keepCompiled(
  workspace: Workspace,
  record: RunRecord,
  { status, answer }: Pick<RunResult, 'status' | 'answer'>,
): SavedPlan | undefined {
  const { compiling, planning } = keptOf(record);
  if (!compiling || !planning || status !== 'done') return undefined;
  if (savedPlans(workspace).some(({ run }) => run === record.id)) return undefined;
  const plan = planOf(record.id, compiling, planning, String(answer));
  withPlans(workspace, (plans) => plans.save(plan));
  return plan;
}

function planOf(
  run: string,
  { name, goal }: KeptCompiling,
  planning: KeptPlanning,
  text: string,
): SavedPlan {
  const inputs = inputsIn(text).map((input) => input.name);
  const tools = new Map(planning.tools.map((spec) => [spec.name, spec]));
  if (!checkProgram(text, { tools, inputs }, { dialect }).ok) {
    throw new PlanFailure('PV7004', 'the loop that plans answered with no valid program');
  }
  const key = planKey({ goal: { text: goal }, inputs, dialect });
  return {
    ...{ id: planId(key, name), label: name, key, goal, inputs, dialect, text, run },
    savedAt: Date.now(),
  };
}

/** What a person is taken to say who has a changed program run. */
export const changedWords = 'Run the program as I have changed it.';

/** Each goal with the last program behind it that has run to its end. */
function turnsOf({ messages }: Thread): CompiledTurn[] {
  const found = new Map<string, CompiledTurn>();
  messages.forEach(({ program, status, content }, index) => {
    if (status !== 'done' || program?.dialect !== dialect) return;
    const goal = messages.slice(0, index).findLast(isGoal)?.content ?? '';
    found.delete(goal);
    found.set(goal, { goal, program: program.text, answer: content });
  });
  return [...found.values()].slice(-turnsMost);
}

const isGoal = ({ role, as, content }: Said): boolean =>
  role === 'user' && as !== 'page' && content !== changedWords;

const isName = (name: string): boolean => /^[\p{L}\d][\p{L}\d._/-]*$/u.test(name);

function nameFor({ name, thread }: CompileCall): string {
  const words = thread.title.toLowerCase().match(/[\p{L}\d]+/gu) ?? [];
  const own = name ?? (words.slice(0, 5).join('-') || thread.id);
  if (isName(own)) return own;
  throw new AgentError('PV6709', `got the name ${own}, want letters, digits, . _ / and -`);
}
