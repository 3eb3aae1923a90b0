/** What playbooks share and what not: variables, triggers, and the public ones of two agents. */
import { describe, expect, test } from 'vitest';
import { checkProgram } from '../../src/dialects/index.ts';
import { ops, played } from '../planner/playbook/played.ts';
import { forms, type Op, type Turn } from './forms.ts';
import { noting } from './noting.ts';
import { programOf, tell } from './story.ts';

const wait = { yield: 'agent' };

describe('variables: those of a call are its own, those of the agent are shared', () => {
  tell({
    program: 'scopes',
    turns: [
      {
        of: 'Main',
        ops: [
          ...[{ step: '01' }, { set: { region: 'north' } }, { step: '02' }, { set: { count: 30 } }],
          ...[{ step: '03' }, { set: { $name: 'Pinker' } }, { step: '04' }],
          ...[{ call: 'Describe', args: { colour: 'blue' }, into: 'report' }, { step: '05' }],
          { yield: 'call' },
        ],
      },
      {
        of: 'Describe',
        ops: [
          ...[{ step: '01' }, { set: { count: 70 } }, { step: '02' }],
          ...[{ set: { $name: 'Pinkerton' } }, { step: '03' }, { say: '{colour} {count} {$name}' }],
          ...[{ step: '04' }, { return: '$name' }],
        ],
      },
      {
        of: 'Main',
        ops: [
          ...[{ step: '06' }, { say: '{region} {count} {report} {$name}' }, { step: '07' }],
          { return: '$count' },
        ],
      },
    ],
    said: ['blue 70 Pinkerton', 'north 30 Pinkerton Pinkerton'],
    answer: 30,
    skip: { turn: 0, ops: [{ step: '05' }, { yield: 'call' }] },
  });

  test('each agent has those of its own, whoever calls it', async () => {
    const { result, prompts } = await played(
      '# Desk\n## Main\n### Triggers\n- At the beginning\n### Steps\n- $n = 1\n' +
        '- $rate = Office.Rate()\n- Return [$n, $rate]\n\n' +
        '# Office\n## Rate\npublic: true\n### Steps\n- $n = 7\n- Return $n\n',
      {
        replies: [
          ops({ set: { $n: 1 } }, { call: 'Office.Rate', into: '$rate' }, { yield: 'call' }),
          ops({ set: { $n: 7 } }, { return: '$n' }),
          ops({ return: ['$n', '$rate'] }),
        ],
      },
    );
    expect(prompts[1]).not.toMatch(/^\$n = 1/m);
    expect(result).toMatchObject({ status: 'done', answer: [1, 7] });
  });

  test('a callee is not shown the locals of its caller, and cannot use them', async () => {
    const { result, prompts } = await played(programOf('scopes'), {
      replies: [
        ops(
          ...[{ set: { region: 'north' } }, { set: { count: 30 } }, { set: { $name: 'Pinker' } }],
          ...[{ call: 'Describe', args: { colour: 'blue' }, into: 'report' }, { yield: 'call' }],
        ),
        ops({ set: { count: 70 } }, { say: '{$region}' }),
        ops({ set: { count: 70 } }, { say: '{$region}' }),
      ],
    });
    expect(prompts[1]).toContain('Pinker');
    expect(prompts[1]).not.toContain('north');
    expect(result).toMatchObject({ status: 'failed', error: { code: 'PV7307' } });
    expect(result.error?.message).toContain('$region is no variable');
  });
});

test.each(['p', '$p'])('a variable of a call is no other one of its name: %s', async (said) => {
  const text =
    '# Desk\n## Main\n### Triggers\n- At the beginning\n### Steps\n- $p = 1\n- $q = Two()\n' +
    '- Return $p\n## Two\n### Steps\n- p = 2\n- Return p\n';
  const { result } = await played(text, {
    replies: [
      ops(
        ...[{ step: '01' }, { set: { $p: 1 } }, { step: '02' }, { call: 'Two', into: '$q' }],
        ...[{ step: '03' }, { return: '$p' }],
      ),
      ops({ step: '01' }, { set: { [said]: 2 } }, { step: '02' }, { return: '$p' }),
    ],
  });
  expect(result).toMatchObject({ answer: 1, variables: { $p: 1, $q: 2 } });
});

