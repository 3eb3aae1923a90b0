/** Lines that are come to again, what playbooks hear of each other, lines that cannot be done. */
import { describe, expect, test } from 'vitest';
import { quickTool } from '../engine/support.ts';
import { ops, orders, type PlayOptions, played } from '../planner/playbook/played.ts';
import { desk } from './desk.ts';

const done = async (text: string, options: PlayOptions) => {
  const ran = await played(text, options);
  expect(ran.result.error).toBeUndefined();
  return { ...ran, warnings: ran.result.warnings.map(({ message }) => message) };
};

/** Knows order 7. */
const findOrder = quickTool(
  'find_order',
  ({ number }) => (String(number) === '7' ? { number: 7, date: 'May' } : null),
  {
    ...orders,
    parameters: { type: 'object', properties: { number: {} }, required: ['number'] },
  },
);

const writing = (name: string, calls: unknown[]) =>
  quickTool(
    name,
    (args) => {
      calls.push(Object.values(args)[0]);
      return 'done';
    },
    {
      ...orders,
      effect: 'write',
      parameters: { type: 'object', properties: { what: {} }, required: ['what'] },
    },
  );

describe('a question that is come to again', () => {
  const again = '- Ask user for $number\n- $order = find_order($number)\n- If $order == None\n';

  test('is asked again, after a step that goes back to it', async () => {
    const ran = await done(
      desk(`${again}  - Say("There is no order {$number}.")\n  - Go to step 1\n- Return $order`),
      {
        tools: [findOrder],
        answers: ['99', '7'],
        replies: [
          ops({ say: 'Which order?' }),
          ops({ set: { number: '99' } }),
          ops({ say: 'Which one, then?' }),
          ops({ set: { number: '7' } }),
        ],
      },
    );
    expect(ran.said).toEqual(['Which order?', 'There is no order 99.', 'Which one, then?']);
    expect(ran.result.answer).toEqual({ number: 7, date: 'May' });
    expect(ran.prompts[2]).toContain(
      '$number was "99" before: set that again where it still holds.',
    );
  });

  test('is not asked where its variable was set since', async () => {
    const ran = await done(
      desk(`${again}  - $number = 7\n  - Go to step 1\n- Return $order["date"]`),
      {
        tools: [findOrder],
        answers: ['99'],
        replies: [ops({ say: 'Which order?' }), ops({ set: { number: '99' } })],
      },
    );
    expect([ran.said, ran.result.answer]).toEqual([['Which order?'], 'May']);
  });

  test('is asked in each round, by the machine where it is in quotes', async () => {
    const ran = await done(
      desk(
        '- all = []\n- For each item in ["tea", "jam"]\n' +
          '  - $count = Ask(user, "How much {item}?")\n  - all = all + [$count]\n- Return all',
      ),
      { answers: ['2', '3'], replies: [] },
    );
    expect([ran.said, ran.result.answer]).toEqual([
      ['How much tea?', 'How much jam?'],
      ['2', '3'],
    ]);
  });

  test('is asked for the next task: what an earlier one was for is not written', async () => {
    const calls: unknown[] = [];
    const refund = '## Refund()\n### Steps\n- Ask user for $order\n- pay_back($order)\n';
    const ran = await done(desk('- Refund()\n- Refund()\n- Return $order', refund), {
      ...{ tools: [writing('pay_back', calls)], inline: 0, answers: ['P1', 'P2'] },
      replies: [
        ops({ say: 'Which order?' }),
        ops({ set: { order: 'P1' } }),
        ops({ say: 'And now?' }),
        ops({ set: { order: 'P2' } }),
      ],
    });
    expect(calls).toEqual(['P1', 'P2']);
    expect(ran.result.answer).toBe('P2');
  });

  test('is asked again where a playbook stands in the place of its calls', async () => {
    const calls: unknown[] = [];
    const ran = await done(
      desk(
        '- Cancel()\n- Pause()\n',
        '## Identify()\n### Steps\n- Ask user for $member\n' +
          '## Cancel()\n### Steps\n- Identify()\n- end_it($member)\n' +
          '## Pause()\n### Steps\n- Identify()\n- pause_it($member)\n',
      ),
      {
        ...{ tools: [writing('end_it', calls), writing('pause_it', calls)], inline: 8 },
        answers: ['G8', 'G7'],
        replies: [
          ops({ say: 'Who are you?' }),
          ops({ set: { member: 'G8' } }),
          ops({ say: 'And whose now?' }),
          ops({ set: { member: 'G7' } }),
        ],
      },
    );
    expect([calls, ran.prompts.length]).toEqual([['G8', 'G7'], 4]);
  });

  test('is asked in the first round of a loop, too, whoever has asked before', async () => {
    const ran = await done(
      desk(
        '- Ask user for $number\n- $order = find_order($number)\n- Until $order\n' +
          '  - Say("There is no order {$number}.")\n  - Ask user for $number\n' +
          '  - $order = find_order($number)\n- Return $order["date"]',
      ),
      {
        ...{ tools: [findOrder], answers: ['99', '7'] },
        replies: [
          ops({ say: 'Which order?' }),
          ops({ set: { number: '99' } }),
          ops({ say: 'Which one, then?' }),
          ops({ set: { number: '7' } }),
        ],
      },
    );
    expect(ran.said).toEqual(['Which order?', 'There is no order 99.', 'Which one, then?']);
    expect(ran.result.answer).toBe('May');
  });

  test('who asks back and answers is answered first, and what is set then counts', async () => {
    const ran = await done(desk('- Ask user for $iban\n- Return $iban'), {
      answers: ['DE12. How long will it take?'],
      replies: [
        ops({ say: 'To which account?' }),
        ops({ say: 'A few days.' }, { set: { iban: 'DE12' } }),
      ],
    });
    expect([ran.result.answer, ran.warnings]).toEqual(['DE12', []]);
  });

  test('does not hold up an end that comes before its answer, and keeps what was set', async () => {
    const ran = await done(
      desk(
        '- Ask user for $address and $fault\n- If it smells of gas\n' +
          '  - Tell them to leave\n  - Return $fault\n- Return $address',
      ),
      {
        answers: ['it smells of gas'],
        replies: [
          ops({ say: 'Where, and what?' }),
          ops(...[{ set: { fault: 'gas' } }, { at: '02', holds: true }, { at: '02.01' }], {
            say: 'Leave the house!',
          }),
          ops({ set: { address: null } }, { at: '02', holds: true }, { at: '02.01' }),
        ],
      },
    );
    expect(ran.prompts[2]).toContain('line 01 asks for $address: set it, to null');
    expect(ran.result.answer).toBe('gas');
  });

  test('takes null from who does not want to say; going on without it is told once', async () => {
    const ran = await done(
      desk('- Ask user for $name and $phone\n- Thank them\n- Return [$name, $phone]'),
      {
        answers: ['Lee, but no phone number'],
        replies: [
          ops({ say: 'Name and phone?' }),
          ops({ set: { name: 'Lee' } }, { say: 'That is fine.' }, { at: '02' }),
          ops({ set: { phone: null } }, { at: '02' }, { say: 'Thank you.' }),
        ],
      },
    );
    expect(ran.said).toEqual(['Name and phone?', 'That is fine.', 'Thank you.']);
    expect(ran.prompts[2]).toContain('line 01 asks for $phone: set it, to null');
    expect(ran.result.answer).toEqual(['Lee', null]);
  });
});

