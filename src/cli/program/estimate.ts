/** What a program will cost, as far as that is known before it runs, in words. */

import { estimateCost } from '../../agent/program/cost.ts';
import type { CallEstimate, Range } from '../../analysis/estimate.ts';
import { type CostEstimate, priceFor } from '../../effects/model/estimate.ts';
import { callSpec } from '../../effects/model/specs.ts';
import { columns, count, grouped, price as usdText } from '../../text/words.ts';

/** A table of the calls, and what they come to. */
export function estimateLines(cost: CostEstimate): string[] {
  const { calls, total, model, price } = cost;
  if (calls.length === 0) {
    return ['it calls no model, and no tool that has a price: that costs nothing'];
  }
  const head = ['step', 'call', 'visits', 'input tokens', 'output tokens', 'USD a visit'];
  const rows = calls.map((call) => [
    call.step === '' ? `in ${call.within}` : call.step,
    call.tool,
    visitsText(call),
    inputText(call),
    rangeText(call.outputTokens, grouped),
    call.usd ? rangeText(call.usd, usdText) : 'unknown',
  ]);
  const sums = [
    callsText(total.calls),
    `${rangeText(total.inputTokens, grouped)} tokens in`,
    `${rangeText(total.outputTokens, grouped)} out`,
    total.usd ? rangeText(total.usd, usdText) : 'USD unknown',
  ];
  const from =
    price && model
      ? `${model}: $${price.input} in and $${price.output} out per million tokens`
      : priceMissing(model);
  const asked = calls.some(({ isModel }) => isModel);
  const table = [...columns([head, ...rows]), `in all: ${sums.join(', ')}`];
  return [...table, ...(asked ? [from] : []), ...notes(cost)];
}

const priceMissing = (model: string | null): string =>
  model === null
    ? 'no model is configured: --model names one'
    : `the price of ${model} is not known: the setting prices says it`;

function notes({ calls, total, windowTokens }: CostEstimate): string[] {
  const said: string[] = [];
  const isLong = ({ tool, inputTokens: { min, max } }: CallEstimate): boolean =>
    tool === callSpec.name && (max === null || Math.max(min, max) > (windowTokens ?? 0));
  if (calls.some(isLong))
    said.push(
      'values that do not fit the window of the model take further calls, not counted here',
    );
  if (calls.some(({ outputTokens }) => outputTokens.max === null))
    said.push('replies have no bound: the setting maxOutputTokens gives them one');
  if (calls.some(({ visits }) => visits.max === null))
    said.push('how often a loop or a function comes there is known only when it runs');
  if (total.usd?.max === null) said.push('the limit cost bounds what a run may spend');
  return said;
}

/** One line before a run begins; undefined where there is nothing to say. */
export function estimateLine(...of: Parameters<typeof estimateCost>): string | undefined {
  const { model, prices: own } = of[3].settings;
  const price = model && priceFor(model, own);
  const isFree = !price || price.input + price.output === 0;
  const isPaid = [...of[1].values()].some((spec) => (spec.price?.perCall ?? 0) > 0);
  if (isFree && !isPaid) return undefined;
  const { calls, total } = estimateCost(...of);
  if (calls.length === 0 || !total.usd || total.usd.max === 0) return undefined;
  return `expected: ${callsText(total.calls)}, ${rangeText(total.usd, usdText)}`;
}

function callsText({ min, max }: Range): string {
  if (max === 0) return 'calls of tools that have a price';
  const text = count(max ?? min, 'model call');
  if (max === null) return `${text} or more`;
  return min === max ? text : `${grouped(min)} to ${text}`;
}

function visitsText({ visits, within }: CallEstimate): string {
  if (visits.max === 1) return visits.min === 1 ? '1' : '0 or 1';
  if (within !== '') return 'unknown';
  return visits.min === 1 ? '1 or more' : '0 or more';
}

function inputText({ inputTokens }: CallEstimate): string {
  const { unknown } = inputTokens;
  const known = rangeText(inputTokens, grouped);
  return unknown.length === 0 ? known : `${known} (with ${unknown.join(', ')})`;
}

/** `12`, `at least 12`, `12 to 40`. */
function rangeText({ min, max }: Range, text: (n: number) => string): string {
  if (max === null) return min === 0 ? 'unknown' : `at least ${text(min)}`;
  if (max === min) return text(min);
  return min === 0 ? `at most ${text(max)}` : `${text(min)} to ${text(max)}`;
}
