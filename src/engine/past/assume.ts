/** What a person has decided about effects of which nobody knows whether they happened. */
import type { Outcome } from '../../program/effect.ts';
import { encode, fromJson } from '../../program/json.ts';

export type Assumption =
  /** It took effect; `value` is its result (JSON-like data), null where none is given. */
  | { readonly as: 'done'; readonly value?: unknown }
  /** It did not, and the program is told so. */
  | { readonly as: 'failed'; readonly message?: string }
  /** It did not, and is performed again. */
  | { readonly as: 'retry' };

/** One decision for all effects in doubt, or one per effect id. */
export type Assume = Assumption | ReadonlyMap<string, Assumption>;

export function assumptionFor(assume: Assume | undefined, effect: string): Assumption | undefined {
  if (assume === undefined || 'as' in assume) return assume;
  return assume.get(effect);
}

/** The outcome that a decision stands for. */
export function assumedOutcome(decision: Assumption & { as: 'done' | 'failed' }): Outcome {
  if (decision.as === 'done') return { ok: true, value: encode(fromJson(decision.value ?? null)) };
  const message = decision.message ?? 'it was in doubt, and decided to have failed';
  return { ok: false, error: { code: 'PV4007', message } };
}
