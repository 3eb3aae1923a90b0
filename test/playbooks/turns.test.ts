/** How the machine and a model share the lines of a playbook: order, calls, variables, people. */
import { describe, expect, test } from 'vitest';
import { quickTool } from '../engine/support.ts';
import { ops, orders, type PlayOptions, played } from '../planner/playbook/played.ts';
import { desk } from './desk.ts';

/** A tool that notes its calls and gives what it was called with. */
const noting = (name: string, calls: unknown[], changes: object = orders) =>
  quickTool(
    name,
    (args) => {
      calls.push(args);
      return Object.values(args)[0];
    },
    { ...orders, ...changes },
  );

const play = async (steps: string, options: PlayOptions, rest = '') => {
  const ran = await played(desk(steps, rest), options);
  return { ...ran, warnings: ran.result.warnings.map(({ message }) => message) };
};

describe('formal lines are done without a model', () => {
  test.each<[string, string, readonly unknown[], unknown]>([
    ['conditions', '- $x = 5\n- If $x > 4\n  - Say("a {$x}")\n- Else\n  - Say("b")', ['a 5'], null],
    ['chains', '- $x = 2\n- If $x == 1\n  - Return 1\n- Else if $x == 2\n  - Return 2', [], 2],
    ['items', '- For each $y in ["a", "b"]\n  - Say("{$y}")', ['a', 'b'], null],
    ['rounds', '- $n = 0\n- Repeat 3 times\n  - $n += 1\n- Return $n', [], 3],
    ['limits', '- $n = 0\n- While True (up to 4 times)\n  - $n += 1\n- Return $n', [], 4],
    ['until', '- $n = 0\n- Until $n > 2\n  - $n += 1\n- Return $n', [], 3],
    ['break', '- While True\n  - Break\n- Return 1', [], 1],
    ['go', '- $n = 0\n- $n += 1\n- If $n < 3\n  - Go to step 2\n- Return $n', [], 3],
    ['end', '- Say("a")\n- End program\n- Say("b")', ['a'], null],
    ['one line', '- $x = 1\n- If $x == 1: Return "yes"\n- Return "no"', [], 'yes'],
  ])('%s', async (_, steps, said, answer) => {
    const ran = await play(steps, { replies: [] });
    expect([ran.said, ran.result.answer]).toEqual([said, answer]);
  });

  test('playbooks, and those that take the place of their caller', async () => {
    const ran = await play(
      '- $a = First("x")\n- Say("{$a}")\n- Return Down(3)',
      { replies: [] },
      [
        '## First(word)\n### Steps\n- b = word + "!"\n- Return b\n',
        '## Down(n)\n### Steps\n- If n == 0\n  - Return "ground"\n- Return Down(n - 1)\n',
      ].join('\n'),
    );
    expect([ran.said, ran.result.answer]).toEqual([['x!'], 'ground']);
  });

  test('calls that do not need each other are open at the same time', async () => {
    let open = 0;
    let most = 0;
    const slow = quickTool('slow', async () => {
      most = Math.max(most, ++open);
      await new Promise((resolve) => setImmediate(resolve));
      open--;
      return 1;
    });
    const ran = await play('- $a = slow()\n- $b = slow()\n- Return $a + $b', {
      tools: [slow],
      replies: [],
    });
    expect([ran.result.answer, most]).toEqual([2, 2]);
  });

  test('what is said after a write waits for it', async () => {
    const failing = quickTool(
      'pay',
      () => {
        throw new Error('no money');
      },
      { ...orders, idempotent: true },
    );
    const ran = await play('- pay(1)\n- Say("Paid.")\n- Tell them goodbye', {
      tools: [failing],
      replies: [ops({ say: 'It failed.' }, { at: '03' })],
    });
    expect(ran.said).toEqual(['It failed.']);
    expect(ran.prompts[0]).toContain('no money');
  });

  test('a failed call ends a playbook that no model follows', async () => {
    const failing = quickTool('look', () => {
      throw new Error('nothing there');
    });
    const ran = await play('- $x = look()\n- Return $x', { tools: [failing], replies: [] });
    expect(ran.result).toMatchObject({ status: 'failed', error: { code: 'PV7313' } });
    expect(ran.result.error?.message).toContain('nothing there');
  });
});

