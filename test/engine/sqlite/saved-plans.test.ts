/** Saved plans beside the runs of a journal. */
import { expect, test } from 'vitest';
import type { SavedPlan } from '../../../src/engine/journal/saved-plans.ts';
import { sqliteJournal } from '../../../src/engine/journal/sqlite/journal.ts';
import { sqlitePlans } from '../../../src/engine/journal/sqlite/saved-plans.ts';
import { temporaryFolder } from './folder.ts';

const path = `${temporaryFolder()}/runs.db`;
const plan = (id: string, savedAt: number, text = '[]'): SavedPlan => ({
  ...{ id, label: 'a/b', key: 'k', goal: 'What?', inputs: ['city'], dialect: 'stackvm-2' },
  ...{ text, run: 'r1', savedAt },
});

test('plans are kept, replaced and removed, newest first, beside the runs', () => {
  const plans = sqlitePlans(path);
  plans.save(plan('p1', 1));
  plans.save({ ...plan('p2', 2), language: 'French', format: 'a table' });
  plans.save(plan('p1', 3, '[1]'));
  plans.close();

  const journal = sqliteJournal(path);
  expect(journal.list()).toEqual([]);
  journal.close();

  const again = sqlitePlans(path);
  expect(again.list()).toEqual([
    plan('p1', 3, '[1]'),
    { ...plan('p2', 2), language: 'French', format: 'a table' },
  ]);
  expect([again.remove('p1'), again.remove('p1')]).toEqual([true, false]);
  expect(again.list().map(({ id }) => id)).toEqual(['p2']);
  again.close();
});
