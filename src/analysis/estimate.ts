/**
 * What a program is going to use before it runs, at its call sites: calls of models, tokens and
 * money, a least and a most where there is one. Tokens are counted as budgets count them, four
 * characters each; an attempt that fails and is made again is not foreseen.
 */
import type { ToolSpec } from '../program/effect.ts';
import type { Program } from '../program/program.ts';
import type { Value } from '../program/value.ts';
import { type CallSite, callSites } from './call-sites.ts';
import { atMost, type Expected } from './expected.ts';

/** `max` is null where nobody can know it. */
export interface Range {
  readonly min: number;
  readonly max: number | null;
}

export interface CallEstimate {
  /** Label of the step; empty in a function, whose name `within` has. */
  readonly step: string;
  readonly within: string;
  readonly tool: string;
  /** Whether it calls a model; else it is a tool that has a price. */
  readonly isModel: boolean;
  readonly visits: Range;
  /** Of one visit. `unknown` names the values whose length is not known yet. */
  readonly inputTokens: Range & { readonly unknown: readonly string[] };
  readonly outputTokens: Range;
  /** USD; null where the price is not known. */
  readonly usd: Range | null;
}

export interface Estimate {
  readonly calls: readonly CallEstimate[];
  readonly total: {
    /** Of models. */
    readonly calls: Range;
    readonly inputTokens: Range;
    readonly outputTokens: Range;
    readonly usd: Range | null;
  };
}

/** USD per million tokens. */
export interface TokenPrice {
  readonly input: number;
  readonly output: number;
}

export interface EstimateOptions {
  readonly tools: ReadonlyMap<string, ToolSpec>;
  readonly inputs: ReadonlyMap<string, Value>;
  readonly price: TokenPrice | undefined;
  /** The longest reply of a model; null where it has no bound. */
  readonly replyTokensMax: number | null;
  /** Whether the result of a tool is the reply of its model as it is. */
  readonly isReply: (tool: string) => boolean;
  /** All that a call of a model sends, in characters. */
  readonly inputOf: (site: CallSite, spec: ToolSpec | undefined) => Expected;
}

const charactersPerToken = 4;

export function estimate(program: Program, options: EstimateOptions): Estimate {
  const { tools, inputs, price, replyTokensMax, isReply, inputOf } = options;
  const isModel = (name: string): boolean => tools.get(name)?.kind === 'model';
  const reply = (tool: string): Expected | undefined =>
    isReply(tool) && replyTokensMax !== null
      ? atMost(replyTokensMax * charactersPerToken, tool)
      : undefined;
  const isWanted = (name: string): boolean => isModel(name) || priceOf(tools, name) > 0;
  const sites = callSites(program, { isWanted, inputs, resultOf: reply });
  const calls = sites.map((site): CallEstimate => {
    const { step, within, tool, visits } = site;
    if (!isModel(tool)) return paidCall(site, priceOf(tools, tool));
    const input = inputOf(site, tools.get(tool));
    const inputTokens = { min: tokens(input.min), max: finite(tokens(input.max)) };
    const outputTokens = { min: 0, max: replyTokensMax };
    return {
      ...{ step, within, tool, isModel: true, outputTokens },
      visits: { min: visits.min, max: visits.max ?? null },
      inputTokens: { ...inputTokens, unknown: input.of },
      usd: price ? usdOf(inputTokens, outputTokens, price) : null,
    };
  });
  const total = (of: (call: CallEstimate) => Range): Range =>
    calls.map((call) => times(of(call), call.visits)).reduce(plus, { min: 0, max: 0 });
  const one = { min: 1, max: 1 };
  const isPriced = calls.every(({ usd }) => usd !== null);
  return {
    calls,
    total: {
      calls: total((call) => (call.isModel ? one : nothing)),
      inputTokens: total(({ inputTokens }) => inputTokens),
      outputTokens: total(({ outputTokens }) => outputTokens),
      usd: isPriced ? total(({ usd }) => usd ?? { min: 0, max: null }) : null,
    },
  };
}

const nothing: Range = { min: 0, max: 0 };

/** USD for each call. */
const priceOf = (tools: EstimateOptions['tools'], name: string): number =>
  tools.get(name)?.price?.perCall ?? 0;

const paidCall = ({ step, within, tool, visits }: CallSite, perCall: number): CallEstimate => ({
  ...{ step, within, tool, isModel: false },
  visits: { min: visits.min, max: visits.max ?? null },
  inputTokens: { ...nothing, unknown: [] },
  outputTokens: nothing,
  usd: { min: perCall, max: perCall },
});

const tokens = (characters: number): number => Math.ceil(characters / charactersPerToken);

const finite = (value: number): number | null => (value === Infinity ? null : value);

function usdOf(input: Range, output: Range, price: TokenPrice): Range {
  const isOpen =
    (input.max === null && price.input > 0) || (output.max === null && price.output > 0);
  const cost = (inputs: number, outputs: number): number =>
    (inputs * price.input + outputs * price.output) / 1e6;
  return {
    min: cost(input.min, output.min),
    max: isOpen ? null : cost(input.max ?? 0, output.max ?? 0),
  };
}

function times(of: Range, visits: Range): Range {
  const isNothing = of.max === 0 || visits.max === 0;
  const max = isNothing ? 0 : of.max === null || visits.max === null ? null : of.max * visits.max;
  return { min: of.min * visits.min, max };
}

const plus = (one: Range, other: Range): Range => ({
  min: one.min + other.min,
  max: one.max === null || other.max === null ? null : one.max + other.max,
});
