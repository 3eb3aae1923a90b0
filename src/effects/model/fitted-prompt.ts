/**
 * Prompts whose context may be longer than a model can read at once, for `llm_generate` and
 * `llm_condition`. Such a context is digested, as the values of `llm_call` are, and is never cut.
 */
import { type AttemptContext, EffectFailure } from '../../engine/handler.ts';
import { digester, type LongValues } from '../digest/digester.ts';
import type { Message, Model } from './model.ts';
import type { ModelSettings } from './model-settings.ts';
import { type Layout, layOut, textOf } from './prompt.ts';
import { inputTokensMax, tokensIn } from './window.ts';

type Prompt = Omit<Layout, 'system' | 'isReduced'>;

/** Both throw `EffectFailure`: PV4119, PV4160 of a long prompt, or what a digest throws. */
export interface FittedPrompts {
  /** The text that a prompt asks for, where its context is too long; else nothing. */
  digest(prompt: Prompt, context: AttemptContext): Promise<string | undefined>;
  /** What is sent: of a context that is too long, what the prompt needs of it. */
  fit(prompt: Prompt, context: AttemptContext): Promise<ReturnType<typeof layOut>>;
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
  /** Tokens that may be sent, and are. */
  const sizes = (prompt: Prompt): { readonly most: number; readonly tokens: number } => {
    const most = inputTokensMax(model.name, settings);
    const { messages } = layOut({ ...prompt, system });
    return { most, tokens: tokensIn(messages) };
  };
  /** Tokens that are left for a context beside the prompt. */
  const roomIn = (prompt: Prompt, most: number): number => {
    const { messages } = layOut({ ...prompt, context: undefined, system });
    refuseLongPrompt(model, messages, most, 'context');
    return Math.max(1, most - tokensIn(messages) - markTokens);
  };
  return {
    async digest(prompt, context) {
      const { most, tokens } = sizes(prompt);
      if (tokens <= most) return undefined;
      roomIn(prompt, most);
      const given = [{ text: textOf(prompt.context), source: 'context' }];
      return await digest({ given, instruction: layOut(prompt).prompt, tokens }, context);
    },
    async fit(prompt, context) {
      const { most, tokens } = sizes(prompt);
      const text = textOf(prompt.context);
      if (tokens <= most) return layOut({ ...prompt, system, isReduced: isTagged(text, context) });
      const purpose = { instruction: layOut(prompt).prompt, source: 'context' };
      const shorter = await fitted(text, roomIn(prompt, most), purpose, context);
      const isReduced = isTagged(shorter, context);
      return layOut({ ...prompt, context: shorter, system, isReduced });
    },
  };

  function isTagged(text: string, context: AttemptContext): boolean {
    return tagged([{ text, source: '' }], context).some((value) => value.isReduced === true);
  }
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
  throw new EffectFailure(
    'PV4160',
    `the ${what} is about ${tokens} tokens, ${tokens - most} more than the ${most} that may be ` +
      `sent to ${model.name}`,
    {
      hint: `put the data into ${place} and keep the ${what} short, or set contextWindow`,
      mayHaveActed: false,
    },
  );
}
