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
import { asWritten, type EventBody, type Journal, type Lease } from './journal.ts';

/** An event for the journal, or what makes it; a passing one behind events that are not shown. */
type Item = EventBody | (() => EventBody) | PassingItem;

interface PassingItem {
  readonly type: 'passing';
  readonly event: Passing;
}

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
    this.#buffer.push(event);
    if (durable) this.#durable = true;
  }

  /** A post is the cause of the event that is recorded next, or of none. */
  take(post: number): void {
    this.#taken.push(post);
  }

  /** Shows an event that is not journaled, behind those that still have to be. */
  pass(event: Passing): void {
    if (this.#listeners.size === 0) return;
    if (this.#buffer.length > 0) this.#buffer.push({ type: 'passing', event });
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
      const event = typeof item === 'function' ? item() : item;
      if (event.type === 'passing') continue;
      bodies.push(event);
      this.#sourced ||= event.type === 'effect.settled' && event.sources !== undefined;
    }
    const written = this.#journal.append(this.#lease, bodies, { durable, taken });
    if (written) this.#seq = written.seq;
    // Most runs have nobody who watches: nothing is made for them.
    if (this.#listeners.size > 0) this.#tellNews(items, written ? asWritten(bodies, written) : []);
  }

  #tellNews(items: readonly Item[], written: readonly WatchEvent[]): void {
    let next = 0;
    for (const item of items) {
      const isPassing = typeof item === 'object' && item.type === 'passing';
      const event = isPassing ? item.event : written[next++];
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
