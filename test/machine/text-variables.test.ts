/** Variables of another text that a program carries out: seen and set at the places it declares. */
import { expect, test } from 'vitest';
import { disassemble } from '../../src/analysis/disassembler.ts';
import { createMachine, restoreMachine } from '../../src/machine/create.ts';
import type { Machine } from '../../src/machine/machine.ts';
import { encode } from '../../src/program/json.ts';
import { assemble } from '../support/assembly/assembler.ts';
import { compile, tools } from '../support/starlark-machine.ts';

/** Two parts, one of which calls the other; the steps of the text are a, b and c. */
const source = [
  '#: variables {"sign": "@", "parts": "rooms", "call": "walk", "about": "here", "part": "who", "own": "mine", "at": "at", "name": "id"}',
  '#: names {"Hall": ["lamp", "door"]}',
  '',
  'rooms = {"Hall": {"lamp": 1}, "Attic": {"box": [2]}}',
  'def walk(here):',
  '    at_step(here["id"], enter = True)',
  '    if here["who"] == "Hall":',
  '        here["mine"]["inner"] = walk({"who": "Attic", "mine": {"step": 5}, "id": "b"})',
  '        at_step("c", enter = True)',
  '        return [here["mine"], rooms["Hall"]]',
  '    return [here["mine"]["step"], rooms["Attic"]["box"], rooms["Hall"].get("door")]',
  'seen = walk({"who": "Hall", "mine": {"step": 3}, "id": "a"})',
  ...['a', 'b', 'c'].map(
    (label, line) =>
      `#: ${JSON.stringify({ label, kind: 'line', file: 'text', line: line + 1, column: 1 })}`,
  ),
  'answer(seen)',
].join('\n');

const program = compile(`${source}\n`);

function pausedAt(id: string): Machine {
  const machine = createMachine(program, { tools });
  const { status } = machine.run(1e6, (step) => step.id === id);
  expect(status).toBe('paused');
  return machine;
}

test('names are those of the part that acts, of others behind theirs, and of the innermost call', () => {
  const hall = ['@lamp', '@door', 'Hall.@lamp', 'Hall.@door', 'Attic.@box'];
  expect(pausedAt('a').names()).toEqual(['step', ...hall]);
  const attic = ['Hall.@lamp', 'Hall.@door', '@box', 'Attic.@box'];
  expect(pausedAt('b').names()).toEqual(['step', ...attic]);
  expect(pausedAt('c').names()).toEqual(['step', 'inner', ...hall]);
});

test('what is set is what the program finds there, and nothing else changes', () => {
  const machine = pausedAt('b');
  expect(machine.assign('step', 50)).toBe(true);
  expect(machine.assign('@box', 'shut')).toBe(true);
  expect(machine.assign('Hall.@door', true)).toBe(true);
  for (const name of ['seen', 'rooms', '@lamp', '@door', 'Cellar.@box', 'mine', 'Hall.box', '']) {
    expect([name, machine.assign(name, 0)]).toEqual([name, false]);
  }
  const snapshot = JSON.parse(JSON.stringify(machine.snapshot()));
  for (const one of [machine, restoreMachine(program, { tools }, snapshot)]) {
    expect(one.run(1e6).status).toBe('done');
    const [mine, hall] = one.view().answers.map(({ value }) => JSON.parse(encode(value)))[0];
    expect(mine).toEqual({ step: 3, inner: [50, 'shut', true] });
    expect(hall).toEqual({ lamp: 1, door: true });
  }
});

test('people see the variables of the text, those of the first part without its name', () => {
  expect([...pausedAt('b').view().variables.keys()]).toEqual(['@lamp', 'Attic.@box']);
});

test('assembly has where they are', () => {
  const read = assemble(disassemble(program)).program;
  expect(read?.variables).toEqual(program.variables);
  expect(assemble('.variables "{}"\n').diagnostics?.[0]?.code).toBe('PV1903');
});

test('a declaration that is none is a comment', () => {
  for (const said of ['{}', '{"sign": 1}', '{"sign": "@"', 'here and there']) {
    expect(compile(`#: variables ${said}\nx = 1\n`).variables).toBeUndefined();
  }
});
