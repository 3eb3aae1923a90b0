/**
 * The journal in a SQLite file: several processes may have it open, and each run belongs to one of
 * them at a time. It owns the connection. Each append is one transaction; in WAL mode a commit
 * survives a killed process as it is, and power loss once the log is synced, which a `durable`
 * append does for itself and for all before it (J2).
 */
import { hash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { decode, type Encoded, encode } from '../event-text.ts';
import { created, lastTurn } from '../history.ts';
import {
  type AdoptedRun,
  type Appended,
  type AppendOptions,
  type EventBody,
  type Journal,
  JournalError,
  type KeptSnapshot,
  type Lease,
  LeaseLost,
  leaseMs,
  noSuchRun,
  notRemoved,
  type RemovedRun,
  type RunEvent,
  RunOwned,
  type RunRecord,
  type RunSummary,
  requireForkPoint,
  runExists,
  runWasRemoved,
} from '../journal.ts';
import { type Base, type Segment, segments } from '../lineage.ts';
import { isHeld, type JournalOptions, surroundings, type World } from '../owner.ts';
import type { KeptPost, Post } from '../post.ts';
import type { RunFilter } from '../run-identity.ts';
import type { Sizes, SweepOptions, Swept } from '../sweep.ts';
import { damage, guarded, journalError, openDatabase } from './database.ts';
import {
  listQuery,
  prepare,
  type Query,
  type RunRow,
  type Statements,
  searchedMetadata,
  searchedTitle,
} from './statements.ts';
import { sizesOf, sweep, withoutLog } from './sweep.ts';

/** What a full disk leads to. */
const noRoom: ReadonlySet<string> = new Set(['PV5016', 'PV5017']);

/** Opens the journal in this file; creates file and folder where they are missing. */
export function sqliteJournal(path: string, options: JournalOptions = {}): Journal {
  return new SqliteJournal(openDatabase(path, undefined, options.isAlone), path, options);
}

export class SqliteJournal implements Journal {
  readonly #database: DatabaseSync;
  readonly #path: string;
  readonly #world: World;
  readonly #sql: Statements;
  #synchronous: 'normal' | 'full' = 'normal';

  /** Takes over a connection that `openDatabase` made, and closes it when it is of no use. */
  constructor(database: DatabaseSync, path: string, options: JournalOptions = {}) {
    this.#database = database;
    this.#path = path;
    this.#world = surroundings(options);
    try {
      this.#sql = prepare(database);
    } catch (error) {
      database.close();
      throw journalError(error, path);
    }
  }

  create(record: RunRecord, owner: string, bodies: readonly EventBody[] = []): Lease {
    const encoded = encode(record);
    const events = bodies.map((body) => encode(body));
    return this.#write(() => {
      const now = this.#world.now();
      const lease = this.#begin(record, encoded, { base: record.base, owner, now });
      if (bodies.length > 0) this.#insert(lease, events, now, bodies);
      return lease;
    });
  }

  claim(run: string, owner: string): Lease {
    return this.#write(() => {
      const lease = this.#sql.lease.get(run);
      if (lease === undefined) throw noSuchRun(run);
      if (lease.owner !== null && lease.owner !== owner && isHeld(lease, this.#world)) {
        throw new RunOwned(run, lease.owner);
      }
      const claimed = this.#sql.claim.get(owner, this.#world.now() + leaseMs, run);
      if (claimed === undefined) throw noSuchRun(run);
      this.#sql.takeCancels.run(run);
      return { run, epoch: claimed.epoch };
    });
  }

  renew({ run, epoch }: Lease): void {
    const until = this.#world.now() + leaseMs;
    const rows = this.#write(() => this.#sql.renew.run(until, run, epoch));
    if (rows === 0) throw new LeaseLost(run);
  }

  release({ run, epoch }: Lease): void {
    this.#write(() => this.#sql.release.run(run, epoch));
  }

  append(
    lease: Lease,
    bodies: readonly EventBody[],
    { durable = false, taken = [] }: AppendOptions = {},
  ): Appended | undefined {
    if (bodies.length === 0 && taken.length === 0) return undefined;
    const encoded = bodies.map(encode);
    const at = this.#world.now();
    const write = (): number => {
      for (const id of taken) this.#sql.take.run(lease.run, id);
      return this.#insert(lease, encoded, at, bodies);
    };
    const seq = this.#write(write, durable ? 'full' : 'normal');
    return bodies.length === 0 ? undefined : { seq, at };
  }

  events(run: string, after = 0, upTo: number = Number.MAX_SAFE_INTEGER): RunEvent[] {
    return this.#read(() => {
      const texts = new Map<string, string>();
      return this.#segments(run, after).flatMap((own) =>
        this.#sql.eventsWithin
          .all(own.run, own.after, Math.min(own.upTo, upTo))
          .map(([seq, at, body, large]) => {
            // A new object each time, so that a copy is saved.
            return Object.assign(this.#decode(body, large, texts), { seq, at }) as RunEvent;
          }),
      );
    });
  }

  keepSnapshot({ run, epoch }: Lease, { seq, text }: KeptSnapshot): void {
    const rows = this.#write(() => this.#sql.keepSnapshot.run(seq, text, run, epoch));
    if (rows === 0) throw new LeaseLost(run);
  }

  snapshots(run: string): readonly number[] {
    return this.#read(() =>
      this.#segments(run).flatMap((own) =>
        this.#sql.snapshotsWithin.all(own.run, own.after, own.upTo).map(({ seq }) => seq),
      ),
    );
  }

  snapshot(run: string, seq: number): string | undefined {
    return this.#read(() => {
      const own = this.#segments(run).find(({ after, upTo }) => seq > after && seq <= upTo);
      return own && this.#sql.snapshot.get(own.run, seq)?.text;
    });
  }

  find(run: string): RunSummary | undefined {
    return this.#read(() => {
      const row = this.#sql.find.get(run);
      return row && this.#summary(row);
    });
  }

  list(filter: RunFilter = {}): RunSummary[] {
    const { sql, values } = listQuery(filter);
    const { owned, limit } = filter;
    return this.#read(() => {
      const runs = this.#sql
        .list(sql)
        .all(...values)
        .map((row) => this.#summary(row));
      if (owned === undefined) return runs;
      return runs.filter((run) => run.owned === owned).slice(0, limit);
    });
  }

  children(run: string): RunSummary[] {
    return this.#read(() => this.#sql.children.all(run).map((row) => this.#summary(row)));
  }

  post(run: string, post: Post): number {
    const body = JSON.stringify(post);
    const row = this.#write(() => this.#sql.post.get(post.kind, body, run));
    if (!row) throw noSuchRun(run);
    return row.id;
  }

  withdraw(run: string, post: number, instead?: Post): boolean {
    return this.#write(() => {
      if (this.#sql.take.run(run, post) === 0) return false;
      if (instead) this.#sql.post.get(instead.kind, JSON.stringify(instead), run);
      return true;
    });
  }

  posts(run: string): readonly KeptPost[] {
    return this.#read(() =>
      this.#sql.posts.all(run).map(({ id, body }) => ({ id, post: JSON.parse(body) as Post })),
    );
  }

  adopt(runs: readonly AdoptedRun[]): void {
    const encoded = runs.map(({ record, events }) => ({
      record: encode(record),
      events: events.map(({ seq: _seq, at, ...body }) => ({ at, body, text: encode(body) })),
    }));
    this.#write(() => {
      for (const [i, { record, shares }] of runs.entries()) {
        const texts = encoded[i];
        if (texts === undefined) continue;
        const base = shares ? record.base : undefined;
        const begun = { base, owner: record.id, now: record.createdAt };
        const lease = this.#begin(record, texts.record, begun);
        for (const { at, body, text } of texts.events) this.#insert(lease, [text], at, [body]);
        this.#sql.release.run(lease.run, lease.epoch);
      }
    });
  }

  remove(run: string): void {
    this.#write(() => {
      if (this.#sql.lease.get(run) === undefined) throw noSuchRun(run);
      const owned = this.#withInner(run).find(({ isHeld }) => isHeld);
      if (owned) throw new RunOwned(owned.run, owned.owner ?? '');
      this.#remove(run);
    });
  }

  restore(run: string): void {
    this.#write(() => {
      if (this.#sql.restoreRun.run(run) === 0) throw notRemoved(run);
      this.#sql.dropRemoved.run(run);
      for (const { run: inner } of this.#sql.withInner.all(run)) {
        if (this.#sql.restoreRun.run(inner) > 0) this.#sql.dropRemoved.run(inner);
      }
    });
  }

  removed(): RemovedRun[] {
    return this.#read(() =>
      this.#sql.removed.all().map((row) => ({ ...this.#summary(row), removedAt: row.removed_at })),
    );
  }

  sweep(options: SweepOptions = {}): Swept {
    try {
      return this.#sweep(options);
    } catch (error) {
      const isFull = error instanceof JournalError && noRoom.has(error.code);
      if (!isFull) throw error;
      return guarded(this.#path, () => withoutLog(this.#database, () => this.#sweep(options)));
    }
  }

  #sweep({ runs = [], ...options }: SweepOptions): Swept {
    const remove = (): void => {
      for (const run of runs) {
        const all = this.#withInner(run);
        if (all.length > 0 && !all.some(({ isHeld }) => isHeld)) this.#remove(run);
      }
    };
    const isAlone = (): boolean => !this.#sql.leases.all().some((one) => isHeld(one, this.#world));
    const parts = { database: this.#database, remove, isAlone, ...options };
    if (options.dryRun === true) {
      return this.#trial(() => sweep({ ...parts, atOnce: (body) => body() }));
    }
    return guarded(this.#path, () => sweep({ ...parts, atOnce: (body) => this.#write(body) }));
  }

  sizes(): Sizes {
    return this.#read(() => sizesOf(this.#database));
  }

  close(): void {
    if (!this.#database.isOpen) return;
    guarded(this.#path, () => this.#database.close());
  }

  /** The rows of a new run, which shares what its base has up to where it begins. */
  #begin(
    record: RunRecord,
    encoded: Encoded,
    { base, owner, now }: { base: Base | undefined; owner: string; now: number },
  ): Lease {
    const { id, createdAt } = record;
    if (base !== undefined) this.#requireForkPoint(base);
    const from = base?.seq ?? 0;
    const origin = [base?.run ?? null, base?.seq ?? null];
    const found = [createdAt, record.dialect, searchedTitle(record.title)];
    const { parent, metadata } = record;
    const searched = [parent?.run ?? null, metadata ? searchedMetadata(metadata) : null];
    const row = [encoded.text, this.#keep(encoded), ...origin, ...found, ...searched];
    const known = this.#sql.insertRecord.run(id, ...row);
    if (known === 0) throw this.#sql.lease.get(id) ? runExists(id) : runWasRemoved(id);
    this.#sql.insertRun.run(id, createdAt, created.status, now, from, owner, now + leaseMs);
    return { run: id, epoch: 1 };
  }

  /** Returns the number of the last event. */
  #insert(
    { run, epoch }: Lease,
    encoded: readonly Encoded[],
    at: number,
    bodies: readonly EventBody[],
  ): number {
    const advanced = this.#sql.advance.get(encoded.length, at, at + leaseMs, run, epoch);
    if (advanced === undefined) throw new LeaseLost(run);
    let seq = advanced.events - encoded.length;
    for (const event of encoded) {
      this.#sql.insertEvent.run(run, ++seq, at, event.text, this.#keep(event));
    }
    const turn = lastTurn(bodies);
    if (turn !== undefined) this.#sql.setStatus.run(turn.status, turn.reason ?? null, run);
    return seq;
  }

  #remove(run: string): void {
    const now = this.#world.now();
    for (const { run: one } of this.#withInner(run)) {
      this.#sql.keepRemoved.run(now, one);
      this.#sql.dropRun.run(one);
    }
  }

  /** A run with those within its effects, as far as there are any. */
  #withInner(run: string): { run: string; owner: string | null; isHeld: boolean }[] {
    return this.#sql.withInner.all(run).flatMap(({ run: one }) => {
      const lease = this.#sql.lease.get(one);
      return lease ? [{ run: one, owner: lease.owner, isHeld: isHeld(lease, this.#world) }] : [];
    });
  }

  #requireForkPoint(base: Base): void {
    const row = this.#sql.find.get(base.run);
    if (row === undefined) throw noSuchRun(base.run);
    requireForkPoint(base, row.events);
  }

  /** None for a run that is not there. */
  #segments(run: string, after = 0): Segment[] {
    if (this.#sql.lease.get(run) === undefined) return [];
    const baseOf = (id: string): Base | undefined => {
      const { base = null, base_seq: seq = null } = this.#sql.base.get(id) ?? {};
      return base === null || seq === null ? undefined : { run: base, seq };
    };
    return segments(run, baseOf, after);
  }

  /** Stores the large strings and returns what the row says of them. */
  #keep({ large }: Encoded): string | null {
    if (large.length === 0) return null;
    const places = large.map(({ path, text }) => {
      const key = hash('sha256', text);
      this.#sql.keepText.run(key, text);
      return [path, key];
    });
    return JSON.stringify(places);
  }

  #decode(text: string, large: string | null, texts: Map<string, string>): object {
    try {
      if (large === null) return JSON.parse(text);
      const places: [string[], string][] = JSON.parse(large);
      return decode({
        text,
        large: places.map(([path, key]) => ({ path, text: this.#text(key, texts) })),
      });
    } catch (error) {
      if (error instanceof SyntaxError) throw damage(this.#path, error.message, error);
      throw error;
    }
  }

  #text(key: string, texts: Map<string, string>): string {
    const text = texts.get(key) ?? this.#sql.textOf.get(key)?.text;
    if (text === undefined) throw damage(this.#path, `no content ${key}`);
    texts.set(key, text);
    return text;
  }

  #summary(row: RunRow): RunSummary {
    return {
      ...(this.#decode(row.record, row.large, new Map()) as RunRecord),
      status: row.status,
      ...(row.reason === null ? {} : { reason: row.reason }),
      updatedAt: row.updated_at,
      events: row.events,
      owned: isHeld(row, this.#world),
    };
  }

  /** One view of the journal, whatever others write meanwhile (J5). */
  #read<T>(body: () => T): T {
    return this.#within(this.#sql.read, body, this.#sql.commit);
  }

  /** One transaction: all of `body` or, when it throws, nothing. */
  #write<T>(body: () => T, synchronous: 'normal' | 'full' = 'normal'): T {
    this.#synchronize(synchronous);
    return this.#within(this.#sql.begin, body, this.#sql.commit);
  }

  /** What `body` gives; all that it has written is undone. */
  #trial<T>(body: () => T): T {
    return this.#within(this.#sql.begin, body, this.#sql.rollback);
  }

  #within<T>(begin: Query, body: () => T, end: Query): T {
    try {
      begin.run();
      const result = body();
      end.run();
      return result;
    } catch (error) {
      // After some failures SQLite has rolled back by itself.
      if (this.#database.isOpen && this.#database.isTransaction) this.#sql.rollback.run();
      throw journalError(error, this.#path);
    }
  }

  /** SQLite takes the change outside a transaction only, and compiles it each time. */
  #synchronize(synchronous: 'normal' | 'full'): void {
    if (this.#synchronous === synchronous) return;
    guarded(this.#path, () => this.#database.exec(`pragma synchronous = ${synchronous}`));
    this.#synchronous = synchronous;
  }
}
