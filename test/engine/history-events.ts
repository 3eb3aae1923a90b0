/** Events of one effect, for histories made by hand. */
import type { EventBody } from '../../src/engine/journal/journal.ts';

type Of<Type extends EventBody['type']> = Extract<EventBody, { readonly type: Type }>;

export const started = (effect: string, attempt = 1): Of<'effect.started'> => ({
  ...{ type: 'effect.started', effect, attempt, tool: 'read', step: '1@1', hash: 'ab' },
  queuedAt: 0,
});

export const ended = (effect: string): Of<'effect.settled'> => ({
  ...{ type: 'effect.settled', effect, tool: 'read', hash: 'ab', attempts: 1, startedAt: 0 },
  outcome: { ok: true, value: '1' },
});
