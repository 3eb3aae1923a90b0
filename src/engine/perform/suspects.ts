/**
 * Effects of the journal without an outcome that must not happen twice, and that an earlier process
 * may have performed. What was assumed of them beforehand decides; the others are doubts, which end
 * the run with a question.
 */
import type { Outcome } from '../../program/effect.ts';
import { type Assume, assumedOutcome, assumptionFor } from '../past/assume.ts';
import type { PastEffect } from '../past/past.ts';
import type { Job } from './job.ts';

export interface SuspectsHost {
  readonly assume: Assume | undefined;
  /** The journal does not say yet that nobody knows. */
  unknown(job: Job, why: string): void;
  /** Nobody has decided. */
  doubt(job: Job, why: string): void;
  /** It is performed once more, since it has not happened. */
  again(job: Job): void;
  settled(job: Job, outcome: Outcome): void;
}

interface Suspect {
  readonly job: Job;
  readonly past: PastEffect;
}

export class Suspects {
  readonly #host: SuspectsHost;
  readonly #open = new Map<string, Suspect>();

  constructor(host: SuspectsHost) {
    this.#host = host;
  }

  accept(job: Job, past: PastEffect): void {
    this.#open.set(job.request.id, { job, past });
  }

  /** The program no longer needs an effect. */
  drop(effect: string): void {
    this.#open.delete(effect);
  }

  /** Decides about all that have come. */
  launch(): void {
    for (const suspect of this.#open.values()) this.#decide(suspect);
    this.#open.clear();
  }

  #decide({ job, past }: Suspect): void {
    const why = past.why ?? 'the process that performed it ended before it answered';
    if (past.state !== 'unknown') this.#host.unknown(job, why);
    const decision = assumptionFor(this.#host.assume, job.request.id);
    if (decision === undefined) this.#host.doubt(job, why);
    else if (decision.as === 'retry') this.#host.again(job);
    else this.#host.settled(job, assumedOutcome(decision));
  }
}
