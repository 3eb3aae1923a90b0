/**
 * The journal: what has happened to every run, and the lock that lets one process at a time go on.
 *
 * Invariants (the conformance suite `test/engine/journal-conformance.ts` checks each):
 * - J1 Events of a run are append-only, numbered from 1 without gaps.
 * - J2 An append is all or nothing, and durable against a killed process when it returns; with
 *   `durable: true` also against power loss, together with everything appended before it.
 * - J3 Only the holder of the newest lease appends: the fence is inside the insert. Anyone else
 *   gets `LeaseLost` and nothing is written.
 * - J4 A large value is stored once, by the hash of its text.
 * - J5 Reading never changes anything and sees whole appends only.
 * - J6 A fork's history is its base's up to where it begins, then its own, numbered on without a
 *   gap; nothing is copied, and nothing that happens to the one changes what the other reads.
 * - J7 Removing a run and sweeping change nothing that another run reads.
 */
import type { Outcome, Source } from '../../program/effect.ts';
import type { Usage } from '../handler.ts';
import type { ForkEdit } from './fork-edit.ts';
import type { JournalCode } from './journal-codes.ts';
import type { Base, ForkPoint } from './lineage.ts';
import { describeOwner } from './owner.ts';
import type { KeptPost, Post } from './post.ts';
import type { RunFilter, RunIdentity, RunMetadata } from './run-identity.ts';
import type { RunReason, RunStatus } from './run-state.ts';
import type { Sizes, SweepOptions, Swept } from './sweep.ts';
import type { AnswerVerdict } from './verdict.ts';

/**
 * One event without its number and time, which the journal gives it. The engine writes all of
 * them, `run.started` too; the last `run.*` among them is the run's status.
 */
