/**
 * A `Model` over one provider: counts what each call used, tells a whole answer from a part of one,
 * and asks for JSON in the strictest way that the server accepts.
 */
import type { JSONSchema7 } from 'ai';
import { EffectFailure, refusal, type Usage } from '../../engine/handler.ts';
import { isTokenCount } from '../../program/effect.ts';
import type { Endpoint, Fetch } from './endpoint.ts';
import { modelFailure } from './failure.ts';
import {
  checkAnswered,
  estimate,
  type Format,
  type Model,
  type ModelContext,
  type ModelReply,
  type ModelRequest,
  nativeRequest,
} from './model.ts';
import { costOf, type PriceTable, priceOf } from './prices.ts';
import { languageModel, type ProviderModel } from './provider.ts';
import { type Arrived, type NativeFormat, stream } from './stream.ts';

export interface ProviderOptions {
  readonly fetch?: Fetch;
  readonly prices?: PriceTable;
  /** In place of what the endpoint says. */
  readonly connect?: () => Promise<ProviderModel>;
}

export function providerModel(endpoint: Endpoint, options: ProviderOptions = {}): Model {
  let connected: Promise<ProviderModel> | undefined;

  async function attempt(
    request: ModelRequest,
    format: NativeFormat,
    context: ModelContext,
  ): Promise<ModelReply> {
    connected ??= options.connect?.() ?? languageModel(endpoint, options.fetch);
    const { signal } = context;
    const arrived: Arrived = { text: '', calls: [] };
    let counted: Usage | undefined;
    const count = (): Usage => {
      counted ??= counts(arrived, request, context);
      return counted;
    };
    signal.addEventListener('abort', count, { once: true });
    try {
      await stream(await connected, request, format, context, arrived);
      checkWhole(arrived, endpoint, context, request);
    } catch (thrown) {
      count();
      signal.throwIfAborted();
      throw modelFailure(thrown, endpoint);
    } finally {
      signal.removeEventListener('abort', count);
    }
    const usage = count();
    context.finish(finishOf(arrived));
    const { text, calls } = arrived;
    const asked = calls.length > 0 && { calls };
    return { text, ...asked, finishReason: finishOf(arrived), usage };
  }

  /**
   * Nothing is counted for a call of which nothing arrived: it was refused, not performed; unless
   * it was ended here, as whoever was asked is at work then.
   */
  function counts(arrived: Arrived, request: ModelRequest, context: ModelContext): Usage {
    const inputTokens = countIn(arrived.inputTokens);
    const outputTokens = countIn(arrived.outputTokens);
    const known = inputTokens !== undefined && outputTokens !== undefined;
    const isCut = context.signal.aborted;
    const isNothing = arrived.text === '' && arrived.calls.length === 0;
    const isRefused = isNothing && arrived.finishReason === undefined;
    if (!known && isRefused && !(isCut && arrived.isAsked)) return noUsage;
    // Counts come last: who has cut a reply off cannot have them.
    if (!known && !isCut) {
      const lack = hasCounts(arrived) ? 'token counts that cannot be' : 'no token counts';
      context.warn(`${endpoint.reference} gave ${lack}: they are estimated`);
    }
    const tokens = {
      inputTokens: inputTokens ?? estimate(request.messages),
      outputTokens: outputTokens ?? estimate([{ content: written(arrived) }]),
    };
    const cost = costOf(endpoint.reference, tokens, options.prices);
    const priced = { modelCalls: 1, ...tokens, ...(cost !== undefined && { cost }) };
    const usage = known ? priced : { ...priced, estimated: 1 };
    context.use(usage);
    return usage;
  }

  const complete = inStrictestForm(endpoint, attempt);
  const price = priceOf(endpoint.reference, options.prices);
  return { name: endpoint.reference, complete, ...(price && { price }) };
}

type Attempt = (
  request: ModelRequest,
  format: NativeFormat,
  context: ModelContext,
) => Promise<ModelReply>;

