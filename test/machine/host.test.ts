/** Values and functions of a host in a machine: in snapshots, behind handlers, as keys. */
import { describe, expect, test } from 'vitest';
import { createMachine, restoreMachine } from '../../src/machine/create.ts';
import type { HostLibrary, Machine, MachineOptions } from '../../src/machine/machine.ts';
import { ChunkBuilder, ProgramBuilder } from '../../src/program/builder.ts';
import type { Program } from '../../src/program/program.ts';
import { type HostObject, keyOf, type ObjectType, type Value } from '../../src/program/value.ts';

const box: ObjectType = {
  name: 'box',
  setField: (_, field) => (field === 'no' ? 'no' : undefined),
  item: (self, index) => (index < Number(self.fields.get('size')) ? index : undefined),
};

const made: HostObject = {
  kind: 'object',
  type: box,
  fields: new Map<string, Value>([['size', 2]]),
  frozen: false,
};

const host: HostLibrary = {
  functions: new Map([
    [
      '1:wrap',
      {
        name: 'wrap',
        lifts: false,
        mutates: true,
        stores: false,
        call: ([inner = null]): Value => ({
          kind: 'struct',
          name: 'box',
          fields: new Map([['inner', inner]]),
          maker: made,
        }),
      },
    ],
  ]),
  types: new Map([['box', box]]),
};

/** box.size += 1; total = sum of its items; wrapped = wrap(box) */
function program(): Program {
  const builder = new ProgramBuilder('assembly');
  const [given, total, wrapped] = ['box', 'total', 'wrapped'].map((name) => builder.global(name));
  const chunk = new ChunkBuilder('main');
  const size = chunk.constantSlot('size');
  const [next, end] = [chunk.label(), chunk.label()];
  chunk.emit('GLOBAL', given).emit('DUP').emit('ATTR', size).constant(1).emit('ADD');
  chunk.emit('SETFIELD', size).constant(0).emit('SETGLOBAL', total);
  chunk.emit('GLOBAL', given).emit('ITER').place(next).jump('NEXT', end);
  chunk.emit('GLOBAL', total).emit('ADD').emit('SETGLOBAL', total).jump('JMP', next);
  chunk.place(end).emit('ENDITER');
  chunk.builtin('1:wrap').emit('GLOBAL', given).call(1).emit('SETGLOBAL', wrapped);
  chunk.emit('SEAL', given).constant(null).emit('RETURN');
  builder.add(chunk.seal());
  return builder.build();
}

const options = (): MachineOptions => ({
  tools: new Map(),
  inputs: new Map([['box', { ...made, fields: new Map(made.fields) }]]),
  host,
});

function outcome(machine: Machine): unknown {
  const { status, variables } = machine.view();
  const one = variables.get('box') as HostObject;
  const wrapped = variables.get('wrapped');
  const shared = typeof wrapped === 'object' && wrapped?.kind === 'struct' && wrapped.fields;
  return {
    status,
    total: variables.get('total'),
    frozen: one.frozen,
    shared: shared && shared.get('inner') === one,
    size: one.fields.get('size'),
  };
}

describe('objects of a host', () => {
  const wanted = { status: 'done', total: 3, frozen: true, shared: true, size: 3 };

  test('restore at every instruction comes to the same', () => {
    const whole = createMachine(program(), options());
    whole.run(1000);
    expect(outcome(whole)).toEqual(wanted);
    const count = whole.view().instructions;
    expect(count).toBeGreaterThan(20);
    for (let at = 0; at <= count; at++) {
      const first = createMachine(program(), options());
      first.run(at);
      const text = JSON.stringify(first.snapshot());
      const again = restoreMachine(program(), { tools: new Map(), host }, JSON.parse(text));
      again.run(1000);
      expect(outcome(again)).toEqual(wanted);
    }
  });

  test('a snapshot needs the types that its objects have', () => {
    const machine = createMachine(program(), options());
    expect(() => restoreMachine(program(), { tools: new Map() }, machine.snapshot())).toThrow(
      'got an object of type box, which the host does not define',
    );
  });
});

test('structs are keys by what they hold, apart from those of a maker of their own', () => {
  const struct = (fields: [string, Value][], maker?: HostObject): Value => ({
    kind: 'struct',
    name: 'struct',
    fields: new Map(fields),
    ...(maker && { maker }),
  });
  const key = keyOf(
    struct([
      ['a', 1],
      ['b', 'x'],
    ]),
  );
  expect(key).toBe(
    keyOf(
      struct([
        ['b', 'x'],
        ['a', { kind: 'float', value: 1 }],
      ]),
    ),
  );
  expect(key).not.toBe(
    keyOf(
      struct([
        ['a', 1],
        ['b', 'y'],
      ]),
    ),
  );
  expect(keyOf(struct([['a', made]]))).toBeUndefined();
  expect(keyOf(struct([['a', 1]], made))).toBeUndefined();
});