test('an open line that sets a variable sets it in each round', async () => {
  const calls: unknown[] = [];
  const ran = await done(
    desk('- For each item in ["tea", "jam"]\n  - $why = what is wrong with it\n  - report($why)'),
    {
      tools: [writing('report', calls)],
      replies: [
        ops({ at: '01.01', set: { why: 'cold' } }),
        ops({ at: '01.01' }),
        ops({ set: { why: 'mouldy' } }),
      ],
    },
  );
  expect(calls).toEqual(['cold', 'mouldy']);
  expect(ran.prompts[2]).toContain('line 01.01 leaves $why without a value');
  expect(ran.prompts[2]).toContain('$why was "cold" before');
});

describe('what playbooks hear', () => {
  test('one that is called begins with the last exchange, its caller hears what it said', async () => {
    const ran = await done(
      desk(
        '- Ask user for $wish\n- Do what they wish\n- Say goodbye\n',
        '## Table()\nBooks a table.\n### Steps\n- Tell them the table is booked\n',
      ),
      {
        ...{ inline: 0, answers: ['a table for five'] },
        replies: [
          ops({ say: 'What would you like?' }),
          ops({ set: { wish: 'table' } }, { at: '02' }, { call: 'Table' }),
          ops({ say: 'Booked for five.' }),
          ops({ at: '03' }, { say: 'Bye.' }),
        ],
      },
    );
    expect(ran.prompts[2]).toContain('You said: "What would you like?"');
    expect(ran.prompts[2]).toContain('The person wrote: "a table for five"');
    expect(ran.prompts[3]?.match(/You said: "Booked for five."/g)).toHaveLength(1);
    expect(ran.said).toEqual(['What would you like?', 'Booked for five.', 'Bye.']);
  });

  test('what an agent answers to a question is read before the playbook goes on', async () => {
    const calls: unknown[] = [];
    const ran = await done(
      desk(
        '- $slot = "Mon"\n- Ask Clerk for a later $slot\n- book($slot)',
        '# Clerk\nYou know the slots.\n',
      ),
      {
        tools: [writing('book', calls)],
        replies: [
          ops({ at: '02' }, { say: 'A later one?', to: 'Clerk' }),
          ops({ say: 'Tue.' }),
          ops({ set: { slot: 'Tue' } }),
        ],
      },
    );
    expect(calls).toEqual(['Tue']);
    expect(ran.prompts[2]).toContain('Clerk said: "Tue."');
  });

  test('an answer of an agent is read at the question, also where there was a value', async () => {
    const calls: unknown[] = [];
    await done(
      desk(
        '- $slot = "Mon"\n- If it does not suit them\n  - Ask Clerk for $slot\n- book($slot)',
        '# Clerk\nYou know the slots.\n',
      ),
      {
        tools: [writing('book', calls)],
        replies: [
          ops(
            { at: '02', holds: true },
            { at: '02.01' },
            { say: 'A later one, please.', to: 'Clerk' },
          ),
          ops({ say: 'Tue.' }),
          ops({ set: { slot: 'Tue' } }),
        ],
      },
    );
    expect(calls).toEqual(['Tue']);
  });

  test('the person can be spoken to where an agent is asked', async () => {
    const ran = await done(
      desk('- Ask Clerk for $decision\n- Return $decision', '# Clerk\nYou decide claims.\n'),
      {
        answers: ['In May.'],
        replies: [
          ops({ say: 'Is it covered?' }),
          ops({ say: 'When did it burst?' }),
          ops({ say: 'When did it burst?', to: 'user' }, { yield: 'user' }),
          ops({ say: 'It was in May.' }),
          ops({ say: 'Then it is.' }),
          ops({ say: 'One moment.', to: 'user' }, { set: { decision: 'covered' } }),
        ],
      },
    );
    expect(ran.said).toEqual(['When did it burst?', 'One moment.']);
    expect(ran.result.answer).toBe('covered');
  });

  test('what is said to a playbook that has no use for it is answered', async () => {
    const ran = await played(
      desk(
        '- Say("Hello! How can I help?")',
        '## Fine\n### Triggers\n- When they owe\n### Steps\n- x\n',
      ),
      {
        ...{ idle: true, answers: ['are you open?', 'bye'], matches: () => [] },
        replies: [ops({ say: 'Until six.' }), ops({ yield: 'exit' })],
      },
    );
    expect(ran.said).toEqual(['Hello! How can I help?', 'Until six.']);
    expect(ran.prompts[0]).toContain('The person wrote: "are you open?"');
  });

  test('what was played while it waited is not played again', async () => {
    const trigger = (name: string, words: string, steps: string) =>
      `## ${name}\n### Triggers\n- When ${words}\n### Steps\n${steps}\n`;
    const ran = await done(
      desk(
        '- Ask user for $wish\n- Return $wish',
        trigger('Bill', 'they ask for their bill', '- Ask user for $id\n- Say("Bill {$id}.")') +
          trigger('Human', 'they ask for a person', '- Say("Call 0800.")'),
      ),
      {
        answers: ['my bill, and a person', 'a person please!', '5', 'nothing'],
        matches: ({ message }) =>
          [/bill/, /person/].flatMap((word, at) =>
            word.test(String(message)) ? [at === 0 ? 'Desk.Bill:T1' : 'Desk.Human:T1'] : [],
          ),
        replies: ({ prompt }) => {
          const isBill = prompt.includes('## Bill(');
          if (prompt.includes('wrote: "5"') && isBill) return ops({ set: { id: '5' } });
          if (isBill) return ops({ say: 'Which id?' });
          if (prompt.includes('wrote: "nothing"')) return ops({ set: { wish: 'nothing' } });
          return ops({ say: 'What else?' });
        },
      },
    );
    expect(ran.said.filter((words) => words === 'Call 0800.')).toHaveLength(1);
    expect(ran.said).toContain('Bill 5.');
  });
});

