/** Meetings: who hears what, in which order, and who is not there. */
import { describe, expect, test } from 'vitest';
import { ops, played } from '../planner/playbook/played.ts';
import { programOf, tell } from './story.ts';

const free = (...acts: readonly object[]) => ({
  ...{ of: 'HearAgent', isFree: true as const },
  ops: [...acts, { return: null }],
});

const host = {
  of: 'Main',
  ops: [
    { step: '01' },
    { call: 'ChooseDish', args: { topic: 'the dish of the day' }, into: '$dish' },
    ...[{ step: '02' }, { yield: 'call' }],
  ],
};

const opening = [
  ...[{ step: '01' }, { say: 'What shall we cook?', to: 'meeting' }, { step: '02' }],
  { yield: 'agent' },
];

describe('a meeting of three, in rounds, with one who has nothing to say', () => {
  tell({
    program: 'meeting',
    turns: [
      host,
      { of: 'ChooseDish', ops: opening },
      free({ say: 'Soup.' }),
      free({ say: 'There are no leeks.' }, { set: { $shared_state: { out: 'leeks' } } }),
      {
        of: 'ChooseDish',
        ops: [
          ...[{ step: '03' }, { step: '03.01' }, { say: 'What else?', to: 'meeting' }],
          ...[{ step: '03.02' }, { yield: 'agent' }],
        ],
      },
      free({ say: 'Fish.' }),
      free(),
      {
        of: 'ChooseDish',
        ops: [{ step: '03.03' }, { step: '03' }, { step: '04' }, { return: 'fish' }],
      },
      {
        of: 'Main',
        ops: [{ step: '03' }, { say: 'It is {$dish}.' }, { step: '04' }, { return: '$dish' }],
      },
    ],
    said: ['It is fish.'],
    answer: 'fish',
    skip: { turn: 8, ops: [{ step: '04' }, { return: '$dish' }] },
  });
});

const guess = (number: string, ...before: readonly object[]) => ({
  of: 'Play',
  ops: [
    ...[...before, { step: '01' }, { step: '01.01' }, { say: number, to: 'meeting' }],
    ...[{ step: '01.02' }, { yield: 'agent' }],
  ],
});

const leaving = (games: number) => ({
  of: 'Play',
  ops: [{ step: '01.03' }, { step: '01' }, { step: '02' }, { set: { $games: games } }],
});

const calling = (...before: readonly object[]) => ({
  of: 'Game',
  ops: [
    ...[...before, { step: '02' }, { step: '02.01' }, { say: 'A number?', to: 'meeting' }],
    ...[{ step: '02.02' }, { yield: 'agent' }],
  ],
});

describe('a game of two, of whom one was made for it, each by a playbook of its own for meetings', () => {
  tell({
    program: 'guessing-game',
    turns: [
      {
        of: 'Main',
        ops: [
          { step: '01' },
          { call: 'CreateAgent', args: { like: 'Player', name: 'Bob' }, into: '$bob' },
          ...[{ step: '02' }, { yield: 'call' }],
        ],
      },
      {
        of: 'Main',
        ops: [
          { step: '03' },
          {
            ...{ call: 'Game', into: '$winner' },
            args: { topic: 'the number 7', attendees: ['Player', '$bob'] },
          },
          ...[{ step: '04' }, { yield: 'call' }],
        ],
      },
      calling({ step: '01' }, { set: { $shared_state: { guesses: 0 } } }),
      guess('3'),
      guess('9'),
      calling({ step: '02.03' }),
      guess('7', { step: '01.03' }),
      guess('8', { step: '01.03' }),
      {
        of: 'Game',
        ops: [
          ...[{ step: '02.03' }, { step: '02' }, { step: '03' }],
          ...[{ set: { $shared_state: { guesses: 4 } } }, { return: 'Bob' }],
        ],
      },
      leaving(4),
      leaving(4),
      {
        of: 'Main',
        ops: [{ step: '05' }, { say: '{$winner} has won.' }, { step: '06' }, { return: '$winner' }],
      },
    ],
    said: ['Bob has won.'],
    answer: 'Bob',
    skip: { turn: 11, ops: [{ step: '06' }, { return: '$winner' }] },
  });
});

