/**
 * Loops with jumps in their bodies, which returns of playbooks that stand in the place of their
 * calls are, too: what stays in the body changes nothing of how rounds are counted.
 */
import { describe, expect, test } from 'vitest';
import { ops, played } from './played.ts';

type Ops = readonly object[];

const at = (step: string) => ({ step });
const say = (text: string) => ({ say: text });
const set = (name: string, value: unknown) => ({ set: { [name]: value } });
const end: Ops = [at('02'), say('done'), { return: null }];

const desk = (steps: string, rest = ''): string =>
  `# Desk\n## Main\n### Triggers\n- At the beginning\n### Steps\n${steps}\n- Say("done")\n\n${rest}`;

/** Whether all items are done, and how many replies it takes to say so. */
async function play(program: string, operations: Ops) {
  const replies = [ops(...operations, ...end), ops(...end), ops(...end)];
  const { prompts, result, said } = await played(program, { replies, inline: 8 });
  return { prompts, said, error: result.error?.code };
}

const inner = desk(
  [
    ...['- For each $a in [1, 2]', '  - For each $b in [3, 4]', '    - If $b == 3'],
    ...['      - Break', '    - Say("b")', '  - Say("a {$a}")'],
  ].join('\n'),
);

/** The first round of the inner loop leaves it. */
const innerRound = (a: number): Ops => [
  ...[at('01'), set('$a', a), at('01.01'), set('$b', 3), at('01.01.01'), at('01.01.01.01')],
  ...[at('01.02'), say(`a ${a}`), at('01.03')],
];

const greeting = desk(
  '- For each $item in ["tea", "pie", "jam"]\n  - Show($item)',
  '## Show(x)\n### Steps\n- If x == "tea"\n  - Say("tea!")\n  - Return 1\n- Say("no tea")\n',
);

const shown = (item: string): Ops =>
  item === 'tea'
    ? [at('01.01.01'), at('01.01.01.01'), say('tea!'), at('01.01.01.03'), at('01.01.03')]
    : [at('01.01.01'), at('01.01.02'), say('no tea'), at('01.01.03')];

const round = (item: string): Ops => [at('01'), set('$item', item), at('01.01'), ...shown(item)];

const asking = desk(
  '- For each $item in ["tea", "pie"]\n  - Show($item)',
  '## Show(x)\n### Steps\n1. Say("{x}")\n2. If nobody has heard it\n   - Go to step 1\n3. Say("so")\n',
);

/** What is said once more is of the same round. */
const askingRound = (item: string): Ops => [
  ...[at('01'), set('$item', item), at('01.01'), at('01.01.01'), say(item), at('01.01.02')],
  ...[at('01.01.02.01'), at('01.01.01'), say(item), at('01.01.02')],
  ...[at('01.01.03'), say('so')],
];

describe('who does each item is let be', () => {
  test.each<readonly [string, string, Ops, readonly string[]]>([
    ['a Break in a loop within', inner, [...innerRound(1), ...innerRound(2)], ['a 1', 'a 2']],
    [
      ...(['a return in what is called', greeting] as const),
      ['tea', 'pie', 'jam'].flatMap(round),
      ['tea!', 'no tea', 'no tea'],
    ],
    [
      ...(['the same with no word of items', greeting] as const),
      ['tea', 'pie', 'jam'].flatMap((item) => [at('01.01'), ...shown(item)]),
      ['tea!', 'no tea', 'no tea'],
    ],
    [
      ...(['a jump back in it', asking] as const),
      ['tea', 'pie'].flatMap(askingRound),
      ['tea', 'tea', 'so', 'pie', 'pie', 'so'],
    ],
    [
      ...(['a jump back, with no word of items', asking] as const),
      ['tea', 'pie'].flatMap((item) => askingRound(item).filter((_, n) => n > 2)),
      ['tea', 'tea', 'so', 'pie', 'pie', 'so'],
    ],
  ])('%s', async (_, program, operations, words) => {
    const { error, prompts, said } = await play(program, operations);
    expect(error).toBeUndefined();
    expect(said).toEqual([...words, 'done']);
    expect(prompts).toHaveLength(1);
  });
});

describe('who does not is told', () => {
  const early = (item: string): string => `line 01 is left early: go on there with ${item}`;

  test.each<readonly [string, string, Ops, string]>([
    ['a Break in a loop within', inner, innerRound(1), early('item 2 of 2, which is 2')],
    [
      ...(['a return in what is called', greeting, round('tea')] as const),
      early('item 2 of 3, which is "pie"'),
    ],
    [
      ...(['another item behind a return', greeting, ['tea', 'jam'].flatMap(round)] as const),
      'want item 2 of 3, which is "pie"',
    ],
    ['a jump back in it', asking, askingRound('tea'), early('item 2 of 2, which is "pie"')],
  ])('%s', async (_, program, operations, told) => {
    const { error, prompts, said } = await play(program, operations);
    expect(prompts[1]).toContain(told);
    expect([error, said.includes('done')]).toEqual(['PV7303', false]);
  });
});
