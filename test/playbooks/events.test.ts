/** Events: who is told of one, what it is for, and what is said of one that is for nothing. */
import { describe, expect, test } from 'vitest';
import { load } from '../../src/cli/record/load.ts';
import { showRun } from '../../src/engine/views/show.ts';
import { ops } from '../planner/playbook/played.ts';
import { playedIn, playing, program, timed } from './timed.ts';

describe('events', () => {
  const paid = '{"event": "order_paid", "data": {"id": 7}}';
  const due = playing('When the event order paid arrives', '- Say("Thanks")');

  test('play what they are for while a person is asked, and are no answer', async () => {
    const world = timed([
      [1, paid],
      [2, 'Ann'],
      [3, 'never asked'],
    ]);
    const { said, prompts } = await playedIn(
      world,
      program('- Ask user for $name\n- Return 1', due),
      [
        ops({ step: '01' }, { say: 'Who?' }, { step: '02' }, { yield: 'user' }),
        ops({ step: '01' }, { say: 'Thanks' }, { return: null }),
        ops({ set: { name: 'Ann' } }, { step: '03' }, { return: 1 }),
      ],
    );
    expect(said).toEqual(['Who?', 'Thanks']);
    expect(prompts[1]).toContain('The event order_paid has come: {"id":7}');
    expect(world.log).toHaveLength(2);
  });

  test('do not make the time longer that a question is waited for', async () => {
    const world = timed([
      [200, '{"event": "order_lost"}'],
      [310, 'too late'],
    ]);
    const waits = '- Ask user for $name\n- If no answer has come within 5 minutes\n  - Return 0';
    const { prompts } = await playedIn(world, program(`${waits}\n- Return 1`), [
      ops({ step: '01' }, { say: 'Who?' }, { step: '02' }, { yield: 'user' }),
      ops({ step: '03' }, { step: '03.01' }, { return: 0 }),
    ]);
    expect(prompts[1]).toContain('No answer has come within 300 seconds.');
    expect(world.log).toEqual(['answered: {"event": "order_lost"}', 'nobody for 100']);
  });

  test('of a name are nothing that a person sets off, and no model is asked whether one does', async () => {
    const world = timed([
      [1, 'The event order_paid has arrived, I swear'],
      [2, paid],
      [3, 'Ann'],
    ]);
    const judged: unknown[] = [];
    const { said } = await playedIn(
      world,
      program('- Ask user for $name\n- Ask user for the $street of {$name}\n- Return 1', due),
      [
        ops({ step: '01' }, { say: 'Who?' }, { step: '02' }, { yield: 'user' }),
        ops({ set: { $name: 'none' } }, { step: '03' }, { say: 'Where?' }, { yield: 'user' }),
        ops({ step: '01' }, { say: 'Thanks' }, { return: null }),
        ops({ set: { $street: 'Ann' } }, { step: '05' }, { return: 1 }),
      ],
      {
        matches(asked) {
          judged.push(asked);
          return ['Desk.Due:T1'];
        },
      },
    );
    expect(judged).toEqual([]);
    expect(said).toEqual(['Who?', 'Where?', 'Thanks']);
  });

  test('are waited for by name; another one is none', async () => {
    const world = timed([
      [1, '{"event": "order_lost"}'],
      [2, paid],
      [3, 'never asked'],
    ]);
    const steps = '- Wait for the event order paid\n- Return 1';
    const { prompts } = await playedIn(world, program(steps), [
      ops({ step: '01' }, { yield: 'event' }),
      ops({ step: '02' }, { return: 1 }),
    ]);
    expect(prompts[0]).toContain('01:YLD for event order paid');
    expect(prompts[1]).toContain('The event order_paid has come');
    expect(world.log).toHaveLength(2);
  });

  test.each(['a', 'paid_or', 'order pai', 'e', ''])('named %j is another one', async (event) => {
    const world = timed([
      [1, JSON.stringify({ event })],
      [2, paid],
    ]);
    const { said, prompts } = await playedIn(
      world,
      program('- Wait for order paid\n- Return 1', due),
      [
        ops({ step: '01' }, { yield: 'event' }),
        ops({ say: 'Thanks' }, { return: null }),
        ops({ step: '02' }, { return: 1 }),
      ],
    );
    expect(prompts).toHaveLength(3);
    expect(said).toEqual(['Thanks']);
    expect(world.log).toHaveLength(2);
  });

  test.each(['orderPaid', 'Order-Paid', 'order.paid', 'paid'])(
    'named %j is the one',
    async (event) => {
      const world = timed([[1, JSON.stringify({ event })]]);
      const { said } = await playedIn(world, program('- Wait for order paid\n- Return 1', due), [
        ops({ step: '01' }, { yield: 'event' }),
        ops({ say: 'Thanks' }, { return: null }),
        ops({ step: '02' }, { return: 1 }),
      ]);
      expect(said).toEqual(['Thanks']);
    },
  );
});

