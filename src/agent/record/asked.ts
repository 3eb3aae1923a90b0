/**
 * What kind of run one is, as its record says: asked for what, with which inputs, written in what.
 */
import type { RunRecord } from '../../engine/journal/journal.ts';
import { readGoal } from '../../planner/goal.ts';
import type { LoopName } from '../../planner/loop-source.ts';
import { decode, toJson } from '../../program/json.ts';
import { dictEntries, isDict, type Value } from '../../program/value.ts';
import { type Asked, type Kept, keptOf } from './kept.ts';

type Settings = Pick<RunRecord, 'settings'>;

/** What the record of a run keeps; undefined for a run that nobody has asked for in words. */
export function askedOf(record: Settings): Asked | undefined {
  const { asked } = keptOf(record);
  return asked && { ...asked, goal: readGoal(asked.goal) };
}

/** The loops whose runs are steps on the way to an answer, not the way itself. */
export type CourseLoop = Extract<LoopName, 'converse' | 'plan' | 'revise' | 'transpile' | 'judge'>;

/** By which member of its record a run of a control loop is known. */
const loopMembers: Readonly<Record<CourseLoop, keyof Kept>> = {
  converse: 'talking',
  plan: 'planning',
  revise: 'changing',
  transpile: 'transpiling',
  judge: 'judging',
};

const courseLoops = Object.keys(loopMembers) as CourseLoop[];

/** Which of them a run is one of; undefined for the run of a program. */
export function loopOf(record: Settings): CourseLoop | undefined {
  const kept = keptOf(record);
  return courseLoops.find((name) => kept[loopMembers[name]]);
}

/** Whether a run is that of a program alone: no loop, and nothing comes behind it. */
export const standsAlone = (record: Settings): boolean =>
  askedOf(record) === undefined && loopOf(record) === undefined && !isTaskLoopRun(record);

/** Whether the loop over tasks of a goal is the run itself. */
export const isTaskLoopRun = (record: Settings): boolean => keptOf(record).taskLoop !== undefined;

/** Whether a run is one of playbooks. */
export const isPlaying = (record: Settings): boolean => keptOf(record).playbook !== undefined;

/** Whether it is a conversation: it hears messages when it has nothing to do. */
export const isTalk = (record: Pick<RunRecord, 'settings' | 'inputs'>): boolean =>
  isPlaying(record) && inputData(record, 'idle') === true;

/** The input variables of a run, out of its record. */
export function inputsOf(record: Pick<RunRecord, 'inputs'> | undefined): Map<string, Value> {
  const given = decode(record?.inputs ?? '{}');
  const entries = isDict(given) ? [...dictEntries(given)] : [];
  return new Map(entries.map(([name, value]) => [String(name), value]));
}

/** One of them as ordinary data; undefined where there is none of the name. */
export function inputData(record: Pick<RunRecord, 'inputs'> | undefined, name: string): unknown {
  const value = inputsOf(record).get(name);
  return value === undefined ? undefined : toJson(value);
}

// What a run was written in. Playbooks are played by a loop in Starlark, which is the program of
// their run; its record keeps them among its settings.

/** The name of a dialect. */
export const writtenIn = (record: Pick<RunRecord, 'dialect' | 'settings'>): string =>
  isPlaying(record) ? playbooks : record.dialect;

/** The dialect of programs that lines say in words, and no steps of the machine. */
export const playbooks = 'playbook';
