/**
 * A question that is put although its variable has a value: from the answer on it has none, until
 * the model sets it to what was answered. So a later round of a loop is held as the first one is.
 */
import { describe, expect, test } from 'vitest';
import { ops, played } from './played.ts';

const program = (...lines: readonly string[]) =>
  `# Trips\n## Main\n### Triggers\n- At the beginning\n### Steps\n${lines.join('\n')}\n`;

const at = (step: string) => ({ step });
const set = (name: string, value: unknown) => ({ set: { [name]: value } });

const loop = program(
  ...['- Twice:', '  - Ask user for $word', '  - Say("Thanks for {$word}.")', '- Return $word'],
);
const asks = [at('01'), at('01.01'), { say: 'Word?' }, at('01.02'), { yield: 'user' }];
const thanks = [at('01.03'), { say: 'Thanks for {$word}.' }];
const ends = [...thanks, at('02'), { return: '$word' }];

test.each<readonly [string, readonly object[]]>([
  ['reads it', ends],
  ['sets it to itself', [set('word', '$word'), ...ends]],
  ['returns it', [at('01.03'), { say: 'Thanks.' }, at('02'), { return: '$word' }]],
])('who goes on without the answer and %s is told', async (_, without) => {
  const own = loop.replace('"Thanks for {$word}."', 'thank them');
  const { result, said, prompts } = await played(_ === 'returns it' ? own : loop, {
    replies: [
      ops(...asks),
      ops(set('word', 'one'), ...thanks, ...asks),
      ops(...without),
      ops(set('word', 'two'), ...(_ === 'returns it' ? [at('02'), { return: '$word' }] : ends)),
    ],
    answers: ['one', 'two'],
  });
  expect(prompts[3]).toContain('$word was asked for, and has still to be set to what was answered');
  expect(result).toMatchObject({ status: 'done', answer: 'two' });
  expect(said.filter((one) => one === 'Thanks for one.')).toHaveLength(1);
});

test.each(['one', 'two'])('what is answered may be what it was: %s', async (word) => {
  const { result, prompts } = await played(loop, {
    replies: [
      ops(...asks),
      ops(set('word', 'one'), ...thanks, ...asks),
      ops(set('word', word), ...ends),
    ],
    answers: ['one', word],
  });
  expect(result).toMatchObject({ status: 'done', answer: word, warnings: [] });
  expect(prompts).toHaveLength(3);
});

describe('of several that were asked for', () => {
  const two = program(
    ...['- Twice:', '  - Ask user for $day and $people', '  - Say("{$people} on {$day}.")'],
    '- Return $people',
  );
  const ask = [at('01'), at('01.01'), { say: 'When, for how many?' }, at('01.02')];
  const tell = [at('01.03'), { say: '{$people} on {$day}.' }];
  const first = ops(
    ...[set('day', 'Monday'), set('people', 2), ...tell],
    ...[...ask, { yield: 'user' }],
  );
  const rest = ops(
    ...[set('day', 'Friday'), at('01.01'), { say: 'For how many?' }],
    ...[at('01.02'), { yield: 'user' }],
  );
  const end = [...tell, at('02'), { return: '$people' }];

  test('what is left is asked for, and what was answered stays', async () => {
    const { result, said } = await played(two, {
      replies: [ops(...ask, { yield: 'user' }), first, rest, ops(set('people', 3), ...end)],
      answers: ['Monday, two', 'Friday', 'three'],
    });
    expect(result).toMatchObject({ status: 'done', answer: 3, warnings: [] });
    expect(said.at(-1)).toBe('3 on Friday.');
  });

  test('what is left and not set is told of', async () => {
    const { result, prompts } = await played(two, {
      replies: [
        ...[ops(...ask, { yield: 'user' }), first, rest],
        ...[ops(...end), ops(set('people', 3), ...end)],
      ],
      answers: ['Monday, two', 'Friday', 'three'],
    });
    expect(prompts[4]).toContain('$people was asked for');
    expect(prompts[4]).not.toContain('$day was asked for');
    expect(result).toMatchObject({ status: 'done', answer: 3 });
  });
});

test('who sets it before anybody has answered is told, in each round', async () => {
  const early = [at('01'), at('01.01'), { say: 'Word?' }, at('01.02'), set('word', 'mine')];
  const { result, prompts } = await played(loop, {
    replies: [
      ops(...asks),
      ops(set('word', 'one'), ...thanks, ...early, { yield: 'user' }),
      ops({ yield: 'user' }),
      ops(set('word', 'two'), ...ends),
    ],
    answers: ['one', 'two'],
  });
  expect(prompts[2]).toContain('nobody has said yet what $word is');
  expect(result).toMatchObject({ status: 'done', answer: 'two' });
});

test('what was known where it is asked for first is known', async () => {
  const given = program('- Ask user for $day and $people', '- Return $day').replace(
    '## Main',
    '## Main($day="Monday")',
  );
  const { result, prompts } = await played(given, {
    replies: [
      ops(at('01'), { say: 'For how many?' }, at('02'), { yield: 'user' }),
      ops(set('people', 3), at('03'), { return: '$day' }),
    ],
    answers: ['three'],
  });
  expect(result).toMatchObject({ status: 'done', answer: 'Monday', warnings: [] });
  expect(prompts).toHaveLength(2);
});
