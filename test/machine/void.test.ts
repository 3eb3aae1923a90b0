/**
 * Values that were given up: a failure was handled, and what had been issued behind it will never
 * have a value. The verifier keeps compilers from holding on to one; a function that is called in
 * the region of a handler still can. Using it is an error then, not a wait without end.
 */
import { expect, test } from 'vitest';
import { createMachine, restoreMachine } from '../../src/machine/create.ts';
import type { Machine } from '../../src/machine/machine.ts';
import { assemble } from '../../src/program/assembler.ts';
import { toolSpec } from '../../src/program/effect.ts';
import type { Program } from '../../src/program/program.ts';
import { verify } from '../../src/program/verifier.ts';

const options = {
  tools: new Map([['get', toolSpec({ name: 'get', description: 'get', effect: 'read' })]]),
};

/** A function in a region keeps the pending result of a call in `kept`; then the call fails. */
function program(use: string): Program {
  const { program: made } = assemble(`
.chunk main
.handler try end failed 0
  TUPLE 0
  FUNC remember
try:
  CALL 0
  BARRIER
end:
  RETURN
failed:
  POP
${use}
  CONST null
  RETURN
.function remember
  CONST tool:get
  CALL 0
  SETGLOBAL kept
  CONST null
  RETURN`);
  if (!made) throw new Error('no program');
  expect(verify(made)).toEqual([]);
  return made;
}

function failed(made: Program, between: (machine: Machine) => Machine): Machine {
  const machine = createMachine(made, options);
  expect(machine.run(100).requests.map(({ id }) => id)).toEqual(['0#1']);
  machine.settle('0#1', { ok: false, error: { code: 'PV4201', message: 'nothing there' } });
  const again = between(machine);
  expect(again.run(100).status).toBe('failed');
  return again;
}

const uses = {
  'a branch': '  GLOBAL kept ; 7:1\n  JF x\nx:',
  'a template': '  CONST "is "\n  GLOBAL kept\n  TEMPLATE 2\n  POP',
  'the arguments of a call':
    '  CONST tool:get\n  CONST "x"\n  GLOBAL kept\n  LIST 1\n  CALL 0 named 1',
  'an emit': '  GLOBAL kept\n  ANSWER',
};

test.each(Object.entries(uses))('%s that uses one is an error', (_, use) => {
  const machine = failed(program(use), (same) => same);
  expect(machine.view().error).toMatchObject({ code: 'PV3018' });
  expect(machine.view().error?.hint).toContain('set it again where the failure is handled');
});

test.each(Object.entries(uses))('%s is one also in a restored machine', (_, use) => {
  const made = program(use);
  const machine = failed(made, (other) => {
    other.run(0);
    return restoreMachine(made, options, JSON.parse(JSON.stringify(other.snapshot())));
  });
  expect(machine.view().error).toMatchObject({ code: 'PV3018' });
});
