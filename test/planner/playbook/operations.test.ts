/** Objects of a reply as operations: their order, and what is wrong with others. */
import { expect, test } from 'vitest';
import {
  operationSchema,
  operationShape,
  operationsIn,
} from '../../../src/planner/playbook/reply/operations.ts';

test.each<readonly [unknown, readonly unknown[]]>([
  [{ at: '04' }, [{ is: 'at', line: '04', raw: '{"at":"04"}' }]],
  [
    { at: '3.1', holds: false },
    [{ is: 'at', line: '03.01', holds: false, raw: '{"at":"3.1","holds":false}' }],
  ],
  [{ set: { a: 1 } }, [{ is: 'set', values: { a: 1 }, raw: '{"set":{"a":1}}' }]],
  [
    { call: 'F', into: null },
    [{ is: 'call', callee: 'F', args: {}, raw: '{"call":"F","into":null}' }],
  ],
  [
    { yield: 'user', within: '5 minutes' },
    [
      {
        is: 'yield',
        for: 'user',
        within: '5 minutes',
        raw: '{"yield":"user","within":"5 minutes"}',
      },
    ],
  ],
  [{ return: null }, [{ is: 'return', value: null, raw: '{"return":null}' }]],
  [
    { show: ['a'], from: 5 },
    [{ is: 'show', names: ['a'], from: 5, raw: '{"show":["a"],"from":5}' }],
  ],
  [{ note: 'n' }, [{ is: 'note', text: 'n', raw: '{"note":"n"}' }]],
])('%j', (data, operations) => {
  expect(operationsIn(data)).toEqual(operations);
});

test('several operations of an object have one order', () => {
  const all = {
    ...{ return: 1, yield: 'call', say: 's', to: 'Ann', call: 'F', args: ['a'], into: 'x' },
    ...{ set: { a: 1n }, at: 'line 4:' },
  };
  expect(operationsIn(all)).toMatchObject([
    { is: 'at', line: '04' },
    { is: 'set', raw: '{"set":{"a":1}}' },
    { is: 'call', into: 'x', raw: '{"call":"F","args":["a"],"into":"x"}' },
    { is: 'say', to: 'Ann', raw: '{"say":"s","to":"Ann"}' },
    { is: 'yield' },
    { is: 'return', value: 1 },
  ]);
});

test.each<readonly [unknown, string]>([
  [{}, 'got {}, want an operation'],
  [
    { step: '04' },
    'got the key "step", want one of at, set, call, say, show, note, unexpected, yield, return',
  ],
  [{ at: 4 }, 'got at: 4, want string'],
  [{ say: 'a', args: {} }, 'got "args" without "call"'],
  [{ set: 'x' }, 'got set: "x", want record'],
  [{ yield: 'person' }, 'got yield: "person", want user, call, agent, meeting, event, timer, exit'],
  [{ at: '04', holds: 'yes' }, 'got holds: "yes", want boolean'],
])('%j: %s', (data, problem) => {
  expect(operationsIn(data)).toBe(problem);
});

test('the schema documents each key', () => {
  const { properties } = operationSchema() as {
    properties: Record<string, { description?: string }>;
  };
  expect(Object.keys(properties)).toEqual(Object.keys(operationShape.shape));
  for (const one of Object.values(properties)) expect(one.description).toMatch(/\.$/);
});