test('who attends by a playbook hears what is said, and what it does is over behind the meeting', async () => {
  const text = programOf('guessing-game').replace('While the game goes on', 'While $shared_state');
  const begun = [
    ops({ call: 'CreateAgent', args: { like: 'Player', name: 'Bob' }, into: '$bob' }),
    ops({ call: 'Game', args: { attendees: ['Player', 'Bob'], topic: 'seven' }, into: '$winner' }),
    ops({ step: '02.01' }, { say: 'A number?', to: 'meeting' }, { yield: 'meeting' }),
  ];
  const { result, prompts, journal } = await played(text, {
    replies: [
      ...begun,
      ops({ step: '01.01' }, { say: 'three', to: 'meeting' }, { yield: 'meeting' }),
      // One that leaves: its playbook has ended.
      ops({ step: '01' }, { step: '02' }, { set: { $games: 1 } }),
      ops({ step: '02.01' }, { say: 'Another one?', to: 'meeting' }, { yield: 'meeting' }),
      ops({ step: '01.01' }, { say: 'seven', to: 'meeting' }, { yield: 'meeting' }),
      ops({ step: '03' }, { return: 'Player' }),
      ops({ step: '02' }, { set: { $games: 2 } }),
      ops({ step: '06' }, { return: '$winner' }),
    ],
    strictness: 'advise',
  });
  expect(result.error).toBeUndefined();
  expect(result.answer).toBe('Player');
  const [, , , player = '', bob = '', , again = '', , closing = ''] = prompts;
  expect(player).toContain('You are in a meeting about seven, held by Referee, with Player, Bob');
  expect(player).toContain('Say(meeting, a number that nobody has said)');
  expect(player).toContain('Referee said: "A number?"');
  expect(bob).toContain('Player said: "three"');
  expect(again).toContain('Referee said: "Another one?"');
  expect(again.match(/A number\?/g)).toHaveLength(1);
  expect(closing).toContain('The meeting is over');
  const lines = journal
    .events(result.run)
    .flatMap((event) =>
      event.type === 'message.emitted' && event.channel === 'print' ? [String(event.value)] : [],
    );
  expect(lines.filter((line) => line.includes('in the meeting'))).toHaveLength(4);
});

const written = (turn: { readonly ops: readonly object[] }): string => ops(...turn.ops);

test('each hears what was said before it, once; what is shared, all see', async () => {
  const { prompts } = await played(programOf('meeting'), {
    replies: [
      ...[written(host), ops(...opening)],
      ops({ say: 'Soup.' }, { set: { $shared_state: { dish: 'soup' } } }, { return: null }),
      ops({ return: null }),
      ops(
        { step: '03' },
        { step: '03.01' },
        { say: 'And then?', to: 'meeting' },
        { yield: 'meeting' },
      ),
      ops({ return: null }),
      ops({ say: 'Cake.' }, { return: null }),
      ops({ step: '03' }, { step: '04' }, { return: 'soup' }),
      ops({ say: 'It is {$dish}.' }, { return: '$dish' }),
    ],
  });
  const [, chair = '', cook = '', buyer = '', chairAgain = '', cookAgain = ''] = prompts;
  expect(chair).toContain('Those who attend: Cook, Buyer. Not there: Poet.');
  expect(cook).toContain('You are Cook.');
  expect(cook).toContain('Chair said: "What shall we cook?"');
  expect(buyer).toContain('Cook said: "Soup."');
  expect(buyer).toContain('"dish":"soup"');
  expect(chairAgain).toContain('Cook said: "Soup."');
  expect(chairAgain).toContain('"dish":"soup"');
  expect(cookAgain.match(/What shall we cook\?/g)).toHaveLength(1);
  expect(cookAgain).toContain('Chair said: "And then?"');
});

test('a person attends by being asked, and may have nothing to say', async () => {
  const text = programOf('meeting').replace('[Cook, Buyer]', '[User, Cook]');
  const { result, journal, prompts } = await played(text, {
    answers: ['Pie!', '-'],
    replies: [
      ...[written(host), ops(...opening), ops({ return: null })],
      ops({ step: '03' }, { step: '03.01' }, { say: 'Sure?', to: 'meeting' }, { yield: 'meeting' }),
      ops({ return: null }),
      ops({ step: '03' }, { step: '04' }, { return: 'pie' }),
      ops({ say: 'It is {$dish}.' }, { return: '$dish' }),
    ],
  });
  expect(result).toMatchObject({ status: 'done', answer: 'pie' });
  expect(prompts[2]).toContain('User said: "Pie!"');
  expect(prompts[5]).not.toContain('User said: "-"');
  const asked = journal
    .events(result.run)
    .flatMap((event) => (event.type === 'effect.started' && event.tool === 'ask' ? [event] : []));
  expect(asked).toHaveLength(2);
});

