/**
 * Threads of `apart` that stay for the next piece of work, for work that would have to prepare much
 * each time. A thread does one piece at a time; one that had to be given up in the midst of it is
 * ended, and what comes next begins with a new one. None keeps the process from ending.
 */
import type { Worker } from 'node:worker_threads';
import { type ApartOptions, answered, answerOf, startThread } from './apart.ts';

export interface KeptThreads<Input, Output> {
  /** As `apart`. */
  ask(input: Input, options: Omit<ApartOptions, 'transfer' | 'memoryBytes'>): Promise<Output>;
}

export interface KeptOptions {
  readonly memoryBytes: number;
  /** Threads that stay while there is nothing to do. */
  readonly spare: number;
  /** How long they do, in milliseconds. */
  readonly idleMs: number;
}

/** The file calls `serveAll`. */
export function keptThreads<Input, Output>(
  file: URL,
  { memoryBytes, spare, idleMs }: KeptOptions,
): KeptThreads<Input, Output> {
  const idle = new Map<Worker, NodeJS.Timeout>();
  const drop = (worker: Worker): void => {
    clearTimeout(idle.get(worker));
    idle.delete(worker);
    void worker.terminate();
  };
  const taken = (): Worker => {
    const worker = [...idle.keys()].at(-1);
    if (worker === undefined) {
      const started = startThread(file, { memoryBytes });
      started.on('error', () => drop(started)).on('exit', () => drop(started));
      return started;
    }
    clearTimeout(idle.get(worker));
    idle.delete(worker);
    worker.ref();
    return worker;
  };
  const keep = (worker: Worker): void => {
    if (idle.size >= spare) {
      drop(worker);
      return;
    }
    worker.unref();
    idle.set(worker, setTimeout(drop, idleMs, worker).unref());
  };
  return {
    async ask(input, options) {
      options.signal.throwIfAborted();
      const worker = taken();
      const bounded = { ...options, memoryBytes };
      worker.postMessage(input);
      const answer = await answerOf(worker, bounded).catch((thrown: unknown) => {
        drop(worker);
        throw thrown;
      });
      keep(worker);
      return answered<Output>(answer, bounded);
    },
  };
}