describe('an agent that was made is asked by the variable that holds it', () => {
  tell({
    program: 'tax-advice',
    answers: ['80000'],
    matches: ({ sender }) =>
      sender === 'FrontDesk' ? [{ id: 'TaxExpert.Rate:T1', values: { amount: 80000 } }] : [],
    judged: 2,
    turns: [
      {
        of: 'Main',
        ops: [{ step: '01' }, { say: 'What do you earn?' }, { step: '02' }, { yield: 'user' }],
      },
      {
        of: 'Main',
        ops: [
          ...[{ set: { $income: 80000 } }, { step: '03' }],
          { call: 'CreateAgent', args: { like: 'TaxExpert', name: 'Ada' }, into: '$expert' },
          ...[{ step: '04' }, { yield: 'call' }],
        ],
      },
      {
        of: 'Main',
        ops: [
          ...[{ step: '05' }, { say: 'The rate for {$income}?', to: '$expert' }],
          ...[{ step: '06' }, { yield: 'agent' }],
        ],
      },
      { of: 'Rate', ops: [{ step: '01' }, { step: '01.01' }, { return: '15%' }] },
      {
        of: 'Main',
        ops: [
          ...[{ set: { $rate: '15%' } }, { step: '07' }, { say: 'Your rate is {$rate}.' }],
          ...[{ step: '08' }, { return: '$rate' }],
        ],
      },
    ],
    said: ['What do you earn?', 'Your rate is 15%.'],
    answer: '15%',
    skip: { turn: 4, ops: [{ step: '08' }, { return: '$rate' }] },
  });
});

