/**
 * Work on what others have made, a document or a query, that may take any time and any memory: in a
 * thread of its own, which can be ended in the midst of it, while everything else goes on.
 *
 * - A1 The promise settles as soon as the signal is aborted, the memory is used up, or there is a
 *   result, whatever the work is doing; the thread is gone by then, or goes.
 * - A2 The thread has none of the process's environment, and nothing that it writes is seen.
 * - A3 A thread does one piece of work at a time, and one that has done its own stays for the next
 *   of the same kind: starting it and loading what it needs is most of a short piece. One that was
 *   given up, or still holds half of its memory, is ended.
 */
import { Worker } from 'node:worker_threads';
import { EffectFailure, refusal } from '../../engine/handler.ts';
import { thrownMessage } from '../../program/diagnostic.ts';

export interface ApartOptions {
  readonly signal: AbortSignal;
  /** What the work is, for messages: `the query`. */
  readonly what: string;
  /** Memory that the thread may hold, about. */
  readonly memoryBytes?: number;
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

/** How long a thread waits for other work, in milliseconds. */
const idleMs = 30_000;

interface Spare {
  readonly worker: Worker;
  readonly until: NodeJS.Timeout;
}

/** One thread that waits, by its file and its memory. None keeps the process from ending. */
const spares = new Map<string, Spare>();

/**
 * Has a thread at `file` do its work on `input`, which is copied there as its result is copied
 * back. Throws `EffectFailure` PV4901 or PV4902, what the work throws, or the signal's reason.
 */
export async function apart<Input, Output>(
  file: URL,
  input: Input,
  options: ApartOptions,
): Promise<Output> {
  const { signal, memoryBytes = memoryBytesDefault } = options;
  signal.throwIfAborted();
  const key = `${memoryBytes} ${file.href}`;
  const worker = takeSpare(key) ?? startThread(key, file, memoryBytes);
  const answer = await answerOf(worker, input, options).catch((thrown: unknown) => {
    void worker.terminate();
    throw thrown;
  });
  await keep(key, worker, memoryBytes);
  return answered<Output>(answer, options);
}

/** A thread by A2, with a bound to its heap. */
function startThread(key: string, file: URL, memoryBytes: number): Worker {
  const worker = new Worker(file, {
    ...{ env: {}, stdout: true, stderr: true },
    resourceLimits: { maxOldGenerationSizeMb: Math.ceil(memoryBytes / 2 ** 20) },
  });
  worker.stdout.resume();
  worker.stderr.resume();
  // How one ends that nobody waits for any more is no news.
  worker.on('error', () => undefined);
  worker.on('exit', () => {
    if (spares.get(key)?.worker === worker) spares.delete(key);
  });
  return worker;
}

function takeSpare(key: string): Worker | undefined {
  const spare = spares.get(key);
  if (spare === undefined) return undefined;
  spares.delete(key);
  clearTimeout(spare.until);
  spare.worker.ref();
  return spare.worker;
}

/** By A3. */
async function keep(key: string, worker: Worker, memoryBytes: number): Promise<void> {
  const held = await heldBytes(worker).catch(() => Number.POSITIVE_INFINITY);
  if (spares.has(key) || held > memoryBytes / 2) {
    void worker.terminate();
    return;
  }
  worker.unref();
  spares.set(key, { worker, until: setTimeout(() => void worker.terminate(), idleMs).unref() });
}

/** The heap, which Node limits, and buffers, which it does not. */
async function heldBytes(worker: Worker): Promise<number> {
  const { used_heap_size: heap, external_memory: buffers } = await worker.getHeapStatistics();
  return heap + buffers;
}

/** What a thread answers to an input. Throws as `apart` does where it gives no answer. */
async function answerOf(worker: Worker, input: unknown, options: ApartOptions): Promise<Answer> {
  const { signal, what, memoryBytes = memoryBytesDefault } = options;
  let release = (): void => undefined;
  const tooMuch = (): EffectFailure => memoryFailure(what, memoryBytes);
  let watch: NodeJS.Timeout | undefined;
  try {
    return await new Promise<Answer>((resolve, reject) => {
      watch = setInterval(() => {
        // A thread that has ended says nothing.
        heldBytes(worker).then(
          (held) => {
            if (held > memoryBytes) reject(tooMuch());
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
      worker.postMessage(input);
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
  refusal(code, message, { hint });

export const memoryFailure = (what: string, bytes: number): EffectFailure =>
  refusal('PV4901', `${what} would need more than ${bytes / 2 ** 20} MiB of memory`, {
    hint: 'ask for less of it at a time',
  });

export const deathOf = (what: string, why: string): EffectFailure =>
  refusal('PV4902', `what works on ${what} has ended: ${why}`);
