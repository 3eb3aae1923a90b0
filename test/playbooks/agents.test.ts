/** Several agents: who hears whom, meetings, people by name, and agents that are made. */
import { describe, expect, test } from 'vitest';
import { quickTool } from '../engine/support.ts';
import { ops, type PlayOptions, played } from '../planner/playbook/played.ts';
import { desk } from './desk.ts';

const agent = (name: string, about: string, rest = '') => `# ${name}\n${about}\n\n${rest}\n`;

const playbook = (name: string, steps: string, head = '') =>
  `## ${name}\n${head}### Steps\n${steps}\n\n`;

/** Replies by the playbook that is played, in turn. */
const byPlaybook =
  (replies: Readonly<Record<string, readonly string[]>>) =>
  ({ prompt }: { readonly prompt: string }): string => {
    const [, name = ''] = [...prompt.matchAll(/(?:^|user: )## (\w+)\(/gm)].at(-1) ?? [];
    const turns = [...prompt.matchAll(/^assistant: /gm)].length;
    const reply = replies[name]?.[turns] ?? replies[name]?.at(-1);
    if (reply === undefined) throw new Error(`no reply for ${name}`);
    return reply;
  };

const done = async (text: string, options: PlayOptions) => {
  const ran = await played(text, options);
  expect(ran.result.error).toBeUndefined();
  return ran;
};

describe('messages', () => {
  const clerk = agent('Clerk', 'You know the rates.');

  test('a question to an agent is answered by it, and sets what the line asks for', async () => {
    const ran = await done(desk('- Ask Clerk for $rate\n- Return $rate', clerk), {
      replies: byPlaybook({
        Main: [ops({ say: 'The rate?' }), ops({ set: { rate: 15 } })],
        HearAgent: [ops({ say: 'It is 15.' })],
      }),
    });
    expect(ran.result.answer).toBe(15);
    expect(ran.prompts[1]).toContain('Desk said: "The rate?"');
    expect(ran.prompts[2]).toContain('Clerk said: "It is 15."');
    expect(ran.said).toEqual([]);
  });

  test.each([
    ['Ann', [{ to: 'Ann', text: 'Hi' }]],
    ['tax clerk', 'TaxClerk'],
    ['agent TaxClerk', 'TaxClerk'],
    ['customer', ['Hi']],
    ['the user', ['Hi']],
    ['the meeting', undefined],
    ['Bob', undefined],
  ])('a message to %s reaches %j', async (to, heard) => {
    const others = `${agent('Tax clerk', 'You know the rates.')}\n# Ann:Human\n`;
    const replies = byPlaybook({
      Main: [ops({ say: 'Hi', to }), ops({ at: '01' })],
      HearAgent: [ops({ note: 'nothing' })],
    });
    const ran = await done(desk('- Greet them\n- Return 1', others), {
      replies: (asked) =>
        asked.prompt.includes('there is nobody called') ? ops({ at: '01' }) : replies(asked),
    });
    expect(ran.said).toEqual(Array.isArray(heard) ? heard : []);
    expect(ran.prompts.some((prompt) => prompt.includes('Desk said: "Hi"'))).toBe(
      heard === 'TaxClerk',
    );
    const isTold = ran.prompts.some((prompt) => prompt.includes('there is nobody called'));
    expect(isTold).toBe(heard === undefined);
  });

  test('two agents have one conversation', async () => {
    const ran = await done(desk('- Say(Clerk, "One.")\n- Say(Clerk, "Two.")', clerk), {
      replies: byPlaybook({ HearAgent: [ops({ say: 'A.' }), ops({ note: 'nothing' })] }),
    });
    expect(ran.prompts[1]).toContain('Desk said: "One."');
    expect(ran.prompts[1]).toContain('Desk said: "Two."');
  });

  test('a message sets off what is for it, and what that says is the answer', async () => {
    const text = desk(
      '- Ask Clerk for $rate\n- Return $rate',
      agent(
        'Clerk',
        'You know the rates.',
        playbook(
          'Tell',
          '- Say("It is {$known}.")',
          '### Triggers\n- When somebody asks for a rate\n',
        ) + playbook('Begin', '- $known = 15', '### Triggers\n- At the beginning\n'),
      ),
    );
    const ran = await done(text, {
      matches: ({ sender }) => (sender === 'Desk' ? ['Clerk.Tell:T1'] : []),
      replies: byPlaybook({ Main: [ops({ say: 'The rate?' }), ops({ set: { rate: 15 } })] }),
    });
    expect(ran.result.answer).toBe(15);
    expect(ran.said).toEqual(['It is 15.']);
  });

  test('what an agent answers may set something off for who has asked', async () => {
    const text = desk(
      '- Say(Clerk, "Hello.")\n- Return 1',
      `## Note\n### Triggers\n- When somebody is ill\n### Steps\n- Say("Noted.")\n\n${clerk}`,
    );
    const ran = await done(text, {
      matches: ({ message }) => (String(message).includes('ill') ? ['Desk.Note:T1'] : []),
      replies: byPlaybook({ HearAgent: [ops({ say: 'I am ill.' })] }),
    });
    expect(ran.said).toEqual(['Noted.']);
  });

  test('a model that speaks to nobody is told who there is', async () => {
    const ran = await done(desk('- Tell the pirate', clerk), {
      replies: [
        ops({ say: 'Hi', to: 'Pirate' }),
        ops({ say: 'Hi', to: 'Clerk' }),
        ops({ note: 'so' }),
        ops({ at: '01' }),
      ],
    });
    expect(ran.prompts[1]).toContain('Pirate');
    expect(ran.prompts[1]).toContain('Clerk');
  });
});

test('agents that are made have variables of their own, and are named by variables', async () => {
  const text = desk(
    '- Make two players, as $a and $b\n- Let both guess and set $sum\n- Return $sum',
    agent(
      'Player',
      'You guess.',
      playbook('Guess(n)', '- $last = n\n- Return n', 'public: true\n'),
    ),
  );
  const ran = await done(text, {
    replies: [
      ops(
        { call: 'CreateAgent', args: { like: 'Player', name: 'Ann' }, into: '$a' },
        { call: 'CreateAgent', args: { like: 'Player', name: 'Bob' }, into: '$b' },
      ),
      ops(
        { call: '$a.Guess', args: { n: 3 }, into: 'x' },
        { call: '$b.Guess', args: { n: 4 }, into: 'y' },
        { yield: 'call' },
      ),
      ops({ set: { sum: 7 } }),
    ],
  });
  expect(ran.result.answer).toBe(7);
  expect(ran.result.variables).toMatchObject({ 'Ann.$last': 3, 'Bob.$last': 4 });
});

test('what begins is played in the order of the file, but first for whoever is called before', async () => {
  const begin = (name: string) =>
    playbook(`Open${name}`, `- Say("${name} opens")`, '### Triggers\n- At the beginning\n');
  const ran = await done(
    desk(
      '- Say("Desk opens")\n- $x = Store.Take()\n- Return $x',
      agent('Clerk', '', begin('Clerk')) +
        agent('Store', '', begin('Store') + playbook('Take', '- Return 1', 'public: true\n')),
    ),
    { replies: [] },
  );
  expect(ran.said).toEqual(['Desk opens', 'Store opens', 'Clerk opens']);
});

test('two people are asked at the same time, each by name', async () => {
  const asked: unknown[] = [];
  const ask = quickTool('ask', ({ to }) => {
    asked.push(to);
    return to === 'Clara' ? 'Monday' : '5';
  });
  const people = '# Clara:Human\n\n# Bob:Human\n';
  const ran = await done(desk('- Ask both for $day and $sum\n- Return [$day, $sum]', people), {
    tools: [ask],
    replies: [
      ops({ say: 'When?', to: 'Clara' }, { say: 'How much?', to: 'Bob' }, { yield: 'user' }),
      ops({ set: { day: 'Monday', sum: 5 } }),
    ],
  });
  expect(ran.result.answer).toEqual(['Monday', 5]);
  expect(asked.toSorted()).toEqual(['Bob', 'Clara']);
});

describe('meetings', () => {
  const held = (steps: string, head = 'required_attendees: [Cook]\n', rest = '') =>
    desk(
      '- $dish = Plan()\n- Return $dish',
      playbook('Plan', steps, `meeting: true\n${head}`) +
        agent('Cook', 'You cook.', rest) +
        agent('Buyer', 'You buy.'),
    );

  test('each hears what was said before it, once; what is shared, all see', async () => {
    const ran = await done(
      held(
        '- Say(meeting, "A dish?")\n- Say(meeting, "And then?")\n- Return $shared_state["dish"]',
        'required_attendees: [Cook, Buyer]\n',
      ),
      {
        replies: ({ prompt }) => {
          const isCook = prompt.includes('You are Cook');
          const isSecond = prompt.includes('And then?');
          if (isSecond) return ops({ note: 'nothing' });
          return isCook
            ? ops({ say: 'Soup.' }, { set: { $shared_state: { dish: 'soup' } } })
            : ops({ say: 'Good.' });
        },
      },
    );
    expect(ran.result.answer).toBe('soup');
    const [, buyer = '', cook = ''] = ran.prompts;
    expect(buyer).toContain('Cook said: "Soup."');
    expect(buyer).toContain('"dish":"soup"');
    expect(cook.match(/A dish\?/g)).toHaveLength(1);
    expect(cook).toContain('Buyer said: "Good."');
  });

  test('a person attends by being asked, and may have nothing to say', async () => {
    const ran = await done(
      held(
        '- Say(meeting, "A dish?")\n- Say(meeting, "Sure?")\n- Return "pie"',
        'required_attendees: [User, Cook]\n',
      ),
      {
        answers: ['Pie!', '-'],
        replies: byPlaybook({ HearAgent: [ops({ note: 'nothing' })] }),
      },
    );
    expect(ran.prompts[0]).toContain('User said: "Pie!"');
    expect(ran.prompts[1]).not.toContain('User said: "-"');
  });

  test('what is said in it sets off what is for it, for whoever holds it', async () => {
    const ran = await done(
      held('- Say(meeting, "A dish?")\n- Return "soup"', 'required_attendees: [User]\n').replace(
        '# Cook',
        '## Note\n### Triggers\n- When somebody is ill\n### Steps\n- Say("Noted.")\n\n# Cook',
      ),
      {
        answers: ['Nuts make me ill.'],
        matches: ({ message }) => (String(message).includes('ill') ? ['Desk.Note:T1'] : []),
        replies: [],
      },
    );
    expect(ran.said).toEqual(['Noted.']);
  });

  test('where somebody is missing who has to come, the call fails, and the model goes on', async () => {
    const ran = await played(
      held('- Say(meeting, "A dish?")', 'required_attendees: [Pirate]\n').replace(
        '- Return $dish',
        '- Tell them what happens\n- Return 1',
      ),
      { replies: [ops({ say: 'No meeting.' })] },
    );
    expect(ran.result.answer).toBe(1);
    expect(ran.prompts[0]).toContain('Pirate cannot attend');
  });
});