export type EventBody =
  | { readonly type: 'run.started'; readonly run: RunRecord }
  /** The first event of a fork's own. */
  | {
      readonly type: 'run.forked';
      readonly run: RunRecord;
      readonly edit: ForkEdit;
      /** Where it begins to differ; absent for the start. */
      readonly point?: ForkPoint;
      /** Effects of the base without success within which a run has begun to write. */
      readonly acted?: readonly string[];
    }
  | {
      readonly type: 'program.loaded';
      readonly text: string;
      readonly dialect: string;
      readonly hash: string;
      readonly tools: string;
    }
  | {
      readonly type: 'program.replaced';
      readonly text: string;
      readonly dialect: string;
      readonly hash: string;
      readonly tools: string;
      readonly reason: string;
    }
  | {
      readonly type: 'effect.started';
      readonly effect: string;
      readonly attempt: number;
      readonly tool: string;
      readonly step: string;
      /** Of tool name and arguments: SHA-256, with the key of the run where it has one. */
      readonly hash: string;
      /** Canonical tagged JSON; written with the first attempt. */
      readonly request?: string;
      readonly queuedAt: number;
      /** The program goes on with its failure, as with a value. */
      readonly handled?: true;
      /** How the attempt before this one ended, where the same process made it. */
      readonly failed?: FailedAttempt;
      /** With `failed`: when this attempt began, epoch milliseconds. */
      readonly startedAt?: number;
      /** The tool that this attempt is made with, where it is an alternative of `tool`. */
      readonly standIn?: string;
      /** The model that it asks, where that is not the run's own. */
      readonly model?: string;
    }
  /** A part of what a streaming effect gives; `value` is canonical tagged JSON. */
  | {
      readonly type: 'effect.part';
      readonly effect: string;
      readonly tool: string;
      /** From 0, without gaps. */
      readonly index: number;
      readonly value: string;
    }
  | {
      readonly type: 'effect.settled';
      readonly effect: string;
      readonly tool: string;
      readonly hash: string;
      readonly outcome: Outcome;
      /** Its success serves equal requests, too: see `Request.once`. */
      readonly once?: string;
      /** It was not performed: it has taken the outcome of this effect, an equal request. */
      readonly as?: string;
      /** With `as`, which has no start. */
      readonly step?: string;
      readonly request?: string;
      /** Of a question: who answered. */
      readonly by?: string;
      readonly attempts: number;
      readonly startedAt: number;
      readonly usage?: Usage;
      readonly warnings?: readonly string[];
      /** Where what it returned comes from, by what its handler said. */
      readonly sources?: readonly Source[];
      /** The tool that the outcome is of, where it is an alternative of `tool`. */
      readonly standIn?: string;
      /** As in its start, of what has none: it was denied. */
      readonly handled?: true;
    }
  | {
      readonly type: 'effect.unknown';
      readonly effect: string;
      readonly tool: string;
      readonly hash: string;
      readonly attempts: number;
      /** Why nobody knows: crash, timeout, cancel, cut connection. */
      readonly why: string;
    }
  | {
      readonly type: 'effect.cancelled';
      readonly effect: string;
      readonly tool: string;
      readonly attempts: number;
      readonly usage?: Usage;
    }
  /** The tool has asked a person and, without an answer, has ended the attempt. */
  | {
      readonly type: 'effect.asked';
      readonly effect: string;
      readonly tool: string;
      readonly attempts: number;
      /** JSON text: `{ text, choices, schema }`. */
      readonly question: string;
    }
  /** The answer to that, for the next attempt. */
  | {
      readonly type: 'effect.answered';
      readonly effect: string;
      readonly tool: string;
      /** Canonical tagged JSON. */
      readonly value: string;
      readonly by: string;
    }
  /** A fork has taken the outcome that its base has of an equal request. */
  | {
      readonly type: 'effect.reused';
      readonly effect: string;
      readonly tool: string;
      readonly step: string;
      readonly hash: string;
      /** Number of the event in the run's history that has the outcome. */
      readonly from: number;
      /** As with the outcome of a call. */
      readonly once?: string;
    }
  /** The effect does not start before a person has said that it may; its turn may be to come. */
  | {
      readonly type: 'approval.requested';
      readonly effect: string;
      readonly tool: string;
      readonly step: string;
      /** Canonical tagged JSON. */
      readonly request: string;
      readonly why: string;
    }
  | {
      readonly type: 'approval.granted' | 'approval.denied';
      readonly effect: string;
      readonly by: string;
      readonly note?: string;
    }
  /** What was announced will not come to its turn: nobody is asked about it any more. */
  | { readonly type: 'approval.withdrawn'; readonly effect: string }
  /** What somebody thinks of an answer, said once the run is over. */
  | ({ readonly type: 'answer.judged' } & AnswerVerdict)
  | {
      readonly type: 'message.emitted';
      readonly channel: string;
      readonly value: string;
      readonly step: string;
    }
  /**
   * A process has taken the run up again; it is running from here on. `again` names effects that
   * had failed and with them the run: their outcomes no longer count, they are performed anew.
   */
  | { readonly type: 'run.resumed'; readonly again?: readonly string[] }
  | { readonly type: 'limit.reached'; readonly limit: string; readonly value: number }
  | { readonly type: 'limit.raised'; readonly limits: Readonly<Record<string, number>> }
  | {
      readonly type:
        | 'run.finished'
        | 'run.failed'
        | 'run.waiting'
        | 'run.suspended'
        | 'run.cancelled';
      readonly reason?: RunReason;
      /** Result document of the run as JSON text, as `run --json` prints it. */
      readonly result: string;
    };

/** An attempt that was followed by another. */
export interface FailedAttempt {
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly code: string;
  readonly message: string;
}

export type RunEvent = EventBody & {
  /** From 1, per run. */
  readonly seq: number;
  /** Epoch milliseconds. */
  readonly at: number;
};

export type EventOf<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>;

