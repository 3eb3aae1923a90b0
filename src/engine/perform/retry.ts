/** When a failed attempt is tried again, and what a failure means for an effect. Pure. */
import type { ToolSpec } from '../../program/effect.ts';
import { thrownText } from '../../program/thrown.ts';
import { EffectFailure } from '../handler.ts';

/** First wait; each further one is twice as long. */
const backoffMs = 250;
const backoffMsMax = 30_000;
/** Longest wait that the other side can ask for. */
const retryAfterMsMax = 120_000;

/** Milliseconds before the attempt after number `attempt`: doubled each time, spread by half. */
export function waitMs(attempt: number, failure: EffectFailure, random: () => number): number {
  const full = Math.min(backoffMsMax, backoffMs * 2 ** (attempt - 1));
  const asked = Math.min(failure.retryAfterMs ?? 0, retryAfterMsMax);
  return Math.max(Math.round(full * (0.5 + random() / 2)), asked);
}

/** What is said where the other side has asked for a longer wait than there is; else nothing. */
export function cutShort({ retryAfterMs = 0 }: EffectFailure): string {
  if (retryAfterMs <= retryAfterMsMax) return '';
  const [asked, most] = [retryAfterMs, retryAfterMsMax].map((ms) => Math.round(ms / 1000));
  return `; it asks for a wait of ${asked} s, and none is longer than ${most} s`;
}

/** Any exception as a failure; one that says nothing about itself might be mended by a retry. */
export function asFailure(thrown: unknown, tool: string): EffectFailure {
  if (thrown instanceof EffectFailure) return thrown;
  const message = `${tool} threw ${thrownText(thrown)}`;
  return new EffectFailure('PV4006', message, { retryable: true, cause: thrown });
}

export type Verdict = 'retry' | 'failed' | 'unknown';

/**
 * What a failed attempt comes to. An attempt that may have acted is repeated only where the tool is
 * idempotent; where it is not and gave no answer of its own, nobody knows (design rule 5).
 */
export function judge(
  failure: EffectFailure,
  spec: Pick<ToolSpec, 'idempotent'>,
  attemptsLeft: number,
): Verdict {
  const repeatable = spec.idempotent || !failure.mayHaveActed;
  if (failure.retryable && repeatable && attemptsLeft > 0) return 'retry';
  return repeatable || failure.answered ? 'failed' : 'unknown';
}
