/** The memory of a machine's values is bounded: growth fills it, garbage and sharing do not. */
import { describe, expect, test } from 'vitest';
import { starlark } from '../../src/dialects/starlark/index.ts';
import { createMachine, restoreMachine } from '../../src/machine/create.ts';
import type { Machine } from '../../src/machine/machine.ts';
import type { MachineStatus } from '../../src/machine/turn.ts';
import { toolSpec } from '../../src/program/effect.ts';
import type { Program } from '../../src/program/program.ts';

const parameters = { type: 'object', properties: { url: { type: 'string' } } } as const;
const spec = toolSpec({ name: 'fetch', description: 'Fetches.', effect: 'read', parameters });
const tools = new Map([['fetch', spec]]);

function compile(source: string): Program {
  const { tree, diagnostics } = starlark.parse(source);
  if (!tree) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  expect(starlark.check(tree, { tools, inputs: [] })).toEqual([]);
  return starlark.lower(tree, { tools, inputs: [] });
}

const megabyte = 2 ** 20;

const machineOf = (source: string, memoryBytes = megabyte): Machine =>
  createMachine(compile(source), { tools, limits: { memoryBytes } });

const statusOf = (source: string): MachineStatus => machineOf(source).run(1e7).status;

describe('fills up', () => {
  test.each([
    ['a list', 'x = []\nfor i in range(1000000): x.append(i)'],
    ['lists', 'x = []\nfor i in range(1000000): x.append([])'],
    ['a dict', 'x = {}\nfor i in range(1000000): x[i] = i'],
    ['a set', 'x = set()\nfor i in range(1000000): x.add(i)'],
    ['floats', 'x = []\nfor i in range(1000000): x.append(i * 0.5)'],
    ['texts', 'x = []\nfor i in range(1000000): x.append("n" * 2000 + str(i))'],
    ['growing variables', 'x = [""] * 100\nfor i in range(1000000): x[i % 100] += str(i)'],
    ['big ints', 'x = []\nfor i in range(1000000): x.append(1 << 400)'],
    ['closures', 'x = []\nfor i in range(1000000): x.append(lambda: i)'],
    ['structs', 'x = []\nfor i in range(1000000): x.append(struct(a = i))'],
    ['frames', 'def f(*args): return f(*(args + (1,) * 10000))\nx = f()'],
    ['answers', 'for i in range(1000000): answer("n" * 2000 + str(i))'],
  ])('%s', (_, source) => {
    expect(statusOf(source)).toBe('full');
  });

  test('what fibers hold', () => {
    const grow = 'def grow(n):\n    x = []\n    for i in range(100000): x.append([n])\n';
    expect(statusOf(`${grow}y = parallel(grow, [1, 2])`)).toBe('full');
  });

  test('what effects are asked with, and what they give', () => {
    const asking = machineOf(
      'for i in range(1000): fetch(url = "n" * 20000 + str(i))\nx = fetch(url = "1") + 1',
    );
    expect(asking.run(1e7).status).toBe('full');
    const waiting = machineOf('x = [fetch(url = i) for i in range(100)]\ny = [p + "" for p in x]');
    const { requests } = waiting.run(1e7);
    for (const { id } of requests) {
      waiting.settle(id, { ok: true, value: JSON.stringify(id.repeat(5000)) });
    }
    expect(waiting.run(1e7).status).toBe('full');
  });

  test('copies that wait for a value', () => {
    const source = 'x = list(range(10000))\np = fetch(url = "1")\n';
    const machine = machineOf(`${source}y = ["%s".format(x, p) for _ in range(1000)]`);
    expect(machine.run(1e7).status).toBe('full');
  });
});

describe('does not fill up', () => {
  test.each([
    ['garbage', 'for i in range(2000): x = [0] * 1000'],
    ['one text in many places', 'y = "n" * 100000\nx = []\nfor i in range(2000): x.append(y)'],
    ['one list in many places', 'y = [0] * 50000\nx = []\nfor i in range(2000): x.append(y)'],
    ['a text that grows', 'x = ""\nfor i in range(20000): x += "nn"'],
  ])('%s', (_, source) => {
    expect(statusOf(source)).toBe('done');
  });
});

test('a full machine stays full, and goes on from a snapshot with a higher limit', () => {
  const source = 'x = []\nfor i in range(50000): x.append([i])\nanswer(len(x))';
  const machine = machineOf(source);
  expect(machine.run(1e7).status).toBe('full');
  expect(machine.run(1e7)).toMatchObject({ status: 'full', emits: [] });
  const limits = { memoryBytes: 100 * megabyte };
  const snapshot = JSON.parse(JSON.stringify(machine.snapshot()));
  const restored = restoreMachine(compile(source), { tools, limits }, snapshot);
  expect(restored.run(1e7).status).toBe('done');
  expect(restored.view().answers.map(({ value }) => value)).toEqual([50_000]);
});
