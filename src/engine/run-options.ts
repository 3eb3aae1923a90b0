/** What a run is started and resumed with, and what whoever does so has of it. */
import type { Limits } from '../program/limits.ts';
import type { Program } from '../program/program.ts';
import type { Value } from '../program/value.ts';
import type { Budget } from './budget.ts';
import type { Clock } from './clock.ts';
import type { Listener } from './events.ts';
import type { Handler } from './handler.ts';
import type { Journal, RunRecord } from './journal/journal.ts';
import type { RunMetadata, RunRequest } from './journal/run-identity.ts';
import type { Load } from './load.ts';
import type { Assume } from './past/past-effect.ts';
import type { ApprovalRule } from './perform/approval-rule.ts';
import type { Approvals } from './perform/approvals.ts';
import type { Gate } from './perform/gate.ts';
import type { Person } from './perform/person.ts';
import type { RunResult, Warning } from './result.ts';

/** A run that this process has. */
export interface RunHandle {
  readonly id: string;
  /**
   * Settles when the run no longer goes on here; answers name their sources. Rejects only where
   * the engine itself cannot go on: `LeaseLost`, `JournalError`, `RunError`; the run can then be
   * resumed.
   */
  readonly result: Promise<RunResult>;
  /** Gives up what is running and ends; `interrupted` suspends, `cancelled` is the run's status. */
  cancel(reason?: 'cancelled' | 'interrupted'): void;
  /**
   * Ends the run from within a call (its effect id) that lets nothing else happen, after which the
   * process has to end; undefined where that could not be recorded.
   */
  breakOff(effect: string): RunResult | undefined;
  /** Gives the function that ends it. Events begin with the next turn of the event loop. */
  subscribe(listener: Listener): () => void;
}

export interface EngineOptions {
  readonly journal: Journal;
  /** The run's tools by name: nothing else can be called. */
  readonly handlers: ReadonlyMap<string, Handler>;
  /** Those that differ from the defaults; on resuming, from what the run had. */
  readonly limits?: Partial<Limits> | undefined;
  /**
   * Which effects are asked about before they are performed; where absent, what cannot be undone,
   * or what the run was started with. On resuming, names in `yes` come to those it had.
   */
  readonly approvals?: Partial<Approvals> | undefined;
  readonly rule?: ApprovalRule | undefined;
  /** Who is there to answer and to approve; without one, the run ends as waiting. */
  readonly person?: Person | undefined;
  /** What holds effects back, for who goes through the run while it happens. */
  readonly gate?: Gate | undefined;
  /** Who holds the lease; this process where it is absent. */
  readonly owner?: string;
  readonly clock?: Clock;
  /** From 0 up to 1; spreads retries and names runs. */
  readonly random?: () => number;
  /** Outcomes after which the state is kept, however large it is; see checkpoint.ts. */
  readonly checkpointEvery?: number | undefined;
  /** Of a run within an effect: the budget of the run that has the effect. */
  readonly within?: Budget | undefined;
}

export interface StartOptions extends EngineOptions {
  readonly program: Program;
  /** What the program was read from; resuming reads it again. */
  readonly text: string;
  readonly dialect: string;
  /** The goal, or the name of the program's file. */
  readonly title?: string | undefined;
  readonly inputs?: ReadonlyMap<string, Value>;
  /** What else resuming needs: model, tools' path, …; JSON data, kept with the run. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** One effect at a time. */
  readonly sequential?: boolean;
  /** What reading the text had to say; shown with the result. */
  readonly warnings?: readonly Warning[];
  /**
   * Names the run: letters, digits, `-`, `_` and `.`, at most 128 of them. The same id stands for
   * the same request, also after the end of the run: it is started once.
   */
  readonly id?: string | undefined;
  /** What the id stands for, where that is not this program with these inputs: a goal. */
  readonly request?: Partial<RunRequest> | undefined;
  /** What the run is found by again; at most 16 KiB of JSON. */
  readonly metadata?: RunMetadata | undefined;
  /** Of a run within an effect. */
  readonly parent?: RunRecord['parent'];
}

export interface ResumeOptions extends EngineOptions {
  readonly run: string;
  readonly load: Load;
  readonly assume?: Assume | undefined;
}
