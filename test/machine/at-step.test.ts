/** `at_step`: what a program calls is shown at the step that it names, in every order of events. */
import { expect, test } from 'vitest';
import { declaredSteps, stepComment } from '../../src/dialects/starlark/compile/declared-steps.ts';
import type { StepVisit } from '../../src/machine/turn.ts';
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
  expect(drive('at_step("a", "b", True, 4)').error).toContain('got int, want string');
  expect(drive('at_step("a", "b", True, "c", 5)').error).toContain('PV3101');
});

const steps = ['A', 'B', 'C']
  .map((label, at) => stepComment({ label, kind: 'do', file: 'x.md', line: at + 1, column: 3 }))
  .join('\n');

interface Entered {
  readonly ids: readonly string[];
  readonly within: readonly (string | undefined)[];
  readonly by: readonly (string | undefined)[];
  readonly paused: readonly string[];
  readonly shown: Readonly<Record<string, string>>;
}

/** The steps that were declared, as they were entered; every one is paused at. */
function entered(source: string, options: DriveOptions = {}): Entered {
  const visits: StepVisit[] = [];
  const paused: string[] = [];
  const seen: Record<string, string> = {};
  const pause = (visit: StepVisit): boolean => {
    if (!/^[ABC]/.test(visit.id)) return false;
    visits.push(visit);
    paused.push(visit.path ?? '0');
    return true;
  };
  const answer: Answer = (x, request) => {
    seen[String(x)] = request.step;
    return options.answer?.(x, request) ?? x;
  };
  const ran = drive(`${steps}\n${source}`, { ...options, answer, pause });
  expect(ran.error).toBe('');
  const ids = visits.map(({ id }) => id);
  const [within, by] = [visits.map(({ within }) => within), visits.map(({ by }) => by)];
  return { ids, within, by, paused, shown: seen };
}

test.each(orders)('what is declared is entered, counted and paused at: %j', (order) => {
  const source = `at_step("A", enter = True)
read(1)
here = at_step("B", within = "A", enter = True)
read(2)
at_step("B", enter = True, by = "Ann")
read(3)
at_step(here)
read(4)
at_step("A", enter = True)
at_step("of nobody", enter = True)
read(5)
`;
  expect(entered(source, order)).toEqual({
    ids: ['A', 'B', 'B@2', 'A@2'],
    within: [undefined, 'A', undefined, undefined],
    by: [undefined, undefined, 'Ann', undefined],
    paused: ['0', '0', '0', '0'],
    shown: { 1: 'A', 2: 'B', 3: 'B@2', 4: 'B', 5: 'of nobody' },
  });
});

test.each(orders)('an attempt counts for itself until it has succeeded: %j', (order) => {
  const source = `at_step("A", enter = True)
def good():
    at_step("B", within = "A", enter = True)
    return read(1)
def bad():
    at_step("C", enter = True)
    at_step("A", enter = True)
    return read(2) + "x"
attempt(good)
attempt(bad)
parallel(lambda x: at_step("C", enter = True) and read(x), [3, 4])
at_step("B", enter = True)
at_step("C", enter = True)
read(5)
`;
  const { ids, paused, shown: seen } = entered(source, order);
  expect(ids).toEqual(['A', 'B', 'C', 'A@2', 'B@2', 'C']);
  expect(paused).toEqual(['0', '0.1', '0.2', '0.2', '0', '0']);
  expect(seen).toEqual({ 1: 'B', 2: 'A@2', 3: 'C', 4: 'C', 5: 'C' });
});

test.each(orders)('a visit is counted ahead, and entered in its turn: %j', (order) => {
  const source = `at_step("A", enter = True)
second = at_step("A", ahead = True)
read(1)
at_step(second)
read(2)
at_step("A", enter = True)
read(3)
at_step(second, enter = True, ahead = True)
read(4)
def bad():
    third.append(at_step("B", ahead = True))
    return read(5) + "x"
third = []
attempt(bad)
at_step(third[0] if third else "B", enter = True, ahead = True)
read(6)
at_step("of nobody", ahead = True)
parallel(lambda x: at_step(at_step("C", ahead = True), ahead = True, enter = True) and read(x), [7])
at_step("C", enter = True)
`;
  const { ids, shown: seen } = entered(source, order);
  expect(ids).toEqual(['A', 'A@3', 'A@2', 'B', 'C']);
  expect(seen).toEqual({ 1: 'A', 2: 'A@2', 3: 'A@3', 4: 'A@2', 5: 'A@2', 6: 'B', 7: 'C' });
});

test('a declared step has its limit', () => {
  const source = `${steps}\nfor i in range(4):\n    at_step("B", enter = True)\n`;
  const { error, machine } = drive(source, { limits: { stepVisits: 3 } });
  expect(error).toContain('PV3014 step B was entered 3 times');
  expect(machine.view().error?.step).toBe('B');
});

test('comments that declare nothing are comments', () => {
  const lines = ['#: {"label": "A"}', '#: {', '#: A', '# {"label": "A"}', steps];
  expect(declaredSteps(lines.join('\n').split('\n')).map(({ label }) => label)).toEqual([
    ...['A', 'B', 'C'],
  ]);
});
