/** What ids that callers choose, and metadata, mean in each journal. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { draftFork } from '../../src/engine/fork/fork-draft.ts';
import { exportRuns } from '../../src/engine/journal/export.ts';
import { importRuns, readExport } from '../../src/engine/journal/import.ts';
import type { Journal } from '../../src/engine/journal/journal.ts';
import type { JournalOptions } from '../../src/engine/journal/owner.ts';
import { type RunHandle, type StartOptions, startRun } from '../../src/engine/run.ts';
import { existingRun, RunExists } from '../../src/engine/run-name.ts';
import { loading, programOf } from './support.ts';

const program = programOf([{ say: 'hello' }]);
const inputs = new Map([
  ['city', 'Oslo'],
  ['days', 'two'],
]);

/** `open` gives an empty journal; the suite closes it. */
export function nameConformance(name: string, open: (options: JournalOptions) => Journal): void {
  let journal: Journal;
  beforeEach(() => {
    journal = open({});
  });
  afterEach(() => journal.close());

  const options = (more: Partial<StartOptions> = {}): StartOptions => ({
    ...{ journal, program, handlers: new Map(), text: 'say hello', dialect: 'assembly', inputs },
    ...{ id: 'ticket-42', ...more },
  });
  const start = (more?: Partial<StartOptions>): RunHandle => startRun(options(more));
  const exportOf = (run: string): string => exportRuns({ journal, run, now: 1_000_000 });

  describe(`${name}: names`, () => {
    test('an id stands for one run, while it goes on and after its end', async () => {
      const { id, result } = start({ title: 'Weather' });
      expect(id).toBe('ticket-42');
      expect(() => start()).toThrow(RunExists);
      await result;
      const events = journal.events(id);
      const swapped = new Map([...inputs].reverse());
      expect(() => start({ title: 'Rain', inputs: swapped, sequential: true })).toThrow(
        expect.objectContaining({
          ...{ name: 'RunExists', code: 'PV5112', run: id },
          existing: journal.find(id),
        }),
      );
      expect(existingRun(options())).toMatchObject({ id, title: 'Weather', status: 'done' });
      expect(journal.events(id)).toEqual(events);
      expect(journal.list()).toHaveLength(1);
    });

    test('the id of a fork, an imported run or one without a name stands for no request', async () => {
      const { id: unnamed, result } = start({ id: undefined });
      await result;
      const edit = { by: 'person' } as const;
      const draft = draftFork({
        ...{ journal, handlers: new Map(), run: unnamed, id: 'fork', edit, load: loading(program) },
      });
      journal.release(journal.create(draft.record, 'one', draft.events));
      await start({ id: 'named' }).result;
      const { identity } = journal.find('named') ?? {};
      const forged = readExport(exportOf('named'), 'a file').map((run) => ({
        ...run,
        record: { ...run.record, ...(identity && { identity }) },
      }));
      importRuns(journal, forged, 'imported');
      for (const id of [unnamed, 'fork', 'imported']) {
        expect(() => start({ id })).toThrow(
          expect.objectContaining({ code: 'PV5113', facts: { differences: ['kind'] } }),
        );
      }
    });

    test('the id of a deleted run is free when it was swept', async () => {
      await start().result;
      journal.remove('ticket-42');
      expect(() => start()).toThrow(expect.objectContaining({ code: 'PV5004' }));
      journal.sweep();
      expect((await start().result).status).toBe('done');
    });
  });

  describe(`${name}: metadata`, () => {
    test('lists runs by equal values of all keys that are asked for', async () => {
      const all = [
        { team: 'red', number: 1, tags: ['a', 'b'] },
        { team: 'blue', number: '1', nested: { a: 1, b: null } },
        { team: 'red', 'a "b" \ud800=\\': 'x'.repeat(9000) },
        undefined,
      ];
      for (const [i, metadata] of all.entries()) {
        const clock = { now: () => 1000 + i, uptime: () => 0, after: () => ({}), cancel() {} };
        await start({ id: `run-${i}`, title: `Title ${i % 2}`, metadata, clock }).result;
        expect(journal.find(`run-${i}`)?.metadata).toEqual(metadata);
      }
      type Filter = NonNullable<Parameters<Journal['list']>[0]>;
      const found = (metadata: Filter['metadata'], more: Filter = {}): string =>
        journal
          .list({ metadata, ...more })
          .map(({ id }) => id.slice('run-'.length))
          .join('');
      expect(found({})).toBe('3210');
      expect(found({ team: 'red' })).toBe('20');
      expect(found({ team: 'red' }, { limit: 1 })).toBe('2');
      expect(found({ team: 'red' }, { title: 'TITLE 0', status: 'done' })).toBe('20');
      expect(found({ team: 'blue' }, { title: 'TITLE 0' })).toBe('');
      expect(found({ team: 'red', number: 1 })).toBe('0');
      expect(found({ number: 1 })).toBe('0');
      expect(found({ number: '1' })).toBe('1');
      expect(found({ tags: ['a', 'b'] })).toBe('0');
      expect(found({ tags: ['b', 'a'] })).toBe('');
      expect(found({ nested: { b: null, a: 1 } })).toBe('1');
      expect(found({ 'a "b" \ud800=\\': 'x'.repeat(9000) })).toBe('2');
      expect(found({ team: 'RED' })).toBe('');
      expect(found({ red: 'team' })).toBe('');
    });

    test('goes along with forks, exports and imports', async () => {
      const metadata = { team: 'red', log: 'y'.repeat(5000) };
      await start({ id: 'base', metadata }).result;
      const edit = { by: 'person' } as const;
      const draft = { journal, handlers: new Map(), run: 'base', edit, load: loading(program) };
      expect(draftFork(draft).record.metadata).toEqual(metadata);
      importRuns(journal, readExport(exportOf('base'), 'a file'), 'copy');
      const ids = journal.list({ metadata }).map(({ id }) => id);
      expect(ids.sort()).toEqual(['base', 'copy']);
    });
  });
}
