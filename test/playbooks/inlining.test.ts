/** A playbook in the place of its call comes to what it comes to by itself, in as many turns at most. */
import { expect, test } from 'vitest';
import { type PlayOptions, played } from '../planner/playbook/played.ts';
import { desk } from './desk.ts';

type Story = readonly [text: string, result: unknown, options?: Partial<PlayOptions>];

const ops = (...all: readonly object[]): string => all.map((one) => JSON.stringify(one)).join('\n');

/** A model that does the line where it is, one reply after the other. */
const inTurn =
  (...replies: readonly object[][]): PlayOptions['replies'] =>
  ({ number, prompt }) => {
    const at = prompt.match(/(?<=[Yy]ou are at )\d+(?:\.\d+)*/g)?.at(-1);
    return ops({ at }, ...(replies[number - 1] ?? []));
  };

const stories: Readonly<Record<string, Story>> = {
  'arguments, defaults and results': [
    desk(
      '- $a = Sum(2)\n- $b = Sum(3, m=4)\n- $n = 9\n- Return [$a, $b, $n]',
      '## Sum($n, $m=10)\n### Steps\n- $t = $n + $m\n- Return $t\n',
    ),
    [12, 7, 9],
  ],
  'returns in the midst of a block, and none at all': [
    desk(
      '- $a = Kind(1)\n- $b = Kind(5)\n- $c = Kind(50)\n- Return [$a, $b, $c]',
      '## Kind($n)\n### Steps\n- If $n < 3\n  - Return "few"\n- Else if $n < 10\n  - Return "some"\n- $seen = $n\n',
    ),
    ['few', 'some', null],
  ],
  'loops with breaks, and jumps': [
    desk(
      '- $total = 0\n- For each $x in [1, 2, 3]\n  - $y = Upto($x)\n  - $total += $y\n- Return $total',
      '## Upto($n)\n### Steps\n- $i = 0\n- While True\n  - $i += 1\n  - If $i >= $n\n    - Break\n- Go to step 5\n- $i = 100\n- Return $i\n',
    ),
    6,
  ],
  'playbooks within playbooks': [
    desk(
      '- $x = Outer(1)\n- $x = Outer($x)\n- Return $x',
      '## Outer($n)\n### Steps\n- $m = Inner($n)\n- Return $m * 2\n\n## Inner($n)\n### Steps\n- Return $n + 1\n',
    ),
    10,
  ],
  'open lines, and names that both have': [
    desk(
      '- word = "slow"\n- $a = Praise("race")\n- Say("{$a}, not {word}")\n- Return $a',
      '## Praise(kind)\n### Steps\n- word = "a"\n- Find a nice word for {kind}, as $nice\n- Return "{word} {$nice} {kind}"\n',
    ),
    'a fast race',
    { replies: inTurn([{ set: { nice: 'fast' } }]) },
  ],
  'questions, which wait': [
    desk(
      '- $a = Wish("bike")\n- $b = Wish("boat")\n- Return [$a, $b]',
      '## Wish($what)\n### Steps\n- wish = Ask(user, "Which {$what}?")\n- Return wish\n',
    ),
    ['red', 'blue'],
    { answers: ['red', 'blue'] },
  ],
  'a playbook that ends the program': [
    desk('- $x = 1\n- Stop()\n- $x = 2\n- Return $x', '## Stop\n### Steps\n- End program\n'),
    undefined,
  ],
};

test.each(Object.entries(stories))('%s', async (_, [text, result, options = {}]) => {
  const results = await Promise.all(
    [0, 8].map(async (inline) => {
      const play = await played(text, { replies: [], inline, ...options });
      return [play.result.status, play.result.answer, play.said, play.prompts.length];
    }),
  );
  expect(results[1]).toEqual(results[0]);
  if (result !== undefined) expect(results[0]?.[1]).toEqual(result);
});

test('what a playbook was given is shown at each of its lines, as they write it', async () => {
  const text = desk(
    '- $a = Praise("race")\n- Return $a',
    '## Praise($kind)\n### Steps\n- Find a word for $kind, as $word\n- Ask user for $more\n' +
      '- Find another word for $kind, as $nice\n- Return "{$word} {$nice} {$kind}"\n',
  );
  const { prompts, result } = await played(text, {
    replies: inTurn([
      { set: { word: 'a' } },
      { say: 'More?' },
      { set: { more: 1 } },
      { set: { nice: 'fast' } },
    ]),
    inline: 8,
    answers: ['yes'],
  });
  expect(result.answer).toBe('a fast race');
  expect(prompts[0]).toContain('$Praise__kind = "race"');
  expect(prompts.join('\n')).not.toContain('not shown');
});
