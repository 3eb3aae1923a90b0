/**
 * What every journal promises of forks, snapshots and posts, run over each implementation beside
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
  leaseMs,
  type RunEvent,
} from '../../src/engine/journal/journal.ts';
import type { JournalOptions } from '../../src/engine/journal/owner.ts';
import type { Post } from '../../src/engine/journal/post.ts';
import { sampledRuns } from '../support/depth.ts';
import { append, ending, record, settled, started } from './events.ts';

/** `open` gives an empty journal; the suite closes it. */
export function forkConformance(name: string, open: (options: JournalOptions) => Journal): void {
  let now: number;
  let journal: Journal;

  beforeEach(() => {
    now = 1_000_000;
    journal = open({ now: () => now, isGone: () => false });
  });
  afterEach(() => journal.close());

  const numbered = (count: number, from = 0): EventBody[] =>
    Array.from({ length: count }, (_, i) => started(`0#${from + i}`));
  const create = (id = 'r1', events: readonly EventBody[] = []): Lease =>
    journal.create(record(id), 'one', events);
  const fork = (id: string, run: string, seq: number, createdAt = 900_000): Lease => {
    const forked = record(id, { base: { run, seq }, createdAt });
    return journal.create(forked, 'one', [{ type: 'run.forked', run: forked, edit: byPerson }]);
  };
  const ids = (run: string): unknown[] =>
    journal.events(run).map((event) => ('effect' in event ? event.effect : event.type));
  const failing = (code: string): unknown =>
    expect.objectContaining({ name: 'JournalError', code });

  describe(`${name}: forks`, () => {
    test('J6: begin with the history of their base and go on with their own', () => {
      const base = create('r1', numbered(5));
      const lease = fork('r2', 'r1', 3);
      const [next] = append(journal, lease, [settled('0#2', '1')]);
      journal.append(base, [settled('0#4', '2')]);
      expect(next).toMatchObject({ seq: 5 });
      expect(ids('r2')).toEqual(['0#0', '0#1', '0#2', 'run.forked', '0#2']);
      expect(journal.events('r2').map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
      expect(journal.events('r2').slice(0, 3)).toEqual(journal.events('r1').slice(0, 3));
      expect(journal.events('r2', 1, 4).map(({ seq }) => seq)).toEqual([2, 3, 4]);
      expect(journal.events('r2', 0, 2)).toEqual(journal.events('r1', 0, 2));
      expect(ids('r1')).toEqual(['0#0', '0#1', '0#2', '0#3', '0#4', '0#4']);
    });

    test('J6: of forks, also at a place before the one where their base begins', () => {
      create('r1', numbered(4));
      journal.append(fork('r2', 'r1', 3), numbered(2, 10));
      fork('r3', 'r2', 5);
      fork('r4', 'r2', 2);
      fork('r5', 'r4', 3);
      expect(ids('r3')).toEqual(['0#0', '0#1', '0#2', 'run.forked', '0#10', 'run.forked']);
      expect(ids('r4')).toEqual(['0#0', '0#1', 'run.forked']);
      expect(ids('r5')).toEqual(['0#0', '0#1', 'run.forked', 'run.forked']);
    });

    test('J6: are read up to any number', () => {
      create('r1', numbered(4));
      journal.append(fork('r2', 'r1', 3), numbered(2, 10));
      const all = journal.events('r2');
      for (let after = 0; after <= all.length + 1; after++) {
        for (let upTo = 0; upTo <= all.length + 1; upTo++) {
          expect(journal.events('r2', after, upTo)).toEqual(
            all.slice(after, Math.max(after, upTo)),
          );
        }
      }
    });

    test('J6: are read after any number', () => {
      create('r1', numbered(4));
      journal.append(fork('r2', 'r1', 3), numbered(2, 10));
      fork('r3', 'r2', 5);
      const all = journal.events('r3');
      for (let after = 0; after <= all.length + 1; after++) {
        expect(journal.events('r3', after)).toEqual(all.slice(after));
      }
    });

    test('J6: read the large texts of their base', () => {
      const text = 'v'.repeat(largeTextChars);
      create('r1', [settled('0#0', text)]);
      fork('r2', 'r1', 1);
      expect(journal.events('r2')[0]).toMatchObject(settled('0#0', text));
    });

    test('may share nothing, or all', () => {
      create('r1', numbered(2));
      fork('r2', 'r1', 0);
      fork('r3', 'r1', 2);
      expect(ids('r2')).toEqual(['run.forked']);
      expect(ids('r3')).toEqual(['0#0', '0#1', 'run.forked']);
    });

    test('are runs of their own', () => {
      const base = create('r1', [...numbered(2), ending('run.finished')]);
      const lease = fork('r2', 'r1', 3);
      expect(journal.find('r2')).toEqual({
        ...record('r2', { base: { run: 'r1', seq: 3 } }),
        status: 'running',
        updatedAt: now,
        events: 4,
        owned: true,
      });
      journal.release(base);
      expect(journal.append(lease, [ending('run.failed')])).toMatchObject({ seq: 5 });
      expect(journal.find('r1')).toMatchObject({ status: 'done', events: 3 });
      expect(journal.find('r2')).toMatchObject({ status: 'failed', events: 5 });
    });

    test('are listed as the children of their base, oldest first', () => {
      create('r1', numbered(2));
      fork('r3', 'r1', 1, 900_002);
      fork('r2', 'r1', 2, 900_001);
      fork('r4', 'r2', 1, 900_003);
      const children = (run: string): string[] => journal.children(run).map(({ id }) => id);
      expect(children('r1')).toEqual(['r2', 'r3']);
      expect(children('r2')).toEqual(['r4']);
      expect(children('r4')).toEqual([]);
      expect(children('nobody')).toEqual([]);
      expect(journal.children('r2')).toEqual([journal.find('r4')]);
    });

    test.each([-1, 3, 1.5])('do not begin behind event %d of two', (seq) => {
      create('r1', numbered(2));
      expect(() => fork('r2', 'r1', seq)).toThrow(failing('PV5006'));
      expect(journal.find('r2')).toBeUndefined();
      expect(journal.children('r1')).toEqual([]);
    });

    test('have a base', () => {
      expect(() => fork('r2', 'nobody', 0)).toThrow(failing('PV5003'));
      expect(journal.find('r2')).toBeUndefined();
    });

    /** Each step makes a fork, or appends to a run; runs are chosen by numbers. */
    const step = fc.record({
      fork: fc.boolean(),
      run: fc.nat(),
      place: fc.nat(),
      count: fc.integer({ min: 1, max: 3 }),
    });
    test('J6: whatever is forked from whatever, each reads its own history', () => {
      let round = 0;
      fc.assert(
        fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
          const prefix = `t${round++}-`;
          const root = `${prefix}0`;
          const runs = [{ id: root, lease: create(root, numbered(1)) }];
          const histories = new Map([[root, journal.events(root)]]);
          for (const [i, { fork: forks, run, place, count }] of steps.entries()) {
            const { id, lease } = runs[run % runs.length] ?? {
              id: root,
              lease: { run: root, epoch: 1 },
            };
            const history = histories.get(id) ?? [];
            if (!forks) {
              history.push(...append(journal, lease, numbered(count, 100 * i)));
              continue;
            }
            const seq = place % (history.length + 1);
            const own = `${prefix}${runs.length}`;
            runs.push({ id: own, lease: fork(own, id, seq) });
            const first: RunEvent = {
              type: 'run.forked',
              run: record(own, { base: { run: id, seq } }),
              edit: byPerson,
              seq: seq + 1,
              at: now,
            };
            histories.set(own, [...history.slice(0, seq), first]);
          }
          for (const [id, history] of histories) {
            expect(journal.events(id)).toEqual(history);
            expect(journal.find(id)?.events).toBe(history.length);
          }
        }),
        sampledRuns(40),
      );
    });
  });

  describe(`${name}: snapshots`, () => {
    test('come back by their numbers; one with the same number takes the place of another', () => {
      const lease = create('r1', numbered(9));
      for (const seq of [9, 2, 5]) journal.keepSnapshot(lease, { seq, text: `state ${seq}` });
      journal.keepSnapshot(lease, { seq: 5, text: 'na\u00efve \u{1f9ee}'.repeat(5000) });
      expect(journal.snapshots('r1')).toEqual([2, 5, 9]);
      expect(journal.snapshot('r1', 2)).toBe('state 2');
      expect(journal.snapshot('r1', 5)).toBe('na\u00efve \u{1f9ee}'.repeat(5000));
      expect(journal.snapshot('r1', 4)).toBeUndefined();
      expect(journal.events('r1')).toHaveLength(9);
    });

    test('J6: of the shared history are the fork’s, too, and its own are not its base’s', () => {
      const base = create('r1', numbered(6));
      for (const seq of [2, 4, 6]) journal.keepSnapshot(base, { seq, text: `base ${seq}` });
      const lease = fork('r2', 'r1', 4);
      journal.append(lease, numbered(2));
      journal.keepSnapshot(lease, { seq: 6, text: 'fork 6' });
      expect(journal.snapshots('r2')).toEqual([2, 4, 6]);
      expect(journal.snapshot('r2', 4)).toBe('base 4');
      expect(journal.snapshot('r2', 6)).toBe('fork 6');
      expect(journal.snapshot('r1', 6)).toBe('base 6');
    });

    test('J3: are kept for the holder of the newest lease only', () => {
      const stale = create('r1', numbered(2));
      now += leaseMs;
      const fresh = journal.claim('r1', 'two');
      expect(() => journal.keepSnapshot(stale, { seq: 1, text: 'x' })).toThrow(LeaseLost);
      expect(journal.snapshots('r1')).toEqual([]);
      journal.keepSnapshot(fresh, { seq: 2, text: 'y' });
      expect(journal.snapshots('r1')).toEqual([2]);
      const nobody = { run: 'nobody', epoch: 1 };
      expect(() => journal.keepSnapshot(nobody, { seq: 1, text: 'x' })).toThrow(LeaseLost);
      expect(journal.snapshots('nobody')).toEqual([]);
      expect(journal.snapshot('nobody', 1)).toBeUndefined();
    });
  });

  describe(`${name}: posts`, () => {
    const posts: Post[] = [
      { kind: 'answer', effect: '0#1', value: '"n\u00e4\u00efve"', by: 'ada' },
      { kind: 'approve', effect: '0#2', note: 'yes', by: 'ada' },
      { kind: 'deny', effect: '0#3', by: 'bob' },
      { kind: 'cancel' },
    ];
    const kinds = (run: string): string[] => journal.posts(run).map(({ post }) => post.kind);

    test('are kept in order until they are taken, with what was done about them', () => {
      const lease = create();
      create('r2');
      for (const post of posts) journal.post('r1', post);
      journal.post('r2', { kind: 'cancel' });
      const kept = journal.posts('r1');
      expect(kept.map(({ post }) => post)).toEqual(posts);
      const [first, , third] = kept.map(({ id }) => id);
      const taken = [first ?? 0, third ?? 0];
      expect(journal.append(lease, [started('0#1')], { taken })).toMatchObject({ seq: 1 });
      expect(kinds('r1')).toEqual(['approve', 'cancel']);
      expect(kinds('r2')).toEqual(['cancel']);
    });

    test('may be taken without an event, and never come back by their numbers', () => {
      const lease = create();
      journal.post('r1', { kind: 'cancel' });
      const [first] = journal.posts('r1');
      expect(journal.append(lease, [], { taken: [first?.id ?? 0] })).toBeUndefined();
      expect(kinds('r1')).toEqual([]);
      journal.post('r1', { kind: 'cancel' });
      expect(journal.posts('r1')[0]?.id).toBeGreaterThan(first?.id ?? 0);
    });

    test('J3: are not taken with a lease that is lost', () => {
      const stale = create();
      journal.post('r1', { kind: 'deny', effect: '0#3', by: 'bob' });
      const taken = journal.posts('r1').map(({ id }) => id);
      now += leaseMs;
      journal.claim('r1', 'two');
      for (const events of [[], numbered(1)]) {
        expect(() => journal.append(stale, events, { taken })).toThrow(LeaseLost);
      }
      expect(kinds('r1')).toEqual(['deny']);
      expect(journal.events('r1')).toEqual([]);
    });

    test('J3: of another run are not taken', () => {
      const lease = create();
      create('r2');
      journal.post('r2', { kind: 'cancel' });
      const taken = journal.posts('r2').map(({ id }) => id);
      journal.append(lease, [], { taken });
      expect(kinds('r2')).toEqual(['cancel']);
    });

    test('to cancel are over with the next claim, others are not', () => {
      const lease = create();
      for (const post of posts) journal.post('r1', post);
      journal.append(lease, numbered(1));
      journal.renew(lease);
      journal.release(lease);
      expect(kinds('r1')).toEqual(['answer', 'approve', 'deny', 'cancel']);
      journal.claim('r1', 'two');
      expect(kinds('r1')).toEqual(['answer', 'approve', 'deny']);
    });

    test('are taken back, and replaced, as long as nobody has taken them', () => {
      const lease = create();
      for (const post of posts) journal.post('r1', post);
      const [answer = 0, approve = 0, deny = 0] = journal.posts('r1').map(({ id }) => id);
      expect(journal.withdraw('r1', answer)).toBe(true);
      expect(journal.withdraw('r1', answer)).toBe(false);
      const instead = { kind: 'deny', effect: '0#2', by: 'eve' } as const;
      expect(journal.withdraw('r1', approve, instead)).toBe(true);
      expect(journal.posts('r1').at(-1)?.post).toEqual(instead);
      expect(journal.posts('r1').at(-1)?.id).toBeGreaterThan(deny);
      journal.append(lease, [], { taken: [deny] });
      expect(journal.withdraw('r1', deny, instead)).toBe(false);
      expect(kinds('r1')).toEqual(['cancel', 'deny']);
    });

    test('do not change the run, and need one', () => {
      create();
      const before = journal.find('r1');
      now += 10;
      journal.post('r1', { kind: 'cancel' });
      expect(journal.find('r1')).toEqual(before);
      expect(() => journal.post('nobody', { kind: 'cancel' })).toThrow(failing('PV5003'));
    });
  });
}

const byPerson = { by: 'person' } as const;
