/** Vectors as the knowledge base keeps them, from whatever embedding model a program has. */
import { setTimeout as wait } from 'node:timers/promises';
import { EffectFailure } from '../../engine/handler.ts';
import type { Embedder } from '../model/embedder.ts';

/** Vectors of length 1, so that their dot product is the cosine. Throws `EffectFailure`. */
export async function embedTexts(
  embedder: Embedder,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<Float32Array[]> {
  const vectors = await attempt(embedder, texts, signal);
  const dimensions = vectors[0]?.length ?? 0;
  const fits =
    vectors.length === texts.length &&
    vectors.every((vector) => vector.length === dimensions && vector.every(Number.isFinite));
  if (!fits || (texts.length > 0 && dimensions === 0)) {
    const lengths = [...new Set(vectors.map((vector) => vector.length))].join(', ');
    throw new EffectFailure(
      'PV4309',
      `${embedder.name} gave ${vectors.length} vectors with ${lengths || 'no'} numbers, ` +
        `want ${texts.length} vectors of finite numbers, all of one length`,
      { hint: 'is this an embedding model?' },
    );
  }
  return vectors.map(unit);
}

async function attempt(
  embedder: Embedder,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<Float32Array[]> {
  try {
    return await embedder.embed(texts, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof EffectFailure) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new EffectFailure('PV4308', `${embedder.name} could not embed the text: ${why}`, {
      retryable: true,
      mayHaveActed: false,
      cause: error,
    });
  }
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}

/** Attempts at one request while files are loaded, where no engine stands behind it. */
const attemptsMax = 4;
const firstPauseMs = 1_000;

/** As `embedTexts`, but an overloaded model is asked again, after the pause that it names. */
export async function embedPatiently(
  embedder: Embedder,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<Float32Array[]> {
  for (let made = 1; ; made++) {
    try {
      return await embedTexts(embedder, texts, signal);
    } catch (error) {
      const again = error instanceof EffectFailure && error.retryable && made < attemptsMax;
      if (!again) throw error;
      await wait(error.retryAfterMs ?? firstPauseMs * 2 ** (made - 1), undefined, { signal });
    }
  }
}
