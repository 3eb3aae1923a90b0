/**
 * How long plans take beside what their tools take: fan-out, chain and random graph, with both
 * journals. Tools are real timers, so that each figure is a ratio of two times from one run.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { starlark } from '../src/dialects/starlark/index.ts';
import type { Handler } from '../src/engine/handler.ts';
import type { Journal } from '../src/engine/journal/journal.ts';
import { memoryJournal } from '../src/engine/journal/open-journal.ts';
import { sqliteJournal } from '../src/engine/journal/sqlite/journal.ts';
import { startRun } from '../src/engine/run.ts';
import { ChunkBuilder, ProgramBuilder } from '../src/program/builder.ts';
import { toolSpec } from '../src/program/effect.ts';
import type { Program } from '../src/program/program.ts';
import { median, report } from './report.ts';

const wait: Handler = {
  spec: toolSpec({
    name: 'wait',
    description: 'Waits.',
    effect: 'read',
    parameters: {
      type: 'object',
      properties: { ms: { type: 'integer' }, on: { type: 'array' } },
      required: ['ms'],
    },
  }),
  async perform(args) {
    const ms = Number(args.ms);
    if (ms > 0) await after(ms);
    return ms;
  },
};

interface Task {
  readonly ms: number;
  /** Indexes of earlier tasks whose results it needs. */
  readonly on: readonly number[];
}

function programOf(tasks: readonly Task[]): Program {
  const program = new ProgramBuilder('assembly');
  const main = new ChunkBuilder('main');
  tasks.forEach((task, i) => {
    const step = program.step({ label: `${i}`, kind: 'calling', line: i + 1, column: 1 });
    main.at(i + 1, 1).emit('STEP', step);
    main.tool('wait').constant('ms').constant(task.ms).constant('on');
    for (const need of task.on) main.emit('GLOBAL', program.global(`v${need}`));
    main
      .emit('LIST', task.on.length)
      .call(0, 2)
      .emit('SETGLOBAL', program.global(`v${i}`));
  });
  program.add(main.constant(null).emit('RETURN').seal());
  return program.build();
}

/** The longest chain of tasks, in milliseconds. */
function criticalPath(tasks: readonly Task[]): number {
  const ends: number[] = [];
  for (const task of tasks) {
    ends.push(task.ms + Math.max(0, ...task.on.map((need) => ends[need] ?? 0)));
  }
  return Math.max(...ends);
}

/** Calls of a function that branches on what it gets: a fiber for each. */
function fibers(count: number, ms: number): Program {
  const source = [
    'def look(i):',
    `    waited = wait(ms = ${ms})`,
    '    return i if waited > 0 else None',
    `parallel(look, range(${count}))`,
  ].join('\n');
  const environment = { tools: new Map([['wait', wait.spec]]), inputs: [] };
  const { tree } = starlark.parse(source);
  if (!tree || starlark.check(tree, environment).length > 0) throw new Error('it does not compile');
  return starlark.lower(tree, environment);
}

async function milliseconds(program: Program, journal: Journal): Promise<number> {
  const start = performance.now();
  const { status } = await startRun({
    journal,
    handlers: new Map([['wait', wait]]),
    program,
    text: '',
    dialect: 'assembly',
    limits: { concurrency: 1000, effects: 1e6 },
  }).result;
  if (status !== 'done') throw new Error(`the run ended as ${status}`);
  return performance.now() - start;
}

/** What the timers themselves take, awaited one after the other. */
async function timers(count: number, ms: number): Promise<number> {
  const start = performance.now();
  for (let i = 0; i < count; i++) await after(ms);
  return performance.now() - start;
}

function randomGraph(count: number, seed: number): Task[] {
  let state = seed;
  const random = (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  return Array.from({ length: count }, (_, i) => {
    const on =
      i === 0 ? [] : Array.from({ length: random(4) }, () => Math.max(0, i - 1 - random(100)));
    return { ms: 50 + random(50), on: [...new Set(on)] };
  });
}

/** A single chain says more of what else a machine does than of the chain. */
async function rounds<T>(count: number, round: () => Promise<T>): Promise<T[]> {
  const all: T[] = [];
  for (let i = 0; i < count; i++) all.push(await round());
  return all;
}

const folder = mkdtempSync(join(tmpdir(), 'planvm-bench-'));
const journals: Readonly<Record<string, () => Journal>> = {
  memory: () => memoryJournal(),
  sqlite: () => sqliteJournal(join(folder, `${Math.random().toString(36).slice(2)}.db`)),
};
const repeat = (count: number, task: (i: number) => Task): Task[] =>
  Array.from({ length: count }, (_, i) => task(i));

const fan = repeat(1000, () => ({ ms: 50, on: [] }));
const chain = repeat(50, (i) => ({ ms: 10, on: i === 0 ? [] : [i - 1] }));
const graph = randomGraph(1000, 7);
const idle = repeat(2000, () => ({ ms: 0, on: [] }));
const bars = { memory: { effect: 50, chain: 1.05 }, sqlite: { effect: 150, chain: 1.08 } };

await milliseconds(programOf(idle), memoryJournal());
for (const [name, open] of Object.entries(journals)) {
  const bar = name === 'memory' ? bars.memory : bars.sqlite;
  const chains = await rounds(5, async () => ({
    ours: await milliseconds(programOf(chain), open()),
    byHand: await timers(50, 10),
  }));
  const chained = median(chains.map(({ ours }) => ours));
  const byHand = median(chains.map((round) => round.byHand));
  const figures = {
    overhead: (1000 * (await milliseconds(programOf(idle), open()))) / idle.length,
    fan: await milliseconds(programOf(fan), open()),
    fibers: await milliseconds(fibers(1000, 50), open()),
    graph: await milliseconds(programOf(graph), open()),
  };
  report([
    {
      name: `${name}: overhead of one effect`,
      value: figures.overhead,
      unit: 'µs',
      bar: bar.effect,
    },
    { name: `${name}: fan-out 1000 × 50 ms`, value: figures.fan, unit: 'ms', bar: 50 + bar.effect },
    { name: `${name}: parallel over 1000 × 50 ms`, value: figures.fibers, unit: 'ms' },
    { name: `${name}: chain 50 × 10 ms / 500 ms`, value: chained / 500, unit: '×', bar: bar.chain },
    { name: `${name}: chain / the same timers by hand`, value: chained / byHand, unit: '×' },
    {
      name: `${name}: random graph of 1000 / critical path`,
      value: figures.graph / criticalPath(graph),
      unit: '×',
      bar: 1.05,
    },
  ]);
}
rmSync(folder, { recursive: true });
