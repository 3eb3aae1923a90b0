/**
 * The machine on small Starlark programs (`bench/starlark/`), and what a snapshot costs. Where
 * `python3` or `starlark` (starlark-go's interpreter, which takes the file as its last argument)
 * are on the PATH, the same files run there, in turns with ours, so that whatever else the computer
 * does falls on all. Times are the least of several, without what starting a process takes. The
 * programs stay within what all three understand.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { devNull } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { starlark } from '../src/dialects/starlark/index.ts';
import { createMachine, restoreMachine } from '../src/machine/create.ts';
import type { Program } from '../src/program/program.ts';
import { report } from './report.ts';

const folder = fileURLToPath(new URL('starlark', import.meta.url));
const tools = new Map();
const environment = { tools, inputs: [] };
const rounds = 5;

/** Python measures itself: what its processes take to start varies more than some programs run. */
const inPython = `
import sys, time
code = compile(open(sys.argv[1]).read(), sys.argv[1], "exec")
start = time.perf_counter()
exec(code, {})
print((time.perf_counter() - start) * 1000)`;

/** The others, with how much longer than theirs our times should be at most. */
const others = [
  { name: 'python3', command: 'python3', args: ['-c', inPython], bar: 2 },
  { name: 'starlark-go', command: 'starlark', args: ['-globalreassign', '-recursion'], bar: 0.555 },
].filter(({ command, args }) => spawnSync(command, [...args, devNull]).status === 0);

function compiled(source: string): Program {
  const { tree, diagnostics } = starlark.parse(source);
  const [wrong] = tree ? starlark.check(tree, environment) : diagnostics;
  if (!tree || wrong) throw new Error(wrong?.message);
  return starlark.lower(tree, environment);
}

/** Milliseconds of one run on a machine of its own. */
function ours(program: Program): number {
  const machine = createMachine(program, { tools });
  const start = performance.now();
  while (machine.run(1e6).status === 'ready');
  const took = performance.now() - start;
  const { error, status } = machine.view();
  if (status !== 'done') throw new Error(error?.message ?? status);
  return took;
}

/** Milliseconds that the program says it took, else those of the process. */
function theirs({ command, args }: (typeof others)[number], file: string): number {
  const start = performance.now();
  const { status, stdout, stderr } = spawnSync(command, [...args, file], { encoding: 'utf8' });
  const took = performance.now() - start;
  if (status !== 0) throw new Error(`${command} ${file}: ${stderr}`);
  return stdout === '' ? took : Number(stdout);
}

const geometricMean = (values: readonly number[]): number =>
  Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);

function programs(): void {
  const empty = others.map((other) => least(() => theirs(other, devNull)));
  const ratios: number[][] = others.map(() => []);
  for (const name of readdirSync(folder).sort()) {
    const file = join(folder, name);
    const program = compiled(readFileSync(file, 'utf8'));
    let mine = Infinity;
    const times = others.map(() => Infinity);
    for (let round = 0; round < rounds; round++) {
      mine = Math.min(mine, ours(program));
      others.forEach((other, i) => {
        times[i] = Math.min(times[i] ?? 0, theirs(other, file) - (empty[i] ?? 0));
      });
    }
    const title = basename(name, '.star');
    report([{ name: title, value: mine, unit: 'ms' }]);
    others.forEach((other, i) => {
      const ratio = mine / (times[i] ?? 0);
      if (title !== 'string-append') ratios[i]?.push(ratio);
      report([{ name: `${title} / ${other.name}`, value: ratio, unit: '×' }]);
    });
  }
  others.forEach(({ name, bar }, i) => {
    const value = geometricMean(ratios[i] ?? []);
    report([{ name: `geometric mean / ${name} (no string-append)`, value, unit: '×', bar }]);
  });
}

function least(measure: () => number): number {
  return Math.min(...Array.from({ length: rounds }, measure));
}

/** A snapshot of a machine with 10 000 objects on its heap, and the way back. */
function snapshots(): void {
  const program = compiled(`
rows = [{"id": i, "name": "row %d" % i, "at": (i, i * 0.5), "tags": ["a", "b"]} for i in range(2500)]
waiting = [row["id"] for row in rows]
`);
  const machine = createMachine(program, { tools });
  while (machine.run(1e6).status === 'ready');
  const text = JSON.stringify(machine.snapshot());
  const timed = (action: () => unknown): number =>
    least(() => {
      const start = performance.now();
      action();
      return performance.now() - start;
    });
  report([
    {
      name: 'snapshot of 10 000 objects, as JSON',
      value: timed(() => JSON.stringify(machine.snapshot())),
      unit: 'ms',
      bar: 10,
    },
    {
      name: 'restore of the same, from JSON',
      value: timed(() => restoreMachine(program, { tools }, JSON.parse(text))),
      unit: 'ms',
      bar: 15,
    },
  ]);
}

programs();
snapshots();
