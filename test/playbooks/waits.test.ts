/** Times, waits and events: what is due is played while a program waits, and the wait goes on. */

import { describe, expect, test } from 'vitest';
import { load } from '../../src/cli/record/load.ts';
import { nextMoment } from '../../src/dialects/playbook/text/moments.ts';
import { secondsIn } from '../../src/dialects/playbook/text/spans.ts';
import { clockOf } from '../../src/dialects/playbook/text/times.ts';
import { EffectFailure } from '../../src/engine/handler.ts';
import { showRun } from '../../src/engine/views/show.ts';
import { quickTool } from '../engine/support.ts';
import { ops, type PlayOptions, played } from '../planner/playbook/played.ts';
import { playedIn, playing, program, timed } from './timed.ts';

test('a pause is a pause, and a program that only waits has not come to a standstill', async () => {
  const world = timed();
  const text = program('- While true\n  - Wait 30 seconds\n- Return 1');
  const round = ops({ step: '01' }, { step: '01.01' }, { yield: 'timer' });
  const { result } = await playedIn(world, text, [
    ...[round, round, round, round, round],
    ops({ step: '01' }, { step: '02' }, { return: 1 }),
  ]);
  expect(result.answer).toBe(1);
  expect(world.log).toEqual(Array(5).fill('sleep 30'));
});

test('what is read in a loop with a pause is read anew in each round', async () => {
  const { tools, log } = timed();
  let asked = 0;
  const poll = quickTool('poll', () => ++asked);
  const text = program('- While true\n  - $n = poll()\n  - Wait 30 seconds\n- Return $n');
  const round = (yields: string) =>
    ops({ step: '01' }, { step: '01.01' }, { call: 'poll', into: '$n' }, { yield: yields });
  const replies = [round('timer 30 seconds'), round('timer 30 seconds'), round('timer 30 seconds')];
  const end = ops({ step: '01' }, { step: '02' }, { return: '$n' });
  const all = { tools: [...tools, poll], replies: [...replies, end] };
  const { result } = await played(text, all);
  expect(result).toMatchObject({ status: 'done', answer: 3 });
  expect(log).toEqual(Array(3).fill('sleep 30'));
});

test('a timer without a time is a problem that is told', async () => {
  const world = timed();
  const { prompts } = await playedIn(world, program('- Wait for $n minutes\n- Return 1'), [
    ops({ step: '01' }, { yield: 'timer soon' }),
    ops({ step: '01' }, { yield: 'timer 2 minutes' }),
    ops({ step: '02' }, { return: 1 }),
  ]);
  expect(prompts[1]).toContain('want a time, such as');
  expect(world.log).toEqual(['sleep 120']);
});

test('who waits for an answer where a line pauses does not take its time for it', async () => {
  const world = timed([[500, 'here']]);
  const text = program('- Say("Come back.")\n- Wait 2 minutes\n- Return 1');
  const { prompts } = await playedIn(world, text, [
    ops({ step: '01' }, { say: 'Come back.' }, { step: '02' }, { yield: 'user' }),
    ops({ step: '02' }, { yield: 'timer' }),
    ops({ step: '03' }, { return: 1 }),
  ]);
  expect(prompts[1]).toContain('"here"');
});

describe('a question that is not waited for for ever', () => {
  const text = program(
    '- Ask user for $n\n- If no answer has come within 5 minutes\n  - Return 0\n- Return $n',
  );
  const asked = ops({ step: '01' }, { say: 'How many?' }, { step: '02' }, { yield: 'user' });

  test('goes on when nobody answers', async () => {
    const world = timed([[301, '7']]);
    const { result, prompts } = await playedIn(world, text, [
      asked,
      ops({ step: '03' }, { step: '03.01' }, { return: 0 }),
    ]);
    expect(result.answer).toBe(0);
    expect(prompts[0]).toContain('02:YLD for user within 5 minutes');
    expect(prompts[1]).toContain('No answer has come within 300 seconds.');
    expect(world.log).toEqual(['nobody for 300']);
  });

  test('takes the answer that comes in time', async () => {
    const world = timed([[299, '7']]);
    const { result, prompts } = await playedIn(world, text, [
      asked,
      ops({ set: { n: 7 } }, { step: '03' }, { step: '04' }, { return: '$n' }),
    ]);
    expect(result.answer).toBe(7);
    expect(prompts[1]).toContain('The person wrote: "7"');
  });
});

