/**
 * One streamed call of the `ai` package: no tool is called, no retries, nothing printed, and the
 * connection closed whichever way it ends.
 */
import type { LanguageModelMiddleware, StreamTextInclude } from 'ai';
import { asModelMessage, callOf, offeredTools } from './calls.ts';
import type { Message, ModelContext, ModelRequest, ToolCall } from './model.ts';
import type { ProviderModel } from './provider.ts';

type CallOptions = Awaited<ReturnType<NonNullable<LanguageModelMiddleware['transformParams']>>>;

/** How the provider itself is asked for JSON; absent: only the messages ask for it. */
export type NativeFormat = CallOptions['responseFormat'];

/** Filled in while the answer arrives, so that it tells what came even when the call throws. */
export interface Arrived {
  text: string;
  readonly calls: ToolCall[];
  /** Whether the request is on its way. */
  isAsked?: boolean;
  finishReason?: string;
  inputTokens?: number | undefined;
  outputTokens?: number | undefined;
}

const nothingKept: StreamTextInclude = { requestBody: false, requestMessages: false };

/** Throws what the provider's package throws; `modelFailure` makes sense of it. */
export async function stream(
  model: ProviderModel,
  request: ModelRequest,
  format: NativeFormat,
  context: ModelContext,
  arrived: Arrived,
): Promise<void> {
  const { streamText, wrapLanguageModel } = await import('ai');
  context.signal.throwIfAborted();
  const closer = new AbortController();
  const result = streamText({
    model: wrapLanguageModel({ model, middleware: middleware(format, context, arrived) }),
    messages: withJsonAsked(request.messages, format).map(asModelMessage),
    ...(request.tools !== undefined && { tools: await offeredTools(request.tools) }),
    allowSystemInMessages: true,
    maxRetries: 0,
    ...(context.headers && { headers: { ...context.headers } }),
    abortSignal: AbortSignal.any([context.signal, closer.signal]),
    include: nothingKept,
    ...(request.temperature !== undefined && { temperature: request.temperature }),
    ...(request.maxOutputTokens !== undefined && { maxOutputTokens: request.maxOutputTokens }),
    ...(request.stop !== undefined && { stopSequences: [...request.stop] }),
    // Its default prints to the console. The error also arrives as a part, where it is thrown.
    onError() {},
  });
  try {
    for await (const part of result.stream) {
      if (part.type === 'text-delta') {
        arrived.text += part.text;
        context.progress(part.text);
      } else if (part.type === 'tool-call') {
        arrived.calls.push(callOf(part));
      } else if (part.type === 'error') {
        throw part.error;
      } else if (part.type === 'finish') {
        arrived.finishReason = part.finishReason;
        arrived.inputTokens = part.totalUsage.inputTokens;
        arrived.outputTokens = part.totalUsage.outputTokens;
      }
    }
  } finally {
    closer.abort();
  }
}

/** Asks for the native format, and takes the package's warnings before it prints them. */
function middleware(
  format: NativeFormat,
  context: ModelContext,
  arrived: Arrived,
): LanguageModelMiddleware {
  return {
    specificationVersion: 'v4',
    transformParams: async ({ params }) => ({
      ...params,
      ...(format !== undefined && {
        responseFormat: format,
        providerOptions: {
          ...params.providerOptions,
          openaiCompatible: { strictJsonSchema: format.type === 'json' && isStrict(format.schema) },
        },
      }),
    }),
    wrapStream: async ({ doStream }) => {
      arrived.isAsked = true;
      const result = await doStream();
      const quiet = new TransformStream({
        transform(part, controller) {
          if (part.type !== 'stream-start') return controller.enqueue(part);
          for (const warning of part.warnings) context.warn(textOf(warning));
          controller.enqueue({ ...part, warnings: [] });
        },
      });
      return { ...result, stream: result.stream.pipeThrough(quiet) };
    },
  };
}

function textOf(warning: object): string {
  const { feature, details, message } = warning as Record<string, unknown>;
  return [feature, details ?? message].filter((part) => part !== undefined).join(': ');
}

/** OpenAI refuses its JSON mode to messages that do not name the format. */
function withJsonAsked(messages: readonly Message[], format: NativeFormat): readonly Message[] {
  if (format === undefined || messages.some(({ content }) => /json/i.test(content)))
    return messages;
  return [{ role: 'system', content: 'Answer in JSON.' }, ...messages];
}

/**
 * Whether a schema is in the subset that OpenAI's strict mode takes: closed objects, all of whose
 * properties are required. Others are passed as a guide, and the reply is checked here.
 */
function isStrict(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return true;
  if (Array.isArray(schema)) return schema.every(isStrict);
  const { type, properties, required, additionalProperties } = schema as Record<string, unknown>;
  if (type === 'object') {
    const names = Object.keys(properties ?? {});
    const all = Array.isArray(required) && names.every((name) => required.includes(name));
    if (additionalProperties !== false || !all) return false;
  }
  return Object.values(schema).every(isStrict);
}