/** A run as `planvm runs` lists it and as resuming needs it. */
export interface RunRecord {
  readonly id: string;
  /** What was asked for: the goal, or the program's file name. */
  readonly title: string;
  readonly dialect: string;
  readonly createdAt: number;
  /** Canonical tagged JSON of the input variables. */
  readonly inputs: string;
  /** Settings that resuming takes over where the caller does not say otherwise (JSON text). */
  readonly settings: string;
  /** What the caller finds it by; a fork has that of its base. */
  readonly metadata?: RunMetadata;
  /** Of a run that was started under an id of the caller's choice: what that id stands for. */
  readonly identity?: RunIdentity;
  /** Of a fork: the history that it shares. */
  readonly base?: Base;
  /** Of a run within an effect (inner-run.ts): the effect whose outcome it makes. */
  readonly parent?: { readonly run: string; readonly effect: string };
}

export interface RunSummary extends RunRecord {
  readonly status: RunStatus;
  readonly reason?: RunReason;
  readonly updatedAt: number;
  /** Number of events in its history, which is the number of the last one. */
  readonly events: number;
  /** Whether a live process holds the lease now. */
  readonly owned: boolean;
}

export interface RemovedRun extends RunSummary {
  /** Epoch milliseconds. */
  readonly removedAt: number;
}

/** A run as another journal had it. */
export interface AdoptedRun {
  readonly record: RunRecord;
  /** All of its history, or only its own where it shares its base's. */
  readonly events: readonly RunEvent[];
  /** Whether it reads its base's history there: in this journal, or among those before it. */
  readonly shares: boolean;
}

/** The right to append to one run. */
export interface Lease {
  readonly run: string;
  /** Grows with each claim; the fence. */
  readonly epoch: number;
}

/** A machine's state as text, and the last event of the history that it has seen. */
export interface KeptSnapshot {
  readonly seq: number;
  readonly text: string;
}

export interface AppendOptions {
  /** Synced to disk when `append` returns. */
  readonly durable?: boolean;
  /** Ids of posts of this run that these events are the answer to: gone in the same transaction. */
  readonly taken?: readonly number[];
}

