/**
 * What it costs to run a plan of tasks: time beside the critical path of its tools, CPU a task,
 * memory. Beside it stand two schedulers that keep no journal: a ready queue written by hand, than
 * which none takes less, and the rule of the original, which looks every ten milliseconds.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { checkProgram } from '../src/dialects/index.ts';
import type { Handler } from '../src/engine/handler.ts';
import type { Journal } from '../src/engine/journal/journal.ts';
import { memoryJournal } from '../src/engine/journal/open-journal.ts';
import { sqliteJournal } from '../src/engine/journal/sqlite/journal.ts';
import { startRun } from '../src/engine/run.ts';
import { toolSpec } from '../src/program/effect.ts';
import type { Program } from '../src/program/program.ts';
import {
  byHand,
  chain,
  criticalPath,
  graph,
  layers,
  random,
  type Task,
  textOf,
} from './llmcompiler/graphs.ts';
import { polled } from './llmcompiler/polling.ts';
import { median, report } from './report.ts';

const limits = { concurrency: 10_000, effects: 1e6, instructions: 1e9, programInstructions: 1e7 };

/** What each task took, milliseconds, by its index. */
const took = new Map<number, number>();

async function pass(index: number, ms: number): Promise<number> {
  const from = performance.now();
  if (ms > 0) await after(ms);
  took.set(index, performance.now() - from);
  return ms;
}

const wait: Handler = {
  spec: toolSpec({
    name: 'wait',
    description: 'Waits.',
    effect: 'read',
    parameters: {
      type: 'object',
      properties: { id: { type: 'integer' }, ms: { type: 'integer' }, on: { type: 'array' } },
      required: ['id', 'ms'],
    },
  }),
  perform: async ({ id, ms }) => await pass(Number(id), Number(ms)),
};

function programOf(tasks: readonly Task[]): Program {
  const environment = { tools: new Map([['wait', wait.spec]]), inputs: [] };
  const { program, diagnostics } = checkProgram(textOf(tasks), environment, {
    dialect: 'llmcompiler',
    instructionsMax: limits.programInstructions,
    sourceBytesMax: Infinity,
  });
  if (!program) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  return program;
}

async function run(program: Program, journal: Journal, handler: Handler = wait): Promise<void> {
  const { status, error } = await startRun({
    ...{ journal, program, text: '', dialect: 'llmcompiler', limits },
    handlers: new Map([['wait', handler]]),
  }).result;
  if (status !== 'done') throw new Error(`the run ended as ${status}: ${error?.message}`);
}

/** First runs show how a host compiles, the others what a run costs: the least of some. */
async function least(action: () => Promise<void>): Promise<number> {
  let found = Infinity;
  for (let round = 0; round < 10; round++) found = Math.min(found, await milliseconds(action));
  return found;
}

async function milliseconds(action: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await action();
  return performance.now() - start;
}

const hand = (tasks: readonly Task[]): Promise<void> =>
  byHand(tasks, ({ ms }, index) => pass(index, ms));

const folder = mkdtempSync(join(tmpdir(), 'planvm-bench-'));
const onDisk = (): Journal =>
  sqliteJournal(join(folder, `${Math.random().toString(36).slice(2)}.db`));

/** Time over that of the critical path as it was in this very run: the best of three. */
async function excess(tasks: readonly Task[], action: () => Promise<void>): Promise<number> {
  let least = Infinity;
  for (let round = 0; round < 3; round++) {
    took.clear();
    const ms = await milliseconds(action);
    least = Math.min(least, ms / criticalPath(tasks, (i) => took.get(i) ?? 0));
  }
  return least;
}

/** A journal that is there: a file is made once, for all runs. */
async function ours(tasks: readonly Task[]): Promise<number> {
  const program = programOf(tasks);
  const journal = onDisk();
  const found = await excess(tasks, () => run(program, journal));
  journal.close();
  return found;
}

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

