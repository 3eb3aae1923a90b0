/** What `plan` and `ask` share: options, goal, budgets, what is said where there is no plan. */
import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { AgentError } from '../../agent/errors.ts';
import type { Asked } from '../../agent/record/kept.ts';
import type { Usage } from '../../engine/handler.ts';
import type { Journal } from '../../engine/journal/journal.ts';
import type { SavedPlan } from '../../engine/journal/saved-plans.ts';
import type { RunResult } from '../../engine/result.ts';
import type { Goal } from '../../planner/goal.ts';
import { PlanFailure } from '../../planner/planner.ts';
import type { Value } from '../../program/value.ts';
import { count, grouped } from '../../text/words.ts';
import { type ExitCode, exit } from '../exit.ts';
import { type FailureFlags, reportFailure } from '../failure.ts';
import { wholeNumber } from '../positive.ts';
import { readSource } from '../program/source.ts';
import type { Setting } from '../settings/settings.ts';
import type { Workspace } from '../settings/workspace.ts';
import type { Toolbox } from '../tools/toolbox.ts';

/** What the options below give an action. */
export interface GoalFlags {
  readonly language?: string;
  readonly format?: string;
  readonly corrections?: number;
  readonly quiet?: true;
  readonly verbose?: true;
}

export const defaultDialect = 'starlark';

export function addGoalOptions(command: CommandUnknownOpts): void {
  const options = [
    new Option('--language <name>', 'Language of the answer, in words: French.'),
    new Option('--format <words>', 'Form of the answer, in words: "a table with two columns".'),
    new Option('--corrections <n>', 'How often the model may correct a plan that fails the check.')
      .default(2)
      .argParser((given) => wholeNumber('--corrections', given)),
  ];
  for (const option of options) command.addOption(option.helpGroup('Planning:'));
}

/** The goal as it was written; `-` reads it from stdin. */
export async function readGoal(given: string, flags: GoalFlags): Promise<Goal> {
  const text = (given === '-' ? (await readSource('-')).text : given).trim();
  if (text === '') {
    throw new AgentError('PV6002', 'the goal is empty', { hint: 'say what you want to know' });
  }
  const { language, format } = flags;
  return { text, ...(language && { language }), ...(format && { format }) };
}

/** What a plan needs of the command that wants it. */
export interface Planning {
  readonly workspace: Workspace;
  readonly toolbox: Toolbox;
  readonly goal: Goal;
  readonly inputs: ReadonlyMap<string, Value>;
  readonly flags: GoalFlags;
  readonly journal: Journal;
  /** False: the journal is in memory and ends with the process. */
  readonly kept: boolean;
  /** Plans that were saved, newest first, and the label of those to look at above all. */
  readonly saved?: readonly SavedPlan[] | undefined;
  readonly label?: string | undefined;
  /** What the plan is for, for whoever goes on behind it. */
  readonly asked?: Asked | undefined;
  /** What the budgets have paid for before. */
  readonly spent?: Usage;
}

export const nothingUsed: Usage = { modelCalls: 0, inputTokens: 0, outputTokens: 0, cost: 0 };

/** The budgets that are left after others have been paid from them. */
export function remaining(
  { settings, ...workspace }: Workspace,
  { inputTokens, outputTokens, cost = 0 }: Usage,
): Workspace {
  const { tokens, cost: money } = settings.limits;
  const left = (setting: Setting<number>, used: number): Setting<number> => ({
    ...setting,
    value: Math.max(0, setting.value - used),
  });
  const changed = {
    ...(tokens && { tokens: left(tokens, inputTokens + outputTokens) }),
    ...(money && { cost: left(money, cost) }),
  };
  return { ...workspace, settings: { ...settings, limits: { ...settings.limits, ...changed } } };
}

export const usageOf = ({ usage: { cost, ...counts } }: RunResult): Usage =>
  cost === null ? counts : { ...counts, cost };

export function sum(a: Usage, b: Usage): Usage {
  const tokens = {
    modelCalls: a.modelCalls + b.modelCalls,
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
  };
  if (a.cost === undefined || b.cost === undefined) return tokens;
  return { ...tokens, cost: a.cost + b.cost };
}

export function usageText({ modelCalls, inputTokens, outputTokens }: Usage): string {
  return `${count(modelCalls, 'model call')}, ${grouped(inputTokens + outputTokens)} tokens`;
}

/** Says why there is no plan, and gives the exit code; throws what is no failure of planning. */
export function reportPlanning(error: unknown, flags: FailureFlags): ExitCode {
  if (!(error instanceof PlanFailure)) throw error;
  return reportFailure(error, flags, error.code === 'PV7002' ? exit.invalid : exit.failed);
}
