/** What a call leaves out of what its tool asks a person for. */
import { expect, test } from 'vitest';
import { type ToolSpec, toolSpec } from '../../src/program/effect.ts';
import {
  type Driven,
  type DriveOptions,
  drive,
  tools,
  variable,
} from '../support/starlark-machine.ts';

const parameters = {
  type: 'object',
  properties: {
    city: { type: 'string', description: 'Which city.' },
    unit: { enum: ['C', 'F'] },
    day: { type: ['string', 'null'] },
  },
  required: ['city', 'unit'],
};
const about = { description: 'A tool.', parameters };

const known: ReadonlyMap<string, ToolSpec> = new Map([
  ...tools,
  ...[
    toolSpec({ name: 'ask', description: 'Asks.', kind: 'person', effect: 'read', ordered: true }),
    toolSpec({ name: 'warm', ...about, effect: 'read', requires: ['city', 'unit'] }),
    toolSpec({ name: 'heat', ...about, effect: 'write', requires: ['city'] }),
    toolSpec({ name: 'late', ...about, effect: 'read', requires: ['day'] }),
  ].map((spec) => [spec.name, spec] as const),
]);

/** Drives with answers to questions, and notes each request. */
function ask(source: string, options: DriveOptions = {}): Driven & { requests: unknown[] } {
  const requests: unknown[] = [];
  const ran = drive(source, {
    tools: known,
    ...options,
    answer: (_, { tool, id, args }) => {
      requests.push([id, tool, JSON.parse(args)]);
      return tool === 'ask' ? `answer ${id}` : `${tool} ${id}`;
    },
  });
  return { ...ran, requests };
}

test('each is a question of its own, and the call has the answers', () => {
  const { requests } = ask('t = warm()\nanswer(t)');
  expect(requests).toEqual([
    ['0#1', 'ask', { question: 'warm needs city: Which city.', schema: { type: 'string' } }],
    ['0#2', 'ask', { question: 'warm needs unit', choices: ['C', 'F'] }],
    ['0#3', 'warm', { city: 'answer 0#1', unit: 'answer 0#2' }],
  ]);
});

test('what is given is not asked for; null is, where it is no value', () => {
  const { requests } = ask(
    'warm(city="Oslo", unit="C")\nwarm(city=None, unit="C")\nlate(day=None, city="a", unit="C")',
  );
  expect(requests).toEqual([
    ['0#1', 'warm', { city: 'Oslo', unit: 'C' }],
    ['0#2', 'ask', expect.anything()],
    ['0#4', 'late', { day: null, city: 'a', unit: 'C' }],
    ['0#3', 'warm', { city: 'answer 0#2', unit: 'C' }],
  ]);
});

test('a window of one has room for it, and a snapshot between keeps it', () => {
  const source =
    'a = warm(unit="C")\nb = heat(unit="F")\nc = try_call(warm, unit="C")\nanswer([a, b, c.value])';
  const whole = ask(source);
  const narrow = ask(source, { limits: { windowEntries: 1 }, restored: true });
  expect(whole.emits).toEqual([['warm 0#2', 'heat 0#4', 'warm 0#6']]);
  expect(narrow.emits).toEqual(whole.emits);
  expect(narrow.requests).toEqual(whole.requests);
  expect(narrow.most).toBe(1);
});

test('functions that run in parallel ask as well, and may not write by that way either', () => {
  const { requests } = ask(
    'def f(u):\n    return warm(unit=u)\nxs = parallel(f, ["C", "F"])\nanswer(xs)',
  );
  expect(requests.map((one) => JSON.stringify(one).slice(0, 14)).toSorted()).toEqual([
    '["0.1#1","ask"',
    '["0.1#2","warm',
    '["0.2#1","ask"',
    '["0.2#2","warm',
  ]);
  const refused = ask('def f(u):\n    return heat(unit=u)\nparallel(f, ["C"])');
  expect(refused.error).toMatch(/^PV3021 heat writes/);
  expect(refused.requests).toEqual([]);
});

test('a stream is that of the call, not of the question', () => {
  const { requests, machine } = ask('xs = [x for x in stream(warm, unit="C")]');
  expect(requests).toEqual([
    ['0#1', 'ask', expect.anything()],
    ['0#2', 'warm', { unit: 'C', city: 'answer 0#1' }],
  ]);
  expect(machine.view().error).toBeUndefined();
});

test('a task asks as well, and is skipped where nobody answers', () => {
  const source = `
a = task("late", {"city": "Oslo", "unit": "C"})
b = task("warm", {"unit": ("ref", 0), "city": None}, a)
answer(b.value)`;
  const { requests, emits } = ask(source);
  expect(requests).toEqual([
    ['0#1', 'ask', { question: 'late needs day', schema: { type: ['string', 'null'] } }],
    ['0#2', 'late', { city: 'Oslo', unit: 'C', day: 'answer 0#1' }],
    ['0#3', 'ask', { question: 'warm needs city: Which city.', schema: { type: 'string' } }],
    ['0#4', 'warm', { unit: 'late 0#2', city: 'answer 0#3' }],
  ]);
  expect(emits).toEqual(['warm 0#4']);
  const narrow = ask(source, { limits: { windowEntries: 1 }, restored: true });
  expect(narrow.emits).toEqual(emits);
  const alone = drive(`b = task("late", {})\nanswer(b.error.message)`, {
    tools: known,
    answer: () => new Error('nobody there'),
  });
  expect(alone.emits).toEqual(['skipped: result 0 of those it needs failed: nobody there']);
});

test('a question that comes to nothing is the failure of the call', () => {
  const failing = drive('x = 1\nx = warm(unit="C")\nanswer(x)', {
    tools: known,
    answer: (_, { tool }) => (tool === 'ask' ? new Error('nobody there') : 'warm'),
  });
  expect(failing.error).toBe('PV4200 nobody there');
  expect(failing.ids).toEqual(['0#1']);
});

test('where nobody can be asked, the call goes out as it is', () => {
  const alone = new Map([...known].filter(([name]) => name !== 'ask'));
  const ran = drive('t = warm(unit="C")', { tools: alone });
  expect(ran.ids).toEqual(['0#1']);
  expect(variable(ran, 't')).toBe('<undefined>');
});
