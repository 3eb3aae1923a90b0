/** `try_call`: an outcome as a value, whatever it is; and nothing but an outcome. */
import { expect, test } from 'vitest';
import { drive, variable } from '../support/starlark-machine.ts';

const oddFails = (x: unknown): unknown => (Number(x) % 2 === 1 ? new Error(`no ${x}`) : `<${x}>`);

test('a good outcome is a struct with the value, a bad one a struct with the error', () => {
  const ran = drive('good = try_call(read, x = 2)\nbad = try_call(read, x = 1)', {
    answer: oddFails,
  });
  expect(variable(ran, 'good')).toEqual({ ok: true, value: '<2>', error: null });
  const error = { code: 'PV4200', message: 'no 1' };
  expect(variable(ran, 'bad')).toEqual({ ok: false, value: null, error });
});

test('it does not wait, and its fields are pending as any value', () => {
  const ran = drive(
    'tries = [try_call(read, x = i) for i in range(4)]\n' +
      'texts = [one.value for one in tries]\n' +
      'ok = [one.ok for one in tries]',
    { answer: oddFails },
  );
  expect(ran.most).toBe(4);
  expect(variable(ran, 'texts')).toEqual(['<0>', null, '<2>', null]);
  expect(variable(ran, 'ok')).toEqual([true, false, true, false]);
});

test('a failed write is a value too, and the writes keep their order', () => {
  const ran = drive(
    'a = try_call(write, x = 1)\nb = write(x = 2)\nc = try_call(write, x = 3)\nok = [a.ok, c.ok]',
    { answer: oddFails },
  );
  expect(variable(ran, 'ok')).toEqual([false, false]);
  expect(ran.writes).toEqual([1, 2, 3]);
  expect(ran.most).toBe(1);
});

test('a call whose argument comes from a failed call fails with that call', () => {
  const ran = drive('a = read(x = 1)\nb = try_call(read, x = a)', { answer: oddFails });
  expect(ran.error).toBe('PV4200 no 1');
});

test.each([
  ['try_call(read, y = 1)', 'tool read missing argument x'],
  ['try_call(read, 1, y = 2)', 'tool read has no parameter "y"'],
  ['try_call(read, 1, 2)', 'tool read accepts at most 1 positional arguments (2 given)'],
  ['try_call(read(x = 1))', 'try_call: for parameter tool: got the result of a call, want a tool'],
  ['try_call(len, [])', 'try_call: for parameter tool: got builtin_function_or_method, want a'],
  ['try_call()', 'try_call: missing argument for tool'],
  ['try_call(read, x = lambda: 1)', 'got a function'],
])('%s is an error like any other', (source, message) => {
  expect(drive(source).error).toContain(message);
});

test('restored at every instruction', () => {
  const source = 'x = [try_call(read, x = i) for i in range(3)]\ny = [one.ok for one in x]';
  const ran = drive(source, { answer: oddFails, fuel: 1, restored: true });
  expect(variable(ran, 'y')).toEqual([true, false, true]);
});