test('a line under a condition that does not hold is told, and nothing after it is said', async () => {
  const ran = await done(
    desk('- If they are ill\n  - Tell them to rest\n- Say goodbye\n- Return 1'),
    {
      replies: [
        ops({ at: '01', holds: false }, { at: '01.01' }, { say: 'Rest.' }),
        ops({ at: '02' }, { say: 'Bye.' }),
      ],
    },
  );
  expect(ran.prompts[1]).toContain('line 01.01 does not come after line 02');
  expect(ran.said).toEqual(['Bye.']);
});

test('a condition with another case is decided before a line after both', async () => {
  const ran = await done(
    desk(
      '- If they agree\n  - Say("Done.")\n- Otherwise\n  - Say("Kept.")\n- Ask how they liked it',
    ),
    {
      answers: ['well'],
      replies: [
        ops({ at: '03' }, { say: 'How was it?' }),
        ops({ at: '01', holds: true }, { at: '03' }, { say: 'How was it?' }),
        ops({ at: '03' }),
      ],
    },
  );
  expect(ran.prompts[1]).toContain('line 01 is not decided');
  expect(ran.said).toEqual(['Done.', 'How was it?']);
});

test('a number is written in a text as the model wants it', async () => {
  const ran = await done(desk('- $price = 39.9\n- Tell them {$price:.2f}'), {
    replies: [ops({ at: '02' }, { say: 'It is {$price:.2f} euros, {$price:q}.' })],
  });
  expect(ran.said).toEqual(['It is 39.90 euros, 39.9.']);
});

