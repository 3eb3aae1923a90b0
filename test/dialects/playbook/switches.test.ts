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
])('%s', (lines, want) => {
  expect(codes(stepsOf(lines, '', ['F']))).toEqual(want);
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