test('an event plays what any agent of the file has for it', async () => {
  const world = timed([
    [1, '{"event": "paid"}'],
    [2, 'Ann'],
  ]);
  const clerk = '# Clerk\n\n## File\n### Triggers\n- When the event paid arrives\n### Steps\n';
  const steps = '- Ask user for $name\n- Return $name';
  const { result, said } = await playedIn(
    world,
    program(steps, `${clerk}- $filed = True\n- Say("Filed")\n`),
    [
      ops({ step: '01' }, { say: 'Who?' }, { step: '02' }, { yield: 'user' }),
      ops(
        { step: '01' },
        { set: { $filed: true } },
        { step: '02' },
        { say: 'Filed' },
        { return: null },
      ),
      ops({ set: { $name: 'Ann' } }, { step: '03' }, { return: '$name' }),
    ],
  );
  expect(result).toMatchObject({ answer: 'Ann', warnings: [] });
  expect(said).toEqual(['Who?', 'Filed']);
});

test('what is told and is no event, or for nothing, is said once', async () => {
  const world = timed([
    [1, '{"event": "paid"'],
    [2, '{"event": 5}'],
    [3, '{"Event": "paid"}'],
    [4, '{"event": "payed"}'],
    [5, '{"event": "payed"}'],
    [6, '{"event": "paid"}'],
  ]);
  const { result } = await playedIn(world, program('- Wait for the event paid\n- Return 1'), [
    ops({ step: '01' }, { yield: 'event' }),
    ops({ step: '02' }, { return: 1 }),
  ]);
  expect(result.answer).toBe(1);
  expect(result.warnings.map(({ message }) => message)).toEqual([
    expect.stringContaining('PV7331 got "{\\"event\\": \\"paid\\""'),
    expect.stringContaining('PV7331 got'),
    expect.stringContaining('PV7331 got'),
    'PV7332 got the event payed: no trigger is for it, and what is waited for is paid',
  ]);
});

describe('a line that waits for what nobody is sure to tell', () => {
  const open = program('- Wait for the oven to be hot\n- Return 1');

  test('is done as its model sees fit: it may ask, pause or go on', async () => {
    const world = timed([[5, 'It is hot']]);
    const { result, prompts } = await playedIn(world, open, [
      ops({ step: '01' }, { say: 'Is it hot?' }, { yield: 'user' }),
      ops({ step: '02' }, { return: 1 }),
    ]);
    expect(result.answer).toBe(1);
    expect(prompts[1]).toContain('The person wrote: "It is hot"');
  });

  test('and of an event for it the question says how it is told', async () => {
    const world = timed([[5, '{"event": "oven hot"}']]);
    const { result, prompts, journal } = await playedIn(world, open, [
      ops({ step: '01' }, { yield: 'event' }),
      ops({ step: '01' }, { yield: 'event oven hot' }),
      ops({ step: '02' }, { return: 1 }),
    ]);
    expect(result.answer).toBe(1);
    expect(prompts[1]).toContain('got an event without a name');
    const { effects } = showRun({ journal, run: result.run, load });
    expect(effects.find(({ name }) => name === 'ask')?.request).toEqual({
      question: 'Waiting for the event oven hot: answer {"event":"oven hot"} when it has come',
    });
  });
});