test('of several who are asked, who does not answer is named, and what is due is played', async () => {
  const world = timed([[10, 'on Monday']]);
  const steps =
    '- Ask Clara for the $day\n- Ask Bob for the $sum\n- Wait 5 minutes for their answers\n' +
    '- Return $day';
  const text = program(steps, playing('After 1 minute', '- Return "tick"'));
  const { result, prompts } = await playedIn(world, `${text}\n# Clara:Human\n\n# Bob:Human\n`, [
    ops(
      ...[{ step: '01' }, { say: 'When?', to: 'Clara' }, { step: '02' }],
      ...[{ say: 'How much?', to: 'Bob' }, { step: '03' }, { yield: 'user' }],
    ),
    ops({ return: 'tick' }),
    ops({ set: { $day: 'Monday' } }, { step: '04' }, { return: '$day' }),
  ]);
  expect(result.answer).toBe('Monday');
  expect(prompts[0]).toContain('03:YLD for user within 5 minutes');
  expect(prompts[2]).toContain('Clara wrote: "on Monday"');
  expect(prompts[2]).toContain('No answer has come from Bob within 300 seconds.');
  expect(world.log).toEqual(['answered: on Monday', 'nobody for 60', 'nobody for 230']);
});

describe('triggers about time', () => {
  // A process that was away for longer than the wait could last.
  test.each([
    ['- Ask user for $n within 10 minutes', 'user', 'No answer has come within 600 seconds.'],
    ['- Wait up to 10 minutes for the event paid', 'event', 'has not come within 600 seconds.'],
  ])('that were due before a wait was over fire before it is: %s', async (line, wait, late) => {
    const world = timed();
    const away = quickTool('ask', () => {
      world.pass(3600);
      throw new EffectFailure('PV4021', 'nobody answered', { answered: true });
    });
    const tools = [...world.tools.filter(({ spec }) => spec.name !== 'ask'), away];
    const text = program(`${line}\n- Return 1`, playing('After 5 minutes', '- Say("Time.")'));
    const asked = wait === 'user' ? [{ say: 'How many?' }, { step: '02' }] : [];
    const { prompts, said } = await playedIn({ ...world, tools }, text, [
      ops({ step: '01' }, ...asked, { yield: wait }),
      ops({ step: '01' }, { say: 'Time.' }, { return: null }),
      ops({ step: wait === 'user' ? '03' : '02' }, { return: 1 }),
    ]);
    expect(said.at(-1)).toBe('Time.');
    expect(prompts[1]).toContain('It is time: After 5 minutes');
    expect(prompts[2]).toContain(late);
  });

  test('fire while the program waits for somebody, who is asked again', async () => {
    const world = timed([[400, 'done']]);
    const text = program(
      '- Ask user whether it is done\n- Return 1',
      playing('After 5 minutes', '- Say("Still here.")'),
    );
    const { said, prompts } = await playedIn(world, text, [
      ops({ step: '01' }, { say: 'Done?' }, { step: '02' }, { yield: 'user' }),
      ops({ step: '01' }, { say: 'Still here.' }, { return: null }),
      ops({ step: '03' }, { return: 1 }),
    ]);
    expect(said).toEqual(['Done?', 'Still here.']);
    expect(world.log).toEqual(['nobody for 300', 'answered: done']);
    expect(prompts[1]).toContain('It is time: After 5 minutes');
    expect(prompts[2]).toContain('After 5 minutes: Desk.Due was played');
  });

  test('that come while a reply is written fire behind it, before what comes then', async () => {
    const world = timed();
    const text = program(
      '- Say("One.")\n- $n = 1\n- Helper()\n- Say("Two.")\n- Return 1',
      `## Helper\n### Steps\n- Say("Help.")\n\n${playing('After 5 minutes', '- Say("Time.")')}`,
    );
    const replies = [
      ops({ step: '01' }, { say: 'One.' }, { step: '02' }, { set: { $n: 1 } }, { step: '03' }),
      ops({ call: 'Helper' }, { yield: 'call' }),
      ops({ step: '01' }, { say: 'Help.' }, { return: null }),
      ops({ step: '01' }, { say: 'Time.' }, { return: null }),
      ops({ say: 'Two.' }, { return: 1 }),
    ];
    const [first = '', call = '', ...rest] = replies;
    const left = [`${first}\n${call}`, ...rest];
    const { said, prompts, result } = await playedIn(world, text, ({ number }) => {
      if (number === 2) world.pass(301);
      return left[number - 1] ?? '';
    });
    expect(result.answer).toBe(1);
    expect(said).toEqual(['One.', 'Help.', 'Time.', 'Two.']);
    expect(prompts[2]).toContain('It is time: After 5 minutes');
    expect(world.log).toEqual([]);
  });

  test('that end the program leave nothing that is still waited for', async () => {
    const world = timed([[9999, 'never asked']]);
    const text = program(
      '- Ask user for $n\n- Return $n',
      playing('After 5 minutes', '- End program'),
    );
    const { result } = await playedIn(world, text, ({ number }) => {
      if (number === 1) world.pass(301);
      return number === 1
        ? ops({ step: '01' }, { say: 'How many?' }, { step: '02' }, { yield: 'user' })
        : ops({ step: '01' }, { yield: 'exit' });
    });
    expect(result.status).toBe('done');
    expect(world.log).toEqual([]);
  });

  test('fire again and again until the program ends, and miss nothing twice', async () => {
    const world = timed();
    const text = program(
      '- $n = 0\n- Wait 25 seconds\n- Return $n',
      playing('Every 10 seconds', '- $n = the next number\n- If $n is 4\n  - End program'),
    );
    let n = 0;
    const { result } = await playedIn(world, text, ({ prompt }) => {
      if (prompt.includes('## Due')) {
        n++;
        const end = n === 4 ? [{ step: '02.01' }, { yield: 'exit' }] : [{ return: null }];
        return ops({ step: '01' }, { set: { n } }, { step: '02' }, ...end);
      }
      if (prompt.includes('Go on at line 03')) return ops({ step: '03' }, { return: '$n' });
      return ops({ step: '01' }, { set: { n: 0 } }, { step: '02' }, { yield: 'timer' });
    });
    expect(result.answer).toBe(2);
    expect(world.log).toEqual(['sleep 10', 'sleep 10', 'sleep 5', 'sleep 5', 'sleep 10']);
  });

  test('fire each day at their time', async () => {
    const world = timed();
    const text = program('- Return 1', playing('Every day at 9:30', '- End program'));
    const { journal, result } = await playedIn(world, text, [
      ops({ return: 1 }),
      ops({ step: '01' }, { yield: 'exit' }),
    ]);
    expect(world.log).toEqual(['sleep 5400']);
    // What nobody's line asks for is shown as what it is for.
    const { effects } = showRun({ journal, run: result.run, load });
    const clocks = effects.filter(({ name }) => ['due_time', 'sleep'].includes(name));
    expect(clocks.map(({ step, name }) => `${step} ${name}`).slice(0, 2)).toEqual([
      'Due due_time',
      'Due sleep',
    ]);
  });

  test.each<[string, number, object]>([
    ['until 9:00', 3600, { yield: 'timer' }],
    ['till noon', 14_400, { yield: 'timer' }],
    ['until 9:00 Europe/Berlin', 86_400, { yield: 'timer until 9:00 Europe/Berlin' }],
  ])('a line waits %s', async (when, seconds, wait) => {
    const world = timed();
    const { result } = await playedIn(world, program(`- Wait ${when}\n- Return 1`), [
      ops({ step: '01' }, wait),
      ops({ step: '02' }, { return: 1 }),
    ]);
    expect(result.answer).toBe(1);
    expect(world.log).toEqual([`sleep ${seconds}`]);
  });

  const fires = async (trigger: string, options: Partial<PlayOptions> = {}) => {
    const world = timed();
    const ending = '- $n = the next number\n- If $n is 2\n  - End program';
    let n = 0;
    await playedIn(
      world,
      program('- Return 1', playing(trigger, ending)),
      ({ prompt }) => {
        if (!prompt.includes('## Due')) return ops({ return: 1 });
        n++;
        const end = n === 2 ? [{ step: '02.01' }, { yield: 'exit' }] : [{ return: null }];
        return ops({ step: '01' }, { set: { n } }, { step: '02' }, ...end);
      },
      options,
    );
    return world.log;
  };

  // It is a Thursday, 8:00 in London.
  test.each([
    ['On weekdays at 18:30', 'UTC', [37_800, 86_400]],
    ['Every Monday at 9:00', 'UTC', [4 * 86_400 + 3600, 7 * 86_400]],
    ['Every Monday at 9:00', 'Asia/Tokyo', [4 * 86_400 - 8 * 3600, 7 * 86_400]],
    ['Every Monday at 9:00 in Europe/Berlin', 'Asia/Tokyo', [4 * 86_400, 7 * 86_400]],
    ['Every day at 8:00 and 20:00', 'UTC', [43_200, 43_200]],
  ] as const)('%s, where clocks are those of %s', async (trigger, timezone, slept) => {
    expect(await fires(trigger, { timezone })).toEqual(slept.map((one) => `sleep ${one}`));
  });

  test('fire before the program ends, whoever ends it', async () => {
    const text = program('- End program', playing('Before the program ends', '- Say("Goodbye")'));
    const { said } = await playedIn(timed(), text, [
      ops({ step: '01' }, { yield: 'exit' }),
      ops({ step: '01' }, { say: 'Goodbye' }, { return: null }),
    ]);
    expect(said).toEqual(['Goodbye']);
  });
});

