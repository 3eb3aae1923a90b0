/** Questions for what is known as a playbook comes to them: nobody is asked. */
import { describe, expect, test } from 'vitest';
import { ops, type PlayOptions, played } from './played.ts';

const desk = (steps: string, head = 'Main($city)'): string =>
  `# Desk\n## ${head}\n### Triggers\n- At the beginning\n### Steps\n${steps}\n`;

const one = desk('- Ask user for $city\n- Say("So {$city}.")\n- Return $city');

const asking = ops({ step: '01' }, { say: 'Which city?' }, { step: '02' }, { yield: 'user' });
const going = ops({ step: '03' }, { say: 'So {$city}.' }, { step: '04' }, { return: '$city' });

const rome = { given: { city: 'Rome' } };

const play = async (text: string, options: PlayOptions) => {
  const { result, said, prompts } = await played(text, options);
  const { status, answer, error, warnings } = result;
  return {
    status,
    answer,
    code: error?.code,
    said,
    prompts,
    warned: warnings.map((w) => w.message),
  };
};

test('who asks all the same is not heard, and goes on at once behind the wait', async () => {
  const done = await play(one, { ...rome, replies: [asking, going] });
  expect(done).toMatchObject({ status: 'done', answer: 'Rome', said: ['So Rome.'] });
  expect(done.warned).toContainEqual(
    'PV7329 line 01 asks for $city, which is known: nobody is asked',
  );
  expect(done.prompts[1]).toContain('Nobody was asked, nor waited for, at line 02');
  expect(done.prompts[1]).toContain('Go on at line 03');
});

test('who only waits for what is known goes on as well', async () => {
  const waiting = ops({ step: '01' }, { step: '02' }, { yield: 'user' });
  const done = await play(one, { ...rome, replies: [waiting, going] });
  expect(done).toMatchObject({ status: 'done', answer: 'Rome', said: ['So Rome.'], warned: [] });
});

test('who goes on in the same reply needs no other one', async () => {
  const whole = `${ops({ step: '01' }, { say: 'Which city?' })}\n${going}`;
  const done = await play(one, { ...rome, replies: [whole] });
  expect(done).toMatchObject({ status: 'done', answer: 'Rome', said: ['So Rome.'] });
});

test('who names no line puts the question that is not answered, and says what is to be said', async () => {
  const bare = ops({ say: 'Which city?' }, { yield: 'user' });
  const rest = ops({ say: 'So {$city}.' }, { return: '$city' });
  const done = await play(one, { ...rome, replies: [bare, rest] });
  expect(done).toMatchObject({ status: 'done', answer: 'Rome', said: ['So Rome.'] });
  const words = desk('- Ask user for $city\n- Tell the user about {$city}\n- Return $city');
  const told = await play(words, {
    ...rome,
    replies: [ops({ say: 'Rome is old.' }, { return: '$city' })],
  });
  expect(told).toMatchObject({ status: 'done', said: ['Rome is old.'], warned: [] });
});

test('where all is enforced it is told, and asks nobody the second time either', async () => {
  const more = { ...rome, strictness: 'enforce' } as const;
  const done = await play(one, { ...more, replies: [asking, going] });
  expect(done).toMatchObject({ status: 'done', answer: 'Rome', said: ['So Rome.'] });
  expect(done.prompts[1]).toContain('line 01 asks for $city, which is known');
  const twice = await play(one, { ...more, replies: [asking, asking] });
  expect(twice).toMatchObject({ status: 'failed', code: 'PV7329', said: [] });
});

test('a question beside one that is answered is put alone', async () => {
  const text = desk(
    '- Ask user for $city\n- Ask user for $street\n- Say("So {$city}.")\n- Return $street',
  );
  const both = ops(
    ...[{ step: '01' }, { say: 'Which city?' }, { step: '02' }, { say: 'Which street?' }],
    ...[{ step: '03' }, { yield: 'user' }],
  );
  const rest = ops(
    ...[{ set: { $street: 'Corso' } }, { step: '04' }, { say: 'So {$city}.' }],
    ...[{ step: '05' }, { return: '$street' }],
  );
  const done = await play(text, { ...rome, answers: ['Corso'], replies: [both, rest] });
  expect(done).toMatchObject({ status: 'done', answer: 'Corso' });
  expect(done.said).toEqual(['Which street?', 'So Rome.']);
});

