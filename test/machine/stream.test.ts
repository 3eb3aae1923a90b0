/** `stream`: parts one by one, in a loop that may be left. */
import { describe, expect, test } from 'vitest';
import { createMachine, restoreMachine } from '../../src/machine/create.ts';
import type { Machine } from '../../src/machine/machine.ts';
import type { Turn } from '../../src/machine/turn.ts';
import { toJson } from '../../src/program/json.ts';
import { compile, outcomeOf, tools } from '../support/starlark-machine.ts';

interface Streaming {
  readonly machine: Machine;
  readonly said: unknown[];
  readonly asked: string[];
  readonly cancels: string[];
  part(id: string, index: number, value: unknown): Turn;
  answer(id: string, value: unknown): Turn;
}

/** `source` up to where it waits; with `restored` the machine is made anew after every turn. */
function begin(source: string, restored = false, windowEntries = 1024): Streaming {
  const program = compile(source);
  const options = { tools, limits: { windowEntries } };
  let machine = createMachine(program, options);
  const [said, asked, cancels]: [unknown[], string[], string[]] = [[], [], []];
  const run = (): Turn => {
    const turn = machine.run(1e6);
    said.push(...turn.emits.map(({ value }) => toJson(value)));
    asked.push(...turn.requests.map(({ id, stream }) => (stream ? `${id} stream` : id)));
    cancels.push(...turn.cancels);
    if (!restored) return turn;
    const snapshot = JSON.parse(JSON.stringify(machine.snapshot()));
    machine = restoreMachine(program, options, snapshot);
    machine.run(1e6);
    return turn;
  };
  run();
  return {
    get machine() {
      return machine;
    },
    said,
    asked,
    cancels,
    part(id, index, value) {
      machine.part(id, index, JSON.stringify(value));
      return run();
    },
    answer(id, value) {
      machine.settle(id, outcomeOf(value));
      return run();
    },
  };
}

function variable({ machine }: Streaming, name: string): unknown {
  const { error, variables } = machine.view();
  expect(error).toBeUndefined();
  return toJson(variables.get(name) ?? null);
}

