/** Objects of a reply as operations: their order, and what is wrong with others. */
import { expect, test } from 'vitest';
import { operationsIn, replySchema } from '../../../src/planner/playbook/reply/operations.ts';

test.each<readonly [unknown, readonly unknown[]]>([
  [{ at: '04' }, [{ op: 'at', line: '04', raw: '{"at":"04"}' }]],
  [{ at: 4 }, [{ op: 'at', line: '04', raw: '{"at":4}' }]],
  [
    { at: '3.1', holds: false },
    [{ op: 'at', line: '03.01', holds: false, raw: '{"at":"3.1","holds":false}' }],
  ],
  [{ set: { a: 1 } }, [{ op: 'set', values: { a: 1 }, raw: '{"set":{"a":1}}' }]],
  [
    { call: 'F', into: null },
    [{ op: 'call', callee: 'F', args: {}, raw: '{"call":"F","into":null}' }],
  ],
  [
    { yield: 'user', within: '5 minutes' },
    [
      {
        op: 'yield',
        for: 'user',
        within: '5 minutes',
        raw: '{"yield":"user","within":"5 minutes"}',
      },
    ],
  ],
  [{ return: null }, [{ op: 'return', value: null, raw: '{"return":null}' }]],
  [{ show: ['a'] }, [{ op: 'show', names: ['a'], raw: '{"show":["a"]}' }]],
  [{ note: 'n' }, [{ op: 'note', text: 'n', raw: '{"note":"n"}' }]],
])('%j', (data, operations) => {
  expect(operationsIn(data)).toEqual(operations);
});

test('several operations of an object have one order', () => {
  const all = {
    ...{ return: 1, yield: 'call', say: 's', to: 'Ann', call: 'F', args: ['a'], into: 'x' },
    ...{ set: { a: 1n }, at: 'line 4:' },
  };
  expect(operationsIn(all)).toMatchObject([
    { op: 'at', line: '04' },
    { op: 'set', raw: '{"set":{"a":1}}' },
    { op: 'call', into: 'x', raw: '{"call":"F","args":["a"],"into":"x"}' },
    { op: 'say', to: 'Ann', raw: '{"say":"s","to":"Ann"}' },
    { op: 'yield' },
    { op: 'return', value: 1 },
  ]);
});

test.each<readonly [unknown, string]>([
  [{}, 'got {}, want an operation'],
  [
    { step: '04' },
    'got the key "step", want one of at, set, call, say, show, note, unexpected, yield, return',
  ],
  [{ at: 4.1 }, 'got at: 4.1, want another form'],
  [{ say: 'a', args: {} }, 'got "args" without "call"'],
  [{ set: 'x' }, 'got set: "x", want record'],
  [{ yield: 'person' }, 'got yield: "person", want user, call, agent, meeting, event, timer, exit'],
  [{ at: '04', holds: 'yes' }, 'got holds: "yes", want boolean'],
])('%j: %s', (data, problem) => {
  expect(operationsIn(data)).toBe(problem);
});

test('the schema documents each key', () => {
  const { properties = {} } = replySchema().properties?.operations?.items ?? {};
  expect(Object.keys(properties)).toContain('within');
  for (const one of Object.values(properties)) expect(one.description).toMatch(/\.$/);
});
