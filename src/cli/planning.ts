/** From a goal to a program, as `plan` and `ask` share it: what is said meanwhile, what it used. */
import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { EffectFailure, type Usage } from '../engine/handler.ts';
import { type Plan, PlanFailure, plan, type Round } from '../planner/planner.ts';
import type { Goal } from '../planner/prompt.ts';
import { type Limits, limits } from '../program/limits.ts';
import { type ExitCode, exit } from './exit.ts';
import { CliError, type FailureFlags, reportFailure } from './failure.ts';
import { patientModel } from './patient-model.ts';
import { planningView } from './planning-view.ts';
import { limitsIn } from './settings.ts';
import { readSource } from './source.ts';
import { count, grouped } from './text.ts';
import type { Toolbox } from './toolbox.ts';
import { shortPath, type Workspace } from './workspace.ts';

/** What the options below give an action. */
export interface GoalFlags {
  readonly language?: string;
  readonly format?: string;
  readonly corrections?: number;
  readonly quiet?: true;
  readonly verbose?: true;
}

export const defaultDialect = 'stackvm-2';

export function addGoalOptions(command: CommandUnknownOpts): void {
  const options = [
    new Option('--language <name>', 'Language of the answer, in words: French.'),
    new Option('--format <words>', 'Form of the answer, in words: "a table with two columns".'),
    new Option('--corrections <n>', 'How often the model may correct a plan that fails the check.')
      .default(2)
      .argParser(wholeNumber),
  ];
  for (const option of options) command.addOption(option.helpGroup('Planning:'));
}

/** The goal as it was written; `-` reads it from stdin. */
export async function readGoal(given: string, flags: GoalFlags): Promise<Goal> {
  const text = (given === '-' ? (await readSource('-')).text : given).trim();
  if (text === '') {
    throw new CliError('PV6002', 'the goal is empty', { hint: 'say what you want to know' });
  }
  const { language, format } = flags;
  return { text, ...(language && { language }), ...(format && { format }) };
}

export interface Planned {
  readonly plan: Plan;
  /** Of this plan alone. */
  readonly usage: Usage;
}

export interface Planning {
  readonly workspace: Workspace;
  readonly toolbox: Toolbox;
  readonly goal: Goal;
  /** Names of the input variables. */
  readonly inputs: readonly string[];
  readonly flags: GoalFlags;
  /** What the budgets have paid for before. */
  readonly spent?: Usage;
}

export const nothingUsed: Usage = { modelCalls: 0, inputTokens: 0, outputTokens: 0, cost: 0 };

/**
 * Plans, saying on stderr how far it is. Ctrl-C ends it: nothing has been run. Throws `PlanFailure`
 * and what the model throws; `CliError` PV6020 where a budget is used up.
 */
export async function planGoal(planning: Planning): Promise<Planned> {
  const { workspace, toolbox, goal, inputs, flags, spent = nothingUsed } = planning;
  const most = limits(limitsIn(workspace.settings));
  const model = patientModel(toolbox.model(), most);
  const view = planningView({
    model: shownModel(model.name),
    quiet: flags.quiet === true,
    verbose: flags.verbose === true,
  });
  let usage = nothingUsed;
  const aborted = new AbortController();
  const interrupt = (): void => aborted.abort();
  process.once('SIGINT', interrupt);
  try {
    const made = await plan({
      goal,
      dialect: workspace.settings.dialect?.value ?? defaultDialect,
      environment: { tools: toolbox.specs, inputs },
      model: {
        name: model.name,
        complete(request, context) {
          requireBudget(most, sum(spent, usage));
          return model.complete(request, context);
        },
      },
      context: {
        signal: aborted.signal,
        use: (used) => {
          usage = sum(usage, used);
        },
        progress: view.progress,
        warn: view.note,
      },
      ...(flags.corrections !== undefined && { corrections: flags.corrections }),
      onRound: (round) => view.note(aboutRound(round)),
    });
    return { plan: made, usage };
  } catch (error) {
    if (aborted.signal.aborted) throw interrupted();
    throw error;
  } finally {
    process.off('SIGINT', interrupt);
    view.end();
  }
}

/** A transcript by its path as a person at this place would write it. */
function shownModel(name: string): string {
  const file = /^replay\/(.*)$/.exec(name)?.[1];
  return file === undefined ? name : `the transcript ${shortPath(file)}`;
}

const interrupted = (): CliError =>
  new CliError('PV6018', 'interrupted while planning; nothing was run', {
    exit: exit.interrupted,
  });

function aboutRound({ number, ok, diagnostics }: Round): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (ok) return `plan ${number} passes the check`;
  const first = errors[0];
  const sample = first === undefined ? '' : `: ${first.code} ${first.message}`;
  return `plan ${number} has ${count(errors.length, 'error')}${sample}`;
}

/** A run is suspended where a budget is used up; before there is one, nothing can be resumed. */
function requireBudget({ tokens, cost }: Limits, used: Usage): void {
  const isOver = used.inputTokens + used.outputTokens >= tokens || (used.cost ?? 0) >= cost;
  if (!isOver) return;
  throw new CliError('PV6020', `planning has used up the budget: ${usageText(used)}`, {
    hint: 'raise --tokens or --cost',
    exit: exit.budget,
  });
}

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
  if (error instanceof PlanFailure) {
    return reportFailure(error, flags, error.code === 'PV7001' ? exit.failed : exit.invalid);
  }
  if (error instanceof EffectFailure && error.mayHaveActed) {
    return reportFailure(error, flags, exit.failed);
  }
  throw error;
}

function wholeNumber(given: string): number {
  if (/^\d+$/.test(given)) return Number(given);
  throw new CliError('PV6002', `--corrections: got ${given}, want a whole number`);
}
