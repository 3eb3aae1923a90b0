/**
 * What a language model is to the rest of planvm: something that completes a conversation once.
 * No loop and no retry in here, and tools are never called: those are the machine's and the
 * engine's. The handlers and the planner see this interface only, so that a provider, a transcript
 * and a test's own model are interchangeable.
 */
import {
  type AttemptContext,
  EffectFailure,
  type Price,
  type Usage,
} from '../../engine/handler.ts';
import type { JsonSchema, ToolSpec } from '../../program/effect.ts';
import type { Picture } from './pictures.ts';

export interface Model {
  /** The reference it was opened by: `openai/gpt-5-mini`, `replay/tour.ndjson`. */
  readonly name: string;
  /** Absent where it is not known. */
  readonly price?: Price | undefined;
  /**
   * Performs one call and says through `context` what it used, also when it fails. The text is
   * never empty, but where it calls tools instead, and never cut off without a warning, but where
   * the caller goes on. Throws `EffectFailure` (codes in `codes.ts`), or the signal's reason when
   * it was aborted.
   */
  complete(request: ModelRequest, context: ModelContext): Promise<ModelReply>;
}

export interface ModelRequest extends RequestForm {
  /**
   * The same request for a model that has structured outputs or tool calls. It takes the place of
   * the form above, which asks for plain text; a model that has neither ignores it.
   */
  readonly native?: RequestForm;
  /** 0 to 2; the provider's default where absent. */
  readonly temperature?: number;
  readonly maxOutputTokens?: number;
  /**
   * The author's own words, where `messages` wrap them in context and instructions. Not sent:
   * hand-written transcripts are matched against it.
   */
  readonly prompt?: string;
}

/** How a reply is asked for. */
export interface RequestForm {
  readonly messages: readonly Message[];
  /** What the text has to be; plain text where absent. */
  readonly format?: Format;
  /** Tools that the model may ask to have called, in the form its provider has for that. */
  readonly tools?: readonly ToolOffer[];
  /** Texts at which the model stops; they are not part of the reply. */
  readonly stop?: readonly string[];
}

/** The request in its native form, where it has one. */
export function nativeRequest(request: ModelRequest): ModelRequest | undefined {
  const { native, messages: _, format: _format, tools: _tools, stop: _stop, ...settings } = request;
  return native && { ...settings, ...native };
}

/** The request with its conversation changed, in both forms. */
export function withMessages(
  request: ModelRequest,
  change: (messages: readonly Message[]) => readonly Message[],
): ModelRequest {
  const { native } = request;
  return {
    ...request,
    messages: change(request.messages),
    ...(native && { native: { ...native, messages: change(native.messages) } }),
  };
}

export interface Message {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string;
  /** Of `user`: what is seen beside the text, in the order in which it speaks of them. */
  readonly pictures?: readonly Picture[];
  /** Of `assistant`: what it asked to have called. */
  readonly calls?: readonly ToolCall[];
  /** Of `tool`: the call whose result the content is. */
  readonly answers?: Pick<ToolCall, 'id' | 'name'>;
  /**
   * Whether later requests will begin with all messages up to this one, so that a provider does
   * well to keep what it has made of them. Some have to be told; it changes no reply.
   */
  readonly keep?: true;
}

export type ToolOffer = Pick<ToolSpec, 'name' | 'description' | 'parameters'>;

/** A call that a model asks for in its provider's own form. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON data by parameter name; a text where it was no JSON. */
  readonly args: unknown;
  /** What the provider wants to have back with it, such as the signature of a thought. */
  readonly meta?: unknown;
}

/** A JSON reply, as providers can be asked for natively; the messages have to ask for it too. */
export interface Format {
  readonly kind: 'json';
  readonly schema?: JsonSchema;
  /** Keys that the reply, an object, has at least. */
  readonly keys?: readonly string[];
}

export interface ModelReply {
  readonly text: string;
  readonly calls?: readonly ToolCall[];
  /** Whether it was asked for in the native form of the request. */
  readonly native?: true;
  /** `length`: the text is cut off at the token limit. */
  readonly finishReason: 'stop' | 'length' | 'other';
  /** Already counted through `context.use`. */
  readonly usage: Usage;
}

/** What a call needs of an attempt; a handler passes its own `AttemptContext`. */
export type ModelContext = Pick<
  AttemptContext,
  'signal' | 'use' | 'progress' | 'warn' | 'headers' | 'finish'
> & {
  /** The effect it is made for; transcripts keep equal requests of a run apart by it. */
  readonly effect?: string;
  /** Whoever calls has a text that is cut off continued: the model need not warn of it. */
  readonly goesOn?: true;
};

/**
 * Throws PV4112 for a reply without an answer: an empty text, or calls of tools that nobody has
 * offered. Such calls beside a text are a warning.
 */
export function checkAnswered(
  name: string,
  {
    text,
    calls = [],
    finishReason,
  }: Pick<ModelReply, 'text' | 'calls'> & { readonly finishReason?: string | undefined },
  { tools = [] }: RequestForm,
  context: Pick<ModelContext, 'warn'>,
): void {
  const names = [...new Set(calls.map((call) => call.name))].join(', ');
  const isUnasked = calls.length > 0 && tools.length === 0;
  if (text.trim() !== '') {
    if (isUnasked) context.warn(`${name} called ${names}; no tools were offered to it`);
    return;
  }
  if (calls.length > 0 && !isUnasked) return;
  const isCut = finishReason === 'length';
  const what = isUnasked
    ? `only called ${names}, and no tools were offered to it`
    : `answered with an empty text${isCut ? ', at its token limit' : ''}`;
  throw new EffectFailure('PV4112', `${name} ${what}`, {
    retryable: !isCut,
    hint: isCut ? 'raise the limit of output tokens' : undefined,
    answered: true,
  });
}

/** Tokens of texts, at four characters each: good enough for a budget, never for an invoice. */
export function estimate(texts: readonly { readonly content: string }[]): number {
  return Math.ceil(texts.reduce((sum, { content }) => sum + content.length, 0) / 4);
}