describe.each([false, true])('restored after every turn: %s', (restored) => {
  test('the loop goes on with each part as it comes, and ends with the call', () => {
    const ran = begin(
      'seen = []\nfor part in stream(read, x = 1):\n    seen.append(part)',
      restored,
    );
    expect(ran.asked).toEqual(['0#1 stream']);
    ran.part('0#1', 0, 'a');
    expect(variable(ran, 'seen')).toEqual(['a']);
    ran.part('0#1', 1, ['b']);
    expect(variable(ran, 'seen')).toEqual(['a', ['b']]);
    expect(ran.machine.view().status).toBe('blocked');
    expect(ran.answer('0#1', 'whole').status).toBe('done');
    expect(variable(ran, 'seen')).toEqual(['a', ['b']]);
  });

  test('calls inside start while parts still come', () => {
    const source = 'for part in stream(read, x = 1):\n    print(read(x = part))';
    const ran = begin(source, restored);
    ran.part('0#1', 0, 'a');
    ran.part('0#1', 1, 'b');
    expect(ran.asked).toEqual(['0#1 stream', '0#2', '0#3']);
    ran.answer('0#3', 'second');
    expect(ran.said).toEqual([]);
    ran.answer('0#2', 'first');
    expect(ran.said).toEqual(['first', 'second']);
    expect(ran.answer('0#1', null).status).toBe('done');
    expect(ran.said).toEqual(['first', 'second']);
  });

  test('what is said with a part is said before the next one, but not behind a write', () => {
    const source = `
for part in stream(read, x = 1):
    if part == "write":
        write(x = part)
    print(part)`;
    const ran = begin(source, restored);
    ran.part('0#1', 0, 'a');
    ran.part('0#1', 1, 'write');
    ran.part('0#1', 2, 'b');
    expect(ran.said).toEqual(['a']);
    ran.answer('0#1', null);
    expect(ran.said).toEqual(['a']);
    expect(ran.answer('0#2', null).status).toBe('done');
    expect(ran.said).toEqual(['a', 'write', 'b']);
  });

  test('an answer waits for the whole stream, which may yet fail', () => {
    const ran = begin('for part in stream(read, x = 1):\n    answer(part)', restored);
    ran.part('0#1', 0, 'a');
    expect(ran.said).toEqual([]);
    expect(ran.answer('0#1', new Error('no more')).status).toBe('failed');
    expect(ran.said).toEqual([]);
  });

  test('what was said on the way to the part that does not come stays said', () => {
    const source = `
for part in stream(read, x = 1):
    print(part)
    print(read(x = part))
    print("after " + part)`;
    const ran = begin(source, restored);
    ran.part('0#1', 0, 'a');
    expect(ran.answer('0#1', new Error('no more')).status).toBe('blocked');
    expect(ran.answer('0#2', 'read').status).toBe('failed');
    expect(ran.said).toEqual(['a', 'read', 'after a']);
    expect(ran.machine.view().error).toMatchObject({ message: 'no more', line: 2 });
  });

  test('a race whose calls wait for what waits for a stream is no reason to wait with its end', () => {
    const source = `
for part in stream(read, x = 1):
    write(x = part)
    print(first([read(x = 2), read(x = 3)]).value)`;
    const ran = begin(source, restored);
    ran.part('0#1', 0, 'a');
    expect(ran.answer('0#1', new Error('no more')).status).toBe('failed');
    expect(ran.machine.view().error).toMatchObject({ message: 'no more', line: 2 });
  });

  test('a stream that has failed behind the part at which its loop is left is no failure', () => {
    const source = `
for part in stream(read, x = 1):
    if read(x = part) == "enough":
        break
print("on")`;
    const ran = begin(source, restored);
    ran.part('0#1', 0, 'a');
    ran.answer('0#1', new Error('no more'));
    expect(ran.answer('0#2', 'enough').status).toBe('done');
    expect(ran.said).toEqual(['on']);
  });

  test('a stream that has failed cuts no call off that stands before the missing part', () => {
    const ran = begin('for part in stream(read, x = 1):\n    read(x = part)', restored);
    ran.part('0#1', 0, 'a');
    expect(ran.answer('0#1', new Error('no more')).status).toBe('blocked');
    expect(ran.cancels).toEqual([]);
    expect(ran.answer('0#2', null).status).toBe('failed');
    expect(ran.machine.view().error).toMatchObject({ message: 'no more', line: 1 });
  });

  test.each([
    ['a call', 'read(x = part)'],
    ['what is worked out of it', 'int(read(x = part))'],
    ['a call in parallel', 'parallel(read, [part])'],
  ])('what fails in the loop leaves it: %s, however the stream ends', (_, line) => {
    const source = `for part in stream(read, x = 1):\n    print(part)\n    y = ${line}`;
    for (const ends of [[], [null], [new Error('no more')]]) {
      const ran = begin(source, restored);
      ran.part('0#1', 0, 'a');
      for (const end of ends) ran.answer('0#1', end);
      const [call = ''] = ran.asked.slice(1);
      const failure = line.startsWith('int') ? 'no number' : new Error('broke');
      expect(ran.answer(call, failure).status).toBe('failed');
      expect(ran.machine.view().error).toMatchObject({ line: 3 });
      expect(ran.said).toEqual(['a']);
      expect(ran.cancels).toEqual(ends.length === 0 ? ['0#1'] : []);
    }
  });

  test('so does what the line itself fails at; what was answered before stands', () => {
    const source = 'for part in stream(read, x = 1):\n    answer(part)\n    fail("here")';
    const ran = begin(source, restored);
    expect(ran.part('0#1', 0, 'a').status).toBe('failed');
    expect(ran.machine.view().error).toMatchObject({ message: 'fail: here', line: 3 });
    expect(ran.said).toEqual(['a']);
    expect(ran.cancels).toEqual(['0#1']);
  });

  test('of two streams that have failed, the one counts whose part is wanted', () => {
    const source = `
for outer in stream(read, x = 1):
    for inner in stream(read, x = 2):
        print(inner)`;
    const ran = begin(source, restored);
    ran.part('0#1', 0, 'a');
    ran.answer('0#1', new Error('outer broke'));
    ran.part('0#2', 0, 'b');
    expect(ran.answer('0#2', new Error('inner broke')).status).toBe('failed');
    expect(ran.machine.view().error).toMatchObject({ message: 'inner broke', line: 3 });
    expect(ran.said).toEqual(['b']);
  });

  test('a stream does not wait for fibers that wait for what waits for it', () => {
    const source = `
for part in stream(read, x = 1):
    y = write(x = part)
    parallel(read, [y])`;
    const ran = begin(source, restored);
    ran.part('0#1', 0, 'a');
    expect(ran.answer('0#1', new Error('no more')).status).toBe('failed');
    expect(ran.machine.view().error).toMatchObject({ message: 'no more', line: 2 });
  });

  test('leaving the loop gives the call up and lets go what waits behind it', () => {
    const source = `
for part in stream(read, x = 1):
    print(part)
    if part == "stop":
        break
write(x = 2)`;
    const ran = begin(source, restored);
    ran.part('0#1', 0, 'go');
    expect(ran.said).toEqual(['go']);
    ran.part('0#1', 1, 'stop');
    expect(ran.said).toEqual(['go', 'stop']);
    expect(ran.cancels).toEqual(['0#1']);
    expect(ran.asked).toEqual(['0#1 stream', '0#2']);
    ran.part('0#1', 2, 'late');
    expect(ran.answer('0#2', null).status).toBe('done');
  });

  test('a failure comes after the parts, as the failure of the call', () => {
    const ran = begin(
      'seen = []\nfor part in stream(read, x = 1):\n    seen.append(part)',
      restored,
    );
    ran.part('0#1', 0, 'a');
    expect(ran.answer('0#1', new Error('no more')).status).toBe('failed');
    expect(ran.machine.view().error).toMatchObject({ message: 'no more', line: 2 });
  });

  test('in fibers each has its own', () => {
    const source = `
def count(x):
    n = 0
    for part in stream(read, x = x):
        n += part
        if n > 5:
            return n
    return -n
xs = parallel(count, [1, 2])
y = attempt(count, 3)`;
    const ran = begin(source, restored);
    expect(ran.asked).toEqual(['0.1#1 stream', '0.2#1 stream', '0.3#1 stream']);
    ran.part('0.2#1', 0, 7);
    ran.part('0.1#1', 0, 1);
    ran.answer('0.1#1', null);
    ran.answer('0.3#1', new Error('no'));
    expect(variable(ran, 'xs')).toEqual([-1, 7]);
    expect(variable(ran, 'y')).toMatchObject({ ok: false });
    expect(ran.cancels).toEqual(['0.2#1']);
  });
});

