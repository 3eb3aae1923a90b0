/** A line in words may make something else of the item of its rounds: that begins no other round. */
import { expect, test } from 'vitest';
import { quickTool } from '../../engine/support.ts';
import { ops, played } from './played.ts';

const program = (list: string, last = true): string => `# Desk
## Main
### Triggers
- At the beginning
### Steps
- $all = ["ann", "ben"]
- For each $name in ${list}
  - Correct the spelling of $name
${last ? '' : '  - Say("Hello {$name}")\n'}- Return $name
`;

const at = (step: string) => ({ step });
const begun = [at('01'), { set: { all: ['ann', 'ben'] } }];

const round = (name: string, hello: boolean): readonly object[] => [
  ...[at('02'), { set: { name } }, at('02.01'), { set: { name: name.toUpperCase() } }],
  ...(hello ? [at('02.02'), { say: 'Hello {$name}' }, at('02.03')] : [at('02.02')]),
];

const end = [at('02'), at('03'), { return: '$name' }];

test.each([
  ['$all', true],
  ['$all', false],
  ['["ann", "ben"]', true],
  ['["ann", "ben"]', false],
])('each item once, in rounds over %s', async (list, hello) => {
  const whole = [...begun, ...round('ann', hello), ...round('ben', hello), ...end];
  for (const strictness of ['repair', 'enforce', 'advise'] as const) {
    const { result, said } = await played(program(list, !hello), {
      ...{ strictness, replies: [ops(...whole)] },
    });
    expect([result.error, result.answer, result.warnings]).toEqual([undefined, 'BEN', []]);
    expect(said).toEqual(hello ? ['Hello ANN', 'Hello BEN'] : []);
  }
});

test('also where the line names the item without its dollar', async () => {
  const whole = [...begun, ...round('ann', true), ...round('ben', true), ...end];
  const text = program('$all', false).replace('of $name', 'of the name');
  const { result, said } = await played(text, { replies: [ops(...whole)] });
  expect([result.error, result.warnings]).toEqual([undefined, []]);
  expect(said).toEqual(['Hello ANN', 'Hello BEN']);
});

const saying = (head: string, behind: string, rounds: readonly (readonly [unknown, string])[]) => [
  ...rounds.flatMap(([name, made]) => [
    ...[at(head), { set: { name } }, at(`${head}.01`), { set: { name: made } }],
    ...[at(`${head}.02`), { say: 'Hello {$name}' }],
  ]),
  ...[at(head), at(behind), { return: '$name' }],
];

test('one of a list that is too long to be shown', async () => {
  const all = [...Array(12)].map((_, n) => `n${n}${'x'.repeat(180)}`);
  const names = quickTool('names', () => all, {
    effect: 'read',
    parameters: { type: 'object', properties: {} },
  });
  const text = program('$all', false).replace('["ann", "ben"]', 'names()');
  const { result, said } = await played(text, {
    tools: [names],
    replies: [
      ops(at('01'), { call: 'names', args: {}, into: '$all' }, { yield: 'call' }),
      ops(
        ...saying(
          '03',
          '04',
          all.map((one) => [one, one.toUpperCase()]),
        ),
      ),
    ],
  });
  expect([result.error, result.warnings]).toEqual([undefined, []]);
  expect(said).toEqual(all.map((one) => `Hello ${one.toUpperCase()}`));
});

test('a number', async () => {
  const text = program('$all', false).replace('For each $name in $all', 'For $name from 1 to 2');
  const { result, said } = await played(text, {
    replies: [
      ops(
        ...begun,
        ...saying('02', '03', [
          [1, 'no. 1'],
          [2, 'no. 2'],
        ]),
      ),
    ],
  });
  expect([result.error, result.warnings]).toEqual([undefined, []]);
  expect(said).toEqual(['Hello no. 1', 'Hello no. 2']);
});

test('the next item before the round is over is still told', async () => {
  const [one, two] = [round('ann', true).slice(0, 3), { set: { name: 'ben' } }];
  const { result, said } = await played(program('$all', false), {
    replies: [
      ops(...begun, ...one, two, ...round('ben', true).slice(4)),
      ops(...round('ann', true).slice(2), ...round('ben', true), ...end),
    ],
  });
  expect(result.warnings[0]?.message).toContain('line 02.02 was not done, before the next $name');
  expect([result.error, said]).toEqual([undefined, ['Hello ANN', 'Hello BEN']]);
});

test('an item that was made another is gone on with behind a call', async () => {
  const text = program('$all', false).replace('Hello {$name}")', 'Hello {$name}")\n  - Wave()');
  const wave = '\n## Wave\n### Steps\n- Say("waves")\n';
  const first = [...begun, ...round('ann', true).slice(0, -1), at('02.03'), { call: 'Wave' }];
  const second = [...round('ben', true).slice(0, -1), at('02.03'), { call: 'Wave' }];
  const more = { yield: 'call' };
  const { result, said } = await played(text + wave, {
    replies({ prompt }) {
      if (prompt.includes('user: ## Wave')) return ops({ say: 'waves' });
      if (!prompt.includes('Results:')) return ops(...first, more);
      return prompt.includes('item 2 of 2') ? ops(...end) : ops(...second, more);
    },
  });
  expect([result.error, result.answer]).toEqual([undefined, 'BEN']);
  expect(said).toEqual(['Hello ANN', 'waves', 'Hello BEN', 'waves']);
});