/** What the journal gives events that are appended together. */
export interface Appended {
  /** The number of the last; the others have those before it. */
  readonly seq: number;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Events as they were written. */
export const asWritten = (bodies: readonly EventBody[], { seq, at }: Appended): RunEvent[] =>
  bodies.map((body, index) => ({ ...body, seq: seq - bodies.length + index + 1, at }));

export interface Journal {
  /**
   * Creates a run with its first events, holding its first lease: there is no run without its
   * program. Throws `JournalError` when the id exists, and for a fork whose base is unknown or has
   * no such event.
   */
  create(run: RunRecord, owner: string, events?: readonly EventBody[]): Lease;
  /**
   * Takes the lease. Throws `RunOwned` while another owner's lease has not expired, unless that
   * owner is a process of this machine that is certainly gone. An owner may claim its own run
   * again, which fences its earlier lease. A `cancel` that was posted before is over with it.
   * Throws `JournalError` for an unknown run.
   */
  claim(run: string, owner: string): Lease;
  /** Extends the lease, an expired one too; throws `LeaseLost` when it has been taken over. */
  renew(lease: Lease): void;
  /** Gives the lease up: it is of no use from here on. No matter when it was lost before. */
  release(lease: Lease): void;
  /**
   * Appends in one transaction and renews the lease; undefined where there was no event. Throws
   * `LeaseLost`, or `JournalError` for an event that is not JSON data; then nothing is written.
   */
  append(lease: Lease, events: readonly EventBody[], options?: AppendOptions): Appended | undefined;
  /**
   * The history behind event `after` (0 for all), up to event `upTo` (absent for all), in order;
   * empty for an unknown run.
   */
  events(run: string, after?: number, upTo?: number): RunEvent[];
  /**
   * Keeps a snapshot, in place of one with the same number. Snapshots are a cache: each may be
   * missing at any time. Throws `LeaseLost`.
   */
  keepSnapshot(lease: Lease, snapshot: KeptSnapshot): void;
  /** The numbers of the snapshots there are, of the shared history too; ascending. */
  snapshots(run: string): readonly number[];
  snapshot(run: string, seq: number): string | undefined;
  /** A run that has no events yet counts as running. */
  find(run: string): RunSummary | undefined;
  /** Newest first; without runs within effects, unless the filter asks for them. */
  list(filter?: RunFilter): RunSummary[];
  /** Its direct forks, oldest first. */
  children(run: string): RunSummary[];
  /**
   * Leaves a message for whoever has the run, from any process, and gives its id, which is larger
   * than those of the messages that are there. Throws for an unknown run.
   */
  post(run: string, post: Post): number;
  /**
   * Takes a message back that nobody has taken, and leaves another in its place where one is given,
   * both or neither; false where it has been taken.
   */
  withdraw(run: string, post: number, instead?: Post): boolean;
  /** What was posted and not taken, oldest first. */
  posts(run: string): readonly KeptPost[];
  /**
   * Takes over runs with their events as they are, all of them or none; nobody has them. Throws
   * `JournalError` as `create` does.
   */
  adopt(runs: readonly AdoptedRun[]): void;
  /**
   * Takes a run away as if it had never been, and the runs within its effects; what its forks read
   * of it stays. Throws `RunOwned` while a process has one of them, `JournalError` for an unknown
   * run.
   */
  remove(run: string): void;
  /**
   * Brings a removed run back, with those within it; throws `JournalError` where there is none, as
   * after a sweep.
   */
  restore(run: string): void;
  /** What can be restored, latest first; those within others come back with them. */
  removed(): RemovedRun[];
  /** Drops for good what was removed and what nothing reaches. Others may go on meanwhile. */
  sweep(options?: SweepOptions): Swept;
  sizes(): Sizes;
  /** May be called again; anything else after it throws `JournalError`. Leases stay as they are. */
  close(): void;
}

/** How long a lease lasts without renewal. */
export const leaseMs = 15_000;

/** The journal refuses or cannot do something; the message says what to do about it. */
export class JournalError extends Error {
  override readonly name: string = 'JournalError';
  readonly code: JournalCode;
  constructor(code: JournalCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

export class RunOwned extends JournalError {
  override readonly name = 'RunOwned';
  constructor(run: string, owner: string) {
    const process = describeOwner(owner);
    super('PV5001', `run ${run} is being run by ${process}; wait for it, or cancel it`);
  }
}

export class LeaseLost extends JournalError {
  override readonly name = 'LeaseLost';
  constructor(run: string) {
    super('PV5002', `run ${run} was taken over by another process; this one has stopped`);
  }
}

/** What every journal says about runs it does not have, or has already. */
export function noSuchRun(run: string): JournalError {
  return new JournalError('PV5003', `the journal has no run ${run}`);
}

export function runExists(run: string): JournalError {
  const message = `the journal already has a run ${run}; resume it, or take another id`;
  return new JournalError('PV5004', message);
}

/** A deleted run has its id until nothing is left of it. */
export function runWasRemoved(run: string): JournalError {
  const until = 'restore it, or sweep the journal, which drops what no fork reads';
  return new JournalError('PV5004', `run ${run} was deleted, and its id is still taken; ${until}`);
}

export function notRemoved(run: string): JournalError {
  const until = 'what was deleted can be restored until the journal is swept';
  return new JournalError('PV5003', `there is no deleted run ${run}; ${until}`);
}

/** Nobody could read such a file whole, nor take it in. */
export function tooLong(run: string, tree: boolean): JournalError {
  const size = `run ${run}${tree ? ' with its forks' : ''} is too long for one file`;
  const hint =
    (tree ? 'export its runs one by one, or ' : '') +
    'copy the file of the journal, which has all runs, while no process has one of them';
  return new JournalError('PV5023', `${size}, which holds 512 MiB of text; ${hint}`);
}

/** Throws unless a history of this many events has the one behind which a fork begins. */
export function requireForkPoint({ run, seq }: Base, events: number): void {
  if (Number.isInteger(seq) && seq >= 0 && seq <= events) return;
  const numbers = `got event ${seq} of run ${run}, want a number from 0 to ${events}`;
  throw new JournalError('PV5006', `a fork cannot begin there: ${numbers}`);
}

export function journalClosed(): JournalError {
  return new JournalError('PV5019', 'the journal is closed; open it again to use it');
}
