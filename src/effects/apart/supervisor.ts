/**
 * A process around the thread of `apartProcess`: native code cannot be ended within a process, so
 * the process is. It ends itself where nobody is there any more to do it.
 */
import { Worker } from 'node:worker_threads';
import type { Answer } from './apart.ts';

/** What the process is sent once. */
export interface Order {
  readonly file: string;
  readonly input: unknown;
  readonly memoryBytes: number;
}

process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));

process.once('message', ({ file, input, memoryBytes }: Order) => {
  const worker = new Worker(new URL(file), {
    resourceLimits: { maxOldGenerationSizeMb: Math.ceil(memoryBytes / 2 ** 20) },
  });
  const say = (answer: Answer): void => void process.send?.(answer);
  worker.postMessage(input);
  worker.once('message', say);
  // With its answer on the way, that it has ended is no news.
  worker.once('exit', (code) => setImmediate(() => process.exit(code)));
  worker.once('error', (error: Error & { code?: string }) =>
    say(
      error.code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? { ok: false, full: true }
        : { ok: false, thrown: error },
    ),
  );
});
