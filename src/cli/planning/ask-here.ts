/** `planvm ask` and whoever else asks at this terminal: options, host and report of a goal. */

import { answerGoal, taskLoopIn } from '../../agent/goal/ask.ts';
import type { Workspace } from '../../agent/port/workspace.ts';
import type { GoalOptions, GoalRequest } from '../../agent/run/work.ts';
import type { Goal, Route } from '../../planner/goal.ts';
import type { Value } from '../../program/value.ts';
import type { ExitCode } from '../exit.ts';
import { CliError } from '../failure.ts';
import { readText } from '../process/files.ts';
import { namesIn } from '../run/report-end.ts';
import type { RunFlags } from '../run/run-options.ts';
import type { TerminalOptions } from '../run/terminal-host.ts';
import { workWithTools } from '../run/work-here.ts';
import type { GoalFlags } from './goal-options.ts';
import { type ReviewFlags, reviewer } from './review.ts';
import type { TaskLoopFlags } from './task-loop-options.ts';

/** What a person at the terminal says of programs on the way to an answer. */
export interface PursuitFlags extends RunFlags, Omit<ReviewFlags, 'quiet' | 'prompts'> {
  /** False: no saved plan is looked at. */
  readonly saved?: boolean;
  readonly label?: string;
  /** The program is gone through statement by statement. */
  readonly step?: true;
}

export interface AskFlags extends PursuitFlags, GoalFlags, TaskLoopFlags {
  readonly sequential?: true;
  readonly journal: boolean;
  /** How often a rejected answer may be revised. */
  readonly judge?: number;
  readonly route?: Route;
  /** How often the model may write statements and see what they give; absent: all at once. */
  readonly turns?: number;
}

export interface AskHere {
  readonly workspace: Workspace;
  readonly goal: Goal;
  readonly inputs: ReadonlyMap<string, Value>;
  readonly flags: AskFlags;
  /** False where the run is kept in a place that other commands do not look into by themselves. */
  readonly isNamed?: boolean;
}

/** Reports the result as `run` does. Throws as `answerGoal` does. */
export async function answerHere(here: AskHere): Promise<ExitCode> {
  const { workspace, flags, goal, isNamed } = here;
  const tools = { goal: goal.text };
  const options = { ...pursuitOptions(flags, workspace), workspace, isNamed, tools };
  return await workWithTools({ ...options, isKept: flags.journal }, async (work) =>
    work.report(await answerGoal({ ...work, ...requestOf(here) })),
  );
}

type OfAsking = 'goal' | 'inputs' | 'label' | 'saved' | 'options' | 'names';

export function requestOf({
  workspace,
  goal,
  inputs,
  flags,
}: AskHere): Pick<GoalRequest, OfAsking> {
  const { saved, label } = flags;
  const options = goalOptions(flags, workspace);
  const { dialect = '' } = workspace.settings;
  const request = { kind: 'ask', text: goal.text, dialect, inputs };
  const names = { ...namesIn(workspace, flags), request };
  return { goal, inputs, label, options, names, ...(saved !== undefined && { saved }) };
}

/** Programs are shown before they run, or gone through, as flags say. */
export const pursuitOptions = <Flags extends PursuitFlags>(
  flags: Flags,
  { home }: Pick<Workspace, 'home'>,
): Omit<TerminalOptions, 'report'> & { readonly flags: Flags } => ({
  flags,
  review: reviewer(flags),
  ...(flags.step && {
    // Loaded where it is wanted, which is seldom.
    goThrough: async (run) => {
      const { goThroughNew } = await import('../debug/go-through.ts');
      return (await goThroughNew(run, { home, at: 'start', tracks: true })).result;
    },
  }),
});

function goalOptions(flags: AskFlags, workspace: Workspace): GoalOptions {
  const { examples, judge: revisions, ...options } = flags;
  const loop = taskLoopIn(workspace);
  if (loop) refuseOthers(loop, flags);
  return {
    ...options,
    revisions,
    examples: examples === undefined ? examples : readText(examples),
  };
}

/** Options that say nothing to these loops are refused: nobody shall wait for what they ask. */
function refuseOthers(loop: string, { depth, join, nativeTools }: AskFlags): void {
  const others: readonly (readonly [string, boolean])[] = [
    ['--depth', loop === 'react' && depth !== undefined],
    ['--no-join', loop === 'react' && join === false],
    ['--no-native-tools', loop === 'llmcompiler' && nativeTools === false],
  ];
  const found = others.find(([, isGiven]) => isGiven);
  if (!found) return;
  throw new CliError('PV6002', `${found[0]} is of no use with --dialect ${loop}`, {
    hint: 'see planvm ask --help',
  });
}