describe('agents that variables, lists and arguments name, and what is returned', () => {
  const guess = (n: number): Turn => ({
    of: 'Guess',
    ops: [{ step: '01' }, { set: { $guessed: n } }, { step: '02' }, { return: n }],
  });
  const join = (name: string): Turn => ({
    of: 'Join',
    ops: [
      { step: '01' },
      { call: 'CreateAgent', args: { like: 'Player', name }, into: 'made' },
      ...[{ step: '02' }, { return: '$made' }],
    ],
  });
  const guessIn = (line: string, callee: string, n: number, into: string): Op[] => [
    { step: line },
    { call: callee, args: { n }, into },
  ];
  tell({
    program: 'guessers',
    turns: [
      {
        of: 'Main',
        ops: [
          ...[{ step: '01' }, { call: 'Join', args: { name: 'Ann' }, into: '$p' }],
          ...[{ step: '02' }, { call: 'Join', args: { name: 'Bob' }, into: '$q' }],
          ...[{ step: '03' }, { yield: 'call' }],
        ],
      },
      join('Ann'),
      join('Bob'),
      {
        of: 'Main',
        ops: [
          ...[{ step: '04' }, { set: { $players: ['$p', '$q'] } }],
          ...[{ step: '05' }, { set: { $a: '$q' } }],
          ...[...guessIn('06', '$a.Guess', 3, '$g'), { step: '07' }, { yield: 'call' }],
        ],
      },
      guess(3),
      {
        of: 'Main',
        ops: [
          ...[{ step: '08' }, { say: '{$a} says {$g}.' }],
          ...guessIn('09', '$players[0].Guess', 1, '$first'),
          ...guessIn('10', '$players[1].Guess', 2, '$second'),
          ...[{ step: '11' }, { say: 'It is over.', to: '$p' }],
          ...[{ step: '12' }, { call: 'Best', args: { all: '$players' }, into: '$best' }],
          ...[{ step: '13' }, { return: '$best' }],
        ],
      },
      guess(1),
      guess(2),
      { of: 'Reply', isFree: true, ops: [{ say: 'Well played.' }, { return: null }] },
      {
        of: 'Best',
        ops: [
          ...[{ step: '01' }, { set: { one: '$all[0]' } }],
          ...guessIn('02', 'one.Guess', 4, 'g'),
          ...[{ step: '03' }, { return: '$g' }],
        ],
      },
      guess(4),
    ],
    said: ['Bob says 3.'],
    answer: 4,
    skip: {
      turn: 9,
      ops: [{ step: '01' }, { set: { one: '$all[0]' } }, { step: '03' }, { return: 4 }],
    },
  });

  const text = `# Host
## Main
### Triggers
- At the beginning
### Steps
- CreateAgent("Player", name="Ann")
- CreateAgent("Player", name="Bob")
- For each $a in ["Ann", "Bob"]
  - $g = $a.Guess(3)
- Return "done"

# Player
You guess.
## Guess(n)
public: true
### Steps
- Return n
`;
  const made = ops(
    ...[{ step: '01' }, { call: 'CreateAgent', args: { like: 'Player', name: 'Ann' } }],
    ...[{ step: '02' }, { call: 'CreateAgent', args: { like: 'Player', name: 'Bob' } }],
    ...[{ step: '03' }, { yield: 'call' }],
  );
  const loop: Turn = {
    of: 'Main',
    ops: [
      ...[{ step: '04' }, { set: { $a: 'Ann' } }, ...guessIn('04.01', '$a.Guess', 3, '$g')],
      ...[{ step: '04' }, { set: { $a: 'Bob' } }, ...guessIn('04.01', '$a.Guess', 3, '$g')],
      ...[{ step: '04' }, { step: '05' }, { return: 'done' }],
    ],
  };
  // The machine sets the item of a round where a reply does not.
  const bare = { ...loop, ops: loop.ops.filter(({ set }) => set === undefined) };
  const all = Object.entries(forms).flatMap(([name, form]) => [
    [name, form(loop, text)] as const,
    [`${name}, without its items`, form(bare, text)] as const,
  ]);
  test.each(all)('in each round another one: %s', async (_, reply) => {
    const guessed = ops({ step: '01' }, { return: 3 });
    const { result, prompts } = await played(text, {
      replies: ({ prompt }) =>
        prompt.includes('## Guess(') ? guessed : prompt.includes('Go on at') ? reply : made,
    });
    expect(result.error).toBeUndefined();
    expect(result.answer).toBe('done');
    const who = prompts.map((prompt) => /You are (\w+)[.,]/.exec(prompt)?.[1]);
    expect(who).toEqual(['Host', 'Host', 'Ann', 'Bob']);
  });
});

