/**
 * What every journal promises, run over each implementation. Test names cite the invariants of
 * `src/engine/journal/journal.ts`.
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
  RunOwned,
  type RunRecord,
} from '../../src/engine/journal/journal.ts';
import type { JournalOptions } from '../../src/engine/journal/owner.ts';
import type { RunFilter } from '../../src/engine/journal/run-identity.ts';
import type { RunReason, RunStatus } from '../../src/engine/journal/run-state.ts';
import { sampledRuns } from '../support/depth.ts';
import { append, ending, everyEvent, record, settled, started } from './events.ts';

/** `open` gives an empty journal; the suite closes it. */
export function journalConformance(name: string, open: (options: JournalOptions) => Journal): void {
  let now: number;
  let gone: string[];
  let journal: Journal;

  beforeEach(() => {
    now = 1_000_000;
    gone = [];
    journal = open({ now: () => now, isGone: (owner) => gone.includes(owner) });
  });
  afterEach(() => journal.close());

  const create = (id = 'r1', more: Partial<RunRecord> = {}): Lease =>
    journal.create(record(id, more), 'one');

  /** Expects that nothing of the run changes while `attempt` fails, and returns the failure. */
  const refused = (attempt: () => unknown): unknown => {
    const before = [journal.find('r1'), journal.events('r1')];
    let failure: unknown;
    try {
      attempt();
    } catch (error) {
      failure = error;
    }
    expect([journal.find('r1'), journal.events('r1')]).toEqual(before);
    return failure;
  };

  describe(`${name}: events`, () => {
    test('J1: are numbered from 1 without gaps and come back as they were given', () => {
      const lease = create();
      now = 1_000_005;
      const first = append(journal, lease, everyEvent.slice(0, 4));
      now = 1_000_009;
      const rest = append(journal, lease, everyEvent.slice(4));
      const expected = everyEvent.map((event, index) => ({
        ...event,
        seq: index + 1,
        at: index < 4 ? 1_000_005 : 1_000_009,
      }));
      expect([...first, ...rest]).toEqual(expected);
      expect(journal.events('r1')).toEqual(expected);
    });

    test('of a new run are there with it, or the run is not', () => {
      const opening = everyEvent.slice(0, 2);
      const lease = journal.create(record('r1'), 'one', opening);
      const [next] = append(journal, lease, everyEvent.slice(2, 3));
      expect(journal.events('r1').map(({ seq }) => seq)).toEqual([1, 2, 3]);
      expect(journal.events('r1').slice(0, 2)).toMatchObject(opening);
      expect(next).toMatchObject({ seq: 3 });
      refused(() => journal.create(record('r1'), 'two', opening));
    });

    test('are read after a number, from the start, and beyond the end', () => {
      journal.append(create(), everyEvent);
      const all = journal.events('r1', 0);
      expect(all).toHaveLength(everyEvent.length);
      expect(journal.events('r1', 3)).toEqual(all.slice(3));
      expect(journal.events('r1', all.length)).toEqual([]);
      expect(journal.events('r1', 1000)).toEqual([]);
    });

    test('of several runs do not mix', () => {
      const one = create('r1');
      const two = create('r2');
      for (let i = 0; i < 3; i++) {
        journal.append(one, [started(`0#${i}`)]);
        journal.append(two, [settled(`1#${i}`, 'null'), settled(`2#${i}`, 'null')]);
      }
      expect(journal.events('r1').map(({ seq }) => seq)).toEqual([1, 2, 3]);
      expect(journal.events('r2').map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6]);
    });

    test('an append of nothing writes nothing', () => {
      const lease = create();
      const before = journal.find('r1');
      now += 10;
      expect(journal.append(lease, [])).toBeUndefined();
      expect(journal.find('r1')).toEqual(before);
    });

    test.each([
      ['a big int', { ...started('0#1'), attempt: 1n }],
      ['a function', { ...started('0#1'), attempt: () => 1 }],
      ['NaN', { ...started('0#1'), queuedAt: Number.NaN }],
      ['an infinite number', { ...started('0#1'), queuedAt: Number.POSITIVE_INFINITY }],
      ['a cycle', cyclic()],
    ])('J2: with %s among them, none is written', (_, broken) => {
      const lease = create();
      const bodies = [started('0#0'), broken as unknown as EventBody, started('0#2')];
      const failure = refused(() => journal.append(lease, bodies, { durable: true }));
      expect(failure).toMatchObject({ name: 'JournalError', code: 'PV5005' });
      expect((failure as Error).message).toMatch(/effect\.started .*got/);
      expect(journal.append(lease, [started('0#3')])).toMatchObject({ seq: 1 });
    });

    test('J2: durable and ordinary appends may alternate', () => {
      const lease = create();
      for (let i = 0; i < 6; i++) {
        journal.append(lease, [started(`0#${i}`)], { durable: i % 3 === 0 });
      }
      expect(journal.events('r1').map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6]);
    });

    test('J5: what a caller does to an event, given or read, does not reach the journal', () => {
      const limits = { 'effects.max': 10 };
      const [written] = append(journal, create(), [{ type: 'limit.raised', limits }]);
      const [read] = journal.events('r1');
      limits['effects.max'] = 99;
      Object.assign(written as object, { type: 'changed' });
      Object.assign(read as object, { limits: {} });
      expect(journal.events('r1')).toEqual([
        { type: 'limit.raised', limits: { 'effects.max': 10 }, seq: 1, at: now },
      ]);
    });

    test('of an unknown run are none', () => {
      expect(journal.events('nobody')).toEqual([]);
      expect(journal.find('nobody')).toBeUndefined();
      expect(journal.posts('nobody')).toEqual([]);
    });
  });

  describe(`${name}: texts`, () => {
    const texts: [string, string][] = [
      ['empty', ''],
      ['with zero characters', 'a\0b'],
      ['with quotes and line ends', `"'\\\n\r\t\u2028`],
      ['beyond the basic plane', 'na\u00efve \u{1f9ee} \u{10ffff}'],
      ['with a byte order mark first', '\ufeffx'],
      ['with a lone surrogate', 'x\ud800y'],
    ];

    test.each(texts)('%s survive, short and large (J4)', (_, text) => {
      const large = text + 'x'.repeat(largeTextChars) + text;
      const lease = create('r1', { title: text, inputs: large });
      const bodies = [settled('0#1', text), settled('0#2', large), settled('0#3', large)];
      const written = append(journal, lease, bodies);
      expect(journal.events('r1')).toEqual(written);
      expect(journal.find('r1')).toMatchObject({ title: text, inputs: large });
    });

    test('J4: large ones come back in every field that has one', () => {
      const text = 'v'.repeat(largeTextChars);
      const error = { code: 'E1', message: `m${text}`, hint: `h${text}` };
      const bodies: EventBody[] = [
        { ...settled('0#1', ''), outcome: { ok: false, error }, warnings: ['short', `w${text}`] },
        { ...started('0#2'), request: text, step: text },
        ending('run.failed', 'unknown', text),
      ];
      const written = append(journal, create(), bodies);
      expect(written).toMatchObject(bodies);
      expect(journal.events('r1')).toEqual(written);
    });

    test('J4: of some megabytes come back', () => {
      const value = JSON.stringify('\u00e4\u{1f600}"\n'.repeat(1 << 19));
      journal.append(create(), [settled('0#1', value)]);
      const [event] = journal.events('r1');
      // Compared by hand, since a failed toEqual would print both.
      expect(
        event?.type === 'effect.settled' && event.outcome.ok && event.outcome.value === value,
      ).toBe(true);
    });

    test('any event comes back as it was given (J1, J4)', () => {
      const text = fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.string({ unit: 'grapheme' }).map((s) => s.padEnd(largeTextChars, s)),
      );
      const count = fc.nat();
      const body: fc.Arbitrary<EventBody> = fc.oneof(
        fc
          .record({ value: text, effect: text, attempts: count })
          .map(({ value, effect, attempts }) => ({ ...settled(effect, value), attempts })),
        fc
          .record({ channel: text, value: text, step: text })
          .map((message) => ({ type: 'message.emitted', ...message }) as const),
        fc.dictionary(text, count).map((limits) => ({ type: 'limit.raised', limits }) as const),
      );
      const lease = create();
      let seen = 0;
      fc.assert(
        fc.property(fc.array(body, { minLength: 1, maxLength: 4 }), (bodies) => {
          const written = append(journal, lease, bodies);
          const read = journal.events('r1', seen);
          seen += bodies.length;
          expect(written).toEqual(bodies.map((given, i) => ({ ...given, ...at(written[i]) })));
          expect(read).toEqual(written);
          expect(read.at(-1)?.seq).toBe(seen);
        }),
        sampledRuns(50),
      );
    });
  });

  describe(`${name}: leases`, () => {
    test('J3: an append with a lease that was taken over writes nothing', () => {
      const stale = create();
      journal.append(stale, [started('0#1')]);
      now += leaseMs;
      const fresh = journal.claim('r1', 'two');
      expect(fresh.epoch).toBeGreaterThan(stale.epoch);
      expect(refused(() => journal.append(stale, [started('0#2')]))).toBeInstanceOf(LeaseLost);
      expect(refused(() => journal.renew(stale))).toBeInstanceOf(LeaseLost);
      expect(refused(() => journal.release(stale))).toBeUndefined();
      expect(journal.append(fresh, [started('0#2')])).toMatchObject({ seq: 2 });
    });

    test('J3: an expired lease still appends while nobody has taken it over', () => {
      const lease = create();
      now += 10 * leaseMs;
      expect(journal.append(lease, [started('0#1')])).toMatchObject({ seq: 1 });
      expect(journal.find('r1')?.owned).toBe(true);
    });

    test('J3: a released lease is of no use, also when nobody has taken the run', () => {
      const lease = create();
      journal.release(lease);
      expect(journal.find('r1')?.owned).toBe(false);
      expect(refused(() => journal.append(lease, [started('0#1')]))).toBeInstanceOf(LeaseLost);
      expect(refused(() => journal.renew(lease))).toBeInstanceOf(LeaseLost);
      journal.release(lease);
      expect(journal.claim('r1', 'two').epoch).toBeGreaterThan(lease.epoch);
    });

    test('J3: a lease of an unknown run is lost', () => {
      const lease = { run: 'nobody', epoch: 1 };
      expect(() => journal.append(lease, [started('0#1')])).toThrow(LeaseLost);
      expect(() => journal.renew(lease)).toThrow(LeaseLost);
      journal.release(lease);
      expect(journal.find('nobody')).toBeUndefined();
    });

    test('of two claimants one gets the run, the other learns who has it', () => {
      journal.release(create());
      const lease = journal.claim('r1', 'web1:4711:99-abc');
      const failure = refused(() => journal.claim('r1', 'two'));
      expect(failure).toBeInstanceOf(RunOwned);
      expect(failure).toMatchObject({ code: 'PV5001' });
      expect((failure as Error).message).toContain('process 4711 on web1');
      expect(journal.append(lease, [started('0#1')])).toMatchObject({ seq: 1 });
    });

    test('expire on the millisecond, later after a renewal', () => {
      const lease = create();
      now += leaseMs - 1;
      expect(() => journal.claim('r1', 'two')).toThrow(RunOwned);
      expect(journal.find('r1')?.owned).toBe(true);
      journal.renew(lease);
      now += leaseMs - 1;
      expect(() => journal.claim('r1', 'two')).toThrow(RunOwned);
      now += 1;
      expect(journal.find('r1')?.owned).toBe(false);
      expect(journal.claim('r1', 'two')).toEqual({ run: 'r1', epoch: lease.epoch + 1 });
    });

    test('are renewed by an append', () => {
      const lease = create();
      now += leaseMs - 1;
      journal.append(lease, [started('0#1')]);
      now += leaseMs - 1;
      expect(() => journal.claim('r1', 'two')).toThrow(RunOwned);
    });

    test('a renewal after the expiry holds the run again', () => {
      const lease = create();
      now += 2 * leaseMs;
      journal.renew(lease);
      expect(() => journal.claim('r1', 'two')).toThrow(RunOwned);
    });

    test('of an owner that is gone are free at once', () => {
      const stale = create();
      gone = ['one'];
      expect(journal.find('r1')?.owned).toBe(false);
      const lease = journal.claim('r1', 'two');
      expect(() => journal.append(stale, [started('0#1')])).toThrow(LeaseLost);
      expect(journal.append(lease, [started('0#1')])).toMatchObject({ seq: 1 });
    });

    test('an owner may claim its own run again, and its earlier lease is fenced', () => {
      const stale = create();
      const lease = journal.claim('r1', 'one');
      expect(refused(() => journal.append(stale, [started('0#1')]))).toBeInstanceOf(LeaseLost);
      expect(journal.append(lease, [started('0#1')])).toMatchObject({ seq: 1 });
    });

    test('a run is created once', () => {
      journal.append(create(), [started('0#1')]);
      const failure = refused(() => journal.create(record('r1', { title: 'other' }), 'two'));
      expect(failure).toMatchObject({ name: 'JournalError', code: 'PV5004' });
    });

    test('an unknown run cannot be claimed', () => {
      expect(() => journal.claim('nobody', 'one')).toThrow(
        expect.objectContaining({ name: 'JournalError', code: 'PV5003' }),
      );
    });
  });

  describe(`${name}: runs`, () => {
    test('a new one is running and has no events', () => {
      create('r1', { title: 'count to ten', settings: '{"sequential":true}' });
      expect(journal.find('r1')).toEqual({
        ...record('r1', { title: 'count to ten', settings: '{"sequential":true}' }),
        status: 'running',
        updatedAt: now,
        events: 0,
        owned: true,
      });
    });

    const turns: [EventBody, RunStatus, RunReason | undefined][] = [
      [{ type: 'run.started', run: record('r1') }, 'running', undefined],
      [{ type: 'run.resumed' }, 'running', undefined],
      [ending('run.finished'), 'done', undefined],
      [ending('run.failed'), 'failed', undefined],
      [ending('run.waiting', 'person'), 'waiting', 'person'],
      [ending('run.suspended', 'limit'), 'suspended', 'limit'],
      [ending('run.cancelled', 'interrupted'), 'cancelled', 'interrupted'],
    ];

    test.each(turns)('after %o the status is %s', (event, status, reason) => {
      const lease = create();
      journal.append(lease, [ending('run.suspended', 'unknown')]);
      now += 7;
      journal.append(lease, [started('0#1'), event, started('0#2')]);
      const summary = journal.find('r1');
      expect(summary).toMatchObject({ status, events: 4, updatedAt: now });
      expect(summary?.reason).toBe(reason);
      expect(journal.list({ status })).toEqual([summary]);
      expect(journal.list({ status: status === 'done' ? 'failed' : 'done' })).toEqual([]);
    });

    test('the last of several turns in one append counts', () => {
      journal.append(create(), [
        { type: 'run.started', run: record('r1') },
        ending('run.waiting', 'person'),
        ending('run.finished'),
      ]);
      expect(journal.find('r1')).toMatchObject({ status: 'done' });
      expect(journal.find('r1')).not.toHaveProperty('reason');
    });

    test('are listed newest first, by id where they are of one age', () => {
      for (const [id, createdAt] of [
        ['b', 2],
        ['a', 3],
        ['d', 1],
        ['c', 2],
      ] as const) {
        create(id, { createdAt });
      }
      expect(ids(journal.list())).toEqual(['a', 'c', 'b', 'd']);
      expect(ids(journal.list({ limit: 2 }))).toEqual(['a', 'c']);
      expect(ids(journal.list({ limit: 0 }))).toEqual([]);
    });

    test('are listed by status, prefix and both', () => {
      for (const [i, id] of ['ra1', 'ra2', 'rb1', 'r%', 'R_a'].entries()) {
        const lease = create(id, { createdAt: i });
        if (id.endsWith('1')) journal.append(lease, [ending('run.finished')]);
      }
      expect(ids(journal.list({ prefix: 'ra' }))).toEqual(['ra2', 'ra1']);
      expect(ids(journal.list({ prefix: 'ra', status: 'done' }))).toEqual(['ra1']);
      expect(ids(journal.list({ status: 'done' }))).toEqual(['rb1', 'ra1']);
      expect(ids(journal.list({ status: 'done', limit: 1 }))).toEqual(['rb1']);
      expect(ids(journal.list({ prefix: 'r%' }))).toEqual(['r%']);
      expect(ids(journal.list({ prefix: 'R' }))).toEqual(['R_a']);
      expect(ids(journal.list({ prefix: 'rb1' }))).toEqual(['rb1']);
      expect(ids(journal.list({ prefix: 'rb12' }))).toEqual([]);
      expect(ids(journal.list({ prefix: 'r', limit: 2 }))).toEqual(['r%', 'rb1']);
    });

    test('are listed by everything else that is known of them, and all of it at once', () => {
      const runs: [string, Partial<RunRecord>, EventBody?][] = [
        ['a', { createdAt: 10, title: 'Rivers of 100%', dialect: 'starlark' }],
        ['b', { createdAt: 20, title: 'rivers_of France', dialect: 'starlark' }],
        ['c', { createdAt: 30, title: 'Lakes' }, ending('run.suspended', 'limit')],
        ['d', { createdAt: 40, title: 'seas' }, ending('run.suspended', 'unknown')],
        ['e', { createdAt: 50, base: { run: 'c', seq: 1 }, title: 'LAKES' }],
      ];
      for (const [id, more, event] of runs) {
        const lease = create(id, more);
        journal.append(lease, event ? [event] : []);
        if (event) journal.release(lease);
      }
      const found = (filter: RunFilter): string => ids(journal.list(filter)).join('');
      expect(found({ dialect: 'starlark' })).toBe('ba');
      expect(found({ title: 'RIVERS' })).toBe('ba');
      expect(found({ title: '%' })).toBe('a');
      expect(found({ title: 'rivers_' })).toBe('b');
      expect(found({ title: 'lakes' })).toBe('ec');
      expect(found({ since: 20 })).toBe('edcb');
      expect(found({ since: 20, before: 40 })).toBe('cb');
      expect(found({ reason: 'limit' })).toBe('c');
      expect(found({ status: 'suspended', reason: 'unknown' })).toBe('d');
      expect(found({ base: 'c' })).toBe('e');
      expect(found({ base: 'a' })).toBe('');
      expect(found({ owned: true })).toBe('eba');
      expect(found({ owned: true, limit: 2 })).toBe('eb');
      expect(found({ owned: false, status: 'running' })).toBe('');
      now += leaseMs;
      expect(found({ owned: false, status: 'running' })).toBe('eba');
      expect(found({ dialect: 'starlark', title: 'of', since: 11, limit: 1 })).toBe('b');
    });

    test('a list says of each what find says', () => {
      const lease = create('r1', { createdAt: 2, inputs: 'i'.repeat(largeTextChars) });
      journal.append(lease, [ending('run.waiting', 'approval')]);
      create('r2', { createdAt: 1 });
      expect(journal.list()).toEqual([journal.find('r1'), journal.find('r2')]);
    });
  });

  test(`${name}: after closing, which may be repeated, every call is refused`, () => {
    const lease = create();
    journal.close();
    journal.close();
    const calls: (() => unknown)[] = [
      () => journal.create(record('r2'), 'one'),
      () => journal.claim('r1', 'one'),
      () => journal.renew(lease),
      () => journal.release(lease),
      () => journal.append(lease, [started('0#1')]),
      () => journal.events('r1'),
      () => journal.find('r1'),
      () => journal.list(),
      () => journal.children('r1'),
      () => journal.keepSnapshot(lease, { seq: 1, text: '' }),
      () => journal.snapshots('r1'),
      () => journal.snapshot('r1', 1),
      () => journal.post('r1', { kind: 'cancel' }),
      () => journal.posts('r1'),
    ];
    for (const call of calls) {
      expect(call).toThrow(expect.objectContaining({ name: 'JournalError', code: 'PV5019' }));
    }
  });
}

function ids(runs: readonly { id: string }[]): string[] {
  return runs.map(({ id }) => id);
}

function at(event: { seq: number; at: number } | undefined): { seq?: number; at?: number } {
  return event === undefined ? {} : { seq: event.seq, at: event.at };
}

function cyclic(): object {
  const event = { ...started('0#1'), self: {} };
  event.self = event;
  return event;
}
