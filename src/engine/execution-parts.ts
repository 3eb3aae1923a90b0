/** What `Execution` is made with, and what it hands on to its dispatch. */
import type { Machine } from '../machine/machine.ts';
import type { Request, ToolSpec } from '../program/effect.ts';
import type { Limits } from '../program/limits.ts';
import type { Program } from '../program/program.ts';
import type { Budget } from './budget.ts';
import type { Clock } from './clock.ts';
import type { EventBody, Journal, Lease } from './journal/journal.ts';
import type { Recorder } from './journal/recorder.ts';
import type { Restored } from './past/checkpoint.ts';
import type { Past } from './past/past.ts';
import type { Assume } from './past/past-effect.ts';
import type { ApprovalRule } from './perform/approval-rule.ts';
import type { Approvals } from './perform/approvals.ts';
import type { Gate } from './perform/gate.ts';
import type { RunTool } from './perform/job.ts';
import type { Person } from './perform/person.ts';
import type { InnerRuns } from './perform/within.ts';
import type { Warning } from './result.ts';

export interface ExecutionParts {
  readonly journal: Journal;
  readonly lease: Lease;
  readonly machine: Machine;
  /** Declarations of the run's tools, as its program was compiled with them. */
  readonly specs: ReadonlyMap<string, ToolSpec>;
  /** A tool of the run; throws `RunError` where it is not configured. */
  readonly tool: (name: string) => RunTool;
  readonly limits: Limits;
  readonly clock: Clock;
  readonly random: () => number;
  readonly past: Past;
  /** Where the machine stands that was restored, and does not begin at the start. */
  readonly restored: Restored | undefined;
  readonly checkpointEvery: number | undefined;
  readonly program: Program;
  /** Whether more text may come for the program, in another execution. */
  readonly grows: boolean;
  /** Whether the program is the very code that the journal was made with. */
  readonly sameProgram: boolean;
  readonly assume: Assume | undefined;
  readonly approvals: Approvals;
  /** Why a person should look at where the arguments of a request come from. */
  readonly concern: (recorder: Recorder) => (request: Request) => string | undefined;
  readonly person: Person | undefined;
  readonly rule: ApprovalRule | undefined;
  readonly gate: Gate | undefined;
  /** Of a run within an effect: the budget of the run around it. */
  readonly within: Budget | undefined;
  readonly inner: InnerRuns;
  /** What reading the program's text had to say. */
  readonly warnings: readonly Warning[];
  /** Journaled first; nothing where creating the run has done that. */
  readonly opening: readonly EventBody[];
}

/** What `Dispatch` is made with. */
export interface DispatchParts
  extends Pick<ExecutionParts, 'lease' | 'clock' | 'random' | 'limits' | 'past' | 'assume'>,
    Pick<ExecutionParts, 'approvals' | 'person' | 'rule' | 'within' | 'inner'> {
  readonly recorder: Recorder;
  /** Why a person should look at where the arguments of a request come from. */
  readonly concern: (request: Request) => string | undefined;
  /** Takes what people have posted by now. */
  look(): void;
  /** Something has arrived, or is in doubt: the execution has to look. */
  wake(): void;
  /** Runs an action; what it throws ends the run. */
  guard(action: () => void): void;
}
