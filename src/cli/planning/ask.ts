/** A goal from plan to answer: `planvm ask` and the demo share it. */
import { openJournal } from '../../engine/journal/open-journal.ts';
import type { Goal } from '../../planner/prompt.ts';
import { limits } from '../../program/limits.ts';
import type { Value } from '../../program/value.ts';
import type { ExitCode } from '../exit.ts';
import type { RunFlags } from '../run-options.ts';
import { limitsIn } from '../settings/settings.ts';
import { journalPath, type Workspace } from '../settings/workspace.ts';
import type { Toolbox } from '../tools/toolbox.ts';
import type { GoalFlags } from './planning.ts';
import { arrive, newCourse, type Over, type Pursuit, pursue, type Stage } from './pursuit.ts';
import type { TaskLoopFlags } from './task-loop-options.ts';

export interface AskFlags extends RunFlags, GoalFlags, TaskLoopFlags {
  readonly sequential?: true;
  readonly journal: boolean;
  /** How often a rejected answer may be revised. */
  readonly judge?: number;
  /** False: no saved plan is looked at. */
  readonly saved?: boolean;
  readonly label?: string;
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

/** Reports the result as `run` does. Throws as `pursue` does. */
export async function answerGoal(asking: Asking): Promise<ExitCode> {
  const { workspace, flags, named = true } = asking;
  const journal = openJournal(flags.journal ? journalPath(workspace) : ':memory:');
  try {
    return await pursue(
      { ...common(asking), journal, kept: flags.journal && named },
      wanted(asking),
    );
  } finally {
    journal.close();
  }
}

/** Where the runs go that lead to an answer, and who hears of one that the process ends with. */
export type Place = Required<Pick<Pursuit, 'journal' | 'kept' | 'report'>>;

/** The same for whoever reports in another way. Throws as `arrive` does. */
export const reachAnswer = (asking: Asking, place: Place): Promise<Over> =>
  arrive({ ...common(asking), ...place }, wanted(asking));

const common = ({ workspace, toolbox, inputs, flags }: Asking) => ({
  ...{ workspace, toolbox, inputs, flags },
  startedAt: Date.now(),
});

const wanted = ({ workspace, goal, flags }: Asking): Stage => ({
  ...newCourse({
    goal,
    corrections: flags.corrections ?? 2,
    repairs: limits(limitsIn(workspace.settings)).repairs,
    revisions: flags.judge,
    refused: [],
    sequential: flags.sequential === true,
  }),
  at: 'wanted',
});
