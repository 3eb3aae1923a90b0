/** The window's promises, W1 to W4 of src/machine/window/window.ts, on small hand-made programs. */
import { expect, test } from 'vitest';
import { createMachine, restoreMachine } from '../../src/machine/create.ts';
import type { Machine } from '../../src/machine/machine.ts';
import type { Turn } from '../../src/machine/turn.ts';
import { ChunkBuilder, ProgramBuilder } from '../../src/program/builder.ts';
import { type EffectClass, toolSpec } from '../../src/program/effect.ts';
import { toJson } from '../../src/program/json.ts';
import type { Program } from '../../src/program/program.ts';

const tools = new Map([
  ...(['pure', 'read', 'write'] satisfies EffectClass[]).map(
    (name) => [name, toolSpec({ name, description: name, effect: name })] as const,
  ),
  ['pause', toolSpec({ name: 'pause', description: 'Waits.', effect: 'read', ordered: true })],
  ['judge', toolSpec({ name: 'judge', description: 'Judges.', effect: 'read', blind: true })],
]);

/** Calls the named tools in order, each result into a variable `v1`, `v2`, … */
function calls(
  names: readonly string[],
  rest: (c: ChunkBuilder, p: ProgramBuilder) => void,
): Program {
  const program = new ProgramBuilder('assembly');
  const chunk = new ChunkBuilder('main');
  names.forEach((name, i) => {
    chunk
      .at(i + 1, 1)
      .emit('STEP', program.step({ label: `${i + 1}`, kind: 'call', line: i + 1, column: 1 }));
    chunk
      .tool(name)
      .constant('n')
      .constant(i + 1)
      .call(0, 1);
    chunk.emit('SETGLOBAL', program.global(`v${i + 1}`));
  });
  rest(chunk, program);
  program.add(chunk.constant(null).emit('RETURN').seal());
  return program.build();
}

const ids = (turn: Turn): string[] => turn.requests.map((request) => request.id);
const ok = (machine: Machine, id: string, value = 'null'): Turn => {
  machine.settle(id, { ok: true, value });
  return machine.run(1000);
};
const bad = (machine: Machine, id: string): Turn => {
  machine.settle(id, { ok: false, error: { code: 'PV4200', message: `${id} broke` } });
  return machine.run(1000);
};

test('W1 a write starts only when everything before it has succeeded', () => {
  const machine = createMachine(
    calls(['read', 'read', 'write'], () => {}),
    { tools },
  );
  expect(ids(machine.run(1000))).toEqual(['0#1', '0#2']);
  expect(ids(ok(machine, '0#2'))).toEqual([]);
  expect(ids(ok(machine, '0#1'))).toEqual(['0#3']);
  expect(ok(machine, '0#3').status).toBe('done');
});

test('W2 behind an open write only pure effects start', () => {
  const machine = createMachine(
    calls(['write', 'read', 'pure', 'write'], () => {}),
    { tools },
  );
  expect(ids(machine.run(1000))).toEqual(['0#1', '0#3']);
  expect(ids(ok(machine, '0#1'))).toEqual(['0#2']);
  expect(ids(ok(machine, '0#3'))).toEqual([]);
  expect(ids(ok(machine, '0#2'))).toEqual(['0#4']);
});

test('W1, W2 what is ordered keeps its place as a write does', () => {
  const machine = createMachine(
    calls(['read', 'pause', 'read', 'pure'], () => {}),
    { tools },
  );
  expect(ids(machine.run(1000))).toEqual(['0#1', '0#4']);
  expect(ids(ok(machine, '0#1'))).toEqual(['0#2']);
  expect(ids(ok(machine, '0#2'))).toEqual(['0#3']);
});

test('W2 what sees nothing but its arguments starts behind an open write, too', () => {
  const machine = createMachine(
    calls(['read', 'write', 'judge', 'read'], () => {}),
    { tools },
  );
  expect(ids(machine.run(1000))).toEqual(['0#1', '0#3']);
  expect(ids(ok(machine, '0#3'))).toEqual([]);
  expect(ids(ok(machine, '0#1'))).toEqual(['0#2']);
  expect(ids(ok(machine, '0#2'))).toEqual(['0#4']);
});

