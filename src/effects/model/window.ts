/**
 * How much a model can be sent at once. Owns the windows of well-known models, how tokens are
 * estimated before a call, and what of a window is kept free for the reply.
 *
 * An estimate takes a token for each three bytes of UTF-8. English has four and more, other
 * European languages about three and a half; of digits and of Chinese a token is three bytes. So
 * it is seldom too small, and what is sent seldom too long for the provider.
 */
import { utf8Bytes } from '../../program/size.ts';
import type { Message } from './model.ts';
import { pictureTokens } from './pictures.ts';

/** Tokens of a window, for every model or by its reference. */
export type ContextWindow = number | Readonly<Record<string, number>>;

/** What a model takes that is not known here: few take less. */
const windowTokensDefault = 32_768;

/** What a local server takes where nobody has told it more; it drops the rest without a word. */
const localWindowTokens = 4096;

/** Tokens by the beginning of a model's reference; the longest that fits counts. */
export const windows: Readonly<Record<string, number>> = {
  'openai/gpt-4o': 128_000,
  'openai/gpt-4.1': 1_047_576,
  'openai/gpt-5': 400_000,
  'openai/gpt-5.4': 1_050_000,
  'openai/gpt-5.4-mini': 400_000,
  'openai/gpt-5.4-nano': 400_000,
  'openai/gpt-5.5': 1_050_000,
  'openai/o3': 200_000,
  'openai/o4-mini': 200_000,
  'anthropic/claude': 200_000,
  'google/gemini-2.5': 1_048_576,
  'google/gemini-3': 1_048_576,
  'ollama/': localWindowTokens,
};

/** Tokens of the window of a model. What is given for it, or for all, comes first. */
export function windowOf(model: string, given?: ContextWindow): number {
  if (typeof given === 'number') return given;
  if (given && Object.hasOwn(given, model)) return given[model] ?? windowTokensDefault;
  const known = Object.keys(windows).filter((start) => model.startsWith(start));
  const [longest] = known.sort((a, b) => b.length - a.length);
  return (longest === undefined ? undefined : windows[longest]) ?? windowTokensDefault;
}

export const bytesPerToken = 3;

/** For the marks of a message, and its role. */
const tokensPerMessage = 8;

export const tokensOf = (text: string): number => Math.ceil(utf8Bytes(text) / bytesPerToken);

export const tokensIn = (messages: readonly Pick<Message, 'content' | 'pictures'>[]): number =>
  messages.reduce(
    (sum, { content, pictures = [] }) =>
      sum + tokensOf(content) + tokensPerMessage + pictures.length * pictureTokens,
    0,
  );

/** What a reply may take where no setting says it: a quarter of the window, and never more. */
const replyTokensMax = 4096;

export interface WindowSettings {
  readonly contextWindow?: ContextWindow;
  readonly maxOutputTokens?: number;
}

/** Tokens that may be sent to a model: its window without what the reply needs. At least 1. */
export function inputTokensMax(
  model: string,
  { contextWindow, maxOutputTokens }: WindowSettings,
): number {
  const window = windowOf(model, contextWindow);
  const reply = maxOutputTokens ?? Math.min(replyTokensMax, Math.floor(window / 4));
  return Math.max(1, window - reply);
}
