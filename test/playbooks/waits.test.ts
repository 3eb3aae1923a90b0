/** Times, waits and events: what is due is played while a program waits, and the wait goes on. */
import { describe, expect, test } from 'vitest';
import { EffectFailure } from '../../src/engine/handler.ts';
import { quickTool } from '../engine/support.ts';
import { ops, type PlayOptions } from '../planner/playbook/played.ts';
import { playedIn, playing, program, timed } from './timed.ts';

describe('pauses', () => {
  test('are pauses, and a program that only waits has not come to a standstill', async () => {
    const world = timed();
    const { result } = await playedIn(
      world,
      program('- $n = 0\n- While $n < 5\n  - Wait 30 seconds\n  - $n += 1\n- Return 1'),
      [],
    );
    expect(result.answer).toBe(1);
    expect(world.log).toEqual(Array(5).fill('sleep 30'));
  });

  test.each([
    ['until 9:00', 3600],
    ['until noon', 14_400],
    ['until 9:00 Europe/Berlin', 86_400],
    ['5 minutes', 300],
  ])('Wait %s', async (when, seconds) => {
    const world = timed();
    await playedIn(world, program(`- Wait ${when}\n- Return 1`), []);
    expect(world.log).toEqual([`sleep ${seconds}`]);
  });

  test('of a model take the time that it names', async () => {
    const world = timed();
    await playedIn(world, program('- Wait a little, then go on'), [
      ops({ yield: 'timer', for: '2 minutes' }),
      ops({ at: '01' }),
    ]);
    expect(world.log).toEqual(['sleep 120']);
  });
});

describe('a person who is not waited for for ever', () => {
  const text = program(
    '- Say("Tell me.")\n- Wait for user (up to 5 minutes)\n- $n = what came, None for nothing\n- Return $n',
  );

  test.each([
    [301, null, 'No reply has come within 300 seconds.', 'nobody for 300'],
    [299, 7, 'The person wrote: "7"', 'answered: 7'],
  ])('answers after %d seconds', async (after, n, told, log) => {
    const world = timed([[after, '7']]);
    const { result, prompts } = await playedIn(world, text, [ops({ set: { n } })]);
    expect(result.answer).toBe(n);
    expect(prompts[0]).toContain(told);
    expect(world.log).toEqual([log]);
  });

  test('may be waited for so by a model', async () => {
    const world = timed([[500, 'late']]);
    const { prompts } = await playedIn(world, program('- Ask them for a sign\n- Return 1'), [
      ops({ say: 'A sign?' }, { yield: 'user', within: '5 minutes' }),
      ops({ at: '01' }),
    ]);
    expect(prompts[1]).toContain('No reply has come within 300 seconds.');
  });

  test('of several who are asked, who does not answer is named, and what is due is played', async () => {
    const world = timed([[10, 'on Monday']]);
    const { result, prompts } = await playedIn(
      world,
      `${program(
        '- Ask both for what is needed, as $day\n- Return $day',
        playing('After 1 minute', '- Say("tick")'),
      )}\n# Clara:Human\n\n# Bob:Human\n`,
      [
        ops(
          { say: 'When?', to: 'Clara' },
          { say: 'How much?', to: 'Bob' },
          { yield: 'user', within: '5 minutes' },
        ),
        ops({ set: { $day: 'Monday' } }),
      ],
    );
    expect(result.answer).toBe('Monday');
    expect(prompts[1]).toContain('Clara wrote: "on Monday"');
    expect(prompts[1]).toContain('No reply has come from Bob within 300 seconds.');
    expect(world.log).toEqual(['answered: on Monday', 'nobody for 60', 'nobody for 230']);
  });
});