test('W3 emits are released in program order', () => {
  const program = calls(['read', 'read'], (c, p) => {
    c.emit('GLOBAL', p.global('v1')).emit('EMIT', c.constantSlot('print'));
    c.emit('GLOBAL', p.global('v2')).emit('EMIT', c.constantSlot('print'));
  });
  const machine = createMachine(program, { tools });
  machine.run(1000);
  expect(ok(machine, '0#2', '"second"').emits).toEqual([]);
  expect(ok(machine, '0#1', '"first"').emits.map((emit) => emit.value)).toEqual([
    'first',
    'second',
  ]);
});

test('W4 the earliest failure wins, nothing younger starts, and what runs is cancelled', () => {
  const machine = createMachine(
    calls(['read', 'read', 'read', 'write'], () => {}),
    { tools },
  );
  machine.run(1000);
  const turn = bad(machine, '0#2');
  expect(turn.cancels).toEqual(['0#3']);
  expect(turn.status).toBe('blocked');
  expect(bad(machine, '0#1').status).toBe('failed');
  expect(machine.view().error).toMatchObject({ message: '0#1 broke', step: '1', line: 1 });
});

test('a failure behind an unsettled effect waits for it, then wins', () => {
  const machine = createMachine(
    calls(['read', 'read'], () => {}),
    { tools },
  );
  machine.run(1000);
  expect(bad(machine, '0#2').status).toBe('blocked');
  expect(ok(machine, '0#1').status).toBe('failed');
  expect(machine.view().error).toMatchObject({ message: '0#2 broke', step: '2', line: 2 });
});

test('a failed value in a template never reaches the tool that wanted it', () => {
  const program = calls(['read'], (c, p) => {
    c.tool('read')
      .constant('q')
      .constant('about ')
      .emit('GLOBAL', p.global('v1'))
      .emit('TEMPLATE', 2);
    c.call(0, 1).emit('POP');
  });
  const machine = createMachine(program, { tools });
  expect(ids(machine.run(1000))).toEqual(['0#1']);
  expect(bad(machine, '0#1')).toMatchObject({ status: 'failed', requests: [] });
});

test('a handler takes over with the error, and what it issues is numbered apart', () => {
  const program = new ProgramBuilder('assembly');
  const chunk = new ChunkBuilder('main');
  const after = chunk.label();
  const start = chunk.address;
  chunk.tool('read').constant('q').constant(1).call(0, 1).emit('BARRIER');
  const end = chunk.address;
  chunk.jump('JMP', after);
  chunk.handler({ start, end, target: chunk.address, depth: 0 });
  chunk.emit('FIELD', chunk.constantSlot('message'));
  chunk.emit('SETGLOBAL', program.global('why'));
  chunk.tool('read').constant('q').constant(2).call(0, 1);
  chunk.place(after).emit('SETGLOBAL', program.global('x')).constant(null).emit('RETURN');
  program.add(chunk.seal());
  const machine = createMachine(program.build(), { tools });
  expect(ids(machine.run(1000))).toEqual(['0#1']);
  expect(ids(bad(machine, '0#1'))).toEqual(['0~1#1']);
  expect(ok(machine, '0~1#1', '7').status).toBe('done');
  const { variables } = machine.view();
  expect([variables.get('why'), variables.get('x')]).toEqual(['0#1 broke', 7]);
});

test('an effect that waits for two values keeps the first as it was on arrival', () => {
  const program = calls(['read', 'read'], (c, p) => {
    c.tool('read').constant('both').emit('GLOBAL', p.global('v1')).emit('GLOBAL', p.global('v2'));
    c.emit('LIST', 2).call(0, 1).emit('POP');
    c.emit('GLOBAL', p.global('v1')).constant(0).constant('changed').emit('SETINDEX');
  });
  const machine = createMachine(program, { tools });
  machine.run(1000);
  ok(machine, '0#1', '["as it was"]');
  const again = restoreMachine(program, { tools }, JSON.parse(JSON.stringify(machine.snapshot())));
  for (const one of [machine, again]) {
    one.run(1000);
    expect(ok(one, '0#2', '2').requests.map((r) => r.args)).toEqual(['{"both":[["as it was"],2]}']);
    expect(toJson(one.view().variables.get('v1') ?? null)).toEqual(['changed']);
  }
});

