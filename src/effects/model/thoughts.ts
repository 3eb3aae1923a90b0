/** What some models write into their answer before it: what they say to themselves. */
import { EffectFailure } from '../../engine/handler.ts';
import { answerOf } from '../../text/model-text.ts';
import { thoughtsIn } from '../../text/thoughts.ts';
import type { Model } from './model.ts';

/** Throws `EffectFailure` PV4112 where there is nothing else. */
export function withoutThoughts(text: string, { name }: Model): string {
  if (thoughtsIn(text).length === 0) return text;
  const answer = answerOf(text);
  if (answer !== '') return answer;
  throw new EffectFailure('PV4112', `${name} thought aloud and did not answer`, {
    retryable: true,
    answered: true,
  });
}
