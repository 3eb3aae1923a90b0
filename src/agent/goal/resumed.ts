/**
 * Where the course of a run stands that is taken up again. The record of each run keeps what was
 * asked for at its command, so it is a checkpoint: what the runs before it have used is added up,
 * and `apply` takes what this run came to, read out of the journal, as it does in live work.
 */

import type { Journal, RunSummary } from '../../engine/journal/journal.ts';
import type { RunResult } from '../../engine/result.ts';
import type { Value } from '../../program/value.ts';
import { judgedBy } from '../loops/judge-run.ts';
import { loopFailure } from '../loops/loop-run.ts';
import { askedOf, inputsOf, loopOf } from '../record/asked.ts';
import { type Asked, keptOf } from '../record/kept.ts';
import { keptResult } from '../record/kept-result.ts';
import { usageOf } from '../run/usage.ts';
import type { Pursuit, PursuitEnd, Work } from '../run/work.ts';
import { apply, begin, type Course, charge, type Done } from './course.ts';
import { loopRegistry } from './loop-registry.ts';
import { orSkipped, ranDone, ranIn } from './perform.ts';
import { announce, pursue } from './pursuit.ts';

/** The end that a run leads to; undefined where nothing follows: its result is the end. */
export async function pursueAfter(
  work: Work,
  record: RunSummary,
  result: RunResult,
): Promise<PursuitEnd | undefined> {
  const pursuit = { ...work, inputs: pursuedInputs(record) };
  const done = await doneOf(pursuit, record, result);
  if (!done) return undefined;
  const before = courseBefore(work.journal, record);
  announce(work.host, before, done);
  return await pursue(pursuit, apply(before, done));
}

/** The same for a run that is done, whose process has ended before it could go on. */
export async function pursueLeft(work: Work, record: RunSummary): Promise<PursuitEnd | undefined> {
  const pursuit = { ...work, inputs: pursuedInputs(record) };
  const course = await courseLeft(pursuit, record);
  return course && (await pursue(pursuit, course));
}

/** The inputs of what a run is for: its own, or those that a plan is written for. */
function pursuedInputs(record: RunSummary): ReadonlyMap<string, Value> {
  const { values } = keptOf(record);
  return values === undefined ? inputsOf(record) : inputsOf({ inputs: values });
}

/** The course after a run that is done; undefined where other runs have taken its place. */
async function courseLeft(pursuit: Pursuit, record: RunSummary): Promise<Course | undefined> {
  const { journal } = pursuit;
  const isLoop = loopOf(record) !== undefined;
  const result = record.status === 'done' ? keptResult(journal, record.id) : undefined;
  if (!result || (isLoop && !askedOf(record))) return undefined;
  const judged = judgedBy(record);
  const followers = followersOf(journal, judged?.run ?? record.id, record.createdAt);
  if (followers.some((run) => judgedBy(run) === undefined)) return undefined;
  const [judge] = judged ? [] : followers;
  const judgedCourse = judge && (await courseLeft(pursuit, judge));
  if (judgedCourse) return judgedCourse;
  const done = await doneOf(pursuit, record, result);
  if (!done) return undefined;
  const before = courseBefore(journal, record);
  const course = apply(before, done);
  const hasVerdict = judge !== undefined || result.answers.some(({ verdict }) => verdict);
  if (course.next === 'judge' && hasVerdict) return { ...course, next: 'end' };
  if (course.next !== 'end') announce(pursuit.host, before, done);
  // Who goes on with a program could have looked at it.
  return course.next === 'review' ? { ...course, isAgreed: true } : course;
}

/** The course as it stood at the command that a run performs. */
function courseBefore(journal: Journal, record: RunSummary): Course {
  const asked = askedOf(record) ?? nothingMore(record);
  const base = baseOf(record);
  let course: Course = begin(asked);
  for (const run of runsBefore(journal, record)) {
    const result = keptResult(journal, run.id);
    if (!result) continue;
    if (run.id === base) {
      const baseAsked = askedOf(run) ?? asked;
      const done = ranDone(journal, baseAsked, result, ranIn(journal, base));
      course = { ...apply({ ...course, asked: baseAsked }, done), asked };
    } else {
      course = { ...course, ...charge(course, usageOf(result), loopOf(run) !== undefined) };
    }
  }
  return course;
}

/** The run whose result a control loop judges, changes, or continues. */
const baseOf = (record: RunSummary): string | undefined =>
  keptOf(record).judging?.run ?? keptOf(record).changing?.base ?? keptOf(record).talking?.base;

/** The runs that one came after, and those that have judged them meanwhile. */
function runsBefore(journal: Journal, record: RunSummary): RunSummary[] {
  const runs = new Map<string, RunSummary>();
  for (let run: RunSummary | undefined = record; run && !runs.has(run.id); ) {
    runs.set(run.id, run);
    const from: string | undefined = askedOf(run)?.from ?? judgedBy(run)?.run;
    run = from === undefined ? undefined : journal.find(from);
  }
  const since = Math.min(...[...runs.values()].map(({ createdAt }) => createdAt));
  for (const run of journal.list({ since, limit: followersMax })) {
    const isEarlier = run.status === 'done' && run.createdAt <= record.createdAt;
    if (isEarlier && askedOf(run) && runs.has(judgedBy(run)?.run ?? '')) runs.set(run.id, run);
  }
  runs.delete(record.id);
  return [...runs.values()];
}

/** What a run came to, as whoever performed its command would have said it. */
async function doneOf(
  pursuit: Pursuit,
  record: RunSummary,
  result: RunResult,
): Promise<Done | undefined> {
  const { journal } = pursuit;
  const { id, status } = record;
  const loop = loopOf(record);
  if (loop === undefined) {
    // A run that is done is over where nobody has asked for it in words.
    const asked = askedOf(record) ?? (status === 'done' ? nothingMore(record) : undefined);
    return asked && ranDone(journal, asked, result, ranIn(journal, id));
  }
  const isDone = result.status === 'done';
  const base = baseOf(record);
  if (base === undefined)
    return isDone ? loopRegistry[loop].done(pursuit, record, result) : undefined;
  const isFailed = result.status === 'failed' && askedOf(record) !== undefined;
  if (!(isDone || isFailed) || !keptResult(journal, base)) return undefined;
  return await orSkipped(pursuit.host, async () => {
    if (isFailed) throw loopFailure(result, { name: loop, loop: ranIn(journal, id).source });
    return loopRegistry[loop].done(pursuit, record, result);
  });
}

/** Runs that follow another one start soon after it: the search ends after so many. */
const followersMax = 1000;

/** Runs that came after one, started at a moment or later. */
export const followersOf = (journal: Journal, id: string, since: number): readonly RunSummary[] =>
  journal
    .list({ limit: followersMax, since })
    .filter((run) => run.id !== id && askedOf(run)?.from === id);

/** A run that nobody has asked for in words: nothing follows from what is said of it. */
const nothingMore = ({ title }: RunSummary): Asked => ({
  ...{ goal: { text: title }, corrections: 2, repairs: 0, refused: [], sequential: false },
});
