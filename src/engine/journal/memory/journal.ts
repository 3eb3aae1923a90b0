/**
 * A journal that lives as long as its process: for tests, and for runs nobody wants to keep. It
 * owns its events: they are kept as text, so that no caller can change what was written.
 */
import { decode, type Encoded, encode } from '../event-text.ts';
import { created, lastTurn } from '../history.ts';
import {
  type AdoptedRun,
  type Appended,
  type AppendOptions,
  type EventBody,
  type Journal,
  journalClosed,
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
import { type Base, reachOf, segments } from '../lineage.ts';
import { isHeld, type JournalOptions, surroundings, type World } from '../owner.ts';
import type { KeptPost, Post } from '../post.ts';
import { metadataTerms, type RunFilter, type RunMetadata, withinAny } from '../run-identity.ts';
import { type Sizes, type SweepOptions, type Swept, wholeSizes } from '../sweep.ts';
import { byAge, lastSeq, type Run, sizeOf, withInner } from './run.ts';

/** An empty journal. */
export function memoryJournal(options: JournalOptions = {}): Journal {
  return new MemoryJournal(surroundings(options));
}

class MemoryJournal implements Journal {
  readonly #world: World;
  readonly #runs = new Map<string, Run>();
  /** Each large text once (J4); equal strings of different events become the same one. */
  readonly #content = new Map<string, string>();
  #posted = 0;
  #open = true;

  constructor(world: World) {
    this.#world = world;
  }

  create(record: RunRecord, owner: string, events: readonly EventBody[] = []): Lease {
    // What cannot be written is seen before there is a run.
    for (const event of events) encode(event);
    const run = this.#begin(record, record.base, this.#world.now());
    run.owner = owner;
    const lease = { run: record.id, epoch: 1 };
    this.append(lease, events);
    return lease;
  }

  adopt(runs: readonly AdoptedRun[]): void {
    const begun: Run[] = [];
    try {
      for (const { record, events, shares } of runs) {
        const run = this.#begin(record, shares ? record.base : undefined, record.createdAt);
        begun.push(run);
        for (const { seq: _seq, at, ...body } of events) {
          run.events.push({ at, body: this.#keep(encode(body)) });
          run.updatedAt = at;
        }
        run.turn = lastTurn(events) ?? created;
      }
    } catch (error) {
      for (const { id } of begun) this.#runs.delete(id);
      throw error;
    }
  }

  /** A new run, which shares what its base has up to where it begins. */
  #begin(record: RunRecord, base: Base | undefined, now: number): Run {
    if (this.#find(record.id) !== undefined) throw runExists(record.id);
    if (this.#runs.has(record.id)) throw runWasRemoved(record.id);
    if (base !== undefined) requireForkPoint(base, lastSeq(this.#known(base.run)));
    const run: Run = {
      id: record.id,
      createdAt: record.createdAt,
      record: this.#keep(encode(record)),
      base: base && { run: base.run, seq: base.seq },
      parent: record.parent?.run,
      events: [],
      turn: created,
      updatedAt: now,
      owner: null,
      until: now + leaseMs,
      epoch: 1,
      snapshots: new Map(),
      posts: [],
      removed: undefined,
    };
    this.#runs.set(record.id, run);
    return run;
  }

  claim(id: string, owner: string): Lease {
    const run = this.#known(id);
    if (run.owner !== null && run.owner !== owner && isHeld(run, this.#world)) {
      throw new RunOwned(id, run.owner);
    }
    run.owner = owner;
    run.until = this.#world.now() + leaseMs;
    run.epoch++;
    run.posts = run.posts.filter(({ post }) => post.kind !== 'cancel');
    return { run: id, epoch: run.epoch };
  }

  renew(lease: Lease): void {
    this.#held(lease).until = this.#world.now() + leaseMs;
  }

  release(lease: Lease): void {
    const run = this.#find(lease.run);
    if (run?.epoch === lease.epoch) run.owner = null;
  }

  append(
    lease: Lease,
    bodies: readonly EventBody[],
    { taken }: AppendOptions = {},
  ): Appended | undefined {
    if (bodies.length === 0 && !taken?.length) return undefined;
    const encoded = bodies.map(encode);
    const run = this.#held(lease);
    const at = this.#world.now();
    for (const body of encoded) run.events.push({ at, body: this.#keep(body) });
    run.turn = lastTurn(bodies) ?? run.turn;
    run.updatedAt = at;
    run.until = at + leaseMs;
    if (taken?.length) run.posts = run.posts.filter(({ id }) => !taken.includes(id));
    return bodies.length === 0 ? undefined : { seq: lastSeq(run), at };
  }

  events(id: string, after = 0, most: number = Number.MAX_SAFE_INTEGER): RunEvent[] {
    return this.#segments(id, after).flatMap(({ run, after, upTo }) => {
      const first = run.base?.seq ?? 0;
      const end = Math.max(after, Math.min(upTo, most));
      return run.events.slice(after - first, end - first).map(({ at, body }, index) => {
        return { ...decode(body), seq: after + index + 1, at } as RunEvent;
      });
    });
  }

  keepSnapshot(lease: Lease, { seq, text }: KeptSnapshot): void {
    this.#held(lease).snapshots.set(seq, text);
  }

  snapshots(id: string): readonly number[] {
    return this.#segments(id).flatMap(({ run, after, upTo }) =>
      [...run.snapshots.keys()]
        .filter((seq) => seq > after && seq <= upTo)
        .sort((one, other) => one - other),
    );
  }

  snapshot(id: string, seq: number): string | undefined {
    const holder = this.#segments(id).find(({ after, upTo }) => seq > after && seq <= upTo);
    return holder?.run.snapshots.get(seq);
  }

  find(id: string): RunSummary | undefined {
    const run = this.#find(id);
    return run && this.#summary(run);
  }

  list(filter: RunFilter = {}): RunSummary[] {
    return this.#all()
      .sort((one, other) => byAge(other, one))
      .map((run) => this.#summary(run))
      .filter((run) => fits(run, filter))
      .slice(0, filter.limit);
  }

  children(id: string): RunSummary[] {
    return this.#all()
      .filter(({ base }) => base?.run === id)
      .sort(byAge)
      .map((run) => this.#summary(run));
  }

  post(id: string, post: Post): number {
    this.#known(id).posts.push({ id: ++this.#posted, post: structuredClone(post) });
    return this.#posted;
  }

  withdraw(id: string, post: number, instead?: Post): boolean {
    const run = this.#known(id);
    const others = run.posts.filter((one) => one.id !== post);
    if (others.length === run.posts.length) return false;
    run.posts = others;
    if (instead) this.post(id, instead);
    return true;
  }

  posts(id: string): readonly KeptPost[] {
    return structuredClone(this.#find(id)?.posts ?? []);
  }

  remove(id: string): void {
    const family = withInner(this.#known(id), this.#runs.values());
    const all = family.filter(({ removed }) => removed === undefined);
    for (const run of all) {
      if (run.owner !== null && isHeld(run, this.#world)) throw new RunOwned(run.id, run.owner);
    }
    const now = this.#world.now();
    for (const run of all) {
      run.owner = null;
      run.removed = now;
    }
  }

  restore(id: string): void {
    this.#find(id);
    const run = this.#runs.get(id);
    if (typeof run?.removed !== 'number') throw notRemoved(id);
    for (const one of withInner(run, this.#runs.values())) {
      if (typeof one.removed === 'number') one.removed = undefined;
    }
  }

  removed(): RemovedRun[] {
    this.#all();
    return [...this.#runs.values()]
      .flatMap((run) =>
        typeof run.removed === 'number' ? [{ ...this.#summary(run), removedAt: run.removed }] : [],
      )
      .filter(({ parent }) => typeof this.#runs.get(parent?.run ?? '')?.removed !== 'number')
      .sort((one, other) => other.removedAt - one.removedAt || (one.id < other.id ? 1 : -1));
  }

  sweep(options: SweepOptions = {}): Swept {
    this.#all();
    const isHeldNow = (run: Run): boolean => isHeld(run, this.#world);
    return sweep({ runs: this.#runs, content: this.#content, isHeld: isHeldNow }, options);
  }

  sizes(): Sizes {
    const all = this.#all();
    const own = new Map(all.map((run) => [run.id, sizeOf(run)]));
    const parents = new Map<string, string>();
    for (const { id, parent } of all) if (parent !== undefined) parents.set(id, parent);
    const total = [...this.#runs.values()].reduce((sum, run) => sum + sizeOf(run), 0);
    return { total, runs: wholeSizes(own, parents) };
  }

  close(): void {
    this.#open = false;
    this.#runs.clear();
    this.#content.clear();
  }

  #all(): Run[] {
    if (!this.#open) throw journalClosed();
    return [...this.#runs.values()].filter(({ removed }) => removed === undefined);
  }

  /** Not a removed one. */
  #find(id: string): Run | undefined {
    if (!this.#open) throw journalClosed();
    const run = this.#runs.get(id);
    return run?.removed === undefined ? run : undefined;
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

  /** The pieces of its history, with the runs that have them. */
  #segments(id: string, after = 0): { run: Run; after: number; upTo: number }[] {
    if (this.#find(id) === undefined) return [];
    return segments(id, (run) => this.#runs.get(run)?.base, after).flatMap((segment) => {
      const run = this.#runs.get(segment.run);
      return run === undefined ? [] : [{ ...segment, run }];
    });
  }

  #keep(encoded: Encoded): Encoded {
    const { text, large } = encoded;
    if (large.length === 0) return encoded;
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
      events: lastSeq(run),
      owned: isHeld(run, this.#world),
    };
  }
}

function fits(run: RunSummary, filter: RunFilter): boolean {
  const { status, reason, prefix = '', dialect, title, since, before, base, owned } = filter;
  const { within, metadata } = filter;
  return (
    run.id.startsWith(prefix) &&
    (within === withinAny || run.parent?.run === within) &&
    (status === undefined || run.status === status) &&
    (reason === undefined || run.reason === reason) &&
    (dialect === undefined || run.dialect === dialect) &&
    (title === undefined || run.title.toLowerCase().includes(title.toLowerCase())) &&
    (metadata === undefined || hasMetadata(run, metadata)) &&
    (since === undefined || run.createdAt >= since) &&
    (before === undefined || run.createdAt < before) &&
    (base === undefined || run.base?.run === base) &&
    (owned === undefined || run.owned === owned)
  );
}

function hasMetadata(run: RunSummary, wanted: RunMetadata): boolean {
  const terms = new Set(metadataTerms(run.metadata ?? {}));
  return metadataTerms(wanted).every((term) => terms.has(term));
}

// Drops what no run of a journal in memory reaches any more.

export interface Memory {
  readonly runs: Map<string, Run>;
  readonly content: Map<string, string>;
  readonly isHeld: (run: Run) => boolean;
}

const ended: ReadonlySet<string> = new Set(['done', 'failed', 'invalid', 'cancelled']);

function sweep({ runs, content, isHeld }: Memory, options: SweepOptions): Swept {
  const { dryRun = false, snapshotsBefore = Number.NEGATIVE_INFINITY } = options;
  const all = [...runs.values()];
  const toRemove = new Set<string>();
  for (const id of options.runs ?? []) {
    const run = runs.get(id);
    const family = run ? withInner(run, all) : [];
    if (!family.some(isHeld)) for (const one of family) toRemove.add(one.id);
  }
  const isGone = ({ id, removed }: Run): boolean => removed !== undefined || toRemove.has(id);
  const reach = reachOf(all.map((run) => ({ id: run.id, base: run.base, kept: !isGone(run) })));
  const swept = { runs: 0, events: 0, snapshots: 0, texts: 0, bytes: 0 };
  const mentioned = new Set<string>();
  for (const run of all) {
    const gone = isGone(run);
    // Nothing but forks reads what is gone, and they only so far.
    const upTo = gone ? (reach.get(run.id) ?? 0) : lastSeq(run);
    const kept = Math.max(0, upTo - (run.base?.seq ?? 0));
    const dropped = run.events.slice(kept);
    const isStale = !gone && ended.has(run.turn.status) && run.updatedAt < snapshotsBefore;
    const snapshots = [...run.snapshots].filter(([seq]) => isStale || seq > upTo);
    if (gone && run.removed !== 'history') swept.runs++;
    swept.events += dropped.length;
    swept.snapshots += snapshots.length;
    for (const { body } of dropped) swept.bytes += body.text.length;
    for (const [, text] of snapshots) swept.bytes += text.length;
    for (const { body } of run.events.slice(0, kept)) mention(body, mentioned);
    if (!gone || reach.has(run.id)) mention(run.record, mentioned);
    if (dryRun) continue;
    for (const [seq] of snapshots) run.snapshots.delete(seq);
    run.events.length = Math.min(kept, run.events.length);
    if (!gone) continue;
    run.removed = 'history';
    run.posts = [];
    if (!reach.has(run.id)) runs.delete(run.id);
  }
  for (const text of content.keys()) {
    if (mentioned.has(text)) continue;
    swept.texts++;
    swept.bytes += text.length;
    if (!dryRun) content.delete(text);
  }
  return swept;
}

function mention({ large }: Encoded, mentioned: Set<string>): void {
  for (const { text } of large) mentioned.add(text);
}
