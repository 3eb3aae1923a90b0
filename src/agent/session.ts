/**
 * One piece of work: the runs of one request, from the first to the answer. Owns the events that
 * nobody has read yet, and the runs of it that this process has.
 *
 * Invariants:
 * - A1 `end` never rejects for work that failed, waits or was suspended; only for what kept the
 *   work from beginning or from being journaled.
 * - A2 An event with a cursor is in the journal before anybody sees it here.
 */

import type { Usage } from '../engine/handler.ts';
import type { Journal } from '../engine/journal/journal.ts';
import type { RunResult } from '../engine/result.ts';
import type { RunHandle } from '../engine/run.ts';
import { encodeValue } from '../program/json.ts';
import type { AgentEvent, SessionEnd } from './port/events.ts';
import type { Host, LiveRun } from './port/host.ts';
import type { Reply } from './port/reply.ts';
import { nextSteps } from './record/next-steps.ts';
import { stoppedResult } from './run/stopped-work.ts';
import { nothingUsed } from './run/usage.ts';
import type { PursuitEnd } from './run/work.ts';
import { eventDocument } from './view/event-line.ts';

/** What performing a session came to. */
export type Worked = Pick<PursuitEnd, 'result'> & Partial<PursuitEnd>;

export interface SessionParts {
  readonly journal: Journal;
  /** Of the first run; another one is taken where the work goes on with a run. */
  readonly id: string;
  readonly host: Host;
  readonly signal?: AbortSignal | undefined;
  /** Looks on at each of its runs, as `Ports.watched`, where the host does not. */
  readonly watched?: ((run: LiveRun) => void) | undefined;
  /** Leaves a reply with a run of it. */
  reply(run: string, reply: Reply): Promise<readonly string[]>;
  /** Does the work. Rejects where it could not begin. */
  work(host: Host): Promise<Worked>;
}

export class Session implements AsyncIterable<AgentEvent> {
  readonly id: string;
  readonly end: Promise<SessionEnd>;
  /** The same with the program that its places are of; rejects with what has stopped the work. */
  readonly worked: Promise<Worked>;
  readonly #journal: Journal;
  readonly #listeners = new Set<(event: AgentEvent) => void>();
  /** All events so far, for whoever begins to listen later. */
  readonly #events: AgentEvent[] = [];
  readonly #runs: string[] = [];
  readonly #live = new Set<RunHandle>();
  #stopped: 'interrupted' | 'cancelled' | undefined;

  readonly #reply: SessionParts['reply'];

  constructor({ journal, id, host, signal, reply, watched, work }: SessionParts) {
    this.id = id;
    this.#reply = reply;
    this.#journal = journal;
    const own: Host = {
      ...host,
      notice: (notice) => {
        host.notice?.(notice);
        this.#emit(notice);
      },
      watch: (run) => {
        const end = host.watch ? host.watch(run) : watched?.(run);
        const forget = this.#watch(run);
        return () => {
          end?.();
          forget();
        };
      },
    };
    // Whoever made the session hears of its first events, too.
    this.worked = Promise.resolve(own).then(work);
    this.end = this.#ended();
    // A caller that only reads events need not handle it.
    this.end.catch(() => {});
    const stop = (): void => this.stop('interrupted');
    if (signal?.aborted) stop();
    signal?.addEventListener('abort', stop, { once: true });
    this.end.finally(() => signal?.removeEventListener('abort', stop)).catch(() => {});
  }

  /** Events from the first on, to the end; several readers each get all of them. */
  async *[Symbol.asyncIterator](): AsyncGenerator<AgentEvent> {
    let wake = (): void => {};
    const listener = (): void => wake();
    this.#listeners.add(listener);
    try {
      for (let read = 0; ; ) {
        const event = this.#events[read];
        if (event) {
          read++;
          yield event;
          if (event.type === 'ended') return;
          continue;
        }
        const more = new Promise<void>((resolve) => {
          wake = resolve;
        });
        // Work that could not begin has no last event.
        await Promise.race([more, this.end]);
      }
    } finally {
      this.#listeners.delete(listener);
    }
  }

  /** Gives the function that ends it. */
  subscribe(listener: (event: AgentEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /**
   * Leaves a reply with the run that goes on, or the last one; resuming goes on where it waits.
   * Throws as `Agent.reply` does.
   */
  async reply(reply: Reply): Promise<readonly string[]> {
    return await this.#reply(this.#runs.at(-1) ?? this.id, reply);
  }

  /** Suspends the work so that it can be resumed, or cancels it. */
  stop(reason: 'interrupted' | 'cancelled' = 'interrupted'): void {
    this.#stopped = reason;
    for (const handle of this.#live) handle.cancel(reason);
  }

  #emit(event: AgentEvent): void {
    this.#events.push(event);
    for (const listener of this.#listeners) listener(event);
  }

  #watch({ handle, program, title, loop }: LiveRun): () => void {
    const run = handle.id;
    this.#runs.push(run);
    this.#live.add(handle);
    const base = this.#journal.find(run)?.base?.run;
    this.#emit({
      ...{ type: 'run.began', run, title, dialect: program.dialect },
      ...(loop && { loop }),
      ...(base !== undefined && { base }),
    });
    const unsubscribe = handle.subscribe((event) => {
      const cursor = 'seq' in event ? { cursor: `${run}:${event.seq}` } : {};
      this.#emit({ type: 'run.event', run, ...cursor, event: eventDocument(event) });
    });
    if (this.#stopped) handle.cancel(this.#stopped);
    return () => {
      unsubscribe();
      this.#live.delete(handle);
    };
  }

  async #ended(): Promise<SessionEnd> {
    const { result, planning = nothingUsed } = await this.worked.catch((error: unknown): Worked => {
      const stopped = stoppedResult(error, this.#journal, this.#runs);
      if (!stopped) throw error;
      return { result: stopped };
    });
    const end = await endOf(this.#journal, result, this.#runs, planning);
    this.#emit({ type: 'ended', end: plainEnd(end) });
    return end;
  }
}

/** The same as plain JSON, for events. */
export const plainEnd = (end: SessionEnd): SessionEnd => Object(encodeValue({ ...end }));

export async function endOf(
  journal: Journal,
  result: RunResult,
  runs: readonly string[],
  planning: Usage = nothingUsed,
): Promise<SessionEnd> {
  // Reads the program, with its dialect.
  const { withAnswerSources } = await import('./record/answer-sources.ts');
  const sourced = withAnswerSources(result, journal);
  const all = runs.includes(result.run) ? runs : [...runs, result.run];
  return { ...sourced, runs: all, planning, next: nextSteps(result) };
}
