/** Instructions done in one go beside the same one by one: the same state at every count (FU1–3). */
import { describe, expect, test } from 'vitest';
import { fuse, fused } from '../../src/machine/code.ts';
import { createMachine } from '../../src/machine/create.ts';
import type { Machine } from '../../src/machine/machine.ts';
import type { Program } from '../../src/program/program.ts';
import { compile } from '../support/starlark-machine.ts';

const programs: Readonly<Record<string, string>> = {
  'loops and sums': `
def f(n):
    total = 0
    text = ""
    for i in range(n):
        total += i
        total = total + i
        text += str(i)
    for c in "ab".elems():
        text = text + c
    for k in {1: 2, 3: 4}:
        total += k
    return text, total
a = f(3)`,
  'comparisons of every kind': `
def f(pairs):
    found = []
    for x, y in pairs:
        if x == y:
            found.append("==")
        if x != y:
            found.append("!=")
        if x < y:
            found.append("<")
        if x <= y:
            found.append("<=")
        if x > y:
            found.append(">")
        if x >= y:
            found.append(">=")
    return found
a = f([(1, 2), (2, 1), (1, 1.0), ("a", "b"), ([1], [1]), (1 << 70, 3)])
b = f([(1, "x")])`,
  'elements, swaps and comprehensions': `
def f(xs, table):
    for i in range(len(xs)):
        xs[i] = i
        table[i] = xs[i]
        table["n"] = table[i]
    a, b = 1, 2
    a, b = b, a
    a, b, c = b, [x for x in xs if x > 0], {x: y for x in xs for y in xs}
    return a, b, c
a = f([0, 0], {})`,
  'a variable without a value': `
def f(x):
    if x < 0:
        y = 1
    return x + y
a = f(1)`,
  'a frozen list': `
xs = [1]
def f(n):
    ys = xs
    for y in ys:
        ys[0] = n
f(2)`,
  'ints that grow large': `
def f(n):
    x = 9007199254740990
    for i in range(n):
        x = x + i
        x += i
    return x
a = f(3)`,
};

function instructions(machine: Machine): number {
  return machine.view().instructions;
}

/** Does so much of a program in turns of `fuel`. */
function machineAfter(program: Program, count: number, fuel: number): Machine {
  const machine = createMachine(program, { tools: new Map() });
  while (instructions(machine) < count && machine.run(fuel).status === 'ready');
  return machine;
}

describe.each(Object.entries(programs))('%s', (_, source) => {
  test('stops in the same state after any number of instructions', () => {
    const program = compile(source);
    const whole = machineAfter(program, Infinity, 1e6);
    expect(whole.view().status).not.toBe('blocked');
    expect(instructions(whole)).toBeGreaterThan(10);
    for (let count = 1; count <= instructions(whole); count++) {
      const machine = createMachine(program, { tools: new Map() });
      machine.run(count);
      const other = machineAfter(program, instructions(machine), 1);
      expect(machine.snapshot()).toEqual(other.snapshot());
      expect(machine.view()).toEqual(other.view());
    }
  });
});

test('every one of them is in these programs', () => {
  const found = new Set<number>();
  for (const source of Object.values(programs)) {
    for (const { code } of compile(source).chunks) {
      for (const word of fuse(code)) found.add(word & 255);
    }
  }
  expect([...fused].filter(([, code]) => !found.has(code))).toEqual([]);
});

test('only the opcode of the first changes', () => {
  for (const { code } of compile(programs['loops and sums'] ?? '').chunks) {
    const words = fuse(code);
    expect([...words].map((word) => word >> 8)).toEqual(code.map((word) => word >> 8));
    const numbers = new Set(fused.values());
    words.forEach((word, i) => {
      if (!numbers.has(word & 255)) expect(word).toBe(code[i]);
    });
  }
});