test('parts that are there already are not taken twice, nor out of order', () => {
  const ran = begin('seen = []\nfor part in stream(read, x = 1):\n    seen.append(part)');
  ran.part('0#1', 1, 'b');
  ran.part('0#1', 0, 'a');
  ran.part('0#1', 0, 'again');
  ran.part('0#1', 1, 'b');
  expect(variable(ran, 'seen')).toEqual(['a', 'b']);
});

test('one call at a time: the loop runs when the parts are there', () => {
  const source = 'seen = []\nfor part in stream(read, x = 1):\n    seen.append(read(x = part))';
  const ran = begin(source, false, 1);
  ran.part('0#1', 0, 'a');
  expect(ran.asked).toEqual(['0#1 stream']);
  ran.answer('0#1', null);
  ran.answer('0#2', 'b');
  expect(variable(ran, 'seen')).toEqual(['b']);
});

test.each([
  ['a, b = stream(read, x = 1)\nxs = [a, b]', ['a', 'b']],
  ['xs = []\nxs += stream(read, x = 1)', ['a', 'b']],
  ['def all(*parts):\n    return parts\nxs = all(*stream(read, x = 1))', ['a', 'b']],
  ['xs = [part + "!" for part in stream(read, x = 1)]', ['a!', 'b!']],
])('%s takes all parts', (source, expected) => {
  const ran = begin(source);
  ran.part('0#1', 0, 'a');
  ran.part('0#1', 1, 'b');
  ran.answer('0#1', null);
  expect(variable(ran, 'xs')).toEqual(expected);
});

test('a stream that nobody reads is awaited at the end', () => {
  const ran = begin('s = stream(read, x = 1)');
  expect(ran.machine.view().status).toBe('blocked');
  expect(ran.answer('0#1', null).status).toBe('done');
});

test.each([
  ['stream(write, x = 1)', 'stream: write writes, and leaving the loop would give it up half way'],
  ['stream(len)', 'stream: for parameter tool: got builtin_function_or_method, want a tool'],
  ['parallel(list, [stream(read, x = 1)])', 'a stream is read where it was opened'],
  ['list(stream(read, x = 1))', 'got stream, want iterable: take [part for part in stream(…)]'],
  ['stream(read, x = 1).parts', 'stream has no .parts field or method'],
  [
    's = stream(read, x = 1)\nfor a in s:\n    pass\nfor a in s:\n    pass',
    'a stream can be iterated once',
  ],
])('%s says what is wrong', (source, message) => {
  const ran = begin(source);
  ran.part('0#1', 0, 'a');
  ran.answer('0#1', null);
  expect(ran.machine.view().error?.message).toContain(message);
});
