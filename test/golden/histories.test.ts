/**
 * Histories that earlier versions have written, with effects of every kind, forks, repairs and
 * approvals: exports of runs in `histories/`. This version has to come to the same end from each,
 * and from each of its beginnings. To add one: `planvm export RUN --tree -o NAME-1.json`; they are
 * never written anew.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { load } from '../../src/agent/record/load.ts';
import { importRuns, readExport } from '../../src/engine/journal/import.ts';
import type { Journal } from '../../src/engine/journal/journal.ts';
import { memoryJournal } from '../../src/engine/journal/open-journal.ts';
import { verifyRun } from '../../src/engine/past/verify.ts';
import { showRun } from '../../src/engine/views/show.ts';
import { root } from '../support/repo.ts';

const folder = join(root, 'test/golden/histories');
const files = readdirSync(folder).sort();

function imported(file: string): { journal: Journal; runs: readonly string[] } {
  const journal = memoryJournal();
  const text = readFileSync(join(folder, file), 'utf8');
  return { journal, runs: importRuns(journal, readExport(text, file)) };
}

test('there are effects of every kind, forks and failures among them', () => {
  const kinds = new Set<string>();
  const types = new Set<string>();
  for (const file of files) {
    const { journal, runs } = imported(file);
    for (const run of runs) {
      for (const { kind } of showRun({ journal, run, load }).effects) kinds.add(kind);
      for (const { type } of journal.events(run)) types.add(type);
    }
  }
  expect([...kinds].sort()).toEqual(['clock', 'model', 'person', 'retrieve', 'tool']);
  expect([...types]).toEqual(
    expect.arrayContaining([
      ...['run.forked', 'run.resumed', 'run.failed', 'effect.unknown', 'effect.part'],
      ...['effect.cancelled', 'effect.reused', 'limit.raised', 'approval.granted'],
    ]),
  );
});

test.each(files)('%s replays', (file) => {
  const { journal, runs } = imported(file);
  for (const run of runs) {
    const { differences, sameProgram } = verifyRun({ journal, run, load });
    expect({ run, differences }).toEqual({ run, differences: [] });
    expect(sameProgram, 'the program compiles to the code of then').toBe(true);
  }
});

test.each(files)('%s replays from each of its beginnings', (file) => {
  const { journal, runs } = imported(file);
  for (const run of runs) {
    const events = journal.events(run);
    const [first] = events;
    // What a fork has begun with is in the history of its base.
    if (first?.type !== 'run.started' || journal.find(run)?.base) continue;
    for (let length = 2; length < events.length; length++) {
      const cut = memoryJournal();
      cut.create(first.run, 'test', events.slice(0, length));
      const { differences } = verifyRun({ journal: cut, run, load });
      expect({ run, length, differences }).toEqual({ run, length, differences: [] });
    }
  }
});
