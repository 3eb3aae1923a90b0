/**
 * A person who is asked for several things and says some of them: the model asks for the rest at
 * the line that asked, before it goes on. That is no way back that no line says.
 */
import { describe, expect, test } from 'vitest';
import { quickTool } from '../../engine/support.ts';
import { ops, orders, played } from './played.ts';

const inn = (...lines: readonly string[]) =>
  `# Inn\n## Main\n### Triggers\n- At the beginning\n### Steps\n${lines.join('\n')}\n\n# Clara:Human\n`;

const at = (step: string) => ({ step });
const yields = [at('02'), { yield: 'user' }];
const goesOn = ops({ set: { people: 4 } }, at('03'), { return: '$people' });

describe.each(['repair', 'enforce'] as const)('under %s', (strictness) => {
  const program = inn('- Ask user for $day and $people', '- Return $people');
  const first = ops(at('01'), { say: 'When, how many?' }, ...yields);

  test.each<readonly [string, readonly object[]]>([
    ['by the line that asked', [at('01'), { say: 'How many?' }, at('02'), { yield: 'user' }]],
    ['by the line that waited', [at('02'), { say: 'How many?' }, { yield: 'user' }]],
    ['without a line', [{ say: 'How many?' }, { yield: 'user' }]],
    ['in the same words', [at('01'), { say: 'When, how many?' }, { yield: 'user' }]],
  ])('the rest is asked for %s', async (_, again) => {
    const { result, prompts } = await played(program, {
      replies: [first, ops({ set: { day: 'Friday' } }, ...again), goesOn],
      answers: ['on Friday', 'four of us'],
      strictness,
    });
    expect(result).toMatchObject({ status: 'done', answer: 4, warnings: [] });
    expect(prompts).toHaveLength(3);
    expect(prompts[2]).toMatch(/four of us"[^"]*\$day = "Friday"\s+Go on at line 03/);
  });

  test('what is there is not asked for again', async () => {
    const { prompts } = await played(program, {
      replies: [
        first,
        ops({ set: { day: 'Friday', people: 4 } }, at('01'), { say: 'When?' }, { yield: 'user' }),
        ops(at('03'), { return: '$people' }),
      ],
      answers: ['Friday, four'],
      strictness,
    });
    expect(prompts[2]).toContain('line 01 does not come after line 03');
  });
});

test('what a line further on has in quotes does not ask again', async () => {
  const program = inn('- Ask user for $day', '- Say("For {$day}.")', '- Say("Thank you.")');
  const ends = [{ say: 'For {$day}.' }, at('04'), { say: 'Thank you.' }];
  const { prompts, result, said } = await played(program, {
    replies: [
      ops(at('01'), { say: 'When?' }, ...yields),
      ops({ say: 'Thank you.' }, at('04')),
      ops({ set: { day: 'Friday' } }, at('03'), ...ends),
    ],
    answers: ['on Friday'],
  });
  expect(result.error?.message).toBeUndefined();
  expect(prompts[2]).toContain('line 03 says "For {$day}.", got "Thank you."');
  expect(said).toEqual(['When?', 'For Friday.', 'Thank you.']);
});

test('whoever was asked is asked for the rest, too', async () => {
  const program = inn('- Ask Clara for the $day and the $price', '- Return $price');
  const asked: unknown[] = [];
  const ask = quickTool(
    'ask',
    (args) => {
      asked.push(args);
      return asked.length === 1 ? 'on Friday' : 'ten';
    },
    { ordered: true },
  );
  const { result } = await played(program, {
    replies: [
      ops(at('01'), { say: 'When, and how much?', to: 'Clara' }, ...yields),
      ops({ set: { day: 'Friday' } }, { say: 'And how much?' }, { yield: 'user' }),
      ops({ set: { price: 10 } }, at('03'), { return: '$price' }),
    ],
    tools: [ask],
  });
  expect(result).toMatchObject({ status: 'done', answer: 10, warnings: [] });
  expect(asked).toEqual([
    { question: 'When, and how much?', to: 'Clara' },
    { question: 'And how much?', to: 'Clara' },
  ]);
});

