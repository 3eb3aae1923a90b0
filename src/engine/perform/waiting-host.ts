/** What waiting for people and time needs of the dispatch. */
import type { Outcome, Request } from '../../program/effect.ts';
import type { DispatchParts } from '../execution-parts.ts';
import type { GivenAnswer } from '../past/past-effect.ts';
import type { Met } from '../spent.ts';
import type { Job } from './job.ts';

export interface WaitingHost {
  readonly parts: DispatchParts;
  /** Charges a start, or names the budget that forbids it. */
  admit(job: Job): Met | undefined;
  /** The effect has begun to wait. */
  began(job: Job): void;
  /** It is over, without having been performed; `by` is who answered. */
  settled(job: Job, outcome: Outcome, by?: string): void;
  /** A question of its tool has its answer: it may be performed again. */
  answered(job: Job, answer: GivenAnswer, by: string): void;
  /** It may be performed. */
  approved(job: Job): void;
  warn(job: Job, message: string): void;
}

/** What an approval is about: an effect, of this run or of another one. */
export type ToApprove = Pick<Request, 'id' | 'tool' | 'step' | 'args'>;