describe('whoever was told something asks back, and goes on with the answer', () => {
  tell({
    program: 'inn',
    tools: (calls) => [noting(calls, 'keep', ['time', 'name', 'phone'], () => 'kept')],
    matches: ({ conditions, message }) =>
      [conditions].flat().flatMap((one) => {
        const { id, text } = Object(one);
        const isMeant = /wants/.test(text)
          ? message === 'A table at 7?'
          : /7:45/.test(`${message}`);
        return isMeant ? [{ id, values: /takes/.test(text) ? { time: '7:45' } : {} }] : [];
      }),
    judged: 3,
    turns: [
      {
        of: 'Book',
        ops: [{ step: '01' }, { say: 'A table at 7?', to: 'Host' }, { step: '02' }, wait],
      },
      { of: 'Offer', ops: [{ step: '01' }, { say: 'At 7:45.', to: 'Customer' }, { return: null }] },
      {
        // Where it has to mend its reply, it is told what the other one says, and goes on with that.
        ...{ of: 'Book', isLast: true },
        ops: [
          ...[{ step: '03' }, { set: { $time: '7:45' } }],
          ...[{ step: '04' }, { say: 'I take it at {$time}.', to: 'Host' }],
          ...[{ step: '05' }, { say: 'See you at {$time}.' }, { step: '06' }, { return: '$time' }],
        ],
      },
      {
        of: 'WriteDown',
        ops: [{ step: '01' }, { say: 'Who are you?', to: 'Customer' }, { step: '02' }, wait],
      },
      { of: 'HearAgent', isFree: true, ops: [{ say: 'Ada, 4711' }, { return: null }] },
      {
        of: 'WriteDown',
        ops: [
          ...[{ set: { $name: 'Ada' } }, { set: { $phone: '4711' } }, { step: '03' }],
          { call: 'keep', args: { time: '$time', name: '$name', phone: '$phone' } },
          ...[{ step: '04' }, { say: 'It is kept.', to: 'Customer' }, { return: null }],
        ],
      },
      // Its playbook has ended: it hears that as the one it is.
      { of: 'HearAgent', isFree: true, ops: [{ return: null }] },
    ],
    said: ['See you at 7:45.'],
    answer: '7:45',
    calls: [['keep', '7:45', 'Ada', '4711']],
    skip: { turn: 5, ops: [{ step: '04' }, { say: 'It is kept.', to: 'Customer' }] },
  });
});

describe('two agents call each other', () => {
  tell({
    program: 'two-agents',
    answers: ['I make 80000'],
    turns: [
      {
        of: 'Main',
        ops: [{ step: '01' }, { say: 'What do you earn?' }, { step: '02' }, { yield: 'user' }],
      },
      {
        of: 'Main',
        ops: [
          ...[{ set: { $income: 80000 } }, { step: '03' }],
          { call: 'Office.Rate', args: { income: '$income' }, into: '$rate' },
          ...[{ step: '04' }, { yield: 'call' }],
        ],
      },
      {
        of: 'Rate',
        ops: [
          ...[
            { step: '01' },
            { call: 'Clerk.Exemption', args: { income: '$income' }, into: 'off' },
          ],
          ...[{ step: '02' }, { call: 'Secret', args: { income: '$income' }, into: 'base' }],
          ...[{ step: '03' }, { yield: 'call' }],
        ],
      },
      { of: 'Exemption', ops: [{ step: '01' }, { return: 5 }] },
      { of: 'Secret', ops: [{ step: '01' }, { return: 20 }] },
      { of: 'Rate', ops: [{ step: '04' }, { return: 15 }] },
      {
        of: 'Main',
        ops: [
          { step: '05' },
          { say: 'Your rate is {$rate}.' },
          { step: '06' },
          { return: '$rate' },
        ],
      },
    ],
    said: ['What do you earn?', 'Your rate is 15.'],
    answer: 15,
    skip: { turn: 6, ops: [{ step: '06' }, { return: '$rate' }] },
  });

  const income = { set: { $income: 1 } };
  const asked = ops({ say: 'What do you earn?' }, { yield: 'user' });

  test('what is not public is refused to the other one, and never played', async () => {
    const bad = ops(income, { call: 'Office.Secret', args: { income: 1 } }, { yield: 'call' });
    const { result, prompts } = await played(programOf('two-agents'), {
      answers: ['1'],
      replies: [asked, bad, bad],
    });
    expect(result).toMatchObject({ status: 'failed', error: { code: 'PV7304' } });
    expect(prompts).toHaveLength(3);
    expect(prompts[1]).not.toContain('Secret');
  });

  test('a call of it that is written in the file is refused before anything runs', () => {
    const text = programOf('two-agents').replace('Office.Rate($income)', 'Office.Secret($income)');
    const tools = { tools: new Map(), inputs: [] };
    const { diagnostics } = checkProgram(text, tools, { dialect: 'playbook' });
    expect(diagnostics).toMatchObject([{ code: 'PV2417', line: 9 }]);
  });
});
