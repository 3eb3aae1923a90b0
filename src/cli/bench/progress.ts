/** What a person sees while a benchmark goes on: a bar on a terminal, a line per item elsewhere. */
import type { BenchLine } from '../../bench/log.ts';
import type { BenchHost } from '../../bench/run-bench.ts';
import { nothing, sum } from '../../bench/summary.ts';
import { clip, count, duration, grouped, oneLine, price } from '../../text/words.ts';
import { exit } from '../exit.ts';
import { say, styleOf } from '../view/output.ts';
import { Screen } from '../view/screen.ts';

export interface Progress extends Required<Pick<BenchHost, 'begun' | 'ended'>> {
  /** A line that stays. */
  note(text: string): void;
  end(): void;
}

export interface ProgressOptions {
  /** Items times methods. */
  readonly total: number;
  /** What the log had already. */
  readonly known: readonly BenchLine[];
  readonly quiet: boolean;
}

export function progressOf(options: ProgressOptions): Progress {
  const tally = new Tally(options);
  if (options.quiet) return { begun() {}, ended() {}, note: say, end() {} };
  const isLive = process.stderr.isTTY && process.env.TERM !== 'dumb';
  return isLive ? liveProgress(tally) : plainProgress(tally);
}

/** Counts what is there, what is right and what it took. */
export class Tally {
  readonly total: number;
  done: number;
  running = 0;
  #right: number;
  #usage = nothing;
  /** Of this process. */
  #ended = 0;
  readonly #startedAt = Date.now();

  constructor({ total, known }: Pick<ProgressOptions, 'total' | 'known'>) {
    this.total = total;
    this.done = known.length;
    this.#right = known.filter(({ right }) => right.corrected).length;
  }

  add({ right, usage }: BenchLine): void {
    this.done++;
    this.#ended++;
    if (right.corrected) this.#right++;
    this.#usage = sum(this.#usage, usage);
  }

  /** `12/40 · 75% right · 3 running · 12 345 tokens · $0.12 · 20s, about 1m 05s left`. */
  facts(now: number): string[] {
    const { inputTokens, outputTokens, cost } = this.#usage;
    const facts = [`${this.done}/${this.total}`];
    if (this.done > 0) facts.push(`${Math.round((100 * this.#right) / this.done)}% right`);
    if (this.running > 0) facts.push(`${this.running} running`);
    if (inputTokens > 0) facts.push(`${grouped(inputTokens + outputTokens)} tokens`);
    if (inputTokens > 0 && cost !== null) facts.push(price(cost));
    const took = now - this.#startedAt;
    const left = (took / this.#ended) * (this.total - this.done);
    const rest = this.#ended > 0 && left > 0 ? `, about ${duration(left)} left` : '';
    return [...facts, duration(took) + rest];
  }

  /** From 0 to 1. */
  get part(): number {
    return this.total === 0 ? 1 : this.done / this.total;
  }
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

function plainProgress(tally: Tally): Progress {
  return {
    begun() {},
    ended(line) {
      tally.add(line);
      say(itemLine(line, `${tally.done}/${tally.total}`));
    },
    note: say,
    end() {},
  };
}

/** How often it is drawn at most, in milliseconds. */
const frameMs = 100;
const barColumns = 24;

function liveProgress(tally: Tally): Progress {
  const style = styleOf(process.stderr);
  const screen = new Screen(process.stderr);
  const draw = (): void => {
    const text = clip(
      [bar(tally.part), ...tally.facts(Date.now())].join(' · '),
      screen.columns - 1,
    );
    screen.draw([style.active(text.slice(0, barColumns)) + text.slice(barColumns)], [text]);
  };
  // Time passes without events too.
  const timer = setInterval(draw, frameMs);
  timer.unref();
  draw();
  return {
    begun() {
      tally.running++;
    },
    ended(line) {
      tally.running--;
      tally.add(line);
      if (!line.right.corrected) screen.write(itemLine(line, `${tally.done}/${tally.total}`));
    },
    note: (text) => screen.write(text),
    end() {
      clearInterval(timer);
      draw();
      screen.close();
    },
  };
}

/** `━━━━━━━━────────`. */
export function bar(part: number): string {
  const full = Math.round(Math.min(1, Math.max(0, part)) * barColumns);
  return '━'.repeat(full) + '─'.repeat(barColumns - full);
}

export const itemsText = (items: number, methods: number): string =>
  methods === 1 ? count(items, 'question') : `${count(items, 'question')} × ${methods} methods`;

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
