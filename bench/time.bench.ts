/**
 * What a long run costs to look back into: 10 000 effects in a loop of two steps, with a result that
 * is kept of every tenth, in a journal on disk.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Handler } from '../src/engine/handler.ts';
import type { Journal } from '../src/engine/journal/journal.ts';
import { openJournal } from '../src/engine/journal/open-journal.ts';
import { loadProgram } from '../src/engine/load.ts';
import { readPast } from '../src/engine/past/read-past.ts';
import { stateAt } from '../src/engine/past/time.ts';
import { resumeRun, startRun } from '../src/engine/run.ts';
import { Moments } from '../src/engine/views/moments.ts';
import { ChunkBuilder, ProgramBuilder } from '../src/program/builder.ts';
import { toolSpec } from '../src/program/effect.ts';
import type { Program } from '../src/program/program.ts';
import { report } from './report.ts';

const effects = 10_000;
const valueChars = 60;

/** look(i) and i += 1, until i is the number of effects; a tenth of the results stay in a list. */
function loop(): Program {
  const program = new ProgramBuilder('assembly');
  const main = new ChunkBuilder('main');
  const [i, kept, last] = ['i', 'kept', 'last'].map((name) => program.global(name));
  const step = (label: string): number =>
    program.step({ label, kind: 'step', line: Number(label), column: 1 });
  const [again, skip, end] = [main.label(), main.label(), main.label()];
  main.constant(0).emit('SETGLOBAL', i);
  main.emit('LIST', 0).emit('SETGLOBAL', kept);
  main.place(again).emit('STEP', step('1'));
  main.tool('look').constant('n').emit('GLOBAL', i).call(0, 1).emit('SETGLOBAL', last);
  main.emit('GLOBAL', i).constant(10).emit('MOD').constant(0).emit('EQ').jump('JF', skip);
  main.emit('GLOBAL', kept).emit('GLOBAL', last).emit('APPEND', 1).emit('POP');
  main.place(skip).emit('STEP', step('2'));
  main.emit('GLOBAL', i).constant(1).emit('ADD').emit('SETGLOBAL', i);
  main.emit('GLOBAL', i).constant(effects).emit('LT').jump('JF', end).jump('JMP', again);
  main.place(end).constant(null).emit('RETURN');
  program.add(main.seal());
  return program.build();
}

const handler: Handler = {
  spec: toolSpec({ name: 'look', description: 'Looks.', effect: 'read' }),
  perform: async ({ n }) => String(n).padEnd(valueChars, ' rivers of France'),
};
const handlers = new Map([['look', handler]]);
const program = loop();
const load = (): { program: Program } => ({ program });
const limits = { stepVisits: effects + 1, effects: effects + 1 };

const folder = mkdtempSync(join(tmpdir(), 'planvm-bench-'));
try {
  const file = join(folder, 'runs.db');
  const journal = openJournal(file);
  const parts = { journal, handlers, program, text: '', dialect: 'assembly' };
  const ranMs = await ms(() => startRun({ ...parts, limits, id: 'whole' }).result);
  journal.close();
  const bytes = statSync(file).size;

  const again = openJournal(file);
  // One that was stopped before its last effect: what resuming costs is getting there.
  const half = { ...parts, journal: again, id: 'stopped' };
  await startRun({ ...half, limits: { ...limits, effects: effects - 1 } }).result;
  const resumedMs = await ms(
    () => resumeRun({ journal: again, run: 'stopped', handlers, load, limits }).result,
  );
  report([
    { name: `run of ${effects} effects`, value: ranMs, unit: 'ms' },
    { name: 'journal with snapshots, per effect', value: bytes / effects, unit: 'B' },
    { name: 'snapshots kept', value: again.snapshots('whole').length, unit: '' },
    { name: 'resume before the last one', value: resumedMs, unit: 'ms', bar: 1000 },
    ...(await looks(again)),
  ]);
  again.close();
} finally {
  rmSync(folder, { recursive: true });
}

async function looks(journal: Journal): Promise<Parameters<typeof report>[0]> {
  const at = (place: string) => ms(() => stateAt({ journal, run: 'whole', load, at: place }));
  await at('1');
  const places = Array.from({ length: 20 }, (_, i) => `2@${(i * 4999) % effects || 2}`);
  const times: number[] = [];
  for (const place of places) times.push(await at(place));
  const past = readPast(journal.events('whole'));
  const moments = new Moments({ past, loaded: loadProgram('whole', past, load), status: 'done' });
  const toEndMs = await ms(() => moments.goTo(Number.MAX_SAFE_INTEGER));
  const backs: number[] = [];
  for (let i = 0; i < 20; i++) {
    backs.push(await ms(() => moments.goTo(moments.position - 1 - (i % 2) * 700)));
  }
  return [
    { name: 'state at a step: median', value: median(times), unit: 'ms', bar: 100 },
    { name: 'state at a step: worst of 20', value: Math.max(...times), unit: 'ms', bar: 100 },
    { name: 'debugger: from the start to the end', value: toEndMs, unit: 'ms' },
    { name: 'debugger: back: median', value: median(backs), unit: 'ms' },
    { name: 'debugger: back: worst of 20', value: Math.max(...backs), unit: 'ms' },
  ];
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}

async function ms(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
