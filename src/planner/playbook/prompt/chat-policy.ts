/**
 * Whether a playbook that goes on after another one keeps its conversation or begins a new one. A
 * new conversation is short, but all of it is new to the provider. Of the old one only the new part
 * and whatever the provider has not cached cost their full price. How much that is, the replies of
 * the conversation have shown. They stand in the journal, so that a replay decides the same.
 */
import type { Chat } from '../../../dialects/playbook/manner.ts';
import { keptPriceDefault } from '../../../effects/model/model.ts';
import type { TurnKind } from '../turn-arguments.ts';
import type { Entry, Seen, Used } from './session.ts';

export interface Sizes {
  /** Tokens of the conversation so far, estimated. */
  readonly session: number;
  /** Tokens that a new one would begin with, without the system message, which both have. */
  readonly opening: number;
}

/** What earlier replies have shown. */
export interface Measured extends Seen {
  /** Whether the provider has counted; else it is what most providers do. */
  readonly isCounted: boolean;
}

export interface Choice {
  readonly isNew: boolean;
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
  // Nothing of the first request of a conversation can have been cached: what the conversation
  // before it has shown still holds.
  if (!last?.kept || !before) {
    const seen = session.findLast((entry) => entry.is === 'turn' && entry.seen !== undefined);
    if (seen?.is === 'turn' && seen.seen)
      return { ...seen.seen, ...(last && { scale }), isCounted: true };
    return { scale, share: 1, price: priceIn(last), isCounted: false };
  }
  const share = Math.min(1, last.kept.tokens / Math.max(1, before.input));
  return { scale, share, price: last.kept.price, isCounted: true };
}

/** The same for a conversation that replaces this one. */
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
  if (kind === 'start') return { isNew: true, why: 'it begins' };
  // The results belong to the conversation that made the calls.
  if (kind === 'continue') return { isNew: false, why: 'it goes on after its own calls' };
  if (chat !== 'auto') return { isNew: chat === 'fresh', why: `the setting is ${chat}` };
  const tokens = (estimated: number): string => String(Math.round(estimated * scale));
  const keeping = session * (share * price + (1 - share));
  const how = isCounted ? 'cached' : 'taken as cached';
  const part = `${Math.round(share * 100)} % ${how} at ${price} of their price`;
  const kept = `${tokens(session)} tokens, ${part}, are ${tokens(keeping)}`;
  const isNew = opening < keeping;
  return { isNew, why: `${kept}; a new one ${isNew ? 'only ' : ''}${tokens(opening)}` };
}
