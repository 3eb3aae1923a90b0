/**
 * What it costs to run a plan of tasks: time beside the critical path of its tools, CPU a task,
 * memory. The same graphs are run by a ready queue written by hand, which knows nothing of
 * journals, failures or limits: no scheduler takes less than that.
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
import { memoryJournal } from '../src/engine/journal/memory/journal.ts';
import { sqliteJournal } from '../src/engine/journal/sqlite/journal.ts';
import { startRun } from '../src/engine/run.ts';
import { toolSpec } from '../src/program/effect.ts';
import type { Program } from '../src/program/program.ts';
import { type Figure, report } from './report.ts';

const limits = { concurrency: 10_000, effects: 1e6, instructions: 1e9, programInstructions: 1e7 };

interface Task {
  readonly ms: number;
  /** Indexes of earlier tasks whose results it needs. */
  readonly on: readonly number[];
}

/** When each task has started and ended, on the clock of the process. */
const spans: { readonly id: number; readonly from: number; to: number }[] = [];
let keepsSpans = false;

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
  async perform({ id, ms }) {
    const span = { id: Number(id), from: performance.now(), to: 0 };
    if (Number(ms) > 0) await after(Number(ms));
    span.to = performance.now();
    if (keepsSpans) spans.push(span);
    return Number(ms);
  },
};

const textOf = (tasks: readonly Task[]): string =>
  `${tasks
    .map(({ ms, on }, i) => {
      const refs = on.map((need) => `$${need + 1}`).join(', ');
      return `Thought: step ${i}\n${i + 1}. wait[${i}, ${ms}, [${refs}]]\n`;
    })
    .join('')}${tasks.length + 1}. join($${tasks.length})\n`;

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

async function run(program: Program, journal: Journal): Promise<void> {
  const { status, error } = await startRun({
    ...{ journal, program, text: '', dialect: 'llmcompiler', limits },
    handlers: new Map([['wait', wait]]),
  }).result;
  if (status !== 'done') throw new Error(`the run ended as ${status}: ${error?.message}`);
}

async function milliseconds(action: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await action();
  return performance.now() - start;
}

/** The same graph by hand: each task starts when the last that it needs has ended. */
async function byHand(tasks: readonly Task[]): Promise<void> {
  const missing = tasks.map(({ on }) => on.length);
  const dependents: number[][] = tasks.map(() => []);
  for (const [i, { on }] of tasks.entries()) for (const need of on) dependents[need]?.push(i);
  let left = tasks.length;
  await new Promise<void>((resolve) => {
    const start = async (i: number): Promise<void> => {
      const ms = tasks[i]?.ms ?? 0;
      if (ms > 0) await after(ms);
      if (--left === 0) resolve();
      for (const next of dependents[i] ?? []) {
        missing[next] = (missing[next] ?? 0) - 1;
        if (missing[next] === 0) void start(next);
      }
    };
    for (const [i, { on }] of tasks.entries()) if (on.length === 0) void start(i);
  });
}

/** The longest chain, each task as long as it took in this very run. */
function criticalPath(tasks: readonly Task[]): number {
  const took = new Map(spans.map(({ id, from, to }) => [id, to - from]));
  const ends: number[] = [];
  for (const [i, { on }] of tasks.entries()) {
    ends.push((took.get(i) ?? 0) + on.reduce((end, need) => Math.max(end, ends[need] ?? 0), 0));
  }
  return ends.reduce((most, end) => Math.max(most, end), 0);
}

let state = 7;
const random = (below: number): number => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
};

const chain = (count: number, ms: number): Task[] =>
  Array.from({ length: count }, (_, i) => ({ ms, on: i === 0 ? [] : [i - 1] }));
const layers = (depth: number, width: number, ms: number): Task[] =>
  Array.from({ length: depth * width }, (_, i) => {
    const first = (Math.floor(i / width) - 1) * width;
    return { ms, on: first < 0 ? [] : [first + (i % width), first + random(width)] };
  });
