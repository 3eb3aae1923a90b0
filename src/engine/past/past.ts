/** What the journal says of a run, as resuming needs it: outcomes, what was spent, its time. */
import type { Limits } from '../../program/limits.ts';
import type { Assignment } from '../assignments.ts';
import type { ForkEdit } from '../journal/fork-edit.ts';
import type { EventOf, RunRecord } from '../journal/journal.ts';
import type { AnswerVerdict } from '../journal/verdict.ts';
import type { Spent } from '../spent.ts';
import type { KnownOutcome, PastApproval, PastEffect, Stretch } from './past-effect.ts';
import type { Reuse } from './reuse.ts';

export type { PastEffect } from './past-effect.ts';

export interface Past {
  readonly record: RunRecord | undefined;
  /** What its requests are hashed with; a fork has that of its base. */
  readonly requestKey: string;
  readonly program: LoadedProgram | undefined;
  /** By effect id. Whoever takes an effect up again deletes it here: what is left is unclaimed. */
  readonly effects: Map<string, PastEffect>;
  /** Ids of settled effects in the order of their outcomes; empty for one that no longer counts. */
  readonly order: readonly string[];
  /** Messages that were released. */
  readonly emits: number;
  readonly spent: Spent;
  readonly warnings: readonly EffectWarning[];
  /** What was said of its answers, oldest first. */
  readonly verdicts: readonly AnswerVerdict[];
  /** What was asked of people about effects that have not succeeded since, by effect id. */
  readonly approvals: ReadonlyMap<string, PastApproval>;
  /** Limits that were raised on resuming. */
  readonly raised: Partial<Limits>;
  /** Milliseconds for which a process has had the run. */
  readonly wallMs: number;
  /** Of a fork: what it was made with. */
  readonly edit: ForkEdit | undefined;
  /** Who has written its program: a model has seen outcomes before it repairs or revises. */
  readonly writer: ForkEdit['by'];
  /** Of a fork: what it may take over of its base. */
  readonly reuse: Reuse | undefined;
  /** What forks assign, in the order in which they do. */
  readonly assignments: readonly Assignment[];
  /** Where forks begin: a state of before event `seq` is theirs if it had not entered `step`. */
  readonly branches: readonly { readonly seq: number; readonly step: string }[];
  readonly lost: readonly Stretch[];
  /** What equal requests have come to that are made once; see `Once`. */
  readonly once: ReadonlyMap<string, KnownOutcome>;
  /** Whether it is done: whatever has failed in it, its program went on with that. */
  readonly isDone: boolean;
  /** Number of the last event; 0 where there is none. */
  readonly lastSeq: number;
}

export type LoadedProgram = EventOf<'program.loaded'> | EventOf<'program.replaced'>;

export interface EffectWarning {
  readonly effect: string;
  readonly step: string;
  readonly message: string;
}

/** A past that is being read. */
export type Reading = { -readonly [K in keyof Past]: Past[K] } & {
  order: string[];
  warnings: EffectWarning[];
  approvals: Map<string, PastApproval>;
  verdicts: AnswerVerdict[];
  assignments: Assignment[];
  branches: { seq: number; step: string }[];
  lost: Stretch[];
  once: Map<string, KnownOutcome>;
};
