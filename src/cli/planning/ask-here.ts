/** `planvm ask` and whoever else asks at this terminal: options, host and report of a goal. */

import { answerGoal, taskLoopIn } from '../../agent/goal/ask.ts';
import type { RunEnd } from '../../agent/port/host.ts';
import type { Workspace } from '../../agent/port/workspace.ts';
import { journalPath } from '../../agent/port/workspace.ts';
import type { GoalOptions, GoalRequest } from '../../agent/run/work.ts';
import type { Toolbox } from '../../agent/tools/toolbox.ts';
import type { Journal } from '../../engine/journal/journal.ts';
import { openJournal } from '../../engine/journal/open-journal.ts';
import type { Goal, Route } from '../../planner/goal.ts';
import type { Value } from '../../program/value.ts';
import type { ExitCode } from '../exit.ts';
import { CliError } from '../failure.ts';
import { readText } from '../process/files.ts';
import { namesIn, reportEnd } from '../run/report-end.ts';
import type { RunFlags } from '../run/run-options.ts';
import { type TerminalHost, terminalHost } from '../run/terminal-host.ts';
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
  readonly toolbox: Toolbox;
  readonly goal: Goal;
  readonly inputs: ReadonlyMap<string, Value>;
  readonly flags: AskFlags;
  /** False where the run is kept in a place that other commands do not look into by themselves. */
  readonly isNamed?: boolean;
}

/** Reports the result as `run` does. Throws as `answerGoal` does. */
export async function answerHere(here: AskHere): Promise<ExitCode> {
  const { workspace, flags, isNamed = true } = here;
  const journal = openJournal(flags.journal ? journalPath(workspace) : ':memory:');
  const isDurable = flags.journal && isNamed;
  const reporting = { journal, isDurable, flags, startedAt: Date.now() };
  const report = (end: RunEnd): ExitCode => reportEnd(end, reporting);
  try {
    const host = pursuitHost(flags, workspace, report);
    return report(await answerGoal({ ...requestOf(here, journal), isDurable, host }));
  } finally {
    journal.close();
  }
}

export function requestOf(
  { workspace, toolbox, goal, inputs, flags }: AskHere,
  journal: Journal,
): Omit<GoalRequest, 'host' | 'isDurable'> {
  const { saved, label } = flags;
  const options = goalOptions(flags, workspace);
  const { dialect = '' } = workspace.settings;
  const request = { kind: 'ask', text: goal.text, dialect, inputs };
  const names = { ...namesIn(workspace, flags), request };
  return {
    ...{ workspace, toolbox, goal, inputs, journal, label, options, names },
    ...(saved !== undefined && { saved }),
  };
}

/** A host that shows programs before they run, or goes through them, as flags say. */
export const pursuitHost = (
  flags: PursuitFlags,
  { home }: Pick<Workspace, 'home'>,
  report: (end: RunEnd) => ExitCode,
): TerminalHost =>
  terminalHost({
    ...{ flags, report, review: reviewer(flags) },
    ...(flags.step && {
      // Loaded where it is wanted, which is seldom.
      goThrough: async (run) => {
        const { goThroughNew } = await import('../debug/new-run.ts');
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
