/**
 * Values that were given up: a failure was handled, and what had been issued behind it will never
 * have a value. Variables are taken back, and the verifier keeps compilers from holding on to one;
 * a container may hold one still. Using it is an error then, not a wait without end.
 */
import { expect, test } from 'vitest';
import { verify } from '../../src/analysis/verifier.ts';
import { createMachine, restoreMachine } from '../../src/machine/create.ts';
import type { Machine } from '../../src/machine/machine.ts';
import { toolSpec } from '../../src/program/effect.ts';
import type { Program } from '../../src/program/program.ts';
import { assemble } from '../support/assembly/assembler.ts';

const options = {
  tools: new Map([['get', toolSpec({ name: 'get', description: 'get', effect: 'read' })]]),
};

/** A function in a region puts the pending result of a call into `kept`; then the call fails. */
function program(use: string): Program {
  const { program: made } = assemble(`
.chunk main
.handler try end failed 0
  LIST 0
  SETGLOBAL kept
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
  GLOBAL kept
  CONST tool:get
  CALL 0
  APPEND 1
  POP
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

const first = '  GLOBAL kept\n  CONST 0\n  INDEX\n';
const uses = {
  'a branch': `${first}  JF x\nx:`,
  'a template': `  CONST "is "\n${first}  TEMPLATE 2\n  POP`,
  'the arguments of a call': `  CONST tool:get\n  CONST "x"\n${first}  LIST 1\n  CALL 0 named 1`,
  'an emit': `${first}  ANSWER`,
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
