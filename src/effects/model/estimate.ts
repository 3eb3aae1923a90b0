/**
 * What a program will cost with a model: estimated at its call sites, with what this model is sent
 * around prompt and context, its window and its price.
 */
import type { CallSite } from '../../analysis/call-sites.ts';
import { type Estimate, estimate } from '../../analysis/estimate.ts';
import { type Expected, joined, unknown } from '../../analysis/expected.ts';
import type { Price } from '../../engine/handler.ts';
import type { ToolSpec } from '../../program/effect.ts';
import { toJson } from '../../program/json.ts';
import type { Program } from '../../program/program.ts';
import type { Value } from '../../program/value.ts';
import { instruction as conditionInstruction } from './condition.ts';
import type { ModelSettings } from './model-settings.ts';
import { priceOf, prices } from './prices.ts';
import { layOut } from './prompt.ts';
import { wantedFormat } from './response-format.ts';
import { conditionSpec, generateSpec } from './specs.ts';
import { inputTokensMax } from './window.ts';

/** The document that `check --cost --json` has under `cost`. */
export interface CostEstimate extends Estimate {
  /** `provider/model`; null where none is configured. */
  readonly model: string | null;
  /** USD per million tokens; null where it is not known. */
  readonly price: Price | null;
  /** Tokens that it can be sent at once; values of `llm_call` beyond that take further calls. */
  readonly windowTokens: number | null;
}

export interface CostOptions {
  readonly tools: ReadonlyMap<string, ToolSpec>;
  readonly inputs: ReadonlyMap<string, Value>;
  readonly model: string | undefined;
  readonly settings: ModelSettings;
  /** Prices that come before those that planvm knows, by model. */
  readonly prices: Readonly<Record<string, Price>> | undefined;
}

export function estimateCost(program: Program, options: CostOptions): CostEstimate {
  const { tools, inputs, model, settings } = options;
  const price = model === undefined ? undefined : priceFor(model, options.prices);
  const found = estimate(program, {
    tools,
    inputs,
    price,
    replyTokensMax: settings.maxOutputTokens ?? null,
    isReply: (tool) => tool === generateSpec.name,
    inputOf: (site, spec) => inputOf(site, spec, settings),
  });
  const windowTokens = model === undefined ? null : inputTokensMax(model, settings);
  return { model: model ?? null, price: price ?? null, windowTokens, ...found };
}

/** The price of a model, where it is known; recorded answers cost nothing. */
export function priceFor(
  model: string,
  own: Readonly<Record<string, Price>> = {},
): Price | undefined {
  if (model.startsWith('replay/')) return { input: 0, output: 0 };
  return priceOf(model, { ...prices, ...own });
}

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
