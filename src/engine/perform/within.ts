/** What a run within an effect has to do with that effect, and how it says that it cannot go on. */
import type { Budget, Refusal } from '../budget.ts';
import { type AttemptContext, EffectFailure, type InnerRun, type RunAbout } from '../handler.ts';
import type { Met } from '../spent.ts';
import type { Job } from './job.ts';

export interface Within {
  readonly job: Job;
  readonly context: AttemptContext;
  /** That of the run which has the effect. */
  readonly budget: Budget;
}

/**
 * The budget that a run within it has found used up: once others have ended, less may be set aside
 * for them, so that it goes on; alone it has to stop.
 */
export const stillMet = ({ met }: Job, running: number): Met | undefined =>
  met && (met.alone || running > 0) ? met.what : undefined;

/** See `inner-run.ts`. */
export interface InnerRuns {
  run(within: Within, run: InnerRun): Promise<unknown>;
  /** What the journal has of the run around them, for one of its effects. */
  about(run: string, effect: string): RunAbout;
}

/** A run within an effect has met a budget of a run around it: that one has to stop, or to wait. */
export class LimitMet extends EffectFailure {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    const { limit } = refusal.met;
    super('PV5101', `the run has used up a budget (${limit})`, { answered: true });
    this.refusal = refusal;
  }
}
