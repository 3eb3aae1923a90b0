/** `after`: calls that wait for others before them, that bring them along, or that never start. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toolSpec } from '../../src/program/effect.ts';
import { ofSample, sampledRuns } from '../support/depth.ts';
import { hashOf, random } from '../support/draw.ts';
import {
  type Answer,
  compile,
  type Driven,
  drive,
  variable,
  variablesOf,
} from '../support/starlark-machine.ts';

const x = { type: 'object', properties: { x: {} } };
const specs = [
  toolSpec({ name: 'status', description: 'Looks.', effect: 'read' }),
  toolSpec({
    name: 'login',
    description: 'Enters.',
    effect: 'read',
    parameters: { ...x, required: ['x'] },
  }),
  toolSpec({
    name: 'temp',
    description: 'Reads.',
    effect: 'read',
    parameters: x,
    after: ['status'],
  }),
  toolSpec({
    name: 'mail',
    description: 'Reads.',
    effect: 'read',
    parameters: x,
    after: ['login'],
  }),
  toolSpec({
    name: 'both',
    description: 'Reads.',
    effect: 'read',
    parameters: x,
    after: ['login', 'temp'],
  }),
  toolSpec({
    name: 'store',
    description: 'Writes.',
    effect: 'write',
    parameters: x,
    after: ['status'],
  }),
];
const tools = new Map(specs.map((spec) => [spec.name, spec]));

/** Runs a program; gives what was called, in order, too. */
function ran(source: string, answer: (tool: string, id: string) => unknown = (tool) => tool) {
  const called: string[] = [];
  const driven = drive(compile(source, tools), {
    tools,
    pick: (open) => open.length - 1,
    answer: (_, { tool, id }) => {
      called.push(`${tool} ${id}`);
      return answer(tool, id);
    },
  });
  return { ...driven, called };
}

test('a call waits for the one before it', () => {
  const { called, most } = ran('a = status()\nb = temp(x = 1)\nc = login(x = 1)');
  expect(called).toEqual(['login 0#3', 'status 0#1', 'temp 0#2']);
  expect(most).toBe(2);
});

test('where there is none, the machine makes it, once', () => {
  const { called } = ran('a = temp(x = 1)\nb = temp(x = 2)\nc = store(x = 3)');
  expect(called.toSorted()).toEqual(['status 0#1', 'store 0#4', 'temp 0#2', 'temp 0#3']);
  expect(called[0]).toBe('status 0#1');
});

test('one that needs arguments has to be called by the program', () => {
  const { error, called } = ran('a = mail(x = 1)');
  expect(error).toBe('PV3707 mail comes after login, which has not been called');
  expect(called).toEqual([]);
  expect(ran('b = mail(x = 1)\na = login(x = 1)').error).toContain('has not been called');
  expect(ran('a = login(x = 1)\nb = mail(x = 1)').error).toBe('');
});

test('its failure is that of what comes after it; a later success mends that', () => {
  const down = (tool: string): unknown => (tool === 'status' ? new Error('no route') : tool);
  const alone = ran('a = try_call(temp, x = 1)\nb = task("temp", {"x": 2})', down);
  const error = { code: 'PV3707', message: 'temp comes after status, which has failed: no route' };
  expect(variable(alone, 'a')).toMatchObject({ ok: false, error });
  expect(variable(alone, 'b')).toMatchObject({ ok: false, error });
  const flaky = (tool: string, id: string): unknown =>
    id === '0#1' ? new Error('no route') : tool;
  const mended = ran('a = try_call(status)\nb = try_call(temp)\nc = status()\nd = temp()', flaky);
  expect(variable(mended, 'b')).toMatchObject({ ok: false });
  expect(variable(mended, 'd')).toBe('temp');
});

test('one that comes after several waits for all, each of which may bring others along', () => {
  const { called, error } = ran('a = login(x = 1)\nb = both(x = 1)');
  expect(error).toBe('');
  expect(called.map((one) => one.split(' ')[0])).toEqual(['status', 'temp', 'login', 'both']);
});

test('fibers go by the calls of their parents, and attempts are a part of them', () => {
  const parallel = ran('s = status()\ndef f(i): return temp(x = i)\nr = parallel(f, [1, 2])');
  expect(parallel.called).toEqual(['status 0#1', 'temp 0.2#1', 'temp 0.1#1']);
  const inside = ran('def f(): return status()\ng = attempt(f)\nt = temp(x = 1)');
  expect(inside.called).toEqual(['status 0.1#1', 'temp 0#1']);
  const own = ran('def f(i): return temp(x = i)\nr = parallel(f, [1, 2])');
  expect(own.called.filter((one) => one.startsWith('status'))).toHaveLength(2);
});

const statements = fc.array(
  fc.constantFrom(
    'try_call(status)',
    'status()',
    'try_call(login, x = 1)',
    'temp(x = 1)',
    'try_call(temp, x = 2)',
    'try_call(mail, x = 3)',
    'try_call(both)',
    'task("both", {"x": 4})',
    'try_call(store, x = 5)',
    'attempt(f, 6)',
    'parallel(g, [7, 8])',
    'attempt(h)',
  ),
  { minLength: 1, maxLength: 9 },
);

const sourceOf = (calls: readonly string[]): string =>
  ['def f(i): return [try_call(temp, x = i), status()]']
    .concat('def g(i): return try_call(both, x = i)')
    .concat('def h(): return [login(x = 1), temp(x = 9), fail("late")]')
    .concat(calls.map((call, i) => `v${i} = ${call}`))
    .join('\n');

test('nothing of it depends on time, on the window, or on where the machine was taken apart', () => {
  const seen = { done: 0, failed: 0, refused: 0 };
  fc.assert(
    fc.property(statements, fc.integer({ min: 0, max: 1e6 }), (calls, seed) => {
      const program = compile(sourceOf(calls), tools);
      const answer: Answer = (_, { id, tool }) =>
        hashOf(`${seed}${id}`) % 4 === 0 ? new Error(`${id} broke`) : tool;
      const outcome = (driven: Driven): unknown => {
        const { status, error, writes } = driven;
        return { status, error, writes, all: status === 'done' ? variablesOf(driven) : [] };
      };
      const alone = drive(program, { tools, answer, limits: { windowEntries: 1 } });
      seen[alone.status as 'done' | 'failed']++;
      if (JSON.stringify(variablesOf(alone)).includes('PV3707')) seen.refused++;
      const next = random(seed);
      const pick = ({ length }: readonly unknown[]): number => next(length);
      for (const options of [{}, { fuel: 1, restored: true }, { limits: { windowEntries: 3 } }]) {
        expect(outcome(drive(program, { tools, answer, pick, ...options }))).toEqual(
          outcome(alone),
        );
      }
    }),
    sampledRuns(300),
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(ofSample(20));
});