test('in a loop, it is the same item that is asked for', async () => {
  const program = inn(
    ...['- For each $n in [1, 2]', '  - Ask user for $dish and $drink', '  - order($n)'],
    '- Return',
  );
  const calls: unknown[] = [];
  const tool = quickTool('order', ({ n }) => calls.push(n), { ...orders, idempotent: false });
  const item = (n: number) => [at('01'), { set: { n } }, at('01.01'), { say: `For ${n}?` }];
  const wait = [at('01.02'), { yield: 'user' }];
  const order = [at('01.03'), { call: 'order', args: { n: '$n' } }];
  const { result } = await played(program, {
    replies: [
      ops(...item(1), ...wait),
      ops({ set: { dish: 'soup' } }, at('01.01'), { say: 'And to drink?' }, ...wait),
      ops({ set: { drink: 'tea' } }, ...order, ...item(2), ...wait),
      ops({ set: { dish: 'rice', drink: 'milk' } }, ...order, at('02'), { return: null }),
    ],
    answers: ['soup', 'tea', 'rice and milk'],
    tools: [tool],
  });
  expect(result).toMatchObject({ status: 'done', warnings: [] });
  expect(calls).toEqual([1, 2]);
});

describe('who only names the wait that is over', () => {
  const hello = [{ say: 'Hello {$name}.' }, at('05'), { return: '$name' }];
  const set = { set: { $name: 'Bo' } };
  const name = inn(
    ...['- Say("What is your name?")', '- $name = what the user answers'],
    ...['- Say("Hello {$name}.")', '- Return $name'],
  );
  const known = inn(
    ...['- Ask user for $name', '- Think about it'],
    ...['- Say("Hello {$name}.")', '- Return $name'],
  );
  const first = ops(at('01'), { say: 'What is your name?' }, ...yields);

  test.each<readonly [string, string, readonly object[]]>([
    ['noted before', name, [set, at('02'), at('03'), at('04'), ...hello]],
    ['noted there', name, [at('02'), set, at('03'), at('04'), ...hello]],
    ['noted behind', name, [at('02'), at('03'), set, at('04'), ...hello]],
    ['noted before, and nothing is open', known, [set, at('02'), at('03'), at('04'), ...hello]],
    ['noted there, and nothing is open', known, [at('02'), set, at('03'), at('04'), ...hello]],
  ])('goes on behind it, with what was answered %s', async (_, program, again) => {
    const { result, said, prompts } = await played(program, {
      replies: [first, ops(...again)],
      answers: ['Bo'],
      strictness: 'enforce',
    });
    expect(result).toMatchObject({ status: 'done', answer: 'Bo', warnings: [] });
    expect([said.at(-1), prompts.length]).toEqual(['Hello Bo.', 2]);
  });

  test('waits for nobody who is not asked', async () => {
    const { prompts } = await played(name, {
      replies: [first, ops(at('02'), { yield: 'user' }), ops(set, at('03'), at('04'), ...hello)],
      answers: ['Bo'],
    });
    expect(prompts[2]).toContain('line 01 says something, and nothing was said');
  });

  test('goes on behind calls, too', async () => {
    const tool = quickTool('order', () => 'slip', orders);
    const { result } = await played(
      inn('- $slip = order(1)', '- Say("{$slip}.")', '- Return $slip'),
      {
        tools: [tool],
        replies: [
          ops(at('01'), { call: 'order', args: { n: 1 }, into: '$slip' }, at('02'), {
            yield: 'call',
          }),
          ops(at('02'), at('03'), { say: '{$slip}.' }, at('04'), { return: '$slip' }),
        ],
        strictness: 'enforce',
      },
    );
    expect(result).toMatchObject({ status: 'done', answer: 'slip', warnings: [] });
  });
});

