/**
 * A journal that lives as long as its process: for tests, and for runs nobody wants to keep. It
 * owns its events: they are kept as text, so that no caller can change what was written.
 */
import { decode, type Encoded, encode } from '../event-text.ts';
import {
  type EventBody,
  type Journal,
  type Lease,
  LeaseLost,
  leaseMs,
  type RunEvent,
  RunOwned,
  type RunRecord,
  type RunStatus,
  type RunSummary,
} from '../journal.ts';
import { isHeld, type JournalOptions, surroundings } from '../lease.ts';
import { journalClosed, noSuchRun, runExists } from '../refusal.ts';
import { created, lastTurn, type Turn } from '../run-status.ts';

interface Run {
  readonly id: string;
  readonly createdAt: number;
  readonly record: Encoded;
  readonly events: { readonly at: number; readonly body: Encoded }[];
  turn: Turn;
  updatedAt: number;
  owner: string | null;
  /** Epoch milliseconds. */
  until: number;
  epoch: number;
  cancelRequested: boolean;
}

/** An empty journal. */
export function memoryJournal(options: JournalOptions = {}): Journal {
  return new MemoryJournal(surroundings(options));
}

class MemoryJournal implements Journal {
  readonly #world: Required<JournalOptions>;
  readonly #runs = new Map<string, Run>();
  /** Each large text once (J4); equal strings of different events become the same one. */
  readonly #content = new Map<string, string>();
  #open = true;

  constructor(world: Required<JournalOptions>) {
    this.#world = world;
  }

  create(record: RunRecord, owner: string, events: readonly EventBody[] = []): Lease {
    if (this.#find(record.id) !== undefined) throw runExists(record.id);
    const now = this.#world.now();
    this.#runs.set(record.id, {
      id: record.id,
      createdAt: record.createdAt,
      record: this.#keep(encode(record)),
      events: [],
      turn: created,
      updatedAt: now,
      owner,
      until: now + leaseMs,
      epoch: 1,
      cancelRequested: false,
    });
    const lease = { run: record.id, epoch: 1 };
    this.append(lease, events);
    return lease;
  }

  claim(id: string, owner: string): Lease {
    const run = this.#known(id);
    if (run.owner !== null && run.owner !== owner && isHeld(run, this.#world)) {
      throw new RunOwned(id, run.owner);
    }
    run.owner = owner;
    run.until = this.#world.now() + leaseMs;
    run.epoch++;
    run.cancelRequested = false;
    return { run: id, epoch: run.epoch };
  }

  renew(lease: Lease): void {
    this.#held(lease).until = this.#world.now() + leaseMs;
  }

  release(lease: Lease): void {
    const run = this.#find(lease.run);
    if (run?.epoch === lease.epoch) run.owner = null;
  }

  append(lease: Lease, bodies: readonly EventBody[]): RunEvent[] {
    if (bodies.length === 0) return [];
    const encoded = bodies.map(encode);
    const run = this.#held(lease);
    const at = this.#world.now();
    const before = run.events.length;
    for (const body of encoded) run.events.push({ at, body: this.#keep(body) });
    run.turn = lastTurn(bodies) ?? run.turn;
    run.updatedAt = at;
    run.until = at + leaseMs;
    return bodies.map((body, index) => ({ ...body, seq: before + index + 1, at }));
  }

  events(id: string, after = 0): RunEvent[] {
    const events = this.#find(id)?.events.slice(after) ?? [];
    return events.map(
      ({ at, body }, index) => ({ ...decode(body), seq: after + index + 1, at }) as RunEvent,
    );
  }

  find(id: string): RunSummary | undefined {
    const run = this.#find(id);
    return run && this.#summary(run);
  }

  list(filter: { status?: RunStatus; prefix?: string; limit?: number } = {}): RunSummary[] {
    const { status, prefix = '', limit } = filter;
    return this.#all()
      .filter((run) => run.id.startsWith(prefix) && (status ?? run.turn.status) === run.turn.status)
      .sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1))
      .slice(0, limit)
      .map((run) => this.#summary(run));
  }

  requestCancel(id: string): void {
    this.#known(id).cancelRequested = true;
  }

  cancelRequested(id: string): boolean {
    return this.#find(id)?.cancelRequested ?? false;
  }

  close(): void {
    this.#open = false;
    this.#runs.clear();
    this.#content.clear();
  }

  #all(): Run[] {
    if (!this.#open) throw journalClosed();
    return [...this.#runs.values()];
  }

  #find(id: string): Run | undefined {
    if (!this.#open) throw journalClosed();
    return this.#runs.get(id);
  }

  #known(id: string): Run {
    const run = this.#find(id);
    if (run === undefined) throw noSuchRun(id);
    return run;
  }

  /** The run, if the lease is its newest and was not released (J3). */
  #held(lease: Lease): Run {
    const run = this.#find(lease.run);
    if (run === undefined || run.owner === null || run.epoch !== lease.epoch) {
      throw new LeaseLost(lease.run);
    }
    return run;
  }

  #keep({ text, large }: Encoded): Encoded {
    const kept = large.map((part) => ({ path: part.path, text: this.#intern(part.text) }));
    return { text, large: kept };
  }

  #intern(text: string): string {
    const known = this.#content.get(text);
    if (known === undefined) this.#content.set(text, text);
    return known ?? text;
  }

  #summary(run: Run): RunSummary {
    return {
      ...(decode(run.record) as unknown as RunRecord),
      ...run.turn,
      updatedAt: run.updatedAt,
      events: run.events.length,
      owned: isHeld(run, this.#world),
    };
  }
}