test('what is said in it sets off what is for it, for whoever holds it', async () => {
  const text =
    '# Chair\n\n## Main\n### Triggers\n- At the beginning\n### Steps\n- $dish = Plan("lunch")\n' +
    '- Return $dish\n\n## Plan\nmeeting: true\nrequired_attendees: [Cook, User]\n### Steps\n' +
    '- Ask the meeting for a dish\n- Wait for the meeting\n- Return what they want\n\n## Note\n' +
    '### Triggers\n- When somebody says that they are allergic\n### Steps\n- Say("Noted.")\n\n' +
    '# Cook\nYou cook.\n';
  const looked: unknown[] = [];
  const { said, result } = await played(text, {
    replies: [
      ops({ step: '01' }, { call: 'Plan', args: { topic: 'lunch' }, into: '$dish' }),
      ops({ step: '01' }, { say: 'A dish?', to: 'meeting' }, { step: '02' }, { yield: 'meeting' }),
      ops({ say: 'Soup.' }, { return: null }),
      ops({ say: 'Noted.' }, { return: null }),
      ops({ step: '03' }, { return: 'soup' }),
      ops({ step: '02' }, { return: '$dish' }),
    ],
    answers: ['Nuts make me ill.'],
    matches: ({ message, question, sender }) => {
      looked.push([sender, message, question]);
      return String(message).includes('Nuts') ? ['Chair.Note:T1'] : [];
    },
  });
  expect(result.error).toBeUndefined();
  expect([said, result.answer]).toEqual([['Noted.'], 'soup']);
  expect(looked).toEqual([
    ['Cook', 'Soup.', 'A dish?'],
    ['User', 'Nuts make me ill.', 'A dish?'],
  ]);
});

test('who has to attend and is not there is a result, and nobody waits', async () => {
  const lost = programOf('meeting').replace('[Cook, Buyer]', '[Cook, Pirate]');
  const { result, prompts } = await played(lost, {
    replies: [
      written(host),
      ops(
        { set: { $dish: 'none' } },
        { step: '03' },
        { say: 'It is {$dish}.' },
        { return: 'none' },
      ),
    ],
  });
  expect(result).toMatchObject({ status: 'done', answer: 'none' });
  expect(prompts[1]).toContain('Pirate cannot attend');
  expect(prompts[1]).toContain('failed');
  const first = lost
    .replace('meeting: true', 'meeting: true\n')
    .replace(
      '### Steps\n- Say(meeting',
      '### Triggers\n- At the beginning\n### Steps\n- Say(meeting',
    );
  const begun = await played(first, {
    replies: [
      written(host),
      ops({ set: { $dish: 'none' } }, { step: '03' }, { say: 'None.' }, { return: 'none' }),
    ],
  });
  expect(begun.result.error).toMatchObject({ code: 'PV7325' });
});

test('one that a function calls fails that call where it cannot be held, and the run goes on', async () => {
  const code = '```tools\ndef Dish():\n    return Plan(topic="soup", attendees=["Zed"])\n```\n\n';
  const meeting =
    '## Plan\nmeeting: true\n### Steps\n- Ask the meeting for a dish\n- Return the dish\n';
  const { result, said, prompts } = await played(
    '# Desk\n## Main\n### Triggers\n- At the beginning\n### Steps\n' +
      `- $dish = Dish()\n- Say what comes of it\n\n${code}${meeting}`,
    {
      replies: [
        ops({ call: 'Dish', into: '$dish' }, { yield: 'call' }),
        ops({ say: 'None.' }, { return: null }),
      ],
    },
  );
  expect(result).toMatchObject({ status: 'done' });
  expect(said).toEqual(['None.']);
  expect(prompts[1]).toContain('Plan: Zed cannot attend: there is nobody of that name among');
});

