/** `first`: the machine says who has come first, the journal decides, the machine takes that. */
import { describe, expect, test } from 'vitest';
import { createMachine, restoreMachine } from '../../src/machine/create.ts';
import type { Machine } from '../../src/machine/machine.ts';
import type { Turn } from '../../src/machine/turn.ts';
import { toJson } from '../../src/program/json.ts';
import { compile, outcomeOf, tools } from '../support/starlark-machine.ts';

interface Race {
  readonly machine: Machine;
  /** The last turn. */
  readonly turn: () => Turn;
  /** Answers a call and runs on. */
  readonly answer: (id: string, value: unknown) => Turn;
  /** Everything that was cancelled. */
  readonly cancels: string[];
}

/** `source` up to where it waits. With `restored` the machine is made anew after every turn. */
function race(source: string, restored = false): Race {
  const program = compile(source);
  let machine = createMachine(program, { tools });
  const cancels: string[] = [];
  const run = (): Turn => {
    const turn = machine.run(1e6);
    cancels.push(...turn.cancels);
    if (!restored) return turn;
    const snapshot = JSON.parse(JSON.stringify(machine.snapshot()));
    machine = restoreMachine(program, { tools }, snapshot);
    // It asks again for what is open, as the turn above has.
    machine.run(1e6);
    return turn;
  };
  let turn = run();
  return {
    get machine() {
      return machine;
    },
    turn: () => turn,
    cancels,
    answer(id, value) {
      machine.settle(id, outcomeOf(value));
      turn = run();
      return turn;
    },
  };
}

const two = 'a = read(x = 1)\nb = read(x = 2)\nwon = first([a, b])\n';

function won({ machine }: Race): unknown {
  const { error, variables } = machine.view();
  expect(error).toBeUndefined();
  return toJson(variables.get('won') ?? null);
}

describe.each([false, true])('restored after every turn: %s', (restored) => {
  test('the first one wins once the journal has it, and the other is cancelled', () => {
    const ran = race(two, restored);
    expect(ran.turn().requests.map(({ id, tool }) => `${id} ${tool}`)).toEqual([
      '0#1 read',
      '0#2 read',
      '0#3 first',
    ]);
    expect(ran.turn().requests[2]).toMatchObject({
      args: '{"candidates":2,"timeoutMs":null}',
      race: { timeoutMs: null },
    });
    expect(ran.answer('0#2', 'quick').won).toEqual([{ effect: '0#3', index: 1 }]);
    expect(ran.machine.view().status).toBe('blocked');
    expect(ran.answer('0#3', 1).status).toBe('done');
    expect(won(ran)).toEqual({ index: 1, value: 'quick' });
    expect(ran.cancels).toEqual(['0#1']);
  });

  test('what the journal has decided counts, whoever is there', () => {
    const ran = race(two, restored);
    ran.answer('0#1', 'first');
    ran.answer('0#3', 1);
    expect(ran.cancels).toEqual([]);
    expect(ran.answer('0#2', 'later').status).toBe('done');
    expect(won(ran)).toEqual({ index: 1, value: 'later' });
  });

  test('one that fails drops out', () => {
    const ran = race(two, restored);
    expect(ran.answer('0#1', new Error('no 1')).won).toEqual([]);
    expect(ran.answer('0#2', 'late').won).toEqual([{ effect: '0#3', index: 1 }]);
    ran.answer('0#3', 1);
    expect(won(ran)).toEqual({ index: 1, value: 'late' });
  });

  test('where all have failed it fails as the one that stands first', () => {
    const ran = race(two, restored);
    ran.answer('0#2', new Error('no 2'));
    expect(ran.answer('0#1', new Error('no 1')).won).toEqual([{ effect: '0#3', index: -1 }]);
    expect(ran.answer('0#3', new Error('all have failed')).status).toBe('failed');
    expect(ran.machine.view().error).toMatchObject({ message: 'no 1', line: 3 });
  });

  test('None where it takes too long', () => {
    const ran = race('a = read(x = 1)\nwon = first([a], timeout = 1.5)\n', restored);
    expect(ran.turn().requests[1]).toMatchObject({ race: { timeoutMs: 1500 } });
    expect(ran.answer('0#2', null).status).toBe('done');
    expect(won(ran)).toBeNull();
    expect(ran.cancels).toEqual(['0#1']);
  });

  test('groups of fibers race as well, and a loser has said nothing', () => {
    const source = `
def say(x):
    print(read(x = x))
    return read(x = x)
a = parallel(say, [1])
b = try_call(read, x = 2)
won = first((a, b))
`;
    const ran = race(source, restored);
    const said: unknown[] = ran.answer('0.1#1', 'half way').emits.map(({ value }) => value);
    ran.answer('0#1', new Error('no'));
    said.push(...ran.answer('0#2', 1).emits.map(({ value }) => value));
    expect(ran.machine.view().status).toBe('done');
    expect(won(ran)).toMatchObject({ index: 1, value: { ok: false } });
    expect(ran.cancels).toEqual(['0.1#2']);
    expect(said).toEqual([]);
  });
});

test('a loser is an error to use', () => {
  const ran = race(`${two}print(a)`);
  ran.answer('0#2', 'quick');
  ran.answer('0#3', 1);
  expect(ran.machine.view().error).toMatchObject({ code: 'PV3018', line: 4 });
});

test('a loser that something else waits for is not given up, and its failure counts', () => {
  const source = `a = read(x = 1)\nb = read(x = 2)\nc = read(x = a)\nwon = first([a, b])\n`;
  const ran = race(source);
  ran.answer('0#2', 'quick');
  ran.answer('0#4', 1);
  expect(ran.cancels).toEqual([]);
  expect(ran.answer('0#1', new Error('no 1')).status).toBe('failed');
});

test('a value that is there already wins, if the journal says so', () => {
  const ran = race('a = read(x = 1)\nif a:\n    won = first([read(x = 2), a])\n');
  expect(ran.answer('0#1', 'there').won).toEqual([{ effect: '0#3', index: 1 }]);
  ran.answer('0#3', 1);
  expect(won(ran)).toEqual({ index: 1, value: 'there' });
});

test('in a fiber it is the fiber that waits', () => {
  const ran = race('won = parallel(lambda x: first([read(x = x), read(x = x)]).index, [1, 2])\n');
  ran.answer('0.2#1', 'b');
  ran.answer('0.2#3', 0);
  ran.answer('0.1#2', 'a');
  ran.answer('0.1#3', 1);
  expect(won(ran)).toEqual([1, 0]);
});

test.each([
  ['first([])', 'first: got no calls to wait for, want at least one'],
  ['first(3)', 'first: for parameter pendings: got int, want a list of results of calls'],
  ['first([read(x = 1)], -1)', 'got int, want a number of seconds, not negative, or None'],
  ['first([write(x = 1)])', 'first: write writes, and what writes is not raced'],
  ['first([pause(x = 1)])', 'first: pause keeps its order as writes do'],
  ['first([read(x = 1) + "!"])', 'first: got a value computed from a call, want the result'],
])('%s says what is wrong', (source, message) => {
  const ran = race(source);
  ran.answer('0#1', 'done');
  expect(ran.machine.view().error?.message).toContain(message);
});
