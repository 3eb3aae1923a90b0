/** Cases of which one is done at most. */
import { expect, test } from 'vitest';
import { quickTool } from '../../engine/support.ts';
import { orders, played } from '../../planner/playbook/played.ts';
import { followed } from '../../support/playbook-follower.ts';
import { program, stepsOf } from './written.ts';

const cases = (...heads: string[]): string =>
  heads.map((head, at) => `- ${head}\n  - F(${at + 1})`).join('\n');

const codes = (rows: readonly string[]): string[] =>
  rows.filter((row) => /:(?:CND|ELS)/.test(row)).map((row) => row.replace(/^[\d.]+:/, ''));

test.each<[string, string[]]>([
  [
    cases('When $k is "a"', '**When** $k is "b":', 'Otherwise'),
    ['CND When $k is "a"', 'ELS Otherwise when $k is "b"', 'ELS Otherwise'],
  ],
  [
    '- When $k is 1, F(1)\n- When $k is 2, F(2)\n- Otherwise, F(3)',
    ['CND When $k is 1', 'ELS Otherwise when $k is 2', 'ELS Otherwise'],
  ],
  [
    '- When $k is 1, F(1). When $k is 2, F(2). Otherwise, F(3).',
    ['CND When $k is 1', 'ELS Otherwise when $k is 2', 'ELS Otherwise'],
  ],
  [cases('When $k is 1', 'When $n is 2'), ['CND When $k is 1', 'CND When $n is 2']],
  [
    cases('If $k is 1', 'If $k is 2', 'Otherwise'),
    ['CND If $k is 1', 'CND If $k is 2', 'ELS Otherwise'],
  ],
  [
    '- Depending on $k:\n  - When it is a refund\n    - F(1)\n  - When it is late\n    - F(2)',
    ['CND When it is a refund', 'ELS Otherwise when it is late'],
  ],
  [
    '- Depending on $k:\n  - Case "a":\n    - F(1)\n  - "b": F(2)\n  - Default:\n    - F(3)',
    ['CND When $k is "a"', 'ELS Otherwise when $k is "b"', 'ELS Otherwise'],
  ],
  [
    '- Switch on $k\n  - Case "a": F(1)\n  - Case 2 or 3\n    - F(2)\n  - Else → F(3)',
    ['CND When $k is "a"', 'ELS Otherwise when $k is 2 or $k is 3', 'ELS Otherwise'],
  ],
  [
    '- Match $k\n  - "a" → F(1)\n  - > 3 => F(2)\n  - Case _: F(3)',
    ['CND When $k is "a"', 'ELS Otherwise when $k > 3', 'ELS Otherwise'],
  ],
  [
    '- Switch ($k)\n  - "a"\n    - F(1)\n  - "b"\n    - F(2)',
    ['CND When $k is "a"', 'ELS Otherwise when $k is "b"'],
  ],
  [
    '- Depending on the weather:\n  - Light rain: F(1)\n  - Sun:\n    - F(2)\n  - Others: F(3)',
    [
      'CND When the weather is Light rain',
      'ELS Otherwise when the weather is Sun',
      'ELS Otherwise',
    ],
  ],
])('%s', (lines, want) => {
  expect(codes(stepsOf(lines, '', ['F']))).toEqual(want);
});

test.each([
  ['- Match $k with the list\n  - "a"\n  - "b"', '01:EXE? Match $k with the list'],
  ['- Match the colours:\n  - Red: warm', '01:EXE Match the colours:'],
  ['- Switch on the light\n  - Say "on"', '01:EXE? Switch on the light'],
])('what is no switch stays what it is: %s', (lines, head) => {
  expect(stepsOf(lines)[0]).toBe(head);
});

test('what is said under a switch is no case', () => {
  expect(stepsOf('- Depending on $k:\n  - Say: how it is\n  - Ask: what next')).toEqual([
    ...['01:EXE Depending on $k:', '01.01:QUE Say(user, Say: how it is)'],
    ...['01.02:QUE Say(user, Ask: what next)', '01.03:YLD for user'],
  ]);
});

test('one branch is done, and Otherwise only where none before it has held', async () => {
  for (const [k, want] of [['a', 1] as const, ['b', 2] as const, ['c', 3] as const]) {
    const ordered: unknown[] = [];
    const tool = quickTool('F', ({ n }) => ordered.push(n), orders);
    const lines = cases('When $k == "a"', 'When $k == "b"', 'Otherwise');
    const { result } = await played(program(`- $k = "${k}"\n${lines}\n- Say("end")`), {
      tools: [tool],
      replies: ({ messages }) => followed(messages),
    });
    expect(result.error).toBeUndefined();
    expect(ordered).toEqual([want]);
  }
});