test('what is said in front of it is heard, and nobody waits', async () => {
  const text = desk('- Say("Hello.")\n- Ask user for $city\n- Return $city');
  const replies = [
    ops({ step: '01' }, { say: 'Hello.' }, { step: '02' }, { say: 'Which?' }, { yield: 'user' }),
    ops({ step: '04' }, { return: '$city' }),
  ];
  const done = await play(text, { ...rome, replies });
  expect(done).toMatchObject({ status: 'done', answer: 'Rome', said: ['Hello.'] });
  const silent = [ops({ step: '01' }, { say: 'Hello.' }, { step: '04' }, { return: '$city' })];
  expect(await play(text, { ...rome, replies: silent })).toMatchObject({
    status: 'done',
    warned: [],
  });
});

test('what a trigger has made known that cuts the reply, nobody is asked for behind it', async () => {
  const text = `${desk('- $total = 900\n- Ask user for $city\n- Return $city', 'Main')}
## Guess
### Triggers
- When $total > 500
### Steps
- $city = "Rome"
`;
  const replies = [
    ops({ step: '01' }, { set: { $total: 900 } }, { step: '02' }, { say: 'never' }),
    ops({ step: '01' }, { set: { $city: 'Rome' } }),
    ops({ step: '02' }, { say: 'Which city?' }, { step: '03' }, { yield: 'user' }),
    ops({ step: '04' }, { return: '$city' }),
  ];
  const done = await play(text, { replies });
  expect(done).toMatchObject({ status: 'done', answer: 'Rome', said: [] });
});

test('where it is the last line, its playbook is over', async () => {
  const text = `${desk('- Find the city\n- Return $city', 'Main')}
## Find the city
### Steps
- Ask user for $city
`;
  const replies = [
    ops({ step: '01' }, { call: 'FindTheCity', args: {} }, { yield: 'call' }),
    ops({ step: '01' }, { say: 'Which city?' }, { step: '02' }, { yield: 'user' }),
    ops({ set: { $city: 'Rome' } }, { return: null }),
    ops({ return: '$city' }),
  ];
  const done = await play(text, { answers: ['Rome'], replies });
  expect(done).toMatchObject({ status: 'done', answer: 'Rome', said: ['Which city?'] });
});

describe('where an agent would be asked', () => {
  const clerk =
    '\n# Clerk\nYou are the clerk.\n## Answer\n### Steps\n- Answer whoever speaks to you\n';
  const steps = '- Say("Well.")\n- Ask the Clerk for $day\n- Say("Bye on {$day}.")';
  const given = `${desk(steps, 'Main($day)')}${clerk}`;
  const own = steps.replace('Say("Well.")', '$day = "Monday"');
  const set = `${desk(own, 'Main()')}${clerk}`;
  const monday = { given: { day: 'Monday' } };
  const well = [{ step: '01' }, { say: 'Well.' }];
  const fixed = [{ step: '01' }, { set: { $day: 'Monday' } }];
  const bye = [{ step: '04' }, { say: 'Bye on {$day}.' }, { yield: 'return' }];

  test.each([[['02', '03']], [['02']], [['03']], [[]]])(
    'nobody is, nor waited for, by a reply that names %j',
    async (lines) => {
      const named = lines.map((step) => ({ step }));
      const one = await play(given, { ...monday, replies: [ops(...well, ...named, ...bye)] });
      const both = { status: 'done', warned: [] };
      expect(one).toMatchObject({ ...both, said: ['Well.', 'Bye on Monday.'] });
      const other = await play(set, { replies: [ops(...fixed, ...named, ...bye)] });
      expect(other).toMatchObject({ ...both, said: ['Bye on Monday.'] });
    },
  );

  test('who only waits goes on behind it', async () => {
    const waiting = ops(...well, { step: '02' }, { step: '03' }, { yield: 'agent' });
    const done = await play(given, { ...monday, replies: [waiting, ops(...bye)] });
    expect(done).toMatchObject({ status: 'done', said: ['Well.', 'Bye on Monday.'], warned: [] });
    expect(done.prompts[1]).toContain('Nobody was asked, nor waited for, at line 03');
  });

  test('where it may be asked and is, it is waited for', async () => {
    const asks = [{ step: '02' }, { say: 'Which day?', to: 'Clerk' }];
    const waits = [{ step: '03' }, { yield: 'agent' }];
    const answers = ops({ say: 'Sunday.' }, { yield: 'return' });
    const done = await play(set, {
      replies: [
        ops(...fixed, ...asks, ...waits),
        answers,
        ops({ set: { $day: 'Sunday' } }, ...bye),
      ],
    });
    expect(done.prompts[2]).toContain('Clerk said: "Sunday."');
    expect(done).toMatchObject({ status: 'done', said: ['Bye on Sunday.'], warned: [] });
  });
});

