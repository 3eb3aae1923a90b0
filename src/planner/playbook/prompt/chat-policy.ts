/**
 * Whether a playbook that goes on behind another one keeps its conversation or begins a new one. A
 * new one is short, but all of it is new to the provider; of the old one only what is new, or what
 * the provider has not kept, costs its full price. How much that is, the replies of the
 * conversation say: they stand in the journal, so that a replay decides the same.
 */
import type { Chat } from '../../../dialects/playbook/source/manner.ts';
import { keptPriceDefault } from '../../../effects/model/model.ts';
import type { Entry, Seen, Used } from './session.ts';

export type TurnKind = 'start' | 'resume' | 'continue';

export interface Sizes {
  /** Tokens of the conversation so far, estimated. */
  readonly session: number;
  /** Tokens that a new one would begin with, beside the system's part, which both have. */
  readonly opening: number;
}

/** What earlier replies have shown. */
export interface Measured extends Seen {
  /** Whether that was counted; else it is what most providers do. */
  readonly isCounted: boolean;
}

export interface Choice {
  readonly isAnew: boolean;
  /** In words, with numbers. */
  readonly why: string;
}

export function measuredIn(session: readonly Entry[]): Measured {
  const replies = session.flatMap((entry) =>
    entry.is === 'reply' && entry.used ? [entry.used] : [],
  );
  const last = replies.at(-1);
  const before = replies.at(-2);
  const scale = last && last.estimated > 0 ? last.input / last.estimated : 1;
  // Of the first request of a conversation nothing can have been kept: what the one before it has
  // shown is still so.
  if (!last?.kept || !before) {
    const seen = session.findLast((entry) => entry.is === 'turn' && entry.seen !== undefined);
    if (seen?.is === 'turn' && seen.seen)
      return { ...seen.seen, ...(last && { scale }), isCounted: true };
    return { scale, share: 1, price: priceIn(last), isCounted: false };
  }
  const share = Math.min(1, last.kept.tokens / Math.max(1, before.input));
  return { scale, share, price: last.kept.price, isCounted: true };
}

/** The same for a conversation that is to stand for this one. */
export function seenIn(session: readonly Entry[]): { readonly seen?: Seen } {
  const { scale, share, price, isCounted } = measuredIn(session);
  return isCounted ? { seen: { scale, share, price } } : {};
}

const priceIn = (used: Used | undefined): number => used?.kept?.price ?? keptPriceDefault;

export function chooseChat(
  kind: TurnKind,
  chat: Chat,
  { session, opening }: Sizes,
  { scale, share, price, isCounted }: Measured,
): Choice {
  if (kind === 'start') return { isAnew: true, why: 'it begins' };
  // What was called is part of the conversation that has called it.
  if (kind === 'continue') return { isAnew: false, why: 'it goes on behind its own calls' };
  if (chat !== 'auto') return { isAnew: chat === 'fresh', why: `so it is set: ${chat}` };
  const tokens = (estimated: number): string => String(Math.round(estimated * scale));
  const keeping = session * (share * price + (1 - share));
  const how = isCounted ? 'kept' : 'taken for kept';
  const part = `${Math.round(share * 100)} % ${how} at ${price} of their price`;
  const kept = `${tokens(session)} tokens, ${part}, are ${tokens(keeping)}`;
  const isAnew = opening < keeping;
  return { isAnew, why: `${kept}; anew ${isAnew ? 'only ' : ''}${tokens(opening)}` };
}
