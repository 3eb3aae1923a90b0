/** Where somebody is on the way from a goal to its answer: pursuit.ts goes it. */

import type { Usage } from '../../engine/handler.ts';
import type { Verdict } from '../../engine/journal/verdict.ts';
import type { RunResult } from '../../engine/result.ts';
import type { Change } from '../loops/change-run.ts';
import type { Source } from '../program/source.ts';
import type { Asked } from '../record/kept.ts';
import type { ProgramRun } from '../run/run-program.ts';
import { nothingUsed, sum, usageOf } from '../run/usage.ts';
import type { Ended } from '../run/work.ts';

/** What is known of the way so far. */
export interface Course {
  readonly asked: Asked;
  /** What was used: all of it, and what went into planning, repairing and judging. */
  readonly spent: Usage;
  readonly planning: Usage;
}

export type Stage = Next | Over;

export type Next = Course &
  (
    | { readonly at: 'wanted' }
    | {
        readonly at: 'planned';
        readonly source: Source;
        readonly checked: Checked;
        /** Somebody has gone on with it who could have looked at it. */
        readonly isAgreed?: boolean;
      }
    | { readonly at: 'changed'; readonly change: Change }
    | { readonly at: 'noted'; readonly run: string; readonly note: string }
    | ({ readonly at: 'ended' } & Result)
    | ({ readonly at: 'judged'; readonly verdict: Verdict } & Result)
  );

/** The end of the way. */
export type Over = Course & Result & { readonly at: 'over' };

/** Of a run that has come to an end. */
export interface Result {
  readonly result: RunResult;
  readonly ran: Ended;
}

export type At<Name extends Next['at']> = Extract<Next, { at: Name }>;
export type Checked = Pick<ProgramRun, 'program' | 'dialect' | 'diagnostics'>;

export const newCourse = (asked: Asked): Course => ({
  ...{ asked, spent: nothingUsed, planning: nothingUsed },
});

/** The course whose next run says that it comes behind this one. */
export const behind = ({ asked, spent, planning }: Course, from: string | undefined): Course => ({
  ...{ asked: { ...asked, from }, spent, planning },
});

/** The course behind a run of a control loop. */
export const after = ({ asked, spent, planning }: Course, usage: Usage): Course => ({
  ...{ asked, spent: sum(spent, usage), planning: sum(planning, usage) },
});

/** The course behind a run of a program. */
export const used = ({ asked, spent, planning }: Course, result: RunResult): Course => ({
  ...{ asked, planning, spent: sum(spent, usageOf(result)) },
});
