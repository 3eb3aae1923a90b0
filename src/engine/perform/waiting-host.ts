/** What waiting for people and time needs of the dispatch. */
import type { Outcome, Request } from '../../program/effect.ts';
import type { Limits } from '../../program/limits.ts';
import type { Clock } from '../clock.ts';
import type { EventBody } from '../journal/journal.ts';
import type { GivenAnswer, PastApproval } from '../past/past-effect.ts';
import type { Met } from '../spent.ts';
import type { ApprovalRule } from './approval-rule.ts';
import type { Job } from './job.ts';
import type { Person } from './person.ts';

export interface WaitingHost {
  readonly clock: Clock;
  readonly limits: Limits;
  readonly person: Person | undefined;
  readonly rule: ApprovalRule | undefined;
  /** What people have decided before, by effect. */
  readonly approvals: ReadonlyMap<string, PastApproval>;
  /** Charges a start, or names the budget that forbids it. */
  admit(job: Job): Met | undefined;
  /** The effect has begun to wait. */
  began(job: Job): void;
  record(event: EventBody): void;
  /** What was recorded is in the journal. */
  flush(): void;
  /** It is over, without having been performed; `by` is who answered. */
  settled(job: Job, outcome: Outcome, by?: string): void;
  /** A question of its tool has its answer: it may be performed again. */
  answered(job: Job, answer: GivenAnswer, by: string): void;
  /** It may be performed. */
  approved(job: Job): void;
  taken(post: number): void;
  /** Takes what was posted by now. */
  look(): void;
  warn(job: Job, message: string): void;
  wake(): void;
  guard(action: () => void): void;
}

/** What an approval is about: an effect, of this run or of another one. */
export type ToApprove = Pick<Request, 'id' | 'tool' | 'step' | 'args'>;