describe('people', () => {
  test('whoever asks back is answered, and stays at the question', async () => {
    const ran = await play(
      '- Ask user for $wants\n- If $wants == "yes"\n  - Say("Here.")\n- Ask user for $more\n- Say("Bye")',
      {
        answers: ['what can I buy with it?', 'yes then', 'no'],
        replies: [
          ops({ say: 'A voucher?' }),
          ops({ say: 'Anything. Would you like it?' }, { yield: 'user' }),
          ops({ set: { wants: 'yes' } }),
          ops({ say: 'Anything else?' }),
          ops({ set: { more: 'no' } }),
        ],
      },
    );
    expect(ran.said).toEqual([
      ...['A voucher?', 'Anything. Would you like it?', 'Here.', 'Anything else?', 'Bye'],
    ]);
  });

  test('one message may put several questions', async () => {
    const ran = await play('- Ask user for $id\n- Ask user for $birth\n- Return [$id, $birth]', {
      answers: ['7, in May'],
      replies: [
        ops({ at: '01' }, { at: '02' }, { say: 'Who are you, and when were you born?' }),
        ops({ set: { id: 7, birth: 'May' } }),
      ],
    });
    expect(ran.result.answer).toEqual([7, 'May']);
    expect(ran.warnings).toEqual([]);
  });

  test('nothing comes between a question and its answer', async () => {
    const calls: unknown[] = [];
    const ran = await play('- Ask user for $id\n- order(1)\n- Tell them\n- Return $id', {
      answers: ['7'],
      tools: [noting('order', calls)],
      replies: [
        ops({ at: '01' }, { at: '03' }, { say: 'Done.' }),
        ops({ say: 'Who are you?' }),
        ops({ set: { id: 7 } }),
        ops({ say: 'Done.' }),
      ],
    });
    expect([ran.said, calls]).toEqual([['Who are you?', 'Done.'], [{ n: 1 }]]);
    expect(ran.warnings).toEqual([expect.stringContaining('PV7303')]);
  });

  test('nobody answers for the person', async () => {
    const calls: unknown[] = [];
    const ran = await play('- Ask user for $time\n- $b = order($time)\n- Return $b', {
      answers: ['at 7'],
      tools: [noting('order', calls)],
      replies: [
        ops({ say: 'Which time?' }, { set: { time: 9 } }, { at: '02' }, { yield: 'user' }),
        ops({ set: { time: 7 } }),
      ],
    });
    expect(calls).toEqual([{ n: 7 }]);
    expect(ran.warnings).toEqual([expect.stringContaining('PV7316')]);
  });

  test('a question that needs no words of a model is put by the machine', async () => {
    const ran = await play('- Say("Ready?")\n- $n: int = Ask(user, "How many?")\n- Return $n + 1', {
      replies: [],
      answers: ['yes', 'many', '4'],
    });
    expect(ran.result.answer).toBe(5);
    expect(ran.said).toEqual([
      ...['Ready?', 'How many?', 'got "many" for $n, want a value of the type int', 'How many?'],
    ]);
  });

  test('what is known is not asked for', async () => {
    const ran = await play('- $day = "Monday"\n- Ask user for $day\n- Return $day', {
      replies: [],
    });
    expect(ran.result.answer).toBe('Monday');
  });

  test('None is no value before the question, and may be the answer to it', async () => {
    const ran = await play('- $day = None\n- Ask user for $day\n- Return [$day]', {
      answers: ['never mind'],
      replies: [ops({ say: 'Which day?' }), ops({ set: { day: null } })],
    });
    expect(ran.result.answer).toEqual([null]);
  });

  test('an open line that names what a later line needs stays until it has a value', async () => {
    const ran = await play('- Find out which $day they mean\n- Return $day', {
      answers: ['Friday'],
      replies: [ops({ say: 'Tell me the day.' }), ops({ set: { day: 'Friday' } })],
    });
    expect(ran.result.answer).toBe('Friday');
  });

  test('a reply that ends with a question waits for the answer', async () => {
    const ran = await play('- Greet them\n- Say("Bye, {$name}")', {
      answers: ['Ann'],
      replies: [ops({ say: 'Hello, who are you?' }), ops({ set: { $name: 'Ann' } })],
    });
    expect(ran.said).toEqual(['Hello, who are you?', 'Bye, Ann']);
  });

  test('a chat goes on after replies without operations: their words are said', async () => {
    const ran = await play('- Ask user for $a\n- Help them\n- Say("bye")', {
      answers: ['1'],
      replies: [ops({ say: 'a?' }), ops({ set: { a: 1 } }), 'Hello there', 'Hello again'],
    });
    expect(ran.said).toEqual(['a?', 'Hello again', 'bye']);
    expect(ran.warnings).toHaveLength(2);
  });
});

