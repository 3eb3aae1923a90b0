/**
 * Whether a playbook that goes on after another one keeps its conversation or begins a new one. A
 * new conversation is short, but all of it is new to the provider. Of the old one the provider has
 * cached most, which costs a part of the full price.
 */
import type { Chat } from '../../../dialects/playbook/manner.ts';
import type { TurnKind } from '../turn-arguments.ts';

/** What a cached token costs, as a part of the price of a new one, by most providers. */
const cachedPrice = 0.1;

export interface Sizes {
  /** Tokens of the conversation so far, estimated. */
  readonly session: number;
  /** Tokens that a new one would begin with, without the system message, which both have. */
  readonly opening: number;
}

export interface Choice {
  readonly isNew: boolean;
  /** In words, with numbers. */
  readonly why: string;
}

export function chooseChat(kind: TurnKind, chat: Chat, { session, opening }: Sizes): Choice {
  if (kind === 'start') return { isNew: true, why: 'it begins' };
  // The results belong to the conversation that made the calls.
  if (kind === 'continue') return { isNew: false, why: 'it goes on after its own calls' };
  if (chat !== 'auto') return { isNew: chat === 'fresh', why: `the setting is ${chat}` };
  const keeping = Math.round(session * cachedPrice);
  const kept = `${session} tokens, cached at ${cachedPrice} of their price, are ${keeping}`;
  const isNew = opening < keeping;
  return { isNew, why: `${kept}; a new one ${isNew ? 'only ' : ''}${opening}` };
}
