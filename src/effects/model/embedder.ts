/** Turns texts into vectors with an embedding model of `openai/…`, `google/…` or `ollama/…`. */
import { refusal } from '../../engine/handler.ts';
import { type Environment, endpointOf, type Fetch } from './endpoint.ts';

export interface Embedder {
  /** The reference it was opened by; vectors of different models do not compare. */
  readonly name: string;
  /**
   * One vector per text, in their order, all of one length, not normalised. Large lists are sent
   * in several requests. Throws `EffectFailure`, or the signal's reason.
   */
  embed(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]>;
}

/** Requests of one `embed` that are under way at once. */
const parallelRequests = 4;

/** Does no I/O. Throws `EffectFailure` PV4100 or PV4101. */
export function openEmbedder(
  reference: string,
  options: { readonly env: Environment; readonly fetch?: Fetch },
): Embedder {
  const endpoint = endpointOf(reference, options.env);
  const { provider } = endpoint;
  if (provider === 'anthropic') {
    throw refusal('PV4100', `got '${reference}': anthropic has no embedding models`, {
      hint: 'choose an embedding model of openai, google or ollama',
    });
  }
  return {
    name: reference,
    async embed(texts, signal) {
      signal.throwIfAborted();
      if (texts.length === 0) return [];
      try {
        const { embedMany } = await import('ai');
        const { embeddingModel } = await import('./provider.ts');
        const { embeddings } = await embedMany({
          model: await embeddingModel(provider, endpoint, options.fetch),
          values: [...texts],
          maxRetries: 0,
          maxParallelCalls: parallelRequests,
          abortSignal: signal,
        });
        return embeddings.map((vector) => Float32Array.from(vector));
      } catch (error) {
        signal.throwIfAborted();
        // Not a stream that broke off, as it would be with a language model: the counts differ.
        if (nameOf(error) === 'AI_InvalidResponseDataError') {
          const got = `${reference} gave not one vector for each of ${texts.length} texts`;
          throw refusal('PV4118', got, { hint: 'check that it is an embedding model' });
        }
        const { modelFailure } = await import('./failure.ts');
        throw modelFailure(error, endpoint);
      }
    },
  };
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '');