test.each([
  ['user within a few minutes', 'user within 5 minutes', 'nobody for 300'],
  ['timer a couple of minutes', 'timer two minutes', 'sleep 120'],
  ['timer twenty odd minutes', 'timer twenty-one minutes', 'sleep 1260'],
])('how long %s is nobody knows, and is asked', async (first, second, waited) => {
  const world = timed([[500, 'late']]);
  const line = first.startsWith('user') ? 'Wait for the user' : 'Wait $t minutes';
  const { prompts } = await playedIn(world, program(`- ${line}\n- Return 1`), [
    ops({ step: '01' }, { yield: first }),
    ops({ step: '01' }, { yield: second }),
    ops({ step: '02' }, { return: 1 }),
  ]);
  expect(prompts[1]).toMatch(/got .*, want a time/);
  expect(world.log).toEqual([waited]);
});

test.each([
  ['5 minutes', 300],
  ['half an hour', 1800],
  ['an hour', 3600],
  ['90s', 90],
  ['two days', 172_800],
  ['twenty-five minutes', 1500],
  ['a hundred and five seconds', 105],
  ['1 hour and 30 minutes', 5400],
  ['an hour and a half', 5400],
  ['2.5 hours', 9000],
  ['one and a half days', 129_600],
  ['half a minute', 30],
  ['a quarter of an hour', 900],
  ['ten more minutes', 600],
  ['une heure', 3600],
  ['3 semaines', 1_814_400],
  ['soon', undefined],
  ['a few minutes', undefined],
  ['several hours', undefined],
  ['next week', undefined],
  ['some more days', undefined],
  ['1,500 seconds', undefined],
  ['2-3 minutes', undefined],
  ['minutes', undefined],
])('%s is a time, or none', (text, seconds) => {
  expect(secondsIn(text)).toBe(seconds);
});