test('a full window waits, and a window of one runs one effect at a time', () => {
  const names = ['read', 'read', 'read'];
  const machine = createMachine(
    calls(names, () => {}),
    { tools, limits: { windowEntries: 1 } },
  );
  expect(ids(machine.run(1000))).toEqual(['0#1']);
  expect(ids(ok(machine, '0#1'))).toEqual(['0#2']);
  expect(ids(ok(machine, '0#2'))).toEqual(['0#3']);
  expect(ok(machine, '0#3').status).toBe('done');
});

test('a step that is entered too often is an error with its label', () => {
  const program = new ProgramBuilder('assembly');
  const chunk = new ChunkBuilder('main');
  chunk.at(3, 5).emit('STEP', program.step({ label: '4', kind: 'jmp', line: 3, column: 5 }));
  chunk.emit('JMP', 0);
  program.add(chunk.seal());
  const machine = createMachine(program.build(), { tools, limits: { stepVisits: 10 } });
  expect(machine.run(1000).status).toBe('failed');
  expect(machine.view().error).toMatchObject({ code: 'PV3014', step: '4@10', line: 3, column: 5 });
});

test('a program whose text still arrives waits at its end and goes on in the next chunk', () => {
  const first = new ProgramBuilder('assembly');
  first.add(
    new ChunkBuilder('main').constant(1).emit('SETGLOBAL', first.global('a')).emit('MORE').seal(),
  );
  const open = first.build({ open: true });
  const machine = createMachine(open, { tools });
  expect(machine.run(1000).status).toBe('blocked');
  const second = new ProgramBuilder('assembly', open);
  second.add(
    new ChunkBuilder('main')
      .emit('GLOBAL', second.global('a'))
      .constant(1)
      .emit('ADD')
      .emit('SETGLOBAL', second.global('b'))
      .emit('MORE')
      .seal(),
  );
  machine.extend(second.build());
  expect(machine.run(1000).status).toBe('done');
  expect(machine.view().variables.get('b')).toBe(2);
});

test('an input is there for a variable that only later text names, also after a restore', () => {
  const first = new ProgramBuilder('assembly');
  first.add(new ChunkBuilder('main').emit('MORE').seal());
  const open = first.build({ open: true });
  const second = new ProgramBuilder('assembly', open);
  const code = new ChunkBuilder('main').emit('GLOBAL', second.global('city')).emit('ANSWER');
  second.add(code.emit('MORE').seal());
  const options = { tools, inputs: new Map([['city', 'Oslo']]) };
  const machine = createMachine(open, options);
  machine.run(1000);
  const snapshot = machine.snapshot();
  machine.extend(second.build());
  const restored = restoreMachine(second.build(), options, JSON.parse(JSON.stringify(snapshot)));
  for (const one of [machine, restored]) {
    expect(one.run(1000).emits.map(({ value }) => value)).toEqual(['Oslo']);
  }
});

test('a snapshot is refused by a program of other code or other names', () => {
  const program = calls(['read'], () => {});
  const snapshot = createMachine(program, { tools }).snapshot();
  const renamed = { ...program, globals: ['other'] };
  for (const other of [renamed, calls(['write'], () => {})]) {
    expect(() => restoreMachine(other, { tools }, snapshot)).toThrow(
      expect.objectContaining({ code: 'PV3092' }),
    );
  }
});

test('what is computed on results takes no room from the calls that overlap', () => {
  const program = new ProgramBuilder('assembly');
  const chunk = new ChunkBuilder('main');
  for (const n of [1, 2, 3]) {
    chunk.tool('read').constant('n').constant(n).call(0, 1);
    for (let i = 0; i < 4; i++) chunk.constant(0).emit('ADD');
    chunk.emit('SETGLOBAL', program.global(`v${n}`));
  }
  program.add(chunk.constant(null).emit('RETURN').seal());
  const options = { tools, limits: { windowEntries: 2 } };
  const machine = createMachine(program.build(), options);
  // Four lifted operations to a window of two: the second call is out, its own have to wait.
  expect(ids(machine.run(1000))).toEqual(['0#1', '0#2']);
  expect(machine.run(1000).status).toBe('blocked');
  const other = restoreMachine(program.build(), options, machine.snapshot());
  for (const each of [machine, other]) {
    expect(ids(ok(each, '0#1', '1'))).toContain('0#3');
    expect(ids(ok(each, '0#2', '2'))).toEqual([]);
    expect(ok(each, '0#3', '3').status).toBe('done');
    expect([...each.view().variables.values()]).toEqual([1, 2, 3]);
  }
});
