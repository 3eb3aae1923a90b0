/** Loops with a line in words in their bodies that goes back: to before them, to their head, or less. */
import { expect, test } from 'vitest';
import { ops, played } from './played.ts';

type Ops = readonly object[];

const at = (step: string) => ({ step });
const say = (text: string) => ({ say: text });

const desk = (words: string): string =>
  [
    ...['# Desk', '## Main', '### Triggers', '- At the beginning', '### Steps', '- Say("first")'],
    ...['- For each $x in ["a", "b", "c"]', '  - Say("at {$x}")', '  - Say("{$x}")'],
    ...['  - If the guest is lost', `    - ${words}`, '- Say("done")', '- Return 1', ''],
  ].join('\n');

const before = desk('Go back to what you said first');
const toHead = desk('Start over with the list');
const inRound = desk('Go back to where you are');

/** A round: with its item set, or not; or with no word of the head. */
const round = (x: string, how: 'set' | 'unset' | 'alone'): Ops => [
  ...(how === 'alone' ? [] : [at('02')]),
  ...(how === 'set' ? [{ set: { $x: x } }] : []),
  ...[at('02.01'), say(`at ${x}`), at('02.02'), say(x), at('02.03')],
];
const rounds = (all: string, how: 'set' | 'unset'): Ops => [...all].flatMap((x) => round(x, how));
const saidIn = (all: string) => [...all].flatMap((x) => [`at ${x}`, x]);

const lost = at('02.03.01');
const first: Ops = [at('01'), say('first')];
const end: Ops = [at('02'), at('03'), say('done'), at('04'), { return: 1 }];

test.each<readonly [string, string, Ops, readonly string[]]>([
  ...(['set', 'unset'] as const).map(
    (how) =>
      [
        ...([`to before the loop, its items ${how}`, before] as const),
        [...first, ...rounds('ab', how), lost, ...first, ...rounds('abc', how)],
        ['first', ...saidIn('ab'), 'first', ...saidIn('abc')],
      ] as const,
  ),
  [
    ...(['to the head, with the first item', toHead] as const),
    [...first, ...rounds('ab', 'set'), lost, ...rounds('abc', 'set')],
    ['first', ...saidIn('ababc')],
  ],
  [
    ...(['to the head, for the next item', toHead] as const),
    [...first, ...rounds('a', 'set'), lost, ...rounds('bc', 'set')],
    ['first', ...saidIn('abc')],
  ],
  [
    ...(['in the round', inRound] as const),
    [...first, ...round('a', 'unset'), lost, ...round('a', 'alone'), ...rounds('bc', 'unset')],
    ['first', ...saidIn('aabc')],
  ],
])('a line in words goes back %s, and each item is done', async (_, program, operations, words) => {
  const { prompts, result, said } = await played(program, {
    replies: [ops(...operations, ...end)],
  });
  expect(result.error).toBeUndefined();
  expect([said, prompts.length]).toEqual([[...words, 'done'], 1]);
});

test.each<readonly [string, Ops, string]>([
  [
    'behind it',
    [...rounds('a', 'set'), lost],
    'line 02 is left early: go on there with item 2 of 3',
  ],
  ['from no such line', rounds('a', 'set'), 'line 01 does not come after line 02.03'],
])('who leaves the loop %s is told', async (where, operations, told) => {
  const rest = where === 'behind it' ? end : first;
  const replies = [ops(...first, ...operations, ...rest), ops(...rest)];
  const { prompts } = await played(before, { replies });
  expect(prompts[1]).toContain(told);
});
