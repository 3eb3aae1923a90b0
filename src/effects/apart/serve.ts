/** What a thread of `apart` does: its work on each input that it is sent. */
import { parentPort } from 'node:worker_threads';
import { EffectFailure } from '../../engine/handler.ts';
import { thrownMessage } from '../../program/diagnostic.ts';
import type { Answer } from './apart.ts';

/** `work` may throw `EffectFailure`, which arrives as such with its code, message and hint. */
export function serve<Input>(work: (input: Input) => unknown | Promise<unknown>): void {
  parentPort?.on('message', async (input: Input) => {
    parentPort?.postMessage(await answerOf(work, input));
  });
}

async function answerOf<Input>(work: (input: Input) => unknown, input: Input): Promise<Answer> {
  try {
    return { ok: true, value: await work(input) };
  } catch (thrown) {
    if (thrown instanceof EffectFailure) {
      const { code, message, hint } = thrown;
      return { ok: false, failure: { code, message, hint } };
    }
    return isFull(thrown) ? { ok: false, full: true } : { ok: false, thrown: plainError(thrown) };
  }
}

/** A buffer or a text that the host has no room for. */
const isFull = (thrown: unknown): boolean =>
  thrown instanceof RangeError && /allocation|length/i.test(thrown.message);

/** An error that can be copied, whatever was thrown. */
function plainError(thrown: unknown): Error {
  const error = new Error(thrownMessage(thrown));
  if (thrown instanceof Error && thrown.stack !== undefined) error.stack = thrown.stack;
  return error;
}