describe('a formal line that cannot be done', () => {
  const steps =
    '- Ask user for $number\n- $order = find_order($number)\n- $date = $order["date"]\n';

  test('is told to the model, which goes on', async () => {
    const ran = await done(desk(`${steps}- Return $date`), {
      ...{ tools: [findOrder], answers: ['99', '7'] },
      replies: [
        ops({ say: 'Which order?' }),
        ops({ set: { number: '99' } }),
        ops({ say: 'There is none. Which one?' }),
        ops({ call: 'find_order', args: { number: '7' }, into: 'order' }),
      ],
    });
    expect(ran.prompts[2]).toContain('Line 03 cannot be done');
    expect(ran.result.answer).toBe('May');
  });

  test('no line before it can be named: that is told', async () => {
    const ran = await done(desk(`${steps}- Return $date`), {
      ...{ tools: [findOrder], answers: ['99'] },
      replies: [
        ops({ say: 'Which order?' }),
        ops({ set: { number: '99' } }),
        ops({ at: '01' }, { say: 'Which one?' }),
        ops({ call: 'find_order', args: { number: '7' }, into: 'order' }),
      ],
    });
    expect(ran.prompts[3]).toContain('line 01 does not come after line 03');
    expect([ran.said, ran.result.answer]).toEqual([['Which order?'], 'May']);
  });

  test('a value of another type is one, too', async () => {
    const ran = await done(desk('- $n: int = "many"\n- Tell them\n- Return $n'), {
      replies: [ops({ set: { n: 3 } }, { at: '02' }, { say: 'Three.' })],
    });
    expect([ran.said, ran.result.answer]).toEqual([['Three.'], 3]);
    expect(ran.prompts[0]).toContain('Line 01 cannot be done');
  });
});