describe('the order of lines', () => {
  test('an open line that is passed unnamed is told once, then it passes', async () => {
    const reply = ops({ at: '03' }, { say: 'luck' });
    const ran = await play('- Greet them\n- Tell a joke\n- Wish luck\n- Say("bye")', {
      replies: [ops({ say: 'Hi' }, { at: '03' }, { say: 'luck' }), reply],
    });
    expect(ran.said).toEqual(['Hi', 'luck', 'bye']);
    expect(ran.prompts[1]).toContain('line 02 comes before line 03 and was not named');
  });

  test.each([
    ['before it', '01'],
    ['that there is not', '09'],
  ])('a line %s is told', async (_, line) => {
    const ran = await play('- Greet them\n- Wish luck\n- Thank them', {
      replies: [
        ops({ at: '01' }, { at: '02' }, { at: line }, { say: 'no' }),
        ops({ at: '02' }, { at: '03' }),
      ],
    });
    expect(ran.said).toEqual([]);
    expect(ran.warnings).toEqual([expect.stringContaining('PV7302')]);
  });

  test('one message serves several lines', async () => {
    const ran = await play('- Greet them\n- Wish luck\n- Say("bye")', {
      replies: [ops({ at: '01' }, { at: '02' }, { say: 'Hello and good luck' })],
    });
    expect([ran.said, ran.warnings]).toEqual([['Hello and good luck', 'bye'], []]);
  });

  test('a line of the machine may be named, and is done by it', async () => {
    const ran = await play('- Greet them\n- Say("one")\n- Wish luck', {
      replies: [ops({ say: 'Hi' }, { at: '02' }, { at: '03' }, { say: 'luck' })],
    });
    expect([ran.said, ran.warnings]).toEqual([['Hi', 'one', 'luck'], []]);
  });

  test('conditions, loops and blocks in words are decided, by word or by the line named', async () => {
    const ran = await play(
      '- If they are angry\n  - Say("Calm")\n- While they want more\n  - Say("more")\n' +
        '- For each of the two\n  - Name it\n- Say("end")',
      {
        replies: [
          ops({ at: '01', holds: true }),
          ops({ at: '02', holds: true }),
          ops(
            { at: '02', holds: false },
            { at: '03.01' },
            { say: 'both' },
            { at: '03', holds: false },
          ),
        ],
      },
    );
    expect(ran.said).toEqual(['Calm', 'more', 'both', 'end']);
    expect(ran.warnings).toEqual([]);
  });

  test('what is unexpected is no problem', async () => {
    const calls: unknown[] = [];
    const ran = await play('- Greet them\n- Wish luck\n- Say("bye")', {
      tools: [noting('refund', calls)],
      replies: [
        ops({ unexpected: 'wants money' }, { call: 'refund', args: { n: 3 } }, { return: 'done' }),
      ],
    });
    expect([calls, ran.result.answer, ran.warnings]).toEqual([[{ n: 3 }], 'done', []]);
  });

  test('without a person, what is told twice ends the run', async () => {
    const reply = ops({ call: 'nothing', args: {} });
    const ran = await play('- Greet them\n- Say("bye")', { replies: [reply, reply] });
    expect(ran.result.error?.message).toContain('It was told so once before');
  });
});

