/** Playbooks without lines: a reply is held to nothing but what may be called. */
import { expect, test } from 'vitest';
import { partsOf, playbookOf, shortly } from './sample.ts';

const free = { playbook: playbookOf('Help', [], { mode: 'react' }) };

test('thinks, calls, yields, and returns', () => {
  const reply =
    '{"think":"look"}\n{"call":"FreeBikes","args":["$day"],"into":"bikes"}\n{"yield":"call"}';
  expect(shortly(reply, free)).toEqual(['think', 'call FreeBikes ', 'yield call ', 'end ']);
  expect(shortly('{"say":"Two."}\n{"return":2}', free)).toEqual(['say ', 'return ', 'end ']);
});

test('lines that it makes up are no lines', () => {
  expect(shortly('{"step":"01"}\n{"return":2}', free)).toEqual(['return ', 'end ']);
});

test('words alone are said, and returned', () => {
  const { parts } = partsOf('<think>hm</think>Bikes are 20 a day.', free);
  const text = { is: 'value', value: 'Bikes are 20 a day.' };
  expect(parts.slice(0, 2)).toMatchObject([
    { op: 'say', text, line: '' },
    { op: 'return', value: text, line: '' },
  ]);
});

test.each(['```yaml\nthread_id: main\ntrace: []\n```', '{"thread_id": "main", "trace": []}'])(
  'a trace of nothing is no answer: %j',
  (reply) => {
    expect(shortly(reply, free)).toContain('problem PV7310');
  },
);

test.each([
  ['{"think":"hm"}'],
  ['```json\n{"think":"hm"}\n```'],
  ['```json {"think":"hm"}\n```'],
  ['[{"think":"a"},\n{"think":"b"}]'],
  ['{"think":"a"}\n\n{"think":"b"}\n'],
  ['{"step":"01"}'],
  ['recap - a guest has come\nplan - greet\ntrig? no'],
])('thoughts and lines alone are nobody’s answer: %j', (reply) => {
  expect(shortly(reply, free).slice(-2)).toEqual(['problem PV7301', 'end  broken']);
});

test.each([
  ['{"think":"x"}\nHello\n\nK', 'Hello\n\nK'],
  ['Hello\n{"think":"x"}\nK', 'Hello\nK'],
  ['{"think":"x"} Hello', 'Hello'],
  ['```json\n{"think":"x"}\n```\nHello', 'Hello'],
  ['{"think":"x"}\n```js\ngo();\n```', '```js\ngo();\n```'],
  ['{\n"think":"x"\n}\nHello', 'Hello'],
  ['[{"think":"x"}]\nHello', 'Hello'],
  ['{"set":{"$day":"Monday"}}\nHello', 'Hello'],
  ['recap - a guest has come\nplan - greet\ntrig? no\nHello', 'Hello'],
  ['Plan: take `FreeBoats()`\nNote: it rains', 'Plan: take `FreeBoats()`\nNote: it rains'],
  ['<think>hm</think>{"think":"x"}\nHello', 'Hello'],
])('words beside what does nothing are what it comes to: %j', (reply, words) => {
  const { parts } = partsOf(reply, free);
  const value = { is: 'value', value: words };
  expect(parts.filter(({ op }) => op === 'say')).toMatchObject([{ text: value }]);
  expect(parts.filter(({ op }) => op === 'return')).toMatchObject([{ value }]);
});

test('words before a yield for the user are said', () => {
  const { parts } = partsOf('{"think":"x"}\nWhich day?\n{"yield":"user"}', free);
  expect(parts.filter(({ op }) => op !== 'think')).toMatchObject([
    { op: 'say', text: { is: 'value', value: 'Which day?' } },
    { op: 'yield', for: 'user' },
    { op: 'end' },
  ]);
});

test('words beside what is said or called are nobody’s', () => {
  expect(shortly('{"say":"Hello"}\nI greeted.', free)).toEqual(['say ', 'return ', 'end ']);
  const call = 'Let me look.\n{"call":"FreeBikes","args":["$day"]}';
  expect(shortly(call, free)).toEqual(['call FreeBikes ', 'yield call ', 'end ']);
});

test.each(['Sure! {"call":"FreeBikes","args":["$day"]}', 'Two. {"think":"done"}'])(
  'an operation among words is no answer: %j',
  (reply) => {
    expect(shortly(reply, free)).toContain('problem PV7310');
  },
);

test('calls without a yield are waited for', () => {
  const reply = '{"call":"FreeBikes","args":["$day"]}';
  expect(shortly(reply, free)).toEqual(['call FreeBikes ', 'yield call ', 'end ']);
});

test.each([
  ['', 'PV7301'],
  ['{"call":"FreeBoats"}', 'PV7304'],
  ['{"call":"FreeBikes","args":[1]}\n{"call":"FreeBikes","args":[1]}', 'PV7305'],
])('%j is a problem', (reply, code) => {
  expect(shortly(reply, free)).toContain(`problem ${code}`);
});