describe('somebody is asked', () => {
  const replies = [asking, `${ops({ set: { $city: 'Oslo' } })}\n${going}`];
  const asked = { status: 'done', answer: 'Oslo', said: ['Which city?', 'So Oslo.'], warned: [] };

  test('where nothing is known, or nothing by that name', async () => {
    const done = await play(
      desk('- Ask user for $city\n- Say("So {$city}.")\n- Return $city', 'Main'),
      {
        answers: ['Oslo'],
        replies,
      },
    );
    expect(done).toMatchObject(asked);
  });

  test.each([
    'Ask user for $city and whether it is large',
    'Ask user for $city and how large the sea is there',
    'Ask user for the date and $city',
    'Ask user for $city again',
  ])('%s', async (line) => {
    const text = desk(`- ${line}\n- Say("So {$city}.")\n- Return $city`);
    expect(await play(text, { ...rome, answers: ['Oslo'], replies })).toMatchObject(asked);
  });
});

describe('where the playbook itself has set what a line asks for', () => {
  const finds = (gives: string, ...steps: readonly string[]): string =>
    desk(['- $age = find()', ...steps].map((one) => `${one}\n`).join(''), 'Main').replace(
      '# Desk\n',
      `# Desk\n\`\`\`tools\ndef find():\n    return ${gives}\n\`\`\`\n`,
    );
  const tell = '- Tell the user that {$age} was found';
  const text = finds('44', tell, '- Ask user for $age', '- Return $age');
  const find = ops(
    { step: '01' },
    { call: 'find', into: 'age' },
    { step: '02' },
    { yield: 'call' },
  );
  const found = [{ step: '03' }, { say: 'I have found 44.' }];
  const end = [{ step: '06' }, { return: '$age' }];
  const question = [{ step: '04' }, { say: 'How old?' }, { step: '05' }, { yield: 'user' }];

  describe.each(['repair', 'enforce'] as const)('%s', (strictness) => {
    test.each([[['04', '05']], [['04']], [['05']], [[]]])(
      'its question may be left out, which is told: %j',
      async (named) => {
        const lines = named.map((step) => ({ step }));
        const done = await play(text, {
          ...{ strictness, replies: [find, ops(...found, ...lines, ...end)] },
        });
        const said = ['I have found 44.'];
        expect(done).toMatchObject({ status: 'done', answer: 44, said, warned: [] });
        expect(done.prompts).toHaveLength(2);
        expect(done.prompts[1]).toContain(
          'What line 04 asks for has a value: ask there only where',
        );
      },
    );

    test('nobody waits for what nobody was asked', async () => {
      const waiting = ops(...found, { step: '05' }, { yield: 'user' });
      const done = await play(text, { strictness, replies: [find, waiting, ops(...end)] });
      expect(done).toMatchObject({ status: 'done', answer: 44, warned: [] });
      expect(done.prompts[2]).toContain('Nobody was asked, nor waited for, at line 05');
    });

    test('it may be put, and is waited for', async () => {
      const rest = ops({ set: { $age: 45 } }, ...end);
      const replies = [find, ops(...found, ...question), rest];
      const done = await play(text, { strictness, answers: ['45'], replies });
      const said = ['I have found 44.', 'How old?'];
      expect(done).toMatchObject({ status: 'done', answer: 45, said, warned: [] });
    });
  });

  test('in the same reply', async () => {
    const same = desk('- $age = 44\n- Ask user for $age\n- Return $age', 'Main');
    const reply = ops({ step: '01' }, { set: { $age: 44 } }, { step: '04' }, { return: 44 });
    const done = await play(same, { replies: [reply] });
    expect(done).toMatchObject({ status: 'done', answer: 44, warned: [] });
  });

  test('who is asked is waited for', async () => {
    const reply = ops(...found, ...question.slice(0, 2), ...end);
    const { prompts, code } = await play(text, { replies: [find, reply, ops(...end)] });
    expect(prompts[2]).toContain('line 05 was not done');
    expect(code).toBe('PV7303');
  });

  test.each([
    ['it is nothing', 'None', tell, '- Ask user for $age'],
    ['it is wanted again', '44', '- Ask user for $age again'],
  ])('it is put where %s', async (_, gives, ...steps) => {
    const program = finds(gives, ...steps, '- Return 1');
    const left = ops({ return: 1 });
    const { code, prompts } = await play(program, { replies: [find, left, left] });
    expect(prompts.slice(1).join('')).not.toContain('asks for has a value');
    expect(code).toBe('PV7303');
  });

  test('a loop that asks again asks again', async () => {
    const program = finds('44', tell, '- Twice', '  - Ask user for $age', '- Return $age');
    const round = [...found, { step: '04' }, { step: '04.01' }, { say: 'How old?' }];
    const left = [{ set: { $age: 45 } }, { step: '04' }, { step: '04.01' }, { step: '04.03' }];
    const { prompts, status } = await play(program, {
      answers: ['45'],
      replies: [find, ops(...round, { yield: 'user' }), ops(...left), ops(...left)],
    });
    expect(prompts[1]).toContain('What line 04.01 asks for has a value');
    expect(prompts[2]?.split('Go on at line').at(-1)).not.toContain('has a value');
    expect(prompts[3]).toContain('line 04.01 says something, and nothing was said');
    expect(status).toBe('failed');
  });
});

