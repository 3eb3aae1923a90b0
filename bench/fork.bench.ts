/** What it takes to fork a run of 10 000 effects, and how much a fork writes. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkProgram } from '../src/dialects/index.ts';
import { forkRun, makeFork } from '../src/engine/fork/fork.ts';
import { sqliteJournal } from '../src/engine/journal/sqlite/journal.ts';
import type { Load } from '../src/engine/load.ts';
import { startRun } from '../src/engine/run.ts';
import { toolSpec } from '../src/program/effect.ts';
import { report } from './report.ts';

const effects = 10_000;
const text = `
for i in range(${effects}):
    last = read(x = i)
n = 5
answer(read(x = n))
`;

const spec = toolSpec({
  ...{ name: 'read', description: 'Reads.', effect: 'read' },
  parameters: { type: 'object', properties: { x: {} } },
});
const handlers = new Map([
  ['read', { spec, perform: async ({ x }: Record<string, unknown>) => x }],
]);

const load: Load = (source, dialect, tools, inputs) => {
  const { program } = checkProgram(source, { tools, inputs }, { dialect });
  if (!program) throw new Error('the program of the benchmark is none');
  return { program };
};

/** Milliseconds of the quickest of several. */
function quickest(act: () => void): number {
  let best = Infinity;
  for (let i = 0; i < 7; i++) {
    const before = performance.now();
    act();
    best = Math.min(best, performance.now() - before);
  }
  return best;
}

const folder = mkdtempSync(join(tmpdir(), 'planvm-bench-'));
const journal = sqliteJournal(join(folder, 'runs.db'));
try {
  const { program } = load(text, 'starlark', new Map([['read', spec]]), []);
  const base = startRun({ journal, handlers, program, text, dialect: 'starlark' });
  await base.result;
  const parts = { journal, handlers, load, run: base.id };
  const edit = { by: 'person', at: '4', set: { n: '6' } } as const;
  const makeMs = quickest(() => makeFork({ ...parts, edit }));
  const startMs = quickest(() => makeFork({ ...parts, edit: { by: 'person' } }));
  const before = performance.now();
  const fork = forkRun({ ...parts, edit });
  await fork.result;
  const wholeMs = performance.now() - before;
  const own = journal.events(fork.id).length - (journal.find(fork.id)?.base?.seq ?? 0);
  report([
    { name: `fork of ${effects} effects, at their end`, value: makeMs, unit: 'ms', bar: 50 },
    { name: 'fork of them from the start', value: startMs, unit: 'ms', bar: 50 },
    { name: 'fork at their end, and its run', value: wholeMs, unit: 'ms' },
    { name: 'events that the fork has of its own', value: own, unit: 'events', bar: 10 },
  ]);
} finally {
  journal.close();
  rmSync(folder, { recursive: true });
}