describe('calls and variables', () => {
  test('where a result is needed the reply is cut, and the model goes on with it', async () => {
    const calls: unknown[] = [];
    const find = noting('find', calls, { effect: 'read' });
    const ran = await play('- Find it and tell it\n- Say("bye")', {
      tools: [find],
      replies: [
        ops({ call: 'find', args: { n: 7 }, into: 'x' }, { say: 'It is {$x}' }),
        ops({ say: 'It is {$x}' }),
      ],
    });
    expect([ran.said, calls]).toEqual([['It is 7', 'bye'], [{ n: 7 }]]);
    expect(ran.prompts[1]).toContain('find into x: 7');
  });

  test('a write is made once for each visit of a line', async () => {
    const calls: unknown[] = [];
    const twice = [
      { call: 'order', args: { n: 1 }, into: 'a' },
      { call: 'order', args: { n: 1 }, into: '$b' },
    ];
    const ran = await play('- Order what they want\n- Say("{$b}")', {
      tools: [noting('order', calls)],
      replies: [ops(...twice)],
    });
    expect([ran.said, calls]).toEqual([['1'], [{ n: 1 }]]);
  });

  test('a set of several variables is whole before its trigger is played', async () => {
    const ran = await play(
      '- Ask user for $people and $day\n- Say("{$people} on {$day}")',
      {
        answers: ['ten on friday'],
        replies: [ops({ say: 'How many, when?' }), ops({ set: { people: 10, day: 'friday' } })],
      },
      '## Big\n### Triggers\n- When $people > 8\n### Steps\n- Say("A big party.")\n',
    );
    expect(ran.said).toEqual(['How many, when?', 'A big party.', '10 on friday']);
  });

  test('a reference without a value, and a value of another type, are told', async () => {
    const ran = await play('- $n: int = their age\n- Return $n', {
      replies: [
        ops({ say: 'You are {$age}' }),
        ops({ set: { n: 'old' } }),
        ops({ set: { n: '44' } }),
      ],
    });
    expect(ran.result.answer).toBe(44);
    expect(ran.warnings).toEqual([
      ...[expect.stringContaining('PV7307'), expect.stringContaining('PV7314')],
    ]);
  });

  test('values, arguments and results are of the types that the playbooks declare', async () => {
    const ran = await play(
      '- Refund what they paid\n- Say("{$back}")',
      {
        replies: [
          ops({ call: 'Refund', args: { euros: 'many' }, into: '$back' }),
          ops({ call: 'Refund', args: { euros: '3' }, into: '$back' }),
          ops({ return: 5 }),
          ops({ return: 'true' }),
        ],
      },
      '## Refund(euros: float) -> bool\n### Steps\n- Decide on {euros}\n',
    );
    expect(ran.said).toEqual(['true']);
    expect(ran.warnings).toEqual([
      expect.stringContaining('got "many" for euros of Refund, want a value of the type float'),
      expect.stringContaining('got 5 for the result, want a value of the type bool'),
    ]);
  });

  test('a failed call of the machine is the model’s to go on from', async () => {
    const failing = quickTool('find', () => {
      throw new Error('nothing there');
    });
    const ran = await play(
      '- $x = find()\n- If $x == 5\n  - Say("five")\n- Say goodbye\n- Say("end")',
      {
        tools: [failing],
        replies: [ops({ say: 'Sorry' }, { at: '03' }, { say: 'bye' })],
      },
    );
    expect(ran.said).toEqual(['Sorry', 'bye', 'end']);
  });
});

test.each([
  ['advise', ['luck', 'bye'], 1],
  ['repair', ['bye'], 2],
] as const)('strictness %s', async (strictness, said, requests) => {
  const ran = await play('- Greet them\n- Wish luck\n- Say("bye")', {
    strictness,
    replies: [ops({ at: '02' }, { say: 'luck' }), ops({ at: '01' }, { at: '02' })],
  });
  expect([ran.said, ran.prompts.length]).toEqual([said, requests]);
});

test('strictness enforce holds an open line to what it names', async () => {
  const ran = await play('- Choose a $colour\n- Say("bye")', {
    strictness: 'enforce',
    replies: [ops({ at: '01' }), ops({ set: { colour: 'red' } })],
  });
  expect([ran.said, ran.warnings]).toEqual([['bye'], [expect.stringContaining('PV7308')]]);
});
