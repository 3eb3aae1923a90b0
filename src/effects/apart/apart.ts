/**
 * Work on what others have made, a document or a query, that may take any time and any memory: in a
 * thread of its own, which can be ended in the midst of it, while everything else goes on.
 *
 * - A1 The promise settles as soon as the signal is aborted, the memory is used up, or there is a
 *   result, whatever the work is doing; the thread is gone by then, or goes.
 * - A2 The thread has none of the process's environment, and nothing that it writes is seen.
 */
import { Worker } from 'node:worker_threads';
import { EffectFailure } from '../../engine/handler.ts';
import { thrownMessage } from '../../program/thrown.ts';

export interface ApartOptions {
  readonly signal: AbortSignal;
  /** What the work is, for messages: `the query`. */
  readonly what: string;
  /** Memory that the thread may hold, about. */
  readonly memoryBytes?: number;
  /** Buffers of the input that are handed over, not copied: they are empty here afterwards. */
  readonly transfer?: readonly ArrayBuffer[];
}

/** What a thread answers with: see `serve`. */
export type Answer =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly failure: FailureData }
  /** The host gave it no more room. */
  | { readonly ok: false; readonly full: true }
  | { readonly ok: false; readonly thrown: Error };

/** A failure as it crosses from a thread. */
export interface FailureData {
  readonly code: string;
  readonly message: string;
  readonly hint: string | undefined;
}

export const memoryBytesDefault: number = 512 * 2 ** 20;

/** How often it is looked at what a thread holds beside the heap, in milliseconds. */
export const lookMs = 50;

/**
 * Has the thread at `file` do its work on `input`, which is copied there as its result is copied
 * back. Throws `EffectFailure` PV4901 or PV4902, what the work throws, or the signal's reason.
 */
export async function apart<Input, Output>(
  file: URL,
  input: Input,
  options: ApartOptions,
): Promise<Output> {
  const { signal, what, memoryBytes = memoryBytesDefault, transfer = [] } = options;
  signal.throwIfAborted();
  const worker = new Worker(file, {
    workerData: input,
    transferList: [...transfer],
    env: {},
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: Math.ceil(memoryBytes / 2 ** 20) },
  });
  worker.stdout.resume();
  worker.stderr.resume();
  return await new Promise<Output>((resolve, reject) => {
    const tooMuch = (): EffectFailure => memoryFailure(what, memoryBytes);
    const end = (settle: () => void): void => {
      clearInterval(watch);
      signal.removeEventListener('abort', abort);
      void worker.terminate();
      settle();
    };
    const abort = (): void => end(() => reject(signal.reason));
    const watch = setInterval(() => {
      // Buffers are no part of the heap that Node bounds. A thread that has ended says nothing.
      worker.getHeapStatistics().then(
        ({ used_heap_size: heap, external_memory: buffers }) => {
          if (heap + buffers > memoryBytes) end(() => reject(tooMuch()));
        },
        () => {},
      );
    }, lookMs);
    signal.addEventListener('abort', abort, { once: true });
    worker.once('message', (answer: Answer) => {
      end(() => {
        try {
          resolve(answered<Output>(answer, what, memoryBytes));
        } catch (thrown) {
          reject(thrown);
        }
      });
    });
    worker.once('error', (error: Error & { code?: string }) => {
      const isFull = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      end(() => reject(isFull ? tooMuch() : deathOf(what, thrownMessage(error))));
    });
    worker.once('exit', (code) => end(() => reject(deathOf(what, `it exited with ${code}`))));
  });
}

/** What a thread has answered, as a value or thrown. */
export function answered<Output>(answer: Answer, what: string, memoryBytes: number): Output {
  if (answer.ok) return answer.value as Output;
  if ('full' in answer) throw memoryFailure(what, memoryBytes);
  throw 'failure' in answer ? failureOf(answer.failure) : answer.thrown;
}

/** The file of a thread beside the module that starts it: `…/pdf.ts` has `…/pdf-thread.ts`. */
export const threadBeside = (module: string): URL =>
  new URL(module.replace(/(\.[jt]s)$/, '-thread$1'));

const failureOf = ({ code, message, hint }: FailureData): EffectFailure =>
  new EffectFailure(code, message, { answered: true, mayHaveActed: false, hint });

export const memoryFailure = (what: string, bytes: number): EffectFailure =>
  new EffectFailure('PV4901', `${what} would need more than ${bytes / 2 ** 20} MiB of memory`, {
    answered: true,
    mayHaveActed: false,
    hint: 'ask for less of it at a time',
  });

export const deathOf = (what: string, why: string): EffectFailure =>
  new EffectFailure('PV4902', `what works on ${what} has ended: ${why}`, {
    answered: true,
    mayHaveActed: false,
  });
