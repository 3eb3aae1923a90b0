/**
 * What `ask` was called for, as each run that it leads to keeps it: planning, the plan's own run,
 * its repairs, judging. So whichever of them was stopped, another process goes on to the answer.
 */
import type { RunRecord } from '../../engine/journal/journal.ts';
import { type Goal, readGoal } from '../../planner/goal.ts';
import type { LoopName } from '../../planner/loop-source.ts';
import type { Route } from '../../planner/ways.ts';
import type { Talk } from '../planning/talk.ts';
import { inputData } from './run-inputs.ts';

export interface Asked {
  readonly goal: Goal;
  /** How often the model may correct what it writes for one purpose. */
  readonly corrections: number;
  /** How often a run that fails may still be repaired. */
  readonly repairs: number;
  /** How often an answer that is rejected may still be revised; absent: answers are not judged. */
  readonly revisions?: number | undefined;
  /** Programs that have failed, or whose answers were rejected. */
  readonly refused: readonly string[];
  /** What is planned in, where that is said. */
  readonly dialect?: string | undefined;
  /** Whether it is answered by a program; absent: it is. */
  readonly route?: Route | undefined;
  /** Nothing that a model wrote runs before a person has said yes to it. */
  readonly confirm?: true | undefined;
  /** The program is written a few statements at a time; this is how far that has come. */
  readonly talk?: Talk | undefined;
  /** One effect at a time. */
  readonly sequential: boolean;
  /** The run that this one came behind. */
  readonly from?: string | undefined;
}

/** What the record of a run keeps; undefined for a run that nobody has asked for in words. */
export function askedOf({ settings }: Pick<RunRecord, 'settings'>): Asked | undefined {
  const { asked }: { asked?: Asked } = JSON.parse(settings);
  return asked && { ...asked, goal: readGoal(asked.goal) };
}

/** Which control loop a run is one of; undefined for the run of a program. */
export function loopOf({ settings }: Pick<RunRecord, 'settings'>): LoopName | undefined {
  const data: Readonly<Record<string, unknown>> = JSON.parse(settings);
  if (data.routing) return 'route';
  if (data.talking) return 'converse';
  if (data.planning) return 'plan';
  if (data.changing) return 'revise';
  if (data.lines) return 'lines';
  return data.judging ? 'judge' : undefined;
}

/** Whether a run is that of a program alone: no loop, and nothing comes behind it. */
export function standsAlone(record: Pick<RunRecord, 'settings'>): boolean {
  return askedOf(record) === undefined && loopOf(record) === undefined && !isTaskLoopRun(record);
}

/** Whether the loop over tasks of a goal is the run itself. */
export const isTaskLoopRun = ({ settings }: Pick<RunRecord, 'settings'>): boolean =>
  JSON.parse(settings).taskLoop !== undefined;

/** Whether a run is one of playbooks. */
export const isPlaying = ({ settings }: Pick<RunRecord, 'settings'>): boolean =>
  JSON.parse(settings).playbook !== undefined;

/** Whether it is a conversation: it hears messages when it has nothing to do. */
export const isTalk = (record: Pick<RunRecord, 'settings' | 'inputs'>): boolean =>
  isPlaying(record) && inputData(record, 'idle') === true;

/** Whether a run asks what lines of playbooks mean. */
export const isLinesRun = ({ settings }: Pick<RunRecord, 'settings'>): boolean =>
  JSON.parse(settings).lines === true;
