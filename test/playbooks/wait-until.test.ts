/** Waits until a day, a date, a time in a variable; and for people and events until one. */
import { describe, expect, test } from 'vitest';
import { ops } from '../planner/playbook/played.ts';
import { playedIn, program, timed } from './timed.ts';

describe('a time that is in a variable', () => {
  const play = (line: string, value: unknown, ...more: readonly string[]) => {
    const world = timed();
    const replies = [
      ops({ step: '01' }, { set: { $t: value } }, { step: '02' }, { yield: 'timer' }),
      ...more,
      ops({ step: '03' }, { return: 'rested' }),
    ];
    const text = program(`- $t = words for it\n- ${line}\n- Return "rested"\n`);
    return playedIn(world, text, replies).then((ended) => ({ ...ended, log: world.log }));
  };

  test.each<readonly [string, unknown, number]>([
    ['Wait $t seconds', 90, 90],
    ['Wait until {$t}', '17:30', 34_200],
    ['Wait until {$t}', '2026-01-03T09:00:00Z', 176_400],
    ['Wait for {$t}', '5 minutes', 300],
  ])('is read by the machine: %s with %o', async (line, value, seconds) => {
    const named = line.replace('{$t}', '$time').replace('$t ', '$time ');
    const world = timed();
    const set = [{ step: '01' }, { set: { $time: value } }, { step: '02' }, { yield: 'timer' }];
    const { result } = await playedIn(
      world,
      program(`- $time = words for it\n- ${named}\n- Return "rested"\n`),
      [ops(...set), ops({ step: '03' }, { return: 'rested' })],
    );
    expect(result).toMatchObject({ status: 'done', answer: 'rested' });
    expect(world.log).toEqual([`sleep ${seconds}`]);
  });

  test('is asked for in words, where it is none', async () => {
    const { prompts, log } = await play(
      'Wait $t minutes',
      'some',
      ops({ yield: 'timer 2 minutes' }),
    );
    expect(prompts[1]).toContain('got the time "some minutes", want one such as 5 minutes, 17:30');
    expect(prompts[1]).toContain('Go on at line 02.');
    expect(log).toEqual(['sleep 120']);
  });
});

// The world begins on Thursday, the first of January, at eight.
test.each([
  ['Monday', 316_800],
  ['Monday at 9:00 in Berlin', 345_600],
  ['tomorrow', 57_600],
  ['tomorrow at 9:00', 90_000],
  ['2026-01-03 at 8:00', 172_800],
  ['2025-12-24', 0],
])('a wait until %s is computed', async (moment, seconds) => {
  const world = timed();
  await playedIn(world, program(`- Wait until ${moment}\n- Return 1`), [
    ops({ step: '01' }, { yield: 'timer' }),
    ops({ step: '02' }, { return: 1 }),
  ]);
  expect(world.log).toEqual([`sleep ${seconds}`]);
});

test.each([
  ['Wait for the user until 9:00', 'user', 'No answer has come within 3600 seconds.', 3600],
  [
    'Wait up to 5 minutes for the event paid',
    'event',
    'The event paid has not come within 300 seconds.',
    300,
  ],
])('%s is over then', async (line, reason, note, seconds) => {
  const world = timed();
  const text = program(`- Say("Well?")\n- ${line}\n- Return 1`);
  const { prompts } = await playedIn(world, text, [
    ops({ step: '01' }, { say: 'Well?' }, { step: '02' }, { yield: reason }),
    ops({ step: '03' }, { return: 1 }),
  ]);
  expect(world.log).toEqual([`nobody for ${seconds}`]);
  expect(prompts[1]).toContain(note);
});

describe('a meeting that waits', () => {
  const play = async (line: string, ahead: readonly object[] = []) => {
    const world = timed();
    const text =
      `${program('- Talk()\n- Return "over"')}\n## Talk(n=90)\nmeeting: true\n` +
      `required_attendees: [User]\n### Steps\n- Ask the meeting for a dish\n- ${line}\n- Return 1\n`;
    const { result, prompts } = await playedIn(world, text, [
      ops({ step: '01' }, { call: 'Talk' }, { step: '02' }, { return: 'over' }),
      ops(...ahead, { step: '01' }, { say: 'A dish?', to: 'meeting' }, { step: '02' }, wait),
      ops({ step: '03' }, { return: 1 }),
    ]);
    expect(result.error).toBeUndefined();
    return { log: world.log, told: prompts.at(-1) };
  };
  const wait = { yield: 'meeting' };

  test.each([
    ['Wait until 9:00 for the meeting', 3600],
    ['Wait for the meeting until 9:00', 3600],
    ['Wait $n minutes for the meeting', 120],
    ['Wait 5 minutes for the meeting', 300],
  ])('%s names who has said nothing by then', async (line, seconds) => {
    const { log, told } = await play(line, line.includes('$n') ? [{ set: { $n: 2 } }] : []);
    expect(log).toEqual([`nobody for ${seconds}`]);
    expect(told).toContain(`No answer has come from User within ${seconds} seconds.`);
  });

  test('does not cut who speaks: the time decides who is still asked', async () => {
    const world = timed([[0, 'three']]);
    const text = `# Desk
## Main
### Triggers
- At the beginning
### Steps
- Talk()
- Return "over"

## Talk
meeting: true
required_attendees: [Cook, User]
### Steps
- Ask the meeting for a dish
- Wait up to 5 minutes for the meeting
- Return 1

# Clara:Human

# Cook
You cook.

## Talk
meeting: true
### Steps
- Wait 10 minutes
- Ask Clara for the $price
- Tell the meeting that there is soup
`;
    const { result, prompts } = await playedIn(world, text, [
      ops({ step: '01' }, { call: 'Talk' }, { step: '02' }, { return: 'over' }),
      ops({ step: '01' }, { say: 'A dish?', to: 'meeting' }, { step: '02' }, wait),
      ops({ step: '01' }, { yield: 'timer' }),
      ops({ step: '02' }, { say: 'What is it?', to: 'Clara' }, { step: '03' }, { yield: 'user' }),
      ops({ set: { $price: 3 } }, { step: '04' }, { say: 'Soup, for 3.', to: 'meeting' }),
      ops({ step: '03' }, { return: 1 }),
    ]);
    expect(result.error).toBeUndefined();
    expect(world.log).toEqual(['sleep 600', 'answered: three']);
    expect(prompts[4]).toContain('Clara wrote: "three"');
    expect(prompts.at(-1)).toContain('Cook said: "Soup, for 3."');
    expect(prompts.at(-1)).toContain('No answer has come from User within 300 seconds.');
  });
});