function heap(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

/** CPU of the process for each task, from a program that is there to the result. */
async function cpu(tasks: readonly Task[], journal: Journal): Promise<number> {
  const program = programOf(tasks);
  const before = process.cpuUsage();
  await run(program, journal);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / tasks.length;
}

/** What the process holds on to beyond the program while the last task runs, MB. */
async function memory(count: number): Promise<number> {
  const program = programOf(graph(count, () => 0));
  const before = heap();
  let most = 0;
  await run(program, onDisk(), {
    ...wait,
    async perform({ id, ms }) {
      if (id === count - 1) most = heap();
      return ms;
    },
  });
  return (most - before) / 2 ** 20;
}

const thousand = textOf(graph(1000, () => 0));
const environment = { tools: new Map([['wait', wait.spec]]), inputs: [] };
const parsing = (): number => {
  const start = performance.now();
  checkProgram(thousand, environment, { dialect: 'llmcompiler' });
  return performance.now() - start;
};
for (let i = 0; i < 5; i++) parsing();
// Half of the single times have a collection of what ran before in them.
const parsed = median(Array.from({ length: 9 }, parsing));
report([{ name: 'a plan of 1000 tasks: text to program', value: parsed, unit: 'ms', bar: 50 }]);

const timed: readonly (readonly [name: string, bar: number, tasks: readonly Task[]])[] = [
  ['fan-out 1000, 50 ms', 1.02, layers(1, 1000, 50)],
  ['chain 20, 50 ms', 1.02, chain(20, 50)],
  ['layers 10 × 100, 50 ms', 1.02, layers(10, 100, 50)],
  ['graph 1000, 50 to 100 ms', 1.02, graph(1000, () => 50 + random(50))],
  ['chain 100, 5 ms', 1.1, chain(100, 5)],
  ['graph 1000, 5 ms', 1.1, graph(1000, () => 5)],
];
const untimed = [
  ['chain 100, 0 ms', chain(100, 0)],
  ['graph 1000, 0 ms', graph(1000, () => 0)],
] as const;
const polls = polled([...timed.map(([, , tasks]) => tasks), ...untimed.map(([, tasks]) => tasks)]);

for (const [i, [name, bar, tasks]] of timed.entries()) {
  const unit = '× critical path';
  const poll = polls?.[i];
  report([
    { name, value: await ours(tasks), unit, bar },
    { name: `${name}, by hand`, value: await excess(tasks, () => hand(tasks)), unit },
    ...(poll ? [{ name: `${name}, polling`, value: poll.took / poll.critical, unit }] : []),
  ]);
}

for (const [i, [name, tasks]] of untimed.entries()) {
  const program = programOf(tasks);
  const journal = onDisk();
  const poll = polls?.[timed.length + i];
  const each = (ms: number): number => (1000 * ms) / tasks.length;
  const unit = 'µs a task';
  report([
    {
      name: `${name}, memory`,
      value: each(await least(() => run(program, memoryJournal()))),
      unit,
    },
    { name: `${name}, sqlite`, value: each(await least(() => run(program, journal))), unit },
    { name: `${name}, by hand`, value: each(await least(() => hand(tasks))), unit },
    ...(poll ? [{ name: `${name}, polling`, value: each(poll.took), unit }] : []),
  ]);
  journal.close();
}

const ten = graph(10_000, () => 0);
await cpu(ten, memoryJournal());
for (const [name, journal] of [
  ['memory', memoryJournal()],
  ['sqlite', onDisk()],
] as const) {
  const value = await cpu(ten, journal);
  report([{ name: `CPU a task at 10 000, ${name}`, value, unit: 'µs', bar: 50 }]);
}

for (const count of [10_000, 30_000, 100_000]) {
  const name = `heap beyond the program at ${count} tasks`;
  report([{ name, value: await memory(count), unit: 'MB' }]);
}

rmSync(folder, { recursive: true });
