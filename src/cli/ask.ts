/**
 * A goal from plan to answer: plans, runs, and where the run fails lets the model plan again with
 * the error and with what is known by then. `planvm ask` and the demo share it.
 */
import type { RunResult } from '../engine/result.ts';
import type { Goal } from '../planner/prompt.ts';
import { stringify } from '../program/json.ts';
import { limits } from '../program/limits.ts';
import type { Program } from '../program/program.ts';
import type { Value } from '../program/value.ts';
import type { ExitCode } from './exit.ts';
import { say } from './output.ts';
import { planGoal } from './plan-run.ts';
import { type GoalFlags, nothingUsed, remaining, sum, usageOf, usageText } from './planning.ts';
import { errorText, reportResult } from './result.ts';
import type { RunFlags } from './run-options.ts';
import { driveProgram } from './run-program.ts';
import { limitsIn } from './settings.ts';
import type { Source } from './source.ts';
import type { Toolbox } from './toolbox.ts';
import type { Workspace } from './workspace.ts';

export interface AskFlags extends RunFlags, GoalFlags {
  readonly sequential?: true;
  readonly journal: boolean;
}

export interface Asking {
  readonly workspace: Workspace;
  readonly toolbox: Toolbox;
  readonly goal: Goal;
  readonly inputs: ReadonlyMap<string, Value>;
  readonly flags: AskFlags;
  /** False where the run is kept in a place that other commands do not look into by themselves. */
  readonly named?: boolean;
}

/** Reports the result as `run` does. Throws as `planGoal` does. */
export async function answerGoal(asking: Asking): Promise<ExitCode> {
  const { workspace, toolbox, inputs, flags } = asking;
  const { repairs } = limits(limitsIn(workspace.settings));
  const startedAt = Date.now();
  let { goal } = asking;
  const names = [...inputs.keys()];
  let planning = nothingUsed;
  let spent = nothingUsed;
  for (let attempt = 0; ; attempt++) {
    const { plan, usage } = await planGoal({
      ...{ workspace, toolbox, goal, flags, spent },
      inputs: names,
      kept: flags.journal,
    });
    planning = sum(planning, usage);
    spent = sum(spent, usage);
    const source: Source = { text: plan.text, file: 'plan', title: goal.text };
    const { program, dialect, diagnostics } = plan.checked;
    if (!program) throw new Error('a plan that passes has a program');
    if (flags.verbose) say(plan.text);
    const report = (result: RunResult): ExitCode => {
      const used = sum(spent, usageOf(result));
      const ran = {
        ...source,
        tookMs: Date.now() - startedAt,
        kept: flags.journal && asking.named !== false,
        note: `of these for planning: ${usageText(planning)}`,
      };
      const { cost = null, ...counts } = used;
      return reportResult({ ...result, usage: { ...counts, cost } }, ran, flags);
    };
    const run = {
      workspace: remaining(workspace, spent),
      toolbox,
      source,
      program,
      dialect,
      diagnostics,
      inputs,
      flags,
      sequential: flags.sequential === true,
      kept: flags.journal,
    };
    const result = await driveProgram(run, report);
    if (result.status !== 'failed' || attempt >= repairs) return report(result);
    spent = sum(spent, usageOf(result));
    const error = result.error ? errorText(result.error, { ...source, kept: true }, false) : '';
    if (!flags.quiet) say(`${error}\nthe run failed; the model plans again (${attempt + 1})`);
    const told = [error, aimOf(program, result)].filter((part) => part !== '').join('\n');
    goal = { ...goal, failed: { text: plan.text, error: told, known: known(result) } };
  }
}

/** What the step that failed was for, in its author's words. */
function aimOf({ steps }: Program, { error }: RunResult): string {
  const label = error?.step.replace(/@\d+$/, '');
  const objective = steps.find((step) => step.label === label)?.objective;
  return objective === undefined ? '' : `  step ${label} was for: ${objective}`;
}

const known = ({ variables }: RunResult): Record<string, string> =>
  Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, stringify(value)]));
