/** Turns texts into vectors with an embedding model of `openai/…`, `google/…` or `ollama/…`. */
import { type EffectFailure, refusal } from '../../engine/handler.ts';
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
        return checked(embeddings, reference);
      } catch (error) {
        signal.throwIfAborted();
        // Not a stream that broke off, as it would be with a language model: the counts differ.
        if (nameOf(error) === 'AI_InvalidResponseDataError') {
          throw misfit(reference, `not one vector for each of ${texts.length} texts`);
        }
        const { modelFailure } = await import('./failure.ts');
        throw modelFailure(error, endpoint);
      }
    },
  };
}

function checked(vectors: readonly number[][], reference: string): Float32Array[] {
  const dimensions = vectors[0]?.length ?? 0;
  if (dimensions === 0) throw misfit(reference, 'an empty vector');
  const odd = vectors.find((vector) => vector.length !== dimensions);
  if (odd !== undefined) {
    throw misfit(reference, `vectors of ${dimensions} and of ${odd.length} numbers`);
  }
  return vectors.map((vector) => Float32Array.from(vector));
}

function misfit(reference: string, got: string): EffectFailure {
  return refusal('PV4118', `${reference} gave ${got}`, {
    hint: 'check that it is an embedding model',
  });
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '');
