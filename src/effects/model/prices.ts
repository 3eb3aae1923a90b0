/**
 * List prices of well-known models, so that a budget in USD means something. A model that is not
 * listed has an unknown price, which is not the same as no price.
 */
import type { Price, Usage } from '../../engine/handler.ts';

/**
 * Keyed by model reference without a date at its end. Discounts (cached input, batches) are not
 * subtracted.
 */
export type PriceTable = Readonly<Record<string, Price>>;

/**
 * Put together on 2026-11-21 from openai.com/api/pricing, anthropic.com/pricing and
 * ai.google.dev/gemini-api/docs/pricing: providers change their prices there.
 */
export const prices: PriceTable = {
  'openai/gpt-4o': { input: 2.5, output: 10 },
  'openai/gpt-4o-mini': { input: 0.15, output: 0.6 },
  'openai/gpt-4.1': { input: 2, output: 8 },
  'openai/gpt-4.1-mini': { input: 0.4, output: 1.6 },
  'openai/gpt-4.1-nano': { input: 0.1, output: 0.4 },
  'openai/gpt-5': { input: 1.25, output: 10 },
  'openai/gpt-5-mini': { input: 0.25, output: 2 },
  'openai/gpt-5-nano': { input: 0.05, output: 0.4 },
  'openai/gpt-5.4': { input: 2.5, output: 15 },
  'openai/gpt-5.4-mini': { input: 0.75, output: 4.5 },
  'openai/gpt-5.4-nano': { input: 0.2, output: 1.25 },
  'openai/gpt-5.5': { input: 5, output: 30 },
  'anthropic/claude-haiku-4-5': { input: 1, output: 5 },
  'anthropic/claude-sonnet-4-5': { input: 3, output: 15 },
  'anthropic/claude-sonnet-4-6': { input: 3, output: 15 },
  'anthropic/claude-sonnet-5': { input: 2, output: 10 },
  'anthropic/claude-opus-4-5': { input: 5, output: 25 },
  'anthropic/claude-opus-5': { input: 5, output: 25 },
  'google/gemini-2.5-pro': { input: 1.25, output: 10 },
  'google/gemini-2.5-flash': { input: 0.3, output: 2.5 },
  'google/gemini-2.5-flash-lite': { input: 0.1, output: 0.4 },
};

/** What a call cost in USD; undefined where the price is unknown. Local models cost nothing. */
export function costOf(
  model: string,
  usage: Pick<Usage, 'inputTokens' | 'outputTokens'>,
  table: PriceTable = prices,
): number | undefined {
  const price = priceOf(model, table);
  if (price === undefined) return undefined;
  return (usage.inputTokens * price.input + usage.outputTokens * price.output) / 1e6;
}

/** By its reference with or without a date; nothing is paid for local ones. */
export function priceOf(model: string, table: PriceTable = prices): Price | undefined {
  const undated = model.replace(/-(\d{8}|\d{4}-\d{2}-\d{2})$/, '');
  const local = model.startsWith('ollama/') ? { input: 0, output: 0 } : undefined;
  return find(table, model) ?? find(table, undated) ?? local;
}

function find(table: PriceTable, name: string): Price | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
