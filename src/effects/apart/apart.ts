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
import { thrownMessage } from '../../program/diagnostic.ts';

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
  const { signal, memoryBytes, transfer } = options;
  signal.throwIfAborted();
  const worker = startThread(file, { memoryBytes, workerData: input, transfer });
  try {
    return answered<Output>(await answerOf(worker, options), options);
  } finally {
    void worker.terminate();
  }
}

/** A thread by A2, with a bound to its heap. */
export function startThread(
  file: URL,
  options: {
    readonly memoryBytes?: number | undefined;
    readonly workerData?: unknown;
    readonly transfer?: readonly ArrayBuffer[] | undefined;
  },
): Worker {
  const { memoryBytes = memoryBytesDefault, workerData, transfer = [] } = options;
  const worker = new Worker(file, {
    ...{ workerData, transferList: [...transfer], env: {}, stdout: true, stderr: true },
    resourceLimits: { maxOldGenerationSizeMb: Math.ceil(memoryBytes / 2 ** 20) },
  });
  worker.stdout.resume();
  worker.stderr.resume();
  // How one ends that nobody waits for any more is no news.
  worker.on('error', () => undefined);
  return worker;
}

/**
 * The next answer of a thread. Throws as `apart` does where there is none: nothing is to be had of
 * the thread then, and it is for the caller to end it.
 */
export async function answerOf(worker: Worker, options: ApartOptions): Promise<Answer> {
  const { signal, what, memoryBytes = memoryBytesDefault } = options;
  let release = (): void => undefined;
  const tooMuch = (): EffectFailure => memoryFailure(what, memoryBytes);
  let watch: NodeJS.Timeout | undefined;
  try {
    return await new Promise<Answer>((resolve, reject) => {
      watch = setInterval(() => {
        // Buffers are no part of the heap that Node bounds. A thread that has ended says nothing.
        worker.getHeapStatistics().then(
          ({ used_heap_size: heap, external_memory: buffers }) => {
            if (heap + buffers > memoryBytes) reject(tooMuch());
          },
          () => {},
        );
      }, lookMs);
      const abort = (): void => reject(reasonOf(signal));
      const died = (error: Error & { code?: string }): void => {
        const isFull = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
        reject(isFull ? tooMuch() : deathOf(what, thrownMessage(error)));
      };
      const left = (code: number): void => reject(deathOf(what, `it exited with ${code}`));
      signal.addEventListener('abort', abort, { once: true });
      worker.on('message', resolve).on('error', died).on('exit', left);
      release = () => {
        signal.removeEventListener('abort', abort);
        worker.off('message', resolve).off('error', died).off('exit', left);
      };
    });
  } finally {
    clearInterval(watch);
    release();
  }
}

/**
 * Why work is given up. Work that ran into its time limit was computing, not waiting: another
 * attempt would take as long, so the failure that the engine gives as the reason is not retried.
 */
export function reasonOf({ reason }: AbortSignal): unknown {
  if (reason instanceof EffectFailure) reason.notAgain();
  return reason;
}

/** What a thread has answered, as a value or thrown. */
export function answered<Output>(
  answer: Answer,
  { what, memoryBytes = memoryBytesDefault }: Pick<ApartOptions, 'what' | 'memoryBytes'>,
): Output {
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
