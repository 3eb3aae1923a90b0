/**
 * What every journal promises of removing runs and of sweeping, run over each implementation beside
 * `journal-conformance.ts`. Test names cite the invariants of `src/engine/journal/journal.ts`.
 */
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { largeTextChars } from '../../src/engine/journal/event-text.ts';
import {
  type EventBody,
  type Journal,
  type Lease,
  LeaseLost,
  type RunEvent,
  RunOwned,
} from '../../src/engine/journal/journal.ts';
import type { JournalOptions } from '../../src/engine/journal/owner.ts';
import { sampledRuns } from '../support/depth.ts';
import { append, ending, record, settled, started } from './events.ts';

/** `open` gives an empty journal; the suite closes it. */
export function removalConformance(name: string, open: (options: JournalOptions) => Journal): void {
  let now: number;
  let journal: Journal;

  beforeEach(() => {
    now = 1_000_000;
    journal = open({ now: () => now, isGone: () => false });
  });
  afterEach(() => journal.close());

  const large = (letter: string): string => letter.repeat(largeTextChars);
  const numbered = (count: number, from = 0): EventBody[] =>
    Array.from({ length: count }, (_, i) => started(`0#${from + i}`));
  const create = (id: string, events: readonly EventBody[] = []): Lease =>
    journal.create(record(id), 'one', events);
  /** A run that nobody has. */
  const ended = (id: string, events: readonly EventBody[] = []): void =>
    journal.release(create(id, [...events, ending('run.finished')]));
  const fork = (id: string, run: string, seq: number): Lease =>
    journal.create(record(id, { base: { run, seq } }), 'one');
  const failing = (code: string): unknown =>
    expect.objectContaining({ name: 'JournalError', code });
  const all = (): string[] => journal.list().map(({ id }) => id);

  describe(`${name}: removed runs`, () => {
    test('are in no list any more, and come back as they were', () => {
      ended('r1', numbered(3));
      ended('r2');
      const before = [journal.find('r1'), journal.events('r1')];
      now += 5;
      journal.remove('r1');
      expect(all()).toEqual(['r2']);
      expect(journal.list({ status: 'done' })).toHaveLength(1);
      expect(journal.find('r1')).toBeUndefined();
      expect(journal.events('r1')).toEqual([]);
      expect(journal.snapshots('r1')).toEqual([]);
      expect(journal.posts('r1')).toEqual([]);
      expect(journal.removed()).toEqual([{ ...(before[0] as object), removedAt: 1_000_005 }]);
      journal.restore('r1');
      expect([journal.find('r1'), journal.events('r1')]).toEqual(before);
      expect(journal.removed()).toEqual([]);
    });

    test('take nothing: no claim, no append, no post, no fork, no second removal', () => {
      const lease = create('r1', numbered(2));
      journal.release(lease);
      journal.remove('r1');
      expect(() => journal.claim('r1', 'two')).toThrow(failing('PV5003'));
      expect(() => journal.append(lease, numbered(1))).toThrow(LeaseLost);
      expect(() => journal.renew(lease)).toThrow(LeaseLost);
      expect(() => journal.post('r1', { kind: 'cancel' })).toThrow(failing('PV5003'));
      expect(() => fork('r2', 'r1', 1)).toThrow(failing('PV5003'));
      expect(() => journal.remove('r1')).toThrow(failing('PV5003'));
    });

    test('J3: an older lease is of no use to a run that came back', () => {
      const lease = create('r1');
      journal.release(lease);
      journal.remove('r1');
      journal.restore('r1');
      expect(() => journal.append(lease, numbered(1))).toThrow(LeaseLost);
      expect(journal.claim('r1', 'two').epoch).toBeGreaterThan(lease.epoch);
    });

    test('are none that a process has', () => {
      create('r1', numbered(1));
      expect(() => journal.remove('r1')).toThrow(RunOwned);
      expect(journal.sweep({ runs: ['r1', 'nobody'] }).runs).toBe(0);
      expect(journal.events('r1')).toHaveLength(1);
    });

    test('keep their id until nothing is left of them', () => {
      ended('r1', numbered(2));
      journal.release(fork('r2', 'r1', 1));
      journal.remove('r1');
      expect(() => create('r1')).toThrow(/r1 was deleted.*restore it/);
      journal.sweep();
      expect(() => create('r1')).toThrow(failing('PV5004'));
      journal.remove('r2');
      journal.sweep();
      create('r1', numbered(1));
      expect(journal.events('r1')).toHaveLength(1);
    });

    test('that were swept, or never were, do not come back', () => {
      ended('r1');
      journal.remove('r1');
      journal.sweep();
      for (const id of ['r1', 'nobody']) {
        expect(() => journal.restore(id)).toThrow(failing('PV5003'));
      }
      expect(journal.removed()).toEqual([]);
    });
  });

  describe(`${name}: a sweep`, () => {
    test('J7: leaves what forks read, and drops the rest', () => {
      ended('r1', numbered(9));
      journal.release(fork('r2', 'r1', 4));
      const history = journal.events('r2');
      journal.remove('r1');
      expect(journal.sweep()).toMatchObject({ runs: 1, events: 6 });
      expect(journal.events('r2')).toEqual(history);
      journal.remove('r2');
      expect(journal.events('r2')).toEqual([]);
      expect(journal.sweep()).toMatchObject({ runs: 1, events: 4 });
      expect(journal.sweep()).toMatchObject({ runs: 0, events: 0, bytes: 0 });
    });

    test('J7: leaves only what the last fork of a fork reads', () => {
      ended('r1', numbered(9));
      const middle = fork('r2', 'r1', 7);
      journal.append(middle, numbered(5, 20));
      journal.release(middle);
      journal.release(fork('r3', 'r2', 3));
      journal.release(fork('r4', 'r2', 9));
      for (const id of ['r1', 'r2']) journal.remove(id);
      expect(journal.sweep()).toMatchObject({ runs: 2, events: 3 + 3 });
      expect(journal.events('r4')).toHaveLength(9);
      journal.remove('r4');
      expect(journal.sweep()).toMatchObject({ runs: 1, events: 4 + 2 });
      expect(journal.events('r3')).toHaveLength(3);
    });

    test('J4: drops large texts with the last that mentions them', () => {
      create('r1', [settled('0#0', large('a')), settled('0#1', large('b'))]);
      journal.release(journal.claim('r1', 'one'));
      create('r2', [settled('0#0', large('a'))]);
      journal.release(journal.create(record('r3', { inputs: large('c') }), 'one'));
      for (const id of ['r1', 'r3']) journal.remove(id);
      const swept = journal.sweep();
      expect(swept.texts).toBe(2);
      expect(swept.bytes).toBeGreaterThanOrEqual(2 * largeTextChars);
      expect(journal.events('r2')).toMatchObject([settled('0#0', large('a'))]);
    });

    test('drops snapshots with their runs, and stale ones of runs that have ended', () => {
      for (const id of ['r1', 'r2', 'r3', 'r4']) {
        const lease = create(id, numbered(3));
        journal.keepSnapshot(lease, { seq: 2, text: 'state' });
        journal.append(lease, [ending(id === 'r3' ? 'run.suspended' : 'run.finished')]);
        journal.release(lease);
        now += 10;
      }
      journal.remove('r1');
      expect(journal.sweep({ snapshotsBefore: now - 15 })).toMatchObject({ runs: 1, snapshots: 2 });
      const left = ['r1', 'r2', 'r3', 'r4'].map((id) => journal.snapshots(id).length);
      expect(left).toEqual([0, 0, 1, 1]);
    });

    test('drops the posts of removed runs', () => {
      ended('r1');
      journal.post('r1', { kind: 'cancel' });
      journal.remove('r1');
      journal.sweep();
      create('r1');
      expect(journal.posts('r1')).toEqual([]);
    });

    test('removes the runs it is given first', () => {
      for (const id of ['r1', 'r2', 'r3']) ended(id, numbered(2));
      journal.remove('r3');
      expect(journal.sweep({ runs: ['r1'] })).toMatchObject({ runs: 2, events: 6 });
      expect(all()).toEqual(['r2']);
      expect(journal.removed()).toEqual([]);
    });

    test('that is dry counts the same and changes nothing', () => {
      ended('r1', [...numbered(20), settled('0#0', large('a'))]);
      journal.release(fork('r2', 'r1', 3));
      ended('r3');
      journal.remove('r3');
      const before = [journal.list(), journal.removed(), journal.events('r1')];
      const { bytes, ...counted } = journal.sweep({ runs: ['r1'], dryRun: true });
      expect([journal.list(), journal.removed(), journal.events('r1')]).toEqual(before);
      expect(counted).toEqual({ runs: 2, events: 20, snapshots: 0, texts: 1 });
      expect(bytes).toBeGreaterThan(0);
      expect(journal.sweep({ runs: ['r1'] })).toMatchObject(counted);
    });
  });

  test(`${name}: sizes are those of what each run has written itself, large texts included`, () => {
    ended('r1', numbered(10));
    ended('r2', [...numbered(10), settled('0#1', large('a')), settled('0#2', large('a'))]);
    journal.release(fork('r3', 'r2', 12));
    ended('r4', numbered(5));
    journal.remove('r4');
    const { total, runs } = journal.sizes();
    const [r1 = 0, r2 = 0] = [runs.get('r1'), runs.get('r2')];
    expect(r1).toBeGreaterThan(500);
    expect(r2 - r1).toBeGreaterThan(largeTextChars);
    expect(r2 - r1).toBeLessThan(2 * largeTextChars);
    expect(runs.get('r3') ?? 0).toBe(0);
    expect(runs.has('r4')).toBe(false);
    expect(total).toBeGreaterThan(r1 + r2);
  });

  const step = fc.record({
    kind: fc.constantFrom('fork', 'fork', 'append', 'append', 'remove', 'restore', 'sweep'),
    run: fc.nat(),
    place: fc.nat(),
  });

  test(`${name}: J7: whatever is forked, removed, restored and swept, each run reads the same`, () => {
    let round = 0;
    fc.assert(
      fc.property(fc.array(step, { minLength: 5, maxLength: 40 }), (steps) => {
        const tree = new Tree(journal, `t${round++}-`);
        for (const one of steps) tree.take(one);
        tree.check();
      }),
      sampledRuns(60),
    );
  });
}

