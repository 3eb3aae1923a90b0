/**
 * The provider packages behind one function each, loaded on first use: a run that replays a
 * transcript, or only checks a program, never pays for them.
 */
import type { EmbeddingModel, wrapLanguageModel } from 'ai';
import { type EffectFailure, refusal } from '../../engine/handler.ts';
import { boundedBody } from '../bounded-body.ts';
import { readableChat } from './chat-stream.ts';
import type { Endpoint, Fetch, ProviderName } from './endpoint.ts';

/** A language model as the `ai` package takes it. */
export type ProviderModel = Parameters<typeof wrapLanguageModel>[0]['model'];

export async function languageModel(endpoint: Endpoint, fetch?: Fetch): Promise<ProviderModel> {
  const settings = settingsOf(endpoint, fetch);
  switch (endpoint.provider) {
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return createAnthropic(settings)(endpoint.model);
    }
    case 'google': {
      const { createGoogle } = await import('@ai-sdk/google');
      return createGoogle(settings)(endpoint.model);
    }
    case 'openai':
    case 'ollama':
      return (await compatible(endpoint, settings)).chatModel(endpoint.model);
  }
}

/** Those that have embedding models: Anthropic has none. */
export type EmbeddingProvider = Exclude<ProviderName, 'anthropic'>;

export async function embeddingModel(
  provider: EmbeddingProvider,
  endpoint: Endpoint,
  fetch?: Fetch,
): Promise<Exclude<EmbeddingModel, string>> {
  const settings = settingsOf(endpoint, fetch);
  if (provider === 'google') {
    const { createGoogle } = await import('@ai-sdk/google');
    return createGoogle(settings).embeddingModel(endpoint.model);
  }
  return (await compatible(endpoint, settings)).embeddingModel(endpoint.model);
}

type Settings = ReturnType<typeof settingsOf>;

function settingsOf(endpoint: Endpoint, fetch: Fetch = globalThis.fetch) {
  return {
    baseURL: endpoint.baseUrl,
    ...(endpoint.key !== undefined && { apiKey: endpoint.key }),
    fetch: checkedFetch(endpoint, fetch),
  };
}

async function compatible(endpoint: Endpoint, settings: Settings) {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  const official = new URL(endpoint.baseUrl).hostname === 'api.openai.com';
  return createOpenAICompatible({
    ...settings,
    name: endpoint.provider,
    includeUsage: true,
    supportsStructuredOutputs: true,
    // OpenAI's newer models know only the new name; other servers know only the old one.
    transformRequestBody: ({ max_tokens, ...body }) =>
      official ? { ...body, max_completion_tokens: max_tokens } : { ...body, max_tokens },
  });
}

/** Of one answer of a provider, unpacked, streams included. */
const answerBytesMax = 64 * 2 ** 20;

const tooLarge = (address: string): EffectFailure =>
  refusal('PV4109', `${address} answered with more than ${answerBytesMax} bytes`, {
    hint: 'ask for less at a time, or check the address',
  });

/** Answers that the packages would take for a stream without events. */
function checkedFetch(endpoint: Endpoint, fetch: Fetch): Fetch {
  return async (input, init) => {
    const response = boundedBody(await fetch(input, init), answerBytesMax, () =>
      tooLarge(endpoint.baseUrl),
    );
    const type = response.headers.get('content-type') ?? '';
    if (!response.ok) return response;
    if (type.includes('text/html')) {
      await response.body?.cancel();
      throw refusal('PV4109', `${endpoint.baseUrl} answered with a web page`, {
        hint: `check ${endpoint.baseVariable}: it has to be the address of the API`,
      });
    }
    if (!String(input).endsWith('/chat/completions')) return response;
    return readableChat(type.includes('application/json') ? await streamed(response) : response);
  };
}

/** A server that does not stream, although it was asked to: its one answer as one event. */
async function streamed(response: Response): Promise<Response> {
  const text = await response.text();
  const headers = { 'content-type': 'text/event-stream' };
  const event = text.replaceAll(/\r?\n/g, ' ');
  return new Response(`data: ${event}\n\ndata: [DONE]\n\n`, { status: 200, headers });
}
