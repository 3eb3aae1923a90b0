/**
 * Prompts whose context may be longer than a model can read at once, for `llm_generate` and
 * `llm_condition`. Such a context is digested, as the values of `llm_call` are, and is never cut.
 */
import { type AttemptContext, refusal } from '../../engine/handler.ts';
import { digester, type LongValues } from '../digest/digester.ts';
import type { Message, Model } from './model.ts';
import type { ModelSettings } from './model-settings.ts';
import { type Layout, layOut, textOf } from './prompt.ts';
import { inputTokensMax, tokensIn } from './window.ts';

type Prompt = Omit<Layout, 'system' | 'isReduced'>;
type LaidOut = ReturnType<typeof layOut>;

/** Both throw `EffectFailure`: PV4119, PV4160 of a long prompt, or what a digest throws. */
export interface FittedPrompts {
  /** What is sent: of a context that is too long, what the prompt needs of it. */
  fit(prompt: Prompt, context: AttemptContext): Promise<LaidOut>;
  /** What is sent, or, where the context is too long, the text that the prompt asks for. */
  fitOrDigest(prompt: Prompt, context: AttemptContext): Promise<LaidOut | string>;
}

/** For the marks of a context, and for the words that say it was shortened. */
const markTokens = 100;

export function fittedPrompts(
  model: Model,
  settings: ModelSettings,
  long: LongValues,
): FittedPrompts {
  const { digest, fitted, tagged } = digester(model, settings, long);
  const { system } = settings;
  const layOutFor = (prompt: Prompt, context: AttemptContext): LaidOut => {
    const given = [{ text: textOf(prompt.context), source: '' }];
    const isReduced = tagged(given, context).some((value) => value.isReduced === true);
    return layOut({ ...prompt, system, isReduced });
  };
  /** How many tokens are to be sent; with `room`, for a shorter context, where that is too many. */
  const sizes = (prompt: Prompt): { readonly tokens: number; readonly room?: number } => {
    const most = inputTokensMax(model.name, settings);
    const tokens = tokensIn(layOut({ ...prompt, system }).messages);
    if (tokens <= most) return { tokens };
    const { messages } = layOut({ ...prompt, context: undefined, system });
    refuseLongPrompt(model, messages, most, 'context');
    return { tokens, room: Math.max(1, most - tokensIn(messages) - markTokens) };
  };
  return {
    async fit(prompt, context) {
      const { room } = sizes(prompt);
      if (room === undefined) return layOutFor(prompt, context);
      const purpose = { instruction: layOut(prompt).prompt, source: 'context' };
      const shorter = await fitted(textOf(prompt.context), room, purpose, context);
      return layOutFor({ ...prompt, context: shorter }, context);
    },
    async fitOrDigest(prompt, context) {
      const { tokens, room } = sizes(prompt);
      if (room === undefined) return layOutFor(prompt, context);
      const given = [{ text: textOf(prompt.context), source: 'context' }];
      return await digest({ given, instruction: layOut(prompt).prompt, tokens }, context);
    },
  };
}

/** A prompt or an instruction that does not fit alone is never cut or left out. */
export function refuseLongPrompt(
  model: Model,
  messages: readonly Message[],
  most: number,
  place: 'values' | 'context',
): void {
  const tokens = tokensIn(messages);
  if (tokens <= most) return;
  const what = place === 'values' ? 'instruction' : 'prompt';
  throw refusal(
    'PV4160',
    `the ${what} is about ${tokens} tokens, ${tokens - most} more than the ${most} that may be ` +
      `sent to ${model.name}`,
    { hint: `put the data into ${place} and keep the ${what} short, or set contextWindow` },
  );
}
