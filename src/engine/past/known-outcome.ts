/** What calls have come to that a run makes once; see `Once`, which shares it. */
import type { Outcome } from '../../program/effect.ts';

export interface KnownOutcome {
  /** The effect that was performed. */
  readonly effect: string;
  readonly outcome: Outcome;
}

/** How the outcome of a request is found again; undefined for what is performed each time. */
export const onceKey = (once: string | undefined, hash: string): string | undefined =>
  once === undefined ? undefined : `${once}\n${hash}`;