describe('where the next line says something, too', () => {
  const asking = '- Ask user for $day';
  const quoted = inn(asking, '- Say("So it is {$day}.")', '- Return $day');
  const first = ops(at('01'), { say: 'Which day?' }, ...yields);
  const again = { say: 'A day, please.' };
  const last = ops(
    ...[{ set: { $day: 'Sunday' } }, at('03'), { say: 'So it is {$day}.' }],
    ...[at('04'), { return: '$day' }],
  );

  test.each<readonly [string, readonly object[]]>([
    ['without a line', [again, { yield: 'user' }]],
    ['in two sentences', [{ say: 'Sorry?' }, again, { yield: 'user' }]],
    ['as something unexpected', [{ unexpected: 'none' }, again, { yield: 'user' }]],
    ['at the line that comes next', [at('03'), again, { yield: 'user' }]],
  ])('the question is put again as often as need be: %s', async (_, asked) => {
    const { result, said } = await played(quoted, {
      answers: ['What do you have?', '', 'Sunday'],
      replies: [first, ops(...asked), ops(...asked), last],
    });
    expect(result.error).toBeUndefined();
    expect(result).toMatchObject({ status: 'done', answer: 'Sunday' });
    expect(said.at(-1)).toBe('So it is Sunday.');
  });

  test('it is for whom it was, and not for the agent that the next line speaks to', async () => {
    const text = `${inn(asking, '- Tell Office that it is {$day}', '- Return $day')}\n# Office\n`;
    const { result, said, prompts } = await played(text, {
      answers: ['hm', 'Sunday'],
      replies: [
        first,
        ops(again, { yield: 'user' }),
        ops(
          ...[{ set: { $day: 'Sunday' } }, at('03'), { say: 'It is {$day}.' }],
          ...[at('04'), { return: '$day' }],
        ),
        ops({ return: null }),
      ],
    });
    expect(result.error).toBeUndefined();
    expect(said).toEqual(['Which day?', 'A day, please.']);
    expect(prompts.at(-1)).toContain('Inn said: "It is Sunday."');
  });

  test('thanks before the answer is noted are no question', async () => {
    const { result, said } = await played(quoted, {
      answers: ['Sunday'],
      replies: [first, `{"say":"Thank you!"}\n${last}`],
    });
    expect(result.error).toBeUndefined();
    expect(said).toEqual(['Which day?', 'Thank you!', 'So it is Sunday.']);
  });
});

describe('an agent that is asked', () => {
  const supplier = '\n# Supplier\nDelivers on Tuesdays.\n';
  const asking = '- Ask the Supplier for the $day and the $hour';
  const program = `${inn(asking, '- Say("On {$day} at {$hour}.")', '- Return')}${supplier}`;
  const question = (say: string) => ({ say, to: 'Supplier' });
  const wait = { yield: 'agent Supplier' };
  const first = ops(at('01'), question('Which day, which hour?'), at('02'), wait);
  const tells = (say: string) => ops({ say }, { return: null });
  const said = [at('03'), { say: 'On {$day} at {$hour}.' }, at('04'), { return: null }];
  const last = ops({ set: { $hour: '9' } }, ...said);

  test.each<readonly [string, readonly object[]]>([
    ['by the line that asked', [at('01'), question('And when?'), at('02'), wait]],
    ['by the line that waited', [at('02'), question('And when?'), wait]],
    ['without a line', [question('And when?'), wait]],
  ])('is asked for what it has left out %s', async (_, again) => {
    const replies = [
      ...[first, tells('Tuesday'), ops({ set: { $day: 'Tuesday' } }, ...again)],
      ...[tells('At 9'), last],
    ];
    const { result, said, prompts } = await played(program, { replies, strictness: 'enforce' });
    expect(result).toMatchObject({ status: 'done', warnings: [] });
    expect(said).toEqual(['On Tuesday at 9.']);
    expect(prompts[3]).toContain('Inn said: "And when?"');
  });

  test('is told nothing that a line says to the user', async () => {
    const again = [{ set: { $day: 'Tuesday' } }, at('03'), question('And when?'), wait];
    const replies = [first, tells('Tuesday'), ops(...again), tells('At 9'), last];
    const { result, said, prompts } = await played(program, { replies });
    expect(result.status).toBe('done');
    expect(JSON.stringify(result.warnings)).toContain('line 03 does not speak to Supplier');
    expect(prompts.at(-1)).toContain('Go on at line 03.');
    expect(said).toEqual(['On Tuesday at 9.']);
  });

  test('hears a question by itself, whatever it is told beside it', async () => {
    const text = `${inn('- Tell the Supplier that we take them', asking, '- Return $day')}${supplier}
## Note
### Triggers
- When somebody takes something
### Steps
- Return "noted"
`;
    const replies = [
      ops(
        ...[at('01'), question('We take them.'), at('02'), question('Which day, which hour?')],
        ...[at('03'), wait],
      ),
      ops(at('01'), { return: 'noted' }),
      tells('Tuesday at 9'),
      ops({ set: { $day: 'Tuesday', $hour: '9' } }, at('04'), { return: '$day' }),
    ];
    const { result, prompts } = await played(text, {
      replies,
      matches: (asked) =>
        JSON.stringify(asked).includes('take them.') ? ['Supplier.Note:T1'] : [],
    });
    expect(result).toMatchObject({ status: 'done', answer: 'Tuesday' });
    expect(prompts[3]).toMatch(/Supplier said: "noted"\s+Supplier said: "Tuesday at 9"/);
  });
});
