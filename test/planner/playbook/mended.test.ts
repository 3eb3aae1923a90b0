/**
 * A reply that slips behind what it has called is mended: the call is made, its result told, and
 * whoever goes on may do so behind the line that waits for it.
 */
import { describe, expect, test } from 'vitest';
import { quickTool } from '../../engine/support.ts';
import { ops, orders, played } from './played.ts';
import { at, desk, order, wait } from './shop.ts';

/** `give`: what the tool gives in place of how often it was called. */
async function play(program: string, replies: readonly (readonly object[])[], give?: string) {
  const calls: unknown[] = [];
  const call = ({ n }: Readonly<Record<string, unknown>>) => {
    calls.push(n);
    return give ?? calls.length;
  };
  const tool = quickTool('order', call, { ...orders, idempotent: false });
  const ran = await played(program, { replies: replies.map((one) => ops(...one)), tools: [tool] });
  return { ...ran, calls };
}

const two = desk('- $a = order(1)', '- Say("It is {$a}.")', '- $b = order(2)', '- Return $b');
const first = [at('01'), order(1, '$a')];
const slip = [...first, { call: 'nothing', args: {} }];
const said = [at('03'), { say: 'It is {$a}.' }];
const last = [at('04'), order(2, '$b'), wait];
const end = [at('05'), { return: '$b' }];

describe('behind a call of the reply that slipped', () => {
  test.each<readonly [string, readonly object[]]>([
    ['behind the wait', [...said, ...last]],
    ['at the wait, without waiting', [at('02'), ...said, ...last]],
    ['from the beginning, the call left out', [at('01'), ...said, ...last]],
    ['from the beginning, the call repeated', [...first, at('02'), ...said, ...last]],
    ['behind the wait, with the call repeated', [...first, ...said, ...last]],
  ])('who goes on %s gets through', async (_, second) => {
    const { calls, result, said: heard, prompts } = await play(two, [slip, second, end]);
    expect(prompts[1]).toContain('there is no playbook or tool nothing');
    expect([result.status, calls, heard]).toEqual(['done', [1, 2], ['It is 1.']]);
  });

  test('who waits for it once more is let be', async () => {
    const waits = [at('02'), wait];
    const { calls, result } = await play(two, [slip, waits, [...said, ...last], end]);
    expect([result.status, calls]).toEqual(['done', [1, 2]]);
  });

  test('what that reply calls itself is waited for', async () => {
    const thrice = desk('- $a = order(1)', '- Say("{$a}")', '- $b = order(2)', '- Say("{$b}")');
    const rushed = [at('03'), { say: '{$a}' }, at('04'), order(2, '$b'), at('06'), { say: '2' }];
    const { calls, result } = await play(thrice, [slip, rushed]);
    expect(result).toMatchObject({ status: 'failed', error: { code: 'PV7303' } });
    expect(calls).toEqual([1, 2]);
  });

  test('no line but the wait is passed', async () => {
    const { result } = await play(two, [slip, [at('04'), order(2, '$b')]]);
    expect(result).toMatchObject({ status: 'failed', error: { code: 'PV7303' } });
  });
});

describe('in a loop', () => {
  const loop = desk(
    '- For each $n in [1, 2, 3]',
    '  - $slip = order($n)',
    '  - Say("Got {$slip}.")',
    '- Return $slip',
  );
  const called = (n: number) => [at('01'), { set: { $n: n } }, at('01.01'), order('$n', '$slip')];
  const told = [at('01.03'), { say: 'Got {$slip}.' }];

  test('who slips in its first round goes on behind the wait in it', async () => {
    const round = (n: number) => [...called(n), at('01.02'), wait];
    const { calls, said, result } = await play(loop, [
      [...called(1), { call: 'nothing', args: {} }],
      [...told, ...round(2)],
      [...told, ...round(3)],
      [...told, at('02'), { return: '$slip' }],
    ]);
    expect([result.status, calls]).toEqual(['done', [1, 2, 3]]);
    expect(said).toEqual(['Got 1.', 'Got 2.', 'Got 3.']);
  });
});

