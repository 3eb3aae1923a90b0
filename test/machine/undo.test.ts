/** Variables after a failure: what was set behind the call that failed has never happened. */
import { expect, test } from 'vitest';
import { createMachine, restoreMachine } from '../../src/machine/create.ts';
import type { Machine } from '../../src/machine/machine.ts';
import { toolSpec } from '../../src/program/effect.ts';
import { toJson } from '../../src/program/json.ts';
import type { Program } from '../../src/program/program.ts';
import { isPending } from '../../src/program/value.ts';
import { assemble } from '../support/assembly/assembler.ts';

const options = {
  tools: new Map([['get', toolSpec({ name: 'get', description: 'get', effect: 'read' })]]),
};

function assembled(text: string): Program {
  const { program } = assemble(text);
  if (!program) throw new Error('no program');
  return program;
}

const broken = { ok: false, error: { code: 'PV4201', message: 'nothing there' } } as const;

const variables = (machine: Machine): Record<string, unknown> =>
  Object.fromEntries(
    [...machine.view().variables].flatMap(([name, value]) =>
      isPending(value) ? [] : [[name, toJson(value)]],
    ),
  );

const ahead = assembled(`
.chunk main
  CONST 1
  SETGLOBAL a
  CONST tool:get
  CALL 0
  SETGLOBAL first
  CONST 2
  SETGLOBAL a
  CONST tool:get
  CALL 0
  SETGLOBAL second
  CONST 3
  SETGLOBAL a
  CONST 4
  SETGLOBAL b
  GLOBAL a
  ANSWER
  CONST null
  RETURN`);

/** Runs ahead to the end, and through a snapshot. */
function started(): Machine {
  const machine = createMachine(ahead, options);
  expect(machine.run(1000).requests).toHaveLength(2);
  expect(variables(machine)).toEqual({ a: 3, b: 4 });
  return restoreMachine(ahead, options, JSON.parse(JSON.stringify(machine.snapshot())));
}

test('the first call fails: nothing behind it was set', () => {
  const machine = started();
  machine.settle('0#2', { ok: true, value: '"s"' });
  machine.settle('0#1', broken);
  expect(machine.run(1000).status).toBe('failed');
  expect(variables(machine)).toEqual({ a: 1 });
});

test('the second call fails: what was set before it stays, whatever came first', () => {
  for (const order of [
    ['0#1', '0#2'],
    ['0#2', '0#1'],
  ]) {
    const machine = started();
    for (const id of order) {
      machine.settle(id, id === '0#2' ? broken : { ok: true, value: '"f"' });
    }
    expect(machine.run(1000).status).toBe('failed');
    expect(variables(machine)).toEqual({ a: 2, first: 'f' });
  }
});

test('all succeed: everything stays', () => {
  const machine = started();
  machine.settle('0#2', { ok: true, value: '"s"' });
  machine.settle('0#1', { ok: true, value: '"f"' });
  expect(machine.run(1000).status).toBe('done');
  expect(variables(machine)).toEqual({ a: 3, b: 4, first: 'f', second: 's' });
});

test('a failure that is handled takes back what was set behind it', () => {
  const program = assembled(`
.chunk main
.handler try end failed 0
  CONST "before"
  SETGLOBAL a
try:
  CONST tool:get
  CALL 0
  POP
  CONST "behind"
  SETGLOBAL a
  BARRIER
end:
  RETURN
failed:
  POP
  GLOBAL a
  ANSWER
  CONST null
  RETURN`);
  const machine = createMachine(program, options);
  machine.run(1000);
  machine.settle('0#1', broken);
  expect(machine.run(1000).status).toBe('done');
  expect(machine.view().answers.map(({ value }) => value)).toEqual(['before']);
});

test('a loop behind an open call does not make the state grow', () => {
  const program = assembled(`
.chunk main
  CONST tool:get
  CALL 0
  POP
loop:
  CONST 1
  SETGLOBAL a
  CONST 2
  SETGLOBAL b
  JMP loop`);
  const machine = createMachine(program, options);
  const sizeAfter = (fuel: number): number => {
    machine.run(fuel);
    return JSON.stringify({ ...machine.snapshot(), instructions: 0 }).length;
  };
  const early = sizeAfter(100);
  expect(sizeAfter(100_000)).toBeLessThan(early + 20);
});
