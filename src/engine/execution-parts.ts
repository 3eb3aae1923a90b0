/** What `Execution` is made with, and what it hands on to its dispatch. */
import type { Machine } from '../machine/machine.ts';
import type { Request, ToolSpec } from '../program/effect.ts';
import type { Limits } from '../program/limits.ts';
import type { Program } from '../program/program.ts';
import type { EventBody, Lease } from './journal/journal.ts';
import type { Recorder } from './journal/recorder.ts';
import type { Restored } from './past/checkpoint.ts';
import type { Past } from './past/past.ts';
import type { Approvals } from './perform/approvals.ts';
import type { RunTool } from './perform/job.ts';
import type { InnerRuns } from './perform/within.ts';
import type { Warning } from './result.ts';
import type { EngineOptions, ResumeOptions } from './run-options.ts';

export interface ExecutionParts
  extends Required<Pick<EngineOptions, 'journal' | 'clock' | 'random'>>,
    Pick<EngineOptions, 'checkpointEvery' | 'person' | 'rule' | 'gate' | 'within'>,
    Pick<ResumeOptions, 'assume'> {
  readonly lease: Lease;
  readonly machine: Machine;
  /** Declarations of the run's tools, as its program was compiled with them. */
  readonly specs: ReadonlyMap<string, ToolSpec>;
  /** A tool of the run; throws `RunError` where it is not configured. */
  readonly tool: (name: string) => RunTool;
  readonly limits: Limits;
  readonly past: Past;
  /** Where the machine stands that was restored, and does not begin at the start. */
  readonly restored?: Restored | undefined;
  readonly program: Program;
  /** Whether more text may come for the program, in another execution. */
  readonly grows: boolean;
  /** Whether the program is the very code that the journal was made with. */
  readonly sameProgram: boolean;
  readonly approvals: Approvals;
  /** Why a person should look at where the arguments of a request come from. */
  readonly concern: (recorder: Recorder) => (request: Request) => string | undefined;
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