function at(times: readonly number[], days: readonly number[] = [], zone?: string) {
  return { kind: 'at', times, days, ...(zone !== undefined && { zone }) };
}

test.each([
  ['After 5 minutes', { kind: 'after', seconds: 300 }],
  ['Every 10 seconds', { kind: 'every', seconds: 10 }],
  ['hourly', { kind: 'every', seconds: 3600 }],
  ['Every day at 9', at([32_400])],
  ['Every day at 3:15 pm', at([54_900])],
  ['Every day at noon and at 18:30', at([43_200, 66_600])],
  ['every morning at 8, in Berlin', at([28_800], [], 'Europe/Berlin')],
  ['Every Monday at 9:00', at([32_400], [1])],
  ['On Tuesdays and Thursdays at 7 in the evening', at([68_400], [2, 4])],
  ['On weekdays at 18:30', at([66_600], [1, 2, 3, 4, 5])],
  ['Friday to Monday at 10.15', at([36_900], [0, 1, 5, 6])],
  ['When it is 9:00 in Europe/Berlin', at([32_400], [], 'Europe/Berlin')],
  ['At 9:00 america/new_york time', at([32_400], [], 'America/New_York')],
  ['At 9:00 in Europe/Berln', at([32_400], [], 'Europe/Berln')],
  ['at 11 at night', at([82_800])],
  ['chaque lundi à 9h30', at([34_200], [1])],
  ['On weekends at 25:00', undefined],
  ['Every Monday', undefined],
  ['Every 15 minutes on weekdays', undefined],
  ['Every Monday at 9:00 if it rains', undefined],
  ['Every day at 9:00 in the office', undefined],
  ['Before ending the program', { kind: 'exit' }],
  ['before the end', { kind: 'exit' }],
  ['When the program ends', { kind: 'exit' }],
  ['When the program starts', undefined],
  ['when program begins', undefined],
  ['After 5 minutes without an answer', undefined],
  ['After three tries', undefined],
  ['When $day is set', undefined],
])('a trigger "%s" is due when it says', (text, clock) => {
  expect(clockOf(text)).toEqual(clock);
});

