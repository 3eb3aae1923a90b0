/**
 * Whether a playbook that goes on behind another one keeps its conversation or begins a new one. A
 * new one is short, but all of it is new to the provider; of the old one only what is new costs its
 * full price.
 */
const chats = ['auto', 'keep', 'fresh'] as const;

export type Chat = (typeof chats)[number];

export interface Sizes {
  /** Tokens of the conversation so far. */
  readonly session: number;
  /** Tokens that a new one would begin with, beside the system's part, which both have. */
  readonly opening: number;
}

/** What a token costs that a provider has kept, as a part of the price of a new one. */
const keptPrice = 0.1;

export function beginsAnew(
  kind: 'start' | 'resume' | 'continue',
  chat: Chat,
  { session, opening }: Sizes,
): boolean {
  if (kind === 'start') return true;
  // What was called is part of the conversation that has called it.
  if (kind === 'continue' || chat === 'keep') return false;
  return chat === 'fresh' || opening < session * keptPrice;
}
