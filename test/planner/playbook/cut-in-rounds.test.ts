/** What is done in the next round of a loop, behind a reply that was cut off in the one before. */
import { describe, expect, test } from 'vitest';
import { link } from '../../../src/dialects/playbook/link/link.ts';
import { compiledOf, readTree } from '../../../src/dialects/playbook/tree-of.ts';
import type { Part } from '../../../src/planner/playbook/parts.ts';
import { quickTool } from '../../engine/support.ts';
import { ops, played } from './played.ts';
import { partsOf } from './sample.ts';

const counting = (line: string) => `# Desk

## Main
### Triggers
- At the beginning
### Steps
- $n = 0
- For each $s in ["A", "B", "C"]
  - $c = count($s)
  - $n = $n + 1
  - ${line}
- Return $n

## Fired
### Triggers
- When $n > 1
### Steps
- Say("fired")
`;

const letters = { type: 'object', properties: { s: { type: 'string' } }, required: ['s'] };

const toSay = [{ step: '02.03' }, { yield: 'call' }];

/** Up to the wait for what is counted. */
const round = (s: string, n: number) => [
  ...[{ step: '02' }, { set: { $s: s } }, { step: '02.01' }],
  ...[{ call: 'count', args: { s: '$s' }, into: '$c' }, { step: '02.02' }, { set: { $n: n } }],
];

test('a message of the next round is said', async () => {
  const calls: unknown[] = [];
  const count = quickTool('count', ({ s }) => calls.push(s), { parameters: letters });
  const say = [{ step: '02.04' }, { say: '{$s}: {$c}' }, { step: '02.05' }];
  const replies = [
    ops({ step: '01' }, { set: { $n: 0 } }, ...round('A', 1), ...toSay),
    ops(...say, ...round('B', 2), ...toSay),
    ops({ step: '01' }, { say: 'fired' }),
    ops({ step: '02.03' }, ...say, ...round('C', 3), ...toSay),
    ops(...say, { step: '02' }, { step: '03' }, { return: '$n' }),
  ];
  const { result, said } = await played(counting('Say("{$s}: {$c}")'), { replies, tools: [count] });
  expect([calls, said]).toEqual([
    ['A', 'B', 'C'],
    ['A: 1', 'fired', 'B: 2', 'C: 3'],
  ]);
  expect(result).toMatchObject({ status: 'done', answer: 3, warnings: [] });
});

describe('a call that a line in words makes as the line before it has', () => {
  const twice = (more: string) =>
    `# Desk\n\n## Main\n### Triggers\n- At the beginning\n### Steps\n- Do as the rules say\n` +
    `- $n = 2\n- Do as the rules say, again\n${more}`;
  const fires = '\n## Fired\n### Triggers\n- When $n > 1\n### Steps\n- Say("fired")\n';
  const begins = [{ step: '01' }, { call: 'ring', args: {} }, { step: '02' }, { set: { $n: 2 } }];
  const again = ops({ step: '03' }, { call: 'ring', args: {} }, { yield: 'call' });

  test.each([
    ['that a trigger has cut off', fires, '{"yield":"call"}'],
    ['with a line that there is not', '', '{"step":"99"}'],
    ['that has broken off', '', '{"step":"0'],
  ])('is made behind a reply %s', async (_, more, end) => {
    const calls: unknown[] = [];
    const ring = quickTool('ring', () => calls.push('ring'), { effect: 'write' });
    const fired = more === '' ? [] : [ops({ step: '01' }, { say: 'fired' })];
    const replies = [`${ops(...begins)}\n${end}`, ...fired, again, ops({ return: null })];
    const { result } = await played(twice(more), { replies, tools: [ring] });
    expect([result.status, calls]).toEqual(['done', ['ring', 'ring']]);
  });

  test('is not made where the whole reply is told again', async () => {
    const calls: unknown[] = [];
    const ring = quickTool('ring', () => calls.push('ring'), { effect: 'write' });
    const whole = ops(...begins, { step: '03' }, { call: 'ring', args: {} }, { yield: 'call' });
    const replies = [`${ops(...begins)}\n{"step":"99"}`, whole, ops({ return: null })];
    const { result } = await played(twice(''), { replies, tools: [ring] });
    expect([result.status, calls]).toEqual(['done', ['ring', 'ring']]);
  });
});

test('where a reply is at counts, though another one before it waited for what it called', () => {
  const program = counting('Say("{$s}: {$c}")').replace('count($s)', 'FreeBikes($s)');
  const file = link(compiledOf(readTree(program).tree, ['FreeBikes']), {
    ...{ inlineSteps: 0, isWrite: () => false },
  });
  const [playbook] = file.agents[0]?.playbooks ?? [];
  const variables = ['n', 's', 'c'].map((name) => ({ name, scope: 'state' as const }));
  const of = (s: string): string =>
    ops(...round(s, 1)).replace(/"count","args":.*?\}/, `"FreeBikes","args":{"day":"${s}"}`);
  const standing = (reply: string, done: readonly Part[]): Part[] =>
    partsOf(reply, { ...(playbook && { playbook }), line: '02', variables, done }).parts.filter(
      ({ op }) => op !== 'end',
    );
  const problem = { op: 'problem', code: 'PV7308', text: '', line: '' } as const;
  const cut: Part = { ...problem, isFromOutside: true };
  const first = standing(of('A'), []).filter(({ op }) => op !== 'yield');
  const say = [{ step: '02.03' }, { step: '02.04' }, { say: '{$s}: {$c}' }, { step: '02.05' }];
  const second = standing(`${ops(...say)}\n${of('B')}`, [...first, cut]);
  const [set] = second.splice(second.findIndex((one) => one.op === 'set' && one.name === 'n'));
  expect(set).toMatchObject({ op: 'set', line: '02.02' });
  const done = [...first, cut, ...second, problem];
  const end = partsOf('', { ...(playbook && { playbook }), line: '02', variables, done }).parts.at(
    -1,
  );
  expect(end).toMatchObject({ op: 'end', line: '02.02' });
});
