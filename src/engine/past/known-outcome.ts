/** What calls have come to that a run makes once; see `Once`, which shares it. */
import type { Outcome } from '../../program/effect.ts';

export interface KnownOutcome {
  /** The effect that was performed. */
  readonly effect: string;
  readonly outcome: Outcome;
}

/** Keeps a success of what is made once; the latest where there are several. */
export function remember(
  known: Map<string, KnownOutcome>,
  effect: string,
  { once, hash, outcome }: OnceOutcome,
): void {
  const key = onceKey(once, hash);
  if (key !== undefined && outcome.ok) known.set(key, { effect, outcome });
}

export interface OnceOutcome {
  readonly once?: string | undefined;
  readonly hash: string;
  readonly outcome: Outcome;
}

/** How the outcome of a request is found again; undefined for what is performed each time. */
export function onceKey(once: string | undefined, hash: string): string | undefined {
  if (once === undefined) return undefined;
  // Nothing was written before most requests: those are known by their hash alone.
  return once === '' ? hash : `${once}\n${hash}`;
}