/** Each needs up to three of the fifty before it. */
const graph = (count: number, ms: () => number): Task[] =>
  Array.from({ length: count }, (_, i) => {
    const on = Array.from({ length: i === 0 ? 0 : random(4) }, () =>
      Math.max(0, i - 1 - random(50)),
    );
    return { ms: ms(), on: [...new Set(on)] };
  });

const folder = mkdtempSync(join(tmpdir(), 'planvm-bench-'));
const onDisk = (): Journal =>
  sqliteJournal(join(folder, `${Math.random().toString(36).slice(2)}.db`));

/** Time over that of the critical path: what scheduling adds. The better of two. */
async function excess(name: string, tasks: readonly Task[], bar: number): Promise<Figure[]> {
  const program = programOf(tasks);
  const ratios: number[] = [];
  keepsSpans = true;
  for (let round = 0; round < 2; round++) {
    spans.length = 0;
    const took = await milliseconds(() => run(program, onDisk()));
    ratios.push(took / criticalPath(tasks));
  }
  keepsSpans = false;
  return [{ name, value: Math.min(...ratios), unit: '× critical path', bar }];
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

/** What the process holds on to beyond the program while the last task runs, a task. */
async function memory(count: number): Promise<number> {
  const program = programOf(graph(count, () => 0));
  const before = heap();
  let most = 0;
  const watched: Handler = {
    ...wait,
    async perform(args, context) {
      if (args.id === count - 1) most = heap();
      return await wait.perform(args, context);
    },
  };
  const { status } = await startRun({
    ...{ journal: onDisk(), program, text: '', dialect: 'llmcompiler', limits },
    handlers: new Map([['wait', watched]]),
  }).result;
  if (status !== 'done') throw new Error(`the run ended as ${status}`);
  return (most - before) / 2 ** 20;
}

const thousand = graph(1000, () => 0);
const text = textOf(thousand);
const parsing = (): number => {
  const start = performance.now();
  checkProgram(
    text,
    { tools: new Map([['wait', wait.spec]]), inputs: [] },
    { dialect: 'llmcompiler' },
  );
  return performance.now() - start;
};
for (let i = 0; i < 5; i++) parsing();
report([{ name: 'a plan of 1000 tasks: text to program', value: parsing(), unit: 'ms', bar: 50 }]);

report(await excess('fan-out 1000, 50 ms', layers(1, 1000, 50), 1.02));
report(await excess('chain 20, 50 ms', chain(20, 50), 1.02));
report(await excess('layers 10 × 100, 50 ms', layers(10, 100, 50), 1.02));
report(
  await excess(
    'graph 1000, 50 to 100 ms',
    graph(1000, () => 50 + random(50)),
    1.02,
  ),
);
report(await excess('chain 100, 5 ms', chain(100, 5), 1.1));
report(
  await excess(
    'graph 1000, 5 ms',
    graph(1000, () => 5),
    1.1,
  ),
);

for (const [name, tasks] of [
  ['chain 100, 0 ms', chain(100, 0)],
  ['graph 10 000, 0 ms', graph(10_000, () => 0)],
] as const) {
  const program = programOf(tasks);
  await run(program, memoryJournal());
  const [ours, disk, hand] = [
    await milliseconds(() => run(program, memoryJournal())),
    await milliseconds(() => run(program, onDisk())),
    await milliseconds(() => byHand(tasks)),
  ];
  report([
    { name: `${name}, memory`, value: ours, unit: 'ms' },
    { name: `${name}, sqlite`, value: disk, unit: 'ms' },
    { name: `${name}, by hand`, value: hand, unit: 'ms' },
  ]);
}

const ten = graph(10_000, () => 0);
await cpu(ten, memoryJournal());
report([
  {
    name: 'CPU a task at 10 000, memory',
    value: await cpu(ten, memoryJournal()),
    unit: 'µs',
    bar: 50,
  },
  { name: 'CPU a task at 10 000, sqlite', value: await cpu(ten, onDisk()), unit: 'µs', bar: 50 },
]);

const held: number[] = [];
for (const count of [10_000, 30_000, 100_000]) {
  const value = await memory(count);
  held.push(value);
  report([{ name: `heap beyond the program at ${count} tasks`, value, unit: 'MB' }]);
}

rmSync(folder, { recursive: true });
