/**
 * Writes one run's events: collects what happens at the same time into one append (group commit)
 * and shows it to those who watch. What it owns: the buffer and the listeners. When to flush is the
 * execution's business, and so is when to show: what is next is started before anybody looks.
 *
 * Invariants:
 * - R1 Nothing is shown before it is in the journal, and everything in the order it was given.
 * - R2 What `record` marked durable is durable, with all before it, when `flush` returns.
 */
import type { Listener, Passing, WatchEvent } from '../events.ts';
import type { EventBody, Journal, Lease } from './journal.ts';

type Item =
  | { readonly kept: true; readonly event: EventBody | (() => EventBody) }
  | { readonly kept: false; readonly event: Passing };

export class Recorder {
  readonly #journal: Journal;
  readonly #lease: Lease;
  readonly #listeners = new Set<Listener>();
  #buffer: Item[] = [];
  /** In the journal, and not shown yet. */
  #news: WatchEvent[] = [];
  #durable = false;
  #seq = 0;
  #sourced = false;
  /** Posts that the next append takes. */
  #taken: number[] = [];

  constructor(journal: Journal, lease: Lease) {
    this.#journal = journal;
    this.#lease = lease;
  }

  /** Whether there is anything to flush. */
  get pending(): boolean {
    return this.#buffer.length > 0;
  }

  /** Number of the last event that this process has written; 0 before the first. */
  get seq(): number {
    return this.#seq;
  }

  /** Whether an outcome that this process has written says where it comes from. */
  get sourced(): boolean {
    return this.#sourced;
  }

  /** Whether anybody watches: passing events need not be made for nobody. */
  get watched(): boolean {
    return this.#listeners.size > 0;
  }

  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** Of what need not be made before it is written, a function makes the event then. */
  record(event: EventBody | (() => EventBody), durable = false): void {
    this.#buffer.push({ kept: true, event });
    if (durable) this.#durable = true;
  }

  /** A post is the cause of the event that is recorded next, or of none. */
  take(post: number): void {
    this.#taken.push(post);
  }

  /** Shows an event that is not journaled, behind those that still have to be. */
  pass(event: Passing): void {
    if (this.#listeners.size === 0) return;
    if (this.#buffer.length > 0) this.#buffer.push({ kept: false, event });
    else this.#news.push(event);
  }

  /** Will show events that are in the journal already. */
  tell(events: readonly WatchEvent[]): void {
    this.#news.push(...events);
  }

  flush(): void {
    const items = this.#buffer;
    const taken = this.#taken;
    if (items.length === 0 && taken.length === 0) return;
    this.#taken = [];
    const durable = this.#durable;
    this.#buffer = [];
    this.#durable = false;
    const bodies: EventBody[] = [];
    for (const item of items) {
      if (item.kept) bodies.push(typeof item.event === 'function' ? item.event() : item.event);
    }
    this.#sourced ||= bodies.some((one) => one.type === 'effect.settled' && !!one.sources);
    const events =
      bodies.length + taken.length === 0
        ? []
        : this.#journal.append(this.#lease, bodies, { durable, taken });
    this.#seq = events.at(-1)?.seq ?? this.#seq;
    if (this.#listeners.size === 0) return;
    let next = 0;
    for (const item of items) {
      const event: WatchEvent | undefined = item.kept ? events[next++] : item.event;
      if (event) this.#news.push(event);
    }
  }

  /** Shows what is in the journal to those who watch. */
  show(): void {
    const news = this.#news;
    if (news.length === 0) return;
    this.#news = [];
    for (const event of news) for (const listener of this.#listeners) listener(event);
  }
}
