/** What is asked for, and what everything shares that leads to its answer. */
import type { Journal } from '../../engine/journal/journal.ts';
import type { RunResult } from '../../engine/result.ts';
import type { Goal } from '../../planner/goal.ts';
import type { Route } from '../../planner/ways.ts';
import type { Program } from '../../program/program.ts';
import type { Value } from '../../program/value.ts';
import type { ExitCode } from '../exit.ts';
import type { Source } from '../program/source.ts';
import type { RunFlags } from '../run/run-options.ts';
import type { Workspace } from '../settings/workspace.ts';
import type { Toolbox } from '../tools/toolbox.ts';
import type { GoalFlags } from './planning.ts';
import type { ReviewFlags } from './review.ts';
import type { TaskLoopFlags } from './task-loop-options.ts';

/** What all stages may look at. */
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

export interface Asking {
  readonly workspace: Workspace;
  readonly toolbox: Toolbox;
  readonly goal: Goal;
  readonly inputs: ReadonlyMap<string, Value>;
  readonly flags: AskFlags;
  /** False where the run is kept in a place that other commands do not look into by themselves. */
  readonly named?: boolean;
}

/** What all stages share. */
export interface Pursuit {
  readonly workspace: Workspace;
  readonly toolbox: Toolbox;
  readonly journal: Journal;
  /** Whether runs can be named to other commands. */
  readonly kept: boolean;
  readonly inputs: ReadonlyMap<string, Value>;
  readonly flags: PursuitFlags;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /**
   * Instead of the usual report, where the process has to end in the midst of a call of a tool.
   */
  readonly report?: (result: RunResult) => ExitCode;
}

/** Where the runs go that lead to an answer, and who hears of one that the process ends with. */
export type Place = Required<Pick<Pursuit, 'journal' | 'kept' | 'report'>>;

/** The program that has run. */
export interface Ended {
  readonly source: Source;
  readonly program: Program;
}