describe('who attends by a playbook', () => {
  const held = (host: string, cook: string): string =>
    '# Host\n## Main\n### Triggers\n- At the beginning\n### Steps\n- $menu = Plan()\n- Return $menu\n' +
    `## Plan\nmeeting: true\nrequired_attendees: [Cook]\n### Steps\n${host}\n- Return "soup"\n` +
    `# Cook\n## Attend\nmeeting: true\n### Steps\n${cook}\n`;
  const begun = ops({ call: 'Plan', into: '$menu' }, { yield: 'call' });
  const dish = ops(
    ...[{ step: '01' }, { say: 'A dish?', to: 'meeting' }, { step: '02' }, { yield: 'meeting' }],
  );
  test('says to the user what names the user, and all else to the meeting', async () => {
    const { result, said, prompts } = await played(
      held(
        '- Ask the meeting for a dish',
        '- Say(user, "I am here")\n- Say("Soup")\n- Wait for the meeting\n- Tell the user goodbye',
      ),
      {
        replies: [
          ...[begun, dish],
          ops(
            ...[{ step: '01' }, { say: 'I am here', to: 'user' }, { step: '02' }, { say: 'Soup' }],
            ...[{ step: '03' }, { yield: 'meeting' }],
          ),
          ops({ step: '03' }, { return: 'soup' }),
          ops({ step: '04' }, { say: 'Goodbye' }),
          ops({ step: '02' }, { return: '$menu' }),
        ],
      },
    );
    expect(result.error).toBeUndefined();
    expect(said).toEqual(['I am here', 'Goodbye']);
    expect(prompts[2]).toContain('02:QUE Say("Soup")');
    expect(prompts[3]).toContain('Cook said: "Soup"');
    expect(prompts[3]).not.toContain('I am here');
  });

  test('asks the user, and goes on with the answer in the same round', async () => {
    const { result, said, prompts } = await played(
      held(
        '- Ask the meeting for a dish',
        '- Ask the user for $dish\n- Say(meeting, "{$dish}")\n- Wait for the meeting',
      ),
      {
        answers: ['Fish'],
        replies: [
          ...[begun, dish],
          ops({ step: '01' }, { say: 'Which dish?' }, { step: '02' }, { yield: 'user' }),
          ops(
            ...[{ set: { $dish: 'Fish' } }, { step: '03' }, { say: '{$dish}', to: 'meeting' }],
            ...[{ step: '04' }, { yield: 'meeting' }],
          ),
          ops({ step: '03' }, { return: 'soup' }),
          ops({ step: '02' }, { return: '$menu' }),
        ],
      },
    );
    expect(result.error).toBeUndefined();
    expect(result).toMatchObject({ status: 'done', answer: 'soup' });
    expect(said).toEqual(['Which dish?']);
    expect(prompts[3]).toContain('"Fish"');
    expect(prompts[4]).toContain('Cook said: "Fish"');
  });

  test('answers each message where it waits for them in a loop, the first one too', async () => {
    const round = (n: number, ...before: readonly object[]) =>
      ops(
        ...[...before, { step: '01.02' }, { say: `Answer ${n}`, to: 'meeting' }],
        ...[{ step: '01.03' }, { step: '01' }, { step: '01.01' }, { yield: 'meeting' }],
      );
    const { result, prompts } = await played(
      held(
        '- Ask the meeting for a dish\n- Wait for the meeting\n- Ask the meeting for a drink',
        '- While the meeting goes on\n  - Wait for the meeting\n  - Say to the meeting what you serve',
      ),
      {
        replies: [
          ...[begun, dish],
          ops({ step: '01' }, { step: '01.01' }, { yield: 'meeting' }),
          round(1),
          ops(
            { step: '03' },
            { say: 'A drink?', to: 'meeting' },
            { step: '04' },
            { yield: 'meeting' },
          ),
          round(2),
          ops({ step: '05' }, { return: 'soup' }),
          ops({ step: '01.02' }, { step: '01' }),
          ops({ step: '02' }, { return: '$menu' }),
        ],
        strictness: 'advise',
      },
    );
    expect(result).toMatchObject({ status: 'done', answer: 'soup' });
    expect(prompts[4]).toContain('Cook said: "Answer 1"');
    expect(prompts[6]).toContain('Cook said: "Answer 2"');
  });

  describe.each(['Wait for the user', 'Wait for the guest'])('%s', (wait) => {
    const lines = `- Say("Soup")\n- $x = 1\n- ${wait}\n- Say("I see.")`;
    const before = [{ step: '01' }, { say: 'Soup' }, { step: '02' }, { set: { $x: 1 } }];

    test('waits for that person, not for the meeting', async () => {
      const { result, prompts } = await played(held('- Ask the meeting for a dish', lines), {
        answers: ['Fish'],
        replies: [
          ...[begun, dish, ops(...before, { step: '03' }, { yield: 'user' })],
          ops({ step: '04' }, { say: 'I see.' }),
          ops({ step: '03' }, { return: 'soup' }),
          ops({ step: '02' }, { return: '$menu' }),
        ],
      });
      expect(result).toMatchObject({ status: 'done', answer: 'soup' });
      expect(prompts[3]).toContain('The person wrote: "Fish"');
      expect(prompts[4]).toContain('Cook said: "I see."');
    });
  });

  test('Wait alone is for the meeting, and where it is the last line nothing is asked behind it', async () => {
    const { result, prompts } = await played(
      held('- Ask the meeting for a dish', '- Say("Soup")\n- Wait'),
      {
        answers: ['Fish'],
        replies: [
          ...[begun, dish],
          ops({ step: '01' }, { say: 'Soup' }, { step: '02' }, { yield: 'user' }),
          ops({ step: '03' }, { return: 'soup' }),
          ops({ step: '02' }, { return: '$menu' }),
        ],
      },
    );
    expect(result).toMatchObject({ status: 'done', answer: 'soup' });
    expect(prompts.join('')).not.toContain('Fish');
  });
});
