/**
 * A run under the debugger: it goes on in this process, and performs nothing before the debugger
 * has come to where the program asks for it. What it owns: who waits for news of the run.
 */
import type { WatchEvent } from '../../engine/events.ts';
import type { Journal } from '../../engine/journal/journal.ts';
import { readPast } from '../../engine/past/read-past.ts';
import type { Turnstile } from '../../engine/perform/gate.ts';
import type { RunHandle } from '../../engine/run.ts';
import type { Ahead } from './travel.ts';

export interface RunAheadParts {
  readonly handle: RunHandle;
  readonly journal: Journal;
  /** The gate that the run was started with. */
  readonly gate: Turnstile;
}

export class RunAhead implements Ahead {
  readonly #parts: RunAheadParts;
  #hasNews = false;
  #isOver = false;
  /** Why the engine could not go on. */
  #error: unknown;
  #wake: () => void = () => {};

  constructor(parts: RunAheadParts) {
    const { handle } = parts;
    this.#parts = parts;
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

  get isOver(): boolean {
    return this.#isOver;
  }

  begin(effect: string): void {
    this.#parts.gate.letThrough(effect);
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
    const { journal, handle } = this.#parts;
    const { status = 'running' } = journal.find(handle.id) ?? {};
    return { past: readPast(journal.events(handle.id)), status };
  }

  interrupt(): void {
    this.#wake();
  }

  #tell(): void {
    this.#hasNews = true;
    this.#wake();
  }
}

/** What the program can go on with, or why it cannot. */
const isNews = ({ type }: WatchEvent): boolean =>
  type === 'effect.settled' ||
  type === 'effect.part' ||
  type === 'effect.unknown' ||
  type.startsWith('run.');