test('of several that a line asks for, the model is told the value of the one that is known', async () => {
  const text = `# Desk
## Main($name="Ann")
### Triggers
- At the beginning
### Steps
- $n = 1
- Ask user for $name and $age
- Return "{$name} {$age}"
`;
  const { prompts, result } = await played(text, {
    answers: ['42'],
    replies: [
      ops(
        { step: '01' },
        { set: { $n: 1 } },
        { step: '02' },
        { say: 'How old?' },
        { yield: 'user' },
      ),
      ops({ set: { $age: 42 } }, { step: '04' }, { return: '{$name} {$age}' }),
    ],
  });
  expect(prompts[0]).toContain('$name = "Ann"');
  expect(result.answer).toBe('Ann 42');
});

test.each([
  ['with both lines', [{ step: '01' }, { step: '02' }]],
  ['with the question alone', [{ step: '01' }]],
  ['with neither', []],
])('another agent is not asked either, %s', async (_, lines) => {
  const clerk = `${desk('- Ask the Clerk for $city\n- Say("So {$city}.")\n- Return $city')}
# Clerk
You are the clerk.
`;
  const done = await play(clerk, { ...rome, replies: [`${ops(...lines)}\n${going}`] });
  expect(done).toMatchObject({ status: 'done', said: ['So Rome.'], warned: [] });
});
