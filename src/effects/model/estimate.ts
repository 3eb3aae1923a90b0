/**
 * What the calls of models, and of tools that have a price, are going to use in a program, before
 * it runs: a least, and a most where there is one. Tokens are counted as budgets count them, four
 * characters each; an attempt that fails and is made again is not foreseen.
 */

import { type CallSite, callSites } from '../../analysis/call-sites.ts';
import { atMost, type Expected, joined, unknown } from '../../analysis/expected.ts';
import type { Price } from '../../engine/handler.ts';
import type { ToolSpec } from '../../program/effect.ts';
import { toJson } from '../../program/json.ts';
import type { Program } from '../../program/program.ts';
import type { Value } from '../../program/value.ts';
import { instruction as conditionInstruction } from './condition.ts';
import type { ModelSettings } from './generate.ts';
import { layOut } from './prompt.ts';
import { wantedFormat } from './response-format.ts';
import { conditionSpec, generateSpec } from './specs.ts';

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

export interface EstimateOptions {
  readonly tools: ReadonlyMap<string, ToolSpec>;
  readonly inputs: ReadonlyMap<string, Value>;
  readonly settings: ModelSettings;
  readonly price: Price | undefined;
}

const charactersPerToken = 4;

export function estimate(program: Program, options: EstimateOptions): Estimate {
  const { tools, inputs, settings, price } = options;
  const isModel = (name: string): boolean => tools.get(name)?.kind === 'model';
  const replyMax = settings.maxOutputTokens ?? null;
  const reply = (tool: string): Expected | undefined =>
    tool === generateSpec.name && replyMax !== null
      ? atMost(replyMax * charactersPerToken, tool)
      : undefined;
  const isWanted = (name: string): boolean => isModel(name) || priceOf(tools, name) > 0;
  const sites = callSites(program, { isWanted, inputs, resultOf: reply });
  const calls = sites.map((site): CallEstimate => {
    const { step, within, tool, visits } = site;
    if (!isModel(tool)) return paidCall(site, priceOf(tools, tool));
    const input = inputOf(site, tools.get(tool), settings);
    const inputTokens = { min: tokens(input.min), max: finite(tokens(input.max)) };
    const outputTokens = { min: 0, max: replyMax };
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

/** All that is sent, in characters: the arguments, and what goes with them. */
function inputOf(site: CallSite, spec: ToolSpec | undefined, settings: ModelSettings): Expected {
  const names = Object.keys(spec?.parameters.properties ?? {});
  const given = new Map(site.named);
  for (const [i, value] of site.positional.entries()) given.set(names[i] ?? '', value);
  const own = site.tool === generateSpec.name || site.tool === conditionSpec.name;
  if (!own) return joined([...given.values(), unknown('')]);
  const around = surroundings(given, site.tool, settings);
  const sent = ['prompt', 'context'].flatMap((name) => given.get(name) ?? []);
  return joined([...sent, ...around]);
}

/** What is written around prompt and context: system text, tags, how to answer. */
function surroundings(
  given: ReadonlyMap<string, Expected>,
  tool: string,
  { system }: ModelSettings,
): Expected[] {
  const format = given.get('response_format');
  const isKnown = format === undefined || format.value !== undefined;
  const words = tool === conditionSpec.name ? conditionInstruction : wordsFor(format);
  const context = given.get('context');
  // A context that may be nothing has tags only where it is something.
  const inTags = context !== undefined && context.min > 0 ? { context: 'x' } : {};
  const { messages } = layOut({ prompt: 'x', ...inTags, instruction: words, system });
  const sent = messages.map(({ content }) => content).join('').length;
  const length = sent - 1 - (context !== undefined && context.min > 0 ? 1 : 0);
  const known: Expected = { min: length, max: length, of: [] };
  return isKnown ? [known] : [known, unknown('response_format')];
}

function wordsFor(format: Expected | undefined): string {
  if (format?.value === undefined) return '';
  try {
    return wantedFormat(toJson(format.value.exact)).instruction;
  } catch {
    // The call itself says what is wrong with its format; nothing is sent then.
    return '';
  }
}

const tokens = (characters: number): number => Math.ceil(characters / charactersPerToken);

const finite = (value: number): number | null => (value === Infinity ? null : value);

function usdOf(input: Range, output: Range, price: Price): Range {
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
