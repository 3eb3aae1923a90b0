/** `at_step`: what a program calls is shown at the step that it names, in every order of events. */
import { expect, test } from 'vitest';
import { type Answer, type DriveOptions, drive } from '../support/starlark-machine.ts';

/** The step of each call, by its argument; and what the program said of an error. */
function shown(source: string, options: DriveOptions = {}): Record<string, string> {
  const steps: Record<string, string> = {};
  const answer: Answer = (x, request) => {
    steps[String(x)] = request.step;
    return options.answer?.(x, request) ?? x;
  };
  const ran = drive(source, { ...options, answer });
  expect(ran.error).toBe('');
  return steps;
}

const orders: readonly DriveOptions[] = [
  {},
  { pick: (open) => open.length - 1 },
  { restored: true, fuel: 3 },
  { limits: { windowEntries: 1 } },
];

const labelled = `read(0)
at_step("Main:01")
a = read(1)
b = task(read, {"x": 2})
c = task(read, {"x": 3}, step = "own")
parts = [one for one in stream(read, 4)]
def inner(x):
    read(x)
    at_step("Inner")
    return read(x + 1)
both = parallel(inner, [10, 20])
attempt(inner, 30)
write(5)
at_step("")
read(6)
`;

test.each(orders)('calls, streams and tasks stand at it, and fibers begin there: %j', (order) => {
  expect(shown(labelled, order)).toEqual({
    0: '1',
    ...{ 1: 'Main:01', 2: 'Main:01', 3: 'own', 4: 'Main:01', 5: 'Main:01' },
    ...{ 10: 'Main:01', 11: 'Inner', 20: 'Main:01', 21: 'Inner', 30: 'Main:01', 31: 'Inner' },
    6: '15',
  });
});

test.each(orders)('what has failed in an attempt leaves the label where it was: %j', (order) => {
  const source =
    'at_step("A")\ndef f():\n    at_step("B")\n    x = read(1)\n    at_step("C")\n    return x + 1\n' +
    'went = attempt(f)\nread(2 if went.ok else 3)\n';
  const answer: Answer = (x) => (x === 1 ? new Error('no') : x);
  expect(shown(source, { ...order, answer })).toEqual({ 1: 'B', 3: 'A' });
});

test('a label is a text', () => {
  expect(drive('at_step(3)').error).toContain('got int, want string');
  expect(drive('at_step("a", "b")').error).toContain('PV3101');
});