const utc = (text: string): number => Date.parse(`${text}:00Z`) / 1000;

test.each([
  // Put forward at 2:00, on 29 March: there is no 2:30 that night, and it is 3:30 as late.
  ['2026-03-28T00:00', [9000], [], 'Europe/Berlin', '2026-03-28T01:30'],
  ['2026-03-28T12:00', [9000], [], 'Europe/Berlin', '2026-03-29T01:30'],
  ['2026-03-29T01:30', [9000], [], 'Europe/Berlin', '2026-03-30T00:30'],
  ['2026-03-28T12:00', [10_800], [], 'Europe/Berlin', '2026-03-29T01:00'],
  // Put back at 3:00, on 25 October: 2:30 is there twice, and is due once.
  ['2026-10-24T12:00', [9000], [], 'Europe/Berlin', '2026-10-25T00:30'],
  ['2026-10-25T00:30', [9000], [], 'Europe/Berlin', '2026-10-26T01:30'],
  ['2026-10-25T01:30', [9000], [], 'Europe/Berlin', '2026-10-26T01:30'],
  // Half an hour, and the other half of the world.
  ['2026-04-04T00:00', [6300], [0], 'Australia/Lord_Howe', '2026-04-04T14:45'],
  ['2026-01-01T00:00', [0, 43_200], [], 'Pacific/Kiritimati', '2026-01-01T10:00'],
  // Samoa had no 30 December 2011, a Friday: what was due then was due a day later.
  ['2011-12-29T12:00', [43_200], [5], 'Pacific/Apia', '2011-12-30T22:00'],
] as const)('behind %s, %j on %j in %s comes at %s', (after, times, days, zone, next) => {
  expect(nextMoment({ times, days }, zone, utc(after))).toBe(utc(next));
});
