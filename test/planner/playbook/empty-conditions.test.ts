/** Conditions about what is empty: lists, texts and maps, in lines and in triggers. */
import { describe, expect, test } from 'vitest';
import { conditionOf } from '../../../src/dialects/playbook/steps/triggers/trigger.ts';
import { ops, played } from './played.ts';
import { at, desk } from './shop.ts';

const empty = 'x in [None, "", [], {}]';
const full = 'x not in [None, "", [], {}]';
const blank = `(${empty} or str(x).strip() == "")`;

test.each([
  ['$x is empty', empty],
  ['the list $x becomes empty', empty],
  ['$x has no items', empty],
  ['$x contains nothing', empty],
  ['la liste $x est vide', empty],
  ['$x ne contient rien', empty],
  ['$x is not empty', full],
  ['$x is non-empty', full],
  ['$x has items', full],
  ['$x has entries in it', full],
  ["$x n'est pas vide", full],
  ['$x contient des éléments', full],
  ['$x is blank', blank],
  ['$x is not blank', `not ${blank}`],
  ['$x is not blank and $x is empty', `not ${blank} and ${empty}`],
])('%s', (words, condition) => {
  expect(conditionOf(`When ${words}`)).toBe(condition);
});

test.each([
  ['len($x) > 1', 'x != None and (len(x) > 1)'],
  ['$x.upper() == "$AB"', 'x != None and (x.upper() == "$AB")'],
  ['$x[0] == 1 and $y is empty', 'x != None and (x[0] == 1) and y in [None, "", [], {}]'],
  ['$x * 2 > $y', 'x != None and y != None and (x * 2 > y)'],
  ['$x == None or len($x) > 1', 'x == None or len(x) > 1'],
  ['pay($x) > 1', undefined],
  ['len(x) > 1', undefined],
  ['$x', undefined],
])('what is computed as code has it: %s', (code, condition) => {
  expect(conditionOf(`When ${code}`)).toBe(condition);
});

test('a trigger that computes asks nobody, and waits for its variables', async () => {
  const text = `${desk('- $x = [1]', '- $x = [1, 2]', '- Return "done"')}
## Some
### Triggers
- When len($x) > 1 and $x[0] == 1
### Steps
- Say("some")
`;
  const { result, said } = await played(text, {
    replies: [
      ops(at('01'), { set: { $x: [1] } }, at('02'), { set: { $x: [1, 2] } }, at('03')),
      ops(at('01'), { say: 'some' }),
      ops(at('03'), { return: 'done' }),
    ],
  });
  expect([result.status, said, result.warnings]).toEqual(['done', ['some'], []]);
});

const written = (value: unknown): string => JSON.stringify(value).replace('false', 'False');

describe.each([
  [[], true],
  ['', true],
  [{}, true],
  [[1], false],
  ['text', false],
  [0, false],
] as const)('%j', (value, isEmpty) => {
  const begun = [at('01'), { set: { $x: value } }];

  test.each([
    ['is empty', isEmpty],
    ['is not blank', !isEmpty],
  ])('a line that goes by whether it %s', async (words, holds) => {
    const lines = desk(
      ...[`- $x = ${written(value)}`, `- If $x ${words}`, '  - Say("many")'],
      ...['- Otherwise', '  - Say("few")', '- Return "done"'],
    );
    const end = [at('04'), { return: 'done' }];
    const many = [at('02'), at('02.01'), { say: 'many' }, ...end];
    const few = [at('03'), at('03.01'), { say: 'few' }, ...end];
    const [right, wrong] = holds ? [many, few] : [few, many];
    const { prompts, result, said } = await played(lines, {
      replies: [ops(...begun, ...wrong), ops(...right)],
    });
    expect(prompts[1]).toContain(`line 02 says If $x ${words}`);
    expect([result.status, said]).toEqual(['done', [holds ? 'many' : 'few']]);
  });

  test('a trigger', async () => {
    const text = `${desk(`- $x = ${written(value)}`, '- Return "done"')}
## Some
### Triggers
- When $x has items
### Steps
- Say("some")
`;
    const end = [at('02'), { return: 'done' }];
    const replies = isEmpty
      ? [ops(...begun, ...end)]
      : [ops(...begun), ops(at('01'), { say: 'some' }), ops(...end)];
    const { result, said } = await played(text, { replies });
    expect([result.error?.message, said]).toEqual([undefined, isEmpty ? [] : ['some']]);
  });
});