/** Asks for replies in the strictest form that the server does not refuse. */
function inStrictestForm(endpoint: Endpoint, attempt: Attempt): Model['complete'] {
  /** Forms that the server has refused; it need not be asked again. */
  const refused = new Set<string>();
  const unlessRefused = async (
    name: string,
    ...[request, format, context]: Parameters<Attempt>
  ): Promise<ModelReply | undefined> => {
    if (refused.has(name)) return undefined;
    try {
      return await attempt(request, format, context);
    } catch (error) {
      if (!isFormatRefusal(error)) throw error;
      refused.add(name);
      return undefined;
    }
  };
  return async (request, context) => {
    const native = nativeRequest(request);
    const [strictest] = nativeFormats(native?.format, endpoint);
    if (native && (strictest !== undefined || native.format === undefined)) {
      const name = native.tools ? 'tools' : JSON.stringify(strictest);
      const reply = await unlessRefused(name, native, strictest, context);
      if (reply) return { ...reply, native: true };
    }
    for (const format of nativeFormats(request.format, endpoint)) {
      const reply = await unlessRefused(JSON.stringify(format), request, format, context);
      if (reply) return reply;
    }
    return await attempt(request, undefined, context);
  };
}

/** What a server says is data from outside. */
const countIn = (count: number | undefined): number | undefined =>
  isTokenCount(count) ? count : undefined;

const hasCounts = ({ inputTokens, outputTokens }: Arrived): boolean =>
  inputTokens !== undefined && outputTokens !== undefined;

const noUsage: Usage = { modelCalls: 0, inputTokens: 0, outputTokens: 0 };

/** All that a model has written: its calls count as their JSON. */
const written = ({ text, calls }: Arrived): string =>
  calls.length === 0 ? text : text + JSON.stringify(calls);

/** Throws unless the provider has said that the answer is complete, and there is one. */
function checkWhole(
  arrived: Arrived,
  endpoint: Endpoint,
  context: ModelContext,
  request: ModelRequest,
): void {
  const name = endpoint.reference;
  const { finishReason, text, calls } = arrived;
  if (finishReason === undefined || finishReason === 'interrupted' || finishReason === 'error') {
    throw new EffectFailure(
      'PV4108',
      `${name} broke off its answer after ${text.length} characters, without saying why`,
      { retryable: true },
    );
  }
  if (finishReason === 'content-filter') {
    const shown = text === '' ? '' : `: ${text.slice(0, 300)}`;
    throw refusal('PV4111', `${name} withheld its answer${shown}`, {
      hint: 'reword the prompt, or choose another model',
    });
  }
  checkAnswered(name, { text, calls, finishReason }, request, context);
  if (finishReason === 'length' && !context.goesOn) {
    context.warn(`${name} stopped at its token limit: the answer is cut off`);
  }
}

function finishOf(arrived: Arrived): ModelReply['finishReason'] {
  const reason = arrived.finishReason;
  return reason === 'stop' || reason === 'length' ? reason : 'other';
}

/**
 * The ways to ask this server for the format, strictest first. Only Google can do without an object
 * at the root, and Anthropic without a schema cannot be asked at all; the messages ask in any case.
 */
function nativeFormats(format: Format | undefined, endpoint: Endpoint): NativeFormat[] {
  if (format === undefined) return [];
  const { schema, keys } = format;
  const anyRoot = endpoint.provider === 'google';
  const ways: NativeFormat[] = [];
  if (schema !== undefined && (anyRoot || schema.type === 'object')) {
    ways.push({ type: 'json', schema: schema as JSONSchema7 });
  }
  const isObject = keys !== undefined || schema?.type === 'object';
  if (endpoint.provider !== 'anthropic' && (anyRoot || isObject)) ways.push({ type: 'json' });
  return ways;
}

/** What servers write of a way of asking for JSON that they do not know. */
const formatRefusals = [
  /response_?format|response_?(mime|schema|json)|output_(config|format)/i,
  /json_?(schema|object|mode)|structured|schema|grammar|tool/i,
];

function isFormatRefusal(error: unknown): boolean {
  if (!(error instanceof EffectFailure) || error.code !== 'PV4104') return false;
  return formatRefusals.some((words) => words.test(error.message));
}
