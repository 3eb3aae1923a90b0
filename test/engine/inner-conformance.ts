/**
 * What every journal promises of runs within effects of others, run over each implementation beside
 * `removal-conformance.ts`.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { exportRuns } from '../../src/engine/journal/export.ts';
import { importRuns, readExport } from '../../src/engine/journal/import.ts';
import { type Journal, RunOwned } from '../../src/engine/journal/journal.ts';
import type { JournalOptions } from '../../src/engine/journal/owner.ts';
import { withinAny } from '../../src/engine/journal/run-identity.ts';
import { ending, record, started } from './events.ts';

/** `open` gives an empty journal; the suite closes it. */
export function innerConformance(name: string, open: (options: JournalOptions) => Journal): void {
  let now: number;
  let journal: Journal;

  beforeEach(() => {
    now = 1_000_000;
    journal = open({ now: () => now, isGone: () => false });
    for (const [id, run] of family) {
      now++;
      const parent = run === undefined ? {} : { parent: { run, effect: '0#1' } };
      const events = [started('0#1'), ending('run.finished')];
      journal.release(journal.create(record(id, parent), 'one', events));
    }
  });
  afterEach(() => journal.close());

  const family = [
    ['r1', undefined],
    ['r1.a', 'r1'],
    ['r1.a.b', 'r1.a'],
    ['r2', undefined],
    ['r2.a', 'r2'],
  ] as const;
  const ids = (within?: string): string[] =>
    journal
      .list({ within })
      .map(({ id }) => id)
      .sort();

  describe(`${name}: runs within others`, () => {
    test('are in lists that ask for them', () => {
      expect(ids()).toEqual(['r1', 'r2']);
      expect(ids('r1')).toEqual(['r1.a']);
      expect(ids('r1.a')).toEqual(['r1.a.b']);
      expect(ids('r1.a.b')).toEqual([]);
      expect(ids(withinAny)).toEqual(family.map(([id]) => id));
      const found = journal.list({ within: withinAny, title: 'PLAN', prefix: 'r1.a' });
      expect(found.map(({ id }) => id).sort()).toEqual(['r1.a', 'r1.a.b']);
      expect(journal.find('r1.a')?.parent).toEqual({ run: 'r1', effect: '0#1' });
    });

    test('go and come back with those around them', () => {
      journal.remove('r1');
      expect(ids(withinAny)).toEqual(['r2', 'r2.a']);
      expect(journal.removed().map(({ id }) => id)).toEqual(['r1']);
      expect(() => journal.claim('r1.a.b', 'two')).toThrow(/no run r1\.a\.b/);
      journal.restore('r1');
      expect(ids(withinAny)).toEqual(family.map(([id]) => id));
      expect(journal.removed()).toEqual([]);
      expect(journal.events('r1.a.b')).toHaveLength(2);
    });

    test('keep those around them while a process has them', () => {
      const lease = journal.claim('r1.a.b', 'two');
      expect(() => journal.remove('r1')).toThrow(RunOwned);
      expect(journal.sweep({ runs: ['r1'] }).runs).toBe(0);
      journal.release(lease);
      expect(ids(withinAny)).toHaveLength(5);
    });

    test('are swept with them', () => {
      expect(journal.sweep({ runs: ['r1'], dryRun: true })).toMatchObject({ runs: 3, events: 6 });
      expect(journal.sweep({ runs: ['r1'] })).toMatchObject({ runs: 3, events: 6 });
      expect(ids(withinAny)).toEqual(['r2', 'r2.a']);
      expect([...journal.sizes().runs.keys()].sort()).toEqual(['r2', 'r2.a']);
    });

    test('count for the size of those around them, which they go with', () => {
      const { runs } = journal.sizes();
      const sizeOf = (id: string): number => runs.get(id) ?? 0;
      const own = sizeOf('r1.a.b');
      expect(own).toBeGreaterThan(0);
      expect(sizeOf('r1.a')).toBe(2 * own);
      expect(sizeOf('r1')).toBe(3 * own);
      expect(sizeOf('r2')).toBe(2 * own);
    });

    test('are exported with them, and taken in, under another name as well', () => {
      const whole = [
        ['r9', undefined],
        ['r9.0-1.a', 'r9'],
        ['r9.0-1.a.0-1.b', 'r9.0-1.a'],
      ] as const;
      for (const [id, around] of whole) {
        const parent = around === undefined ? {} : { parent: { run: around, effect: '0#1' } };
        const run = record(id, parent);
        const events = [{ type: 'run.started', run } as const, started('0#1')];
        journal.release(journal.create(run, 'one', events));
      }
      const text = exportRuns({ journal, run: 'r9', now: 7 });
      const other = open({ now: () => now, isGone: () => false });
      try {
        importRuns(other, readExport(text, 'r9.json'));
        importRuns(other, readExport(text, 'r9.json'), 'copy');
        const all = other.list({ within: withinAny }).map(({ id, parent }) => [id, parent?.run]);
        expect(all.sort()).toEqual([
          ['copy', undefined],
          ['copy.0-1.a', 'copy'],
          ['copy.0-1.a.0-1.b', 'copy.0-1.a'],
          ...whole,
        ]);
        expect(other.events('copy.0-1.a.0-1.b', 1)).toEqual(journal.events('r9.0-1.a.0-1.b', 1));
      } finally {
        other.close();
      }
    });
  });
}
