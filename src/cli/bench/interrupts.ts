/** Ctrl-C in a benchmark: the first ends what is under way, the second the process. */
import { exit } from '../exit.ts';
import type { Progress } from './progress.ts';

export interface Interrupts {
  /** Aborted at the first interrupt. */
  readonly signal: AbortSignal;
  stop(): void;
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Beside the runs under way, each of which hears it too and ends so that nothing is lost. */
export function hearInterrupts(progress: Progress, concurrency: number): Interrupts {
  const controller = new AbortController();
  const { signal } = controller;
  const interrupt = (): void => {
    if (signal.aborted) {
      progress.end();
      process.exit(exit.interrupted);
    }
    progress.note('interrupted: what is under way ends; once more to end at once');
    controller.abort();
  };
  process.setMaxListeners(process.getMaxListeners() + concurrency);
  for (const name of signals) process.on(name, interrupt);
  return {
    signal,
    stop() {
      for (const name of signals) process.off(name, interrupt);
    },
  };
}
