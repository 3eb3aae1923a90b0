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
