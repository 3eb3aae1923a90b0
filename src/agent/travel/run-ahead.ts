/**
 * A run under the debugger: it goes on in this process, and performs nothing before the debugger
 * has come to where the program asks for it. What it owns: who waits for news of the run.
 */
import type { WatchEvent } from '../../engine/events.ts';
import type { Journal } from '../../engine/journal/journal.ts';
import { readPast } from '../../engine/past/read-past.ts';
import { Gate } from '../../engine/perform/gate.ts';
import type { RunResult } from '../../engine/result.ts';
import type { RunHandle } from '../../engine/run.ts';
import type { HeldRun } from '../port/host.ts';
import { type Ahead, Travel, walkPartsOf } from './travel.ts';

export class RunAhead implements Ahead {
  readonly handle: RunHandle;
  readonly #journal: Journal;
  readonly #gate = new Gate();
  #hasNews = false;
  #isOver = false;
  /** Why the engine could not go on. */
  #error: unknown;
  #wake: () => void = () => {};

  /** Starts the run. */
  constructor({ journal, start }: HeldRun) {
    const handle = start({ gate: this.#gate });
    this.handle = handle;
    this.#journal = journal;
    handle.subscribe((event) => {
      if (isNews(event)) this.#tell();
    });
    const end = (error?: unknown): void => {
      this.#isOver = true;
      this.#error = error;
      this.#tell();
    };
    handle.result.then(() => end(), end);
  }

  /** A run that has not ended is suspended. */
  async end(): Promise<RunResult> {
    if (!this.#isOver) this.handle.cancel('interrupted');
    return await this.handle.result;
  }

  begin(effect: string): void {
    this.#gate.letThrough(effect);
  }

  async more(): ReturnType<Ahead['more']> {
    if (!this.#hasNews && !this.#isOver) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
    }
    if (this.#error !== undefined) throw this.#error;
    if (!this.#hasNews) return undefined;
    this.#hasNews = false;
    const { id } = this.handle;
    const { status = 'running' } = this.#journal.find(id) ?? {};
    return { past: readPast(this.#journal.events(id)), status };
  }

  interrupt(): void {
    this.#wake();
  }

  #tell(): void {
    this.#hasNews = true;
    this.#wake();
  }
}

/** A run for somebody who goes through it; who leaves before its end suspends it. */
export async function travelAhead(
  held: HeldRun,
  goThrough: (travel: Travel) => Promise<void>,
): Promise<RunResult> {
  const ahead = new RunAhead(held);
  try {
    await goThrough(new Travel(walkPartsOf(held.journal, ahead.handle.id), ahead));
  } finally {
    await ahead.end();
  }
  return await ahead.handle.result;
}

/** What the program can go on with, or why it cannot. */
const isNews = ({ type }: WatchEvent): boolean =>
  type === 'effect.settled' ||
  type === 'effect.part' ||
  type === 'effect.unknown' ||
  type.startsWith('run.');