interface Step {
  readonly kind: string;
  readonly run: number;
  readonly place: number;
}

/** A tree of forks in a journal, and what each of its runs has to read. */
class Tree {
  readonly #journal: Journal;
  readonly #prefix: string;
  readonly #live = new Map<string, RunEvent[]>();
  readonly #removed = new Map<string, RunEvent[]>();
  #count = 0;
  #marks = 0;

  constructor(journal: Journal, prefix: string) {
    this.#journal = journal;
    this.#prefix = prefix;
    // Of an earlier tree nothing that could be restored is left.
    journal.sweep({ runs: journal.list().map(({ id }) => id) });
    this.#create();
  }

  take({ kind, run, place }: Step): void {
    const from = [...(kind === 'restore' ? this.#removed : this.#live)];
    const [id, history] = from[run % from.length] ?? [];
    if (kind === 'sweep') {
      this.#journal.sweep();
      this.#removed.clear();
      this.check();
    } else if (id === undefined || history === undefined) {
      if (kind === 'fork') this.#create();
    } else if (kind === 'fork') {
      this.#create({ run: id, seq: place % (history.length + 1) });
    } else if (kind === 'append') {
      const lease = this.#journal.claim(id, 'one');
      // One large text of five: different runs mention the same ones.
      const value = String(place % 5).repeat(place % 2 === 0 ? largeTextChars : 1);
      const mark = started(`0#${this.#marks++}`);
      history.push(...append(this.#journal, lease, [settled('0#1', value), mark]));
      this.#journal.keepSnapshot(lease, { seq: history.length, text: mark.effect });
      this.#journal.release(lease);
    } else {
      const [source, target] =
        kind === 'remove' ? [this.#live, this.#removed] : [this.#removed, this.#live];
      if (kind === 'remove') this.#journal.remove(id);
      else this.#journal.restore(id);
      source.delete(id);
      target.set(id, history);
    }
  }

  check(): void {
    const ids = this.#journal.list({ prefix: this.#prefix }).map(({ id }) => id);
    expect(ids.sort()).toEqual([...this.#live.keys()].sort());
    for (const [id, history] of this.#live) {
      expect(this.#journal.events(id)).toEqual(history);
      expect(this.#journal.find(id)?.events).toBe(history.length);
      const kept = this.#journal.snapshots(id);
      const marks = history.filter((event) => event.type === 'effect.started');
      expect(kept).toEqual(marks.map(({ seq }) => seq));
      const states = kept.map((seq) => this.#journal.snapshot(id, seq));
      expect(states).toEqual(marks.map(({ effect }) => effect));
    }
    expect(
      this.#journal
        .removed()
        .map(({ id }) => id)
        .sort(),
    ).toEqual([...this.#removed.keys()].sort());
  }

  #create(base?: { run: string; seq: number }): void {
    const id = `${this.#prefix}${this.#count++}`;
    const shared = base === undefined ? [] : (this.#live.get(base.run) ?? []).slice(0, base.seq);
    this.#journal.release(this.#journal.create(record(id, base && { base }), 'one'));
    this.#live.set(id, [...shared]);
  }
}
