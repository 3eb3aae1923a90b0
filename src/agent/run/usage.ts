/** What runs have used, and the budgets that are left. */
import type { Usage } from '../../engine/handler.ts';
import type { ResultUsage, RunResult } from '../../engine/result.ts';
import type { Limits } from '../../program/limits.ts';
import { count, grouped, price } from '../../text/words.ts';
import type { AgentSettings } from '../port/settings.ts';

/** What a goal is planned in where nobody says. */
export const defaultDialect = 'starlark';

export const nothingUsed: Usage = { modelCalls: 0, inputTokens: 0, outputTokens: 0, cost: 0 };

/** The budgets that are left after others have been paid from them. */
export function remaining<Place extends { readonly settings: AgentSettings }>(
  place: Place,
  { inputTokens, outputTokens, cost = 0 }: Usage,
): Place {
  const { limits } = place.settings;
  const left = (name: 'tokens' | 'cost', used: number): Partial<Limits> => {
    const limit = limits[name];
    return limit === undefined ? {} : { [name]: Math.max(0, limit - used) };
  };
  const paid = { ...left('tokens', inputTokens + outputTokens), ...left('cost', cost) };
  return { ...place, settings: { ...place.settings, limits: { ...limits, ...paid } } };
}

export const usageOf = ({ usage: { cost, ...counts } }: RunResult): Usage =>
  cost === null ? counts : { ...counts, cost };

export function sum(a: Usage, b: Usage): Usage {
  const tokens = {
    modelCalls: a.modelCalls + b.modelCalls,
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
  };
  if (a.cost === undefined || b.cost === undefined) return tokens;
  return { ...tokens, cost: a.cost + b.cost };
}

export function usageText({ modelCalls, inputTokens, outputTokens }: Usage): string {
  return `${count(modelCalls, 'model call')}, ${grouped(inputTokens + outputTokens)} tokens`;
}

/** `3 model calls · 1 200 tokens · $0.01`; about so many where some are estimated. */
export function usageWords(usage: Omit<ResultUsage, 'cost'> & { cost?: number | null }): string {
  const { modelCalls, inputTokens, outputTokens, cost = null, estimated } = usage;
  const about = estimated === undefined ? '' : 'about ';
  const tokens = `${about}${grouped(inputTokens + outputTokens)} tokens`;
  return [
    count(modelCalls, 'model call'),
    tokens,
    cost === null ? 'price unknown' : price(cost),
  ].join(' · ');
}