describe('triggers about time', () => {
  test.each([
    ['- Say("Name?")\n- Wait for user (up to 10 minutes)', 'No reply has come'],
    ['- Wait for event paid (up to 10 minutes)', 'has not come within 600 seconds.'],
  ])('that were due before a wait was over fire before it is: %s', async (lines, late) => {
    const world = timed();
    const away = quickTool('ask', () => {
      world.pass(3600);
      throw new EffectFailure('PV4021', 'nobody answered', { answered: true });
    });
    const tools = [...world.tools.filter(({ spec }) => spec.name !== 'ask'), away];
    const text = program(
      `${lines.replace('Name?', 'Name!')}\n- Tell them\n- Return 1`,
      playing('After 5 minutes', '- Say("Time.")'),
    );
    const { prompts, said } = await playedIn({ ...world, tools }, text, [ops({ say: 'So.' })]);
    expect(said.slice(-2)).toEqual(['Time.', 'So.']);
    expect(prompts[0]).toContain(late);
  });

  test('fire while the program waits for somebody, who is asked again', async () => {
    const world = timed([[400, 'done']]);
    const { said } = await playedIn(
      world,
      program('- Say("Done?")\n- Return 1', playing('After 5 minutes', '- Say("Still here.")')),
      [],
    );
    expect(said).toEqual(['Done?', 'Still here.']);
    expect(world.log).toEqual(['nobody for 300', 'answered: done']);
  });

  test('that come while a reply is written fire after it', async () => {
    const world = timed();
    const text = program(
      '- Say("One.")\n- Tell them two\n- Say("Three.")',
      playing('After 5 minutes', '- Say("Time.")'),
    );
    const { said } = await playedIn(world, text, () => {
      world.pass(301);
      return ops({ say: 'Two.' });
    });
    expect(said).toEqual(['One.', 'Two.', 'Time.', 'Three.']);
  });

  test('that end the program leave nothing that is still waited for', async () => {
    const world = timed([[9999, 'never asked']]);
    const { result } = await playedIn(
      world,
      program('- Say("Ready?")\n- Return 1', playing('After 5 minutes', '- End program')),
      [],
    );
    expect(result.status).toBe('done');
    expect(world.log).toEqual(['nobody for 300']);
  });

  test('fire again and again until the program ends, and miss nothing twice', async () => {
    const world = timed();
    const { result } = await playedIn(
      world,
      program(
        '- $n = 0\n- Wait 25 seconds\n- Return $n',
        playing('Every 10 seconds', '- $n += 1\n- If $n == 4: End program'),
      ),
      [],
    );
    expect(result.answer).toBe(2);
    expect(world.log).toEqual(['sleep 10', 'sleep 10', 'sleep 5', 'sleep 5', 'sleep 10']);
  });

  const fires = async (trigger: string, options: Partial<PlayOptions> = {}) => {
    const world = timed();
    const due = playing(trigger, '- $n = $n + 1\n- If $n == 2: End program');
    await playedIn(world, program('- $n = 0\n- Return 1', due), [], options);
    return world.log;
  };

  // It is a Thursday, 8:00 in London.
  test.each([
    ['Every day at 9:30', 'UTC', [5400, 86_400]],
    ['On weekdays at 18:30', 'UTC', [37_800, 86_400]],
    ['Every Monday at 9:00', 'Asia/Tokyo', [4 * 86_400 - 8 * 3600, 7 * 86_400]],
    ['Every Monday at 9:00 in Europe/Berlin', 'Asia/Tokyo', [4 * 86_400, 7 * 86_400]],
    ['Every day at 8:00 and 20:00', 'UTC', [43_200, 43_200]],
  ] as const)('%s, where clocks are those of %s', async (trigger, timezone, slept) => {
    expect(await fires(trigger, { timezone })).toEqual(slept.map((seconds) => `sleep ${seconds}`));
  });

  test('fire before the program ends, whoever ends it', async () => {
    const { said } = await playedIn(
      timed(),
      program('- End program', playing('Before the program ends', '- Say("Goodbye")')),
      [],
    );
    expect(said).toEqual(['Goodbye']);
  });
});

describe('events', () => {
  const paid = '{"event": "order_paid", "data": {"id": 7}}';
  const due = playing('When the event order_paid arrives', '- Say("Thanks")');

  test('play what they are for while a person is asked, and are no answer', async () => {
    const world = timed([
      [1, paid],
      [2, 'Ann'],
    ]);
    const { said, result } = await playedIn(
      world,
      program('- $name = Ask(user, "Who?")\n- Return $name', due),
      [],
    );
    expect([said, result.answer]).toEqual([['Who?', 'Thanks'], 'Ann']);
  });

  test('take their data along, and play what any agent of the file has for them', async () => {
    const world = timed([
      [1, '{"event": "paid", "data": {"sum": 5}}'],
      [2, 'Ann'],
    ]);
    const clerk =
      '# Clerk\n\n## File(event)\n### Triggers\n- When the event paid arrives\n### Steps\n';
    const { said, result } = await playedIn(
      world,
      program(
        '- $name = Ask(user, "Who?")\n- Return $name',
        `${clerk}- Say("{event.data.sum} filed")\n`,
      ),
      [],
    );
    expect(result.warnings).toEqual([]);
    expect(said).toEqual(['Who?', '5 filed']);
  });

  test('are waited for by name; another one is none', async () => {
    const world = timed([
      [1, '{"event": "order_lost"}'],
      [2, paid],
    ]);
    const { result } = await playedIn(
      world,
      program('- Wait for event order_paid\n- Return 1'),
      [],
    );
    expect(result.answer).toBe(1);
    expect(world.log).toHaveLength(2);
  });

  test.each(['a', 'paid', 'paid_or', 'order pai', ''])('named %j is another one', async (event) => {
    const world = timed([
      [1, JSON.stringify({ event })],
      [2, paid],
    ]);
    const { said } = await playedIn(
      world,
      program('- Wait for event order_paid\n- Return 1', due),
      [],
    );
    expect(said).toEqual(['Thanks']);
    expect(world.log).toHaveLength(2);
  });

  test.each(['orderPaid', 'Order-Paid', 'order.paid'])('named %j is the one', async (event) => {
    const world = timed([[1, JSON.stringify({ event })]]);
    const { said } = await playedIn(
      world,
      program('- Wait for event order_paid\n- Return 1', due),
      [],
    );
    expect(said).toEqual(['Thanks']);
  });

  test('do not make the time longer that somebody is waited for', async () => {
    const world = timed([
      [200, '{"event": "order_lost"}'],
      [310, 'too late'],
    ]);
    await playedIn(world, program('- Say("Who is it!")\n- Wait for user (up to 5 minutes)'), []);
    expect(world.log).toEqual(['answered: {"event": "order_lost"}', 'nobody for 100']);
  });

  test('that cannot be read, or are for nothing, are said once', async () => {
    const world = timed([
      [1, '{"event": "paid"'],
      [2, '{"event": 5}'],
      [3, '{"event": "payed"}'],
      [4, '{"event": "payed"}'],
      [5, '{"event": "paid"}'],
    ]);
    const { result } = await playedIn(world, program('- Wait for event paid\n- Return 1'), []);
    expect(result.answer).toBe(1);
    expect(result.warnings.map(({ message }) => message)).toEqual([
      expect.stringContaining('PV7331 got'),
      expect.stringContaining('PV7331 got'),
      'PV7332 got the event payed: no trigger is for it, and what is waited for is paid',
    ]);
  });
});