describe('in rounds that are alike', () => {
  const bad = { call: 'nothing', args: {} };
  const round = [at('01'), at('01.01'), order(1)];
  const got = [at('01.02'), { say: 'Got it.' }];
  const end = [at('02'), { return: 1 }];
  const slip = [...round, ...got, ...round, bad];

  test.each<readonly [string, string, readonly object[]]>([
    ['that are counted, who goes on', 'Three times', [...got, ...round, ...got, ...end]],
    ['who goes on', 'While there is more', [...got, ...round, ...got, ...end]],
    [
      'who names no head and goes on',
      'While there is more',
      [...got, at('01.01'), order(1), ...got, ...end],
    ],
    [
      'that are counted, who tells all again',
      'Three times',
      [...round, ...got, ...round, ...got, ...round, ...got, ...end],
    ],
    [
      'who tells all again',
      'While there is more',
      [...round, ...got, ...round, ...got, ...round, ...got, ...end],
    ],
  ])('%s does each once', async (_, head, second) => {
    const loop = desk(`- ${head}`, '  - order(1)', '  - Say("Got it.")', '- Return 1');
    const { calls, said, result } = await play(loop, [slip, second]);
    expect([result.status, calls, said.length]).toEqual(['done', [1, 1, 1], 3]);
  });

  test('no line of a round is left out because the one before had it', async () => {
    const loop = desk('- Three times', '  - order(1)', '  - Say("Got it.")', '- Return 1');
    const { said, result } = await play(loop, [slip, [...got, ...round, ...end]]);
    expect(result).toMatchObject({ status: 'failed', error: { code: 'PV7303' } });
    expect(said).toHaveLength(2);
  });

  test.each<readonly [string, readonly object[]]>([
    ['behind the wait', []],
    ['at the wait', [at('01.02')]],
  ])('who goes on %s says what is said in each', async (_, wait) => {
    const loop = desk(
      ...['- For each $n in [1, 2, 3]', '  - $slip = order($n)', '  - Say("Got {$slip}.")'],
      '- Return $slip',
    );
    const called = (n: number) => [at('01'), { set: { $n: n } }, at('01.01'), order('$n', '$slip')];
    const waited = [at('01.02'), { yield: 'call' }];
    const told = [at('01.03'), { say: 'Got {$slip}.' }];
    const replies = [
      [...called(1), ...waited],
      [...told, ...called(2), bad],
      [...wait, ...told, ...called(3), ...waited],
      [...told, at('02'), { return: '$slip' }],
    ];
    const { calls, said, prompts, result } = await play(loop, replies, 'it');
    expect(prompts[2]).toContain('Go on at line 01.02. At line 01: item 2 of 3, which is 2.');
    expect([result.status, calls]).toEqual(['done', [1, 2, 3]]);
    expect(said).toEqual(['Got it.', 'Got it.', 'Got it.']);
  });

  test('what may be told again or be another round is not done twice', async () => {
    const loop = desk(
      ...['- While there is more', '  - $slip = order(1)', '  - Say("Got {$slip}.")'],
      '- Return $slip',
    );
    const called = [at('01'), at('01.01'), order(1, '$slip')];
    const told = [at('01.03'), { say: 'Got {$slip}.' }];
    const { calls, said, result } = await play(
      loop,
      [
        [...called, at('01.02'), wait],
        [...told, ...called, bad],
        [...told, ...called, at('01.02'), wait],
        [...told, at('02'), { return: '$slip' }],
      ],
      'it',
    );
    expect([result.status, calls]).toEqual(['done', [1, 1]]);
    expect(said).toEqual(['Got it.', 'Got it.']);
  });

  test.each<readonly [string, readonly number[]]>([
    ['all', [1, 2]],
    ['the round', [2]],
    ['nothing', []],
  ])('the items say that %s is told again', async (_, again) => {
    const loop = desk(
      ...['- For each $n in [1, 2, 3]', '  - order($n)', '  - Say("Got it.")', '- Return 1'],
    );
    const turn = (n: number) => [at('01'), { set: { $n: n } }, at('01.01'), order('$n'), ...got];
    const { calls, said, result } = await play(loop, [
      [...turn(1), ...turn(2), bad],
      [...[...again, 3].flatMap(turn), ...end],
    ]);
    expect([result.status, calls, said.length]).toEqual(['done', [1, 2, 3], 3]);
  });
});
