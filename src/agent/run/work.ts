/** What a goal asks for, and what everything shares that leads to its answer. */

import type { Usage } from '../../engine/handler.ts';
import type { Journal } from '../../engine/journal/journal.ts';
import type { RunResult } from '../../engine/result.ts';
import type { Goal, Route } from '../../planner/goal.ts';
import type { Program } from '../../program/program.ts';
import type { Value } from '../../program/value.ts';
import type { Host, RunEnd } from '../port/host.ts';
import type { Workspace } from '../port/workspace.ts';
import type { Source } from '../program/source.ts';
import type { Toolbox } from '../tools/toolbox.ts';
import type { RunNames } from './begin.ts';

/** What each run of an agent needs. */
export interface Work {
  /** With the budgets that are left. */
  readonly workspace: Workspace;
  readonly toolbox: Toolbox;
  readonly journal: Journal;
  /** Whether other processes find the runs: the journal is not in memory. */
  readonly isDurable: boolean;
  readonly host: Host;
  /** What its runs are found by again. */
  readonly names?: RunNames | undefined;
}

/** What all stages on the way to an answer share. */
export interface Pursuit extends Work {
  readonly inputs: ReadonlyMap<string, Value>;
  /** False: no saved plan is looked at. */
  readonly saved?: boolean;
  /** Label of saved plans to look at before others. */
  readonly label?: string | undefined;
}

/** How a goal is to be answered. */
export interface GoalOptions extends TaskOptions {
  readonly route?: Route | undefined;
  /** How often the model may correct what it writes for one purpose. Default: 2. */
  readonly corrections?: number | undefined;
  /** How often a rejected answer may be revised; absent: answers are not judged. */
  readonly revisions?: number | undefined;
  /** How often the model may write statements and see what they give; absent: all at once. */
  readonly turns?: number | undefined;
  /** A person has to agree to a program before it runs. */
  readonly confirm?: boolean | undefined;
  /** One effect at a time. */
  readonly sequential?: boolean | undefined;
}

/** Of the loops over tasks, `llmcompiler` and `react`. */
export interface TaskOptions {
  /** How often the model may plan, or reply. */
  readonly rounds?: number | undefined;
  /** How deep plans may stand in plans. */
  readonly depth?: number | undefined;
  /** False: the answer is all results by id, without a model that joins them. */
  readonly join?: boolean | undefined;
  /** False: calls are asked for in text, also where the model has tool calls. */
  readonly nativeTools?: boolean | undefined;
  /** Questions with their plans, as a model is shown them. */
  readonly examples?: string | undefined;
}

/** A goal and how it is to be answered. */
export interface GoalRequest extends Pursuit {
  readonly goal: Goal;
  readonly options: GoalOptions;
}

/** The program that has run. */
export interface Ended {
  readonly source: Source;
  readonly program: Program;
}

/** How a pursuit ended: `result` counts the usage of all of its runs. */
export interface PursuitEnd extends RunEnd {
  readonly result: RunResult;
  /** The part of it that went into planning, repairing and judging. */
  readonly planning: Usage;
  /** Whether somebody asked for it in words; else its own run says what became of it. */
  readonly isAsked: boolean;
}
