/** Work is charged by its size, the same in every order of arrival and over every snapshot. */
import { expect, test } from 'vitest';
import { starlark } from '../../src/dialects/starlark/index.ts';
import { createMachine, restoreMachine } from '../../src/machine/create.ts';
import type { Machine, MachineOptions } from '../../src/machine/machine.ts';
import { toolSpec } from '../../src/program/effect.ts';
import { encode } from '../../src/program/json.ts';
import type { Program } from '../../src/program/program.ts';

const parameters = { type: 'object', properties: { url: { type: 'string' } } } as const;
const spec = toolSpec({ name: 'fetch', description: 'Fetches.', effect: 'read', parameters });
const tools = new Map([['fetch', spec]]);
const options: MachineOptions = { tools };

function compile(source: string): Program {
  const { tree, diagnostics } = starlark.parse(source);
  if (!tree) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  expect(starlark.check(tree, { tools, inputs: [] })).toEqual([]);
  return starlark.lower(tree, { tools, inputs: [] });
}

/** Instructions of a whole program that asks for nothing. */
function instructions(source: string): number {
  const machine = createMachine(compile(source), options);
  const turn = machine.run(1e9);
  expect(turn.status).toBe('done');
  expect(machine.view().instructions).toBe(turn.instructions);
  return turn.instructions;
}

/** What a statement costs more on large values than on small ones. */
const extra = (statement: string): number =>
  instructions(`n = 100000\n${statement}`) - instructions(`n = 10\n${statement}`);

const charged: readonly (readonly [statement: string, least: number])[] = [
  ['x = -1 in [0] * n', 20_000],
  ['x = [0] * n == [0] * n', 20_000],
  ['x = "a" * n < "a" * n + "b"', 300],
  ['x = {(0,) * n: 1}', 20_000],
  ['x = [0] * n', 90_000],
  ['x = [0] + [0] * n', 190_000],
  ['x = []\nx += range(n)', 90_000],
  ['x = set([1]) | set(range(n))', 90_000],
  ['x = [0] * n\ny = x[::2]', 140_000],
  ['x = "a" * n\ny = x[1:]', 20_000],
  ['x = "a" * n\ny = x + x', 12_000],
  ['def f(*args): pass\nf(*range(n))', 90_000],
  ['x = 1 << 500\nfor i in range(n // 10000): x = x * x', 5_000],
  ['x = str([0] * n)', 90_000],
  ['x = json.encode([0] * n)', 90_000],
  ['x = json.decode("[" + "1," * n + "1]")', 190_000],
  ['x = sorted([0] * n)', 1_500_000],
  ['x = "a" * n\ny = x.replace("a", "bb")', 120_000],
  ['x = ("a " * n).split()', 90_000],
  ['x = ("É" * n).lower()', 90_000],
  ['x = hash("a" * n)', 90_000],
  ['x = {"a" * n: 1}', 790_000],
  ['x = "%s" % ("a" * n)', 12_000],
  ['x = [0] * n\nfor i in range(20): x.insert(0, 1)', 200_000],
  ['answer([0] * n)', 20_000],
];

test.each(charged)('%s takes fuel by the size of what it looks at', (statement, least) => {
  expect(extra(statement)).toBeGreaterThan(least);
});

test('a machine stops after the instruction that has used up its fuel', () => {
  const program = compile('xs = [0] * 100000\ny = 1 in xs\nfor i in range(1000): pass');
  const machine = createMachine(program, options);
  const { status, instructions: used } = machine.run(30_000);
  expect(status).toBe('ready');
  expect(used).toBeGreaterThan(30_000);
  expect(machine.view().variables.has('i')).toBe(false);
});

const pipeline = compile(`
pages = [fetch(url = "a"), fetch(url = "b"), fetch(url = "c")]
joined = pages[0] + "-" + pages[1]
upper = joined.upper()
again = fetch(url = joined)
found = [len(page) > 2 and "x" in page for page in pages]
print(upper * 3, again)
`);

/** Runs to the end; `pick` says which of the open requests is answered next. */
function run(program: Program, fuel: number, pick: (open: number) => number): Machine {
  let machine = createMachine(program, options);
  const open: { id: string; args: string }[] = [];
  for (;;) {
    const turn = machine.run(fuel);
    open.push(...turn.requests.filter(({ id }) => !open.some((one) => one.id === id)));
    if (turn.status === 'done') return machine;
    expect(turn.status).not.toBe('failed');
    if (turn.status === 'blocked') {
      const [one] = open.splice(pick(open.length), 1);
      if (one) machine.settle(one.id, { ok: true, value: encode(one.args.repeat(500)) });
    }
    if (fuel > 1) continue;
    machine = restoreMachine(program, options, JSON.parse(JSON.stringify(machine.snapshot())));
  }
}

test('the count is the same in every order of arrival and over every snapshot', () => {
  const first = run(pipeline, 1e6, () => 0).view().instructions;
  const last = run(pipeline, 1e6, (open) => open - 1).view().instructions;
  const sequential = run(pipeline, 1, () => 0).view().instructions;
  const bare = instructions('pages = ["", "", ""]');
  expect(first).toBeGreaterThan(bare + 1000);
  expect([last, sequential]).toEqual([first, first]);
});
