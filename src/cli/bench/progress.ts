/** What a person sees and says while a benchmark goes on: a line per item, and Ctrl-C. */

import type { BenchLine } from '../../bench/log.ts';
import type { BenchHost } from '../../bench/run-bench.ts';
import { clip, count, duration, oneLine } from '../../text/words.ts';
import { exit } from '../exit.ts';
import { onEndSignal } from '../process/signals.ts';
import { say, styleOf } from '../view/output.ts';

export interface Progress extends Required<Pick<BenchHost, 'ended'>> {
  /** A line that stays. */
  note(text: string): void;
}

/** `known`: how many items the log had already, of all that there are. */
export function progressOf(known: number, total: number, quiet: boolean): Progress {
  let done = known;
  return {
    ended(line) {
      done++;
      if (!quiet) say(itemLine(line, `${done}/${total}`));
    },
    note: say,
  };
}

/** `✔ 3/40 starlark q7  3.2s  Mont Blanc`, or what came instead of what was expected. */
export function itemLine(line: BenchLine, place: string): string {
  const { method, id, answer, label, right, ms, error } = line;
  const style = styleOf(process.stderr);
  const mark = right.corrected ? style.good('✔') : style.error('✖');
  const got = answer === null ? (error?.message ?? 'no answer') : answer;
  const words = clip(oneLine(got), wordsMost);
  const want = right.corrected ? '' : `, want ${clip(oneLine(label), wordsMost)}`;
  return `${mark} ${place} ${method} ${oneLine(id)}  ${style.dim(duration(ms))}  ${words}${want}`;
}

const wordsMost = 60;

export const itemsText = (items: number, methods: number): string =>
  methods === 1 ? count(items, 'question') : `${count(items, 'question')} × ${methods} methods`;

export interface Interrupts {
  /** Aborted at the first interrupt. */
  readonly signal: AbortSignal;
  stop(): void;
}

/** Beside the runs under way, each of which hears it too and ends so that nothing is lost. */
export function hearInterrupts(progress: Progress, concurrency: number): Interrupts {
  const controller = new AbortController();
  const { signal } = controller;
  const interrupt = (): void => {
    if (signal.aborted) process.exit(exit.interrupted);
    progress.note('interrupted: what is under way ends; once more to end at once');
    controller.abort();
  };
  process.setMaxListeners(process.getMaxListeners() + concurrency);
  return { signal, stop: onEndSignal(interrupt) };
}
