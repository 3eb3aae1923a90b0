/** What `Dispatch` is made with. */
import type { Request } from '../../program/effect.ts';
import type { Limits } from '../../program/limits.ts';
import type { Budget } from '../budget.ts';
import type { Clock } from '../clock.ts';
import type { Recorder } from '../journal/recorder.ts';
import type { Assume, KnownOutcome, PastApproval } from '../past/past-effect.ts';
import type { Spent } from '../spent.ts';
import type { ApprovalRule } from './approval-rule.ts';
import type { Approvals } from './approvals.ts';
import type { Person } from './person.ts';
import type { InnerRuns } from './within.ts';

export interface DispatchParts {
  readonly run: string;
  readonly clock: Clock;
  readonly random: () => number;
  readonly limits: Limits;
  readonly recorder: Recorder;
  readonly spent: Spent;
  readonly once: ReadonlyMap<string, KnownOutcome>;
  /** What requests are hashed with. */
  readonly requestKey: string;
  readonly assume: Assume | undefined;
  readonly approvals: Approvals;
  /** Why a person should look at where the arguments of a request come from. */
  readonly concern: (request: Request) => string | undefined;
  /** Of a fork that a model has written: whether a request, by its hash, has failed in its base. */
  readonly hasFailed: ((hash: string) => boolean) | undefined;
  /** What people have decided in earlier processes, by effect. */
  readonly decided: ReadonlyMap<string, PastApproval>;
  /** Who is asked in place. */
  readonly person: Person | undefined;
  readonly rule: ApprovalRule | undefined;
  /** Of a run within another: the other's. */
  readonly within: Budget | undefined;
  /** Makes outcomes by runs of their own. */
  readonly inner: InnerRuns;
  /** Takes what people have posted by now. */
  look(): void;
  /** Something has arrived, or is in doubt: the execution has to look. */
  wake(): void;
  /** Runs an action; what it throws ends the run. */
  guard(action: () => void): void;
}
