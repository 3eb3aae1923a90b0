/** Triggers: matched by the machine, in the midst of a reply too, once a frame. */
import { describe, expect, test } from 'vitest';
import { EffectFailure } from '../../../src/engine/handler.ts';
import { memoryJournal } from '../../../src/engine/journal/memory/journal.ts';
import { quickTool } from '../../engine/support.ts';
import { ops, orders, played, saidIn, stageOf } from './played.ts';

const text = (steps: string, trigger: string, more = ''): string => `# Desk

## Main
### Triggers
- At the beginning
### Steps
${steps}

## Too big
${more}
### Triggers
- ${trigger}
### Steps
- Say("Too big")
`;

test('a condition that a variable makes true cuts the reply; the rest of it never acts', async () => {
  const calls: unknown[] = [];
  const order = quickTool('order', ({ n }) => calls.push(n), orders);
  const { result, said, prompts } = await played(
    text('- Ask user for $x\n- order($x)\n- Say("Done")', 'When $x > 15'),
    {
      tools: [order],
      answers: ['20'],
      replies: [
        ops({ say: 'How many?' }, { yield: 'user' }),
        ops({ set: { x: 20 } }, { call: 'order', args: { n: 99 } }, { say: 'never' }),
        ops({ say: 'Too big' }, { return: null }),
        ops({ call: 'order', args: { n: '$x' } }, { yield: 'call' }),
        ops({ say: 'Done' }, { return: null }),
      ],
    },
  );
  expect(result.error).toBeUndefined();
  expect(said).toEqual(['How many?', 'Too big', 'Done']);
  expect(calls).toEqual([20]);
  expect(prompts[3]).toContain('Desk.TooBig was played');
});

test('what stands of a reply that was cut off is told to whoever goes on, at the line it is at', async () => {
  const order = quickTool('order', ({ n }) => `order ${n}`, orders);
  const { result, said, prompts } = await played(
    text('- order(1)\n- Greet, and count them: $x is how many\n- Return $x', 'When $x > 15'),
    {
      tools: [order],
      replies: [
        ops({ call: 'order', args: { n: 1 } }, { step: '02' }, { say: 'Hi' }, { set: { x: 20 } }),
        ops({ say: 'Too big' }, { return: null }),
        ops({ step: '03' }, { return: '$x' }),
      ],
    },
  );
  expect(result.answer).toBe(20);
  expect(said).toEqual(['Hi', 'Too big']);
  expect(prompts[2]).toContain(
    'Your last reply was cut off here. Nothing of it is done but this, which must not be ' +
      'repeated; write the rest again:\n' +
      '- at line 01: called order(n = 1)\n- at line 02: said "Hi"\n- at line 02: set $x to 20\n',
  );
});

test('with the values it was done with, whatever was set behind it', async () => {
  const order = quickTool('order', ({ n }) => `order ${n}`, orders);
  const { said, prompts } = await played(
    text('- Order and greet each $i\n- Return $x', 'When $x > 15'),
    {
      tools: [order],
      replies: [
        ops(
          ...[{ set: { i: 1 } }, { call: 'order', args: { n: '$i' } }, { say: 'Guest {$i}' }],
          ...[{ set: { i: 2 } }, { say: 'Guest {$i}' }, { set: { x: 20 } }],
        ),
        ops({ say: 'Too big' }, { return: null }),
        ops({ step: '02' }, { return: '$x' }),
      ],
    },
  );
  expect(said).toEqual(['Guest 1', 'Guest 2', 'Too big']);
  const all = [
    'set $i to 1',
    'called order(n = 1)',
    'said "Guest 1"',
    'set $i to 2',
    'said "Guest 2"',
  ];
  expect(prompts[2]).toContain(all.map((one) => `\n- at line 01: ${one}`).join(''));
});

test('fires once in a frame, and with `retrigger: edge` each time that it becomes true', async () => {
  const steps = '- $x = 20\n- $x = 1\n- $x = 30\n- Return $x';
  const first = ops({ set: { x: 20 } }, { set: { x: 1 } });
  const big = ops({ say: 'Too big' }, { return: null });
  const rest = ops(
    ...[{ step: '02' }, { set: { x: 1 } }, { step: '03' }, { set: { x: 30 } }, { step: '04' }],
    { return: '$x' },
  );
  const once = await played(text(steps, 'When $x > 15'), { replies: [first, big, rest] });
  expect(once.result.error).toBeUndefined();
  expect(once.said).toEqual(['Too big']);
  expect(once.result.answer).toBe(30);
  const again = await played(text(steps, 'When $x > 15', 'retrigger: edge\n'), {
    replies: [first, big, rest, big, ops({ step: '04' }, { return: '$x' })],
  });
  expect(again.result.error).toBeUndefined();
  expect(again.said).toEqual(['Too big', 'Too big']);
  const twice = text('- $x = 20\n- $x = 30\n- Return $x', 'When $x > 15', 'retrigger: edge\n');
  const { result, said } = await played(twice, {
    replies: [
      ops({ set: { x: 20 } }),
      big,
      ops({ step: '02' }, { set: { x: 30 } }, { step: '03' }, { return: '$x' }),
    ],
  });
  expect(result).toMatchObject({ status: 'done', answer: 30 });
  expect(said).toEqual(['Too big']);
});

describe('with `retrigger: edge`, what only a model can judge', () => {
  const edge = 'retrigger: edge\n';
  const id = 'Desk.TooBig:T1';
  const big = ops({ step: '01' }, { say: 'Too big' });

  /** Judges what is a lot, and what has happened, as a model that knows what held before. */
  const judge = (
    holds: (asked: Readonly<Record<string, unknown>>) => boolean,
    isEvent: boolean,
  ) => {
    const asked: unknown[] = [];
    const matches = (args: Readonly<Record<string, unknown>>): readonly unknown[] => {
      const [condition] = args.conditions as readonly { readonly held?: boolean }[];
      asked.push([args.changed, condition?.held]);
      if (!holds(args)) return [];
      return condition?.held && !isEvent ? [{ id, still: true }] : [id];
    };
    return { asked, matches };
  };

  const steps = '- $x = 20\n- $x = 25\n- $x = 1\n- $x = 40\n- Return $x';
  const set = (step: string, x: number) => [{ step }, { set: { x } }];
  const first = ops(...set('01', 20));
  const end = [{ step: '05' }, { return: '$x' }];
  const isLarge = ({ changed }: Readonly<Record<string, unknown>>) =>
    (changed as { readonly $x: number }).$x > 15;

  test('fires when it holds and did not when it was last looked at', async () => {
    const { asked, matches } = judge(isLarge, false);
    const { result, said } = await played(text(steps, 'When $x sounds like a lot', edge), {
      matches,
      replies: [
        ...[first, big, ops(...set('02', 25), ...set('03', 1), ...set('04', 40)), big],
        ops(...end),
      ],
    });
    expect(result).toMatchObject({ status: 'done', answer: 40 });
    expect(said).toEqual(['Too big', 'Too big']);
    const looks = [[{ $x: 20 }], [{ $x: 25 }, true], [{ $x: 1 }, true], [{ $x: 40 }]];
    expect(asked).toEqual(looks.map(([x, held]) => [x, held]));
  });

  test('fires each time that something happens', async () => {
    const { asked, matches } = judge(() => true, true);
    const twice = text('- $x = 20\n- $x = 25\n- Return $x', 'When the user types an $x', edge);
    const { result, said } = await played(twice, {
      matches,
      replies: [first, big, ops(...set('02', 25)), big, ops({ step: '03' }, { return: '$x' })],
    });
    expect(result.status).toBe('done');
    expect(said).toEqual(['Too big', 'Too big']);
    expect(asked).toEqual([
      [{ $x: 20 }, undefined],
      [{ $x: 25 }, true],
    ]);
  });

  test('remembers that where another process goes on with the run', async () => {
    const { asked, matches } = judge(isLarge, false);
    const asks = text(
      '- $x = 20\n- Ask user for $y\n- $x = $y\n- Return $x',
      'When $x is big',
      edge,
    );
    const journal = memoryJournal();
    const question = ops({ step: '02' }, { say: 'How many more?' }, { yield: 'user' });
    const begun = stageOf(asks, { journal, matches, replies: [first, big, question] });
    const { run, status } = await begun.start();
    expect(status).toBe('waiting');
    const answered = [{ set: { y: 25 } }, ...set('04', 25), { step: '05' }, { return: '$x' }];
    const other = stageOf(asks, { journal, matches, answers: ['25'], replies: [ops(...answered)] });
    expect(await other.resume(run)).toMatchObject({ status: 'done', answer: 25 });
    expect(saidIn(journal, run)).toEqual(['Too big', 'How many more?']);
    expect(asked.at(-1)).toEqual([{ $x: 25 }, true]);
  });
});

test('what only a model can tell is asked of a classifier, with what has changed alone', async () => {
  const asked: Readonly<Record<string, unknown>>[] = [];
  const { said, result } = await played(
    text('- $mood = sad\n- Say("Go on")', 'When $mood sounds bad'),
    {
      matches(args) {
        asked.push(args);
        return ['Desk.TooBig:T1'];
      },
      replies: [
        ops({ set: { mood: 'sad' } }, { say: 'never' }),
        ops({ say: 'Too big' }, { return: null }),
        ops({ say: 'Go on' }, { return: null }),
      ],
    },
  );
  expect(result.error).toBeUndefined();
  expect(asked).toEqual([
    {
      conditions: [{ id: 'Desk.TooBig:T1', text: 'When $mood sounds bad' }],
      changed: { $mood: 'sad' },
    },
  ]);
  expect(said).toEqual(['Too big', 'Go on']);
});

test('what a person says is matched, too', async () => {
  const asked: Readonly<Record<string, unknown>>[] = [];
  const { said } = await played(
    text('- Ask user for $name\n- Say("Go on")', 'When the user swears'),
    {
      answers: ['damn'],
      matches(args) {
        asked.push(args);
        return ['Desk.TooBig:T1'];
      },
      replies: [
        ops({ say: 'Your name?' }, { yield: 'user' }),
        ops({ say: 'Too big' }, { return: null }),
        ops({ set: { name: 'damn' } }, { say: 'Go on' }, { return: null }),
      ],
    },
  );
  expect(asked[0]).toMatchObject({ question: 'Your name?', message: 'damn' });
  expect(said).toEqual(['Your name?', 'Too big', 'Go on']);
});

test('it is held against all that they were asked since they last answered, by whichever playbook', async () => {
  const asked: Readonly<Record<string, unknown>>[] = [];
  const more = '\n## More\n### Steps\n- Ask user for $size\n- Say("Thank you.")\n- Return 1\n';
  const steps = ['- Say("Are you there?")', '- Ask user for $name', '- Ask user for $mail'];
  const file = text([...steps, '- More()', '- Return 1'].join('\n'), 'When the user swears') + more;
  const replies = [
    ops({ say: 'Are you there?' }, { say: 'Your name?' }, { say: 'Your mail?' }, { yield: 'user' }),
    ops({ set: { name: 'Ann', mail: 'a@b.c' } }, { call: 'More' }, { yield: 'call' }),
    ops({ say: 'Which size?' }, { yield: 'user' }),
    ops({ set: { size: 'L' } }, { say: 'Thank you.' }, { return: 1 }),
    ops({ return: 1 }),
  ];
  const { result } = await played(file, {
    ...{ answers: ['Ann, a@b.c', 'L'], replies },
    matches(args) {
      asked.push(args);
      return [];
    },
  });
  expect(result).toMatchObject({ status: 'done', answer: 1 });
  const questions = asked.map(({ question }) => question);
  expect(questions).toEqual(['Are you there?\nYour name?\nYour mail?', 'Which size?']);
});

test('what a message sets off knows the message, and a parameter that nobody gave is asked for', async () => {
  const order = `# Desk

## Main
### Triggers
- At the beginning
### Steps
- Ask user for $mood
- Return $mood

## Status($order)
### Triggers
- When somebody asks for an order
### Steps
- Ask user for $order
- Say("Order {$order}")
`;
  const { said, prompts, result } = await played(order, {
    answers: ['fine, and where is order 12?'],
    matches: () => ['Desk.Status:T1'],
    replies: [
      ops({ say: 'How are you?' }, { yield: 'user' }),
      ops({ set: { order: 12 } }, { step: '03' }, { say: 'Order {$order}' }),
      ops({ set: { mood: 'fine' } }, { step: '03' }, { return: '$mood' }),
    ],
  });
  expect(result.error).toBeUndefined();
  expect(said).toEqual(['How are you?', 'Order 12']);
  expect(prompts[1]).toContain('where is order 12?');
  expect(prompts[1]).not.toContain('asks for is known');
  expect(result.answer).toBe('fine');
});

test('a program that has nothing to do takes each message by itself, however many there are', async () => {
  const lost = text('- Say("Welcome")', 'When somebody has lost something');
  const reply = ops({ say: 'Ten.' }, { yield: 'user' });
  const big = ops({ say: 'Too big' }, { return: null });
  const { result, said, prompts } = await played(lost, {
    ...{ idle: true, turns: 2 },
    answers: ['What is it?', 'I lost a hat', 'I lost a shoe', 'And that?', 'And this?', 'So?'],
    matches: ({ message }) => (String(message).includes('lost') ? ['Desk.TooBig:T1'] : []),
    replies: [
      ...[ops({ say: 'Welcome' }, { return: null }), reply, big, big],
      ...[reply, reply, reply],
    ],
  });
  expect(result.status).toBe('waiting');
  expect(said).toEqual(['Welcome', 'Ten.', 'Too big', 'Too big', 'Ten.', 'Ten.', 'Ten.']);
  expect(prompts).toHaveLength(7);
});

describe('a classifier that says nothing', () => {
  const options = {
    matches(): readonly string[] {
      throw new EffectFailure('PV7311', 'it wrote "Hm."', { answered: true });
    },
    replies: [ops({ set: { mood: 'sad' } }, { say: 'Go on' })],
  };
  const program = text('- $mood = sad\n- Say("Go on")', 'When $mood sounds bad');

  test('ends the run, and nothing behind it is done', async () => {
    const { result, said } = await played(program, options);
    expect(result.error).toMatchObject({ code: 'PV7311', step: 'Main:01' });
    expect(said).toEqual([]);
  });

  test('is warned of where what can be done is to be done', async () => {
    const { result, said } = await played(program, { ...options, strictness: 'advise' });
    expect(result.status).toBe('done');
    expect(said).toEqual(['Go on']);
    expect(result.warnings.map(({ message }) => message)).toContain(
      'PV7311 it wrote "Hm.": no condition is taken to hold that only a model can judge',
    );
  });
});

describe('a condition that cannot be computed', () => {
  const steps = '- Ask user for $x\n- $x = the next one\n- Return $x';
  const replies = [
    ops({ say: 'How many?' }, { yield: 'user' }),
    ops({ set: { x: 'twenty' } }, { step: '03' }, { set: { x: 'forty' } }, { return: '$x' }),
  ];
  const program = text(steps, 'When $x > 15');

  test('is named once, with its place, and fires nothing', async () => {
    const { result, said } = await played(program, { answers: ['twenty'], replies });
    expect(result.answer).toBe('forty');
    expect(said).toEqual(['How many?']);
    expect(result.warnings.map(({ message }) => message)).toEqual([
      'PV7327 x.playbook.md:14:3: "When $x > 15" cannot be computed, so Desk.TooBig is not ' +
        'played: string > int not implemented (say of what type the variable is where it is set: ' +
        '$n:int = …)',
    ]);
  });

  test('ends a run that is to be held to all', async () => {
    const { result } = await played(program, {
      ...{ answers: ['twenty'], replies, strictness: 'enforce' },
    });
    expect(result.status).toBe('failed');
    expect(result.error).toMatchObject({ code: 'PV7327' });
    expect(result.error?.message).toContain('x.playbook.md:14:3');
  });

  test('does not hold without a word where a variable has no value yet', async () => {
    const { result } = await played(text('- $x = 20\n- Return $x', 'When $x > 15 and $y > 3'), {
      replies: [ops({ set: { x: 20 } }, { step: '02' }, { return: '$x' })],
    });
    expect(result.answer).toBe(20);
    expect(result.warnings).toEqual([]);
  });

  test.each(['When $y > 3 or $x > 15', 'When $x > 15 or $y > 3', 'When $y < $x or $x >= 20'])(
    '%s: what has no value yet decides nothing',
    async (trigger) => {
      const { result, said } = await played(text('- $x = 20\n- Return $x', trigger), {
        replies: [
          ops({ set: { x: 20 } }),
          ops({ say: 'Too big' }, { return: null }),
          ops({ step: '02' }, { return: '$x' }),
        ],
      });
      expect(result).toMatchObject({ answer: 20, warnings: [] });
      expect(said).toEqual(['Too big']);
    },
  );
});

test('a model is shown no variable that has no value yet', async () => {
  const asked: unknown[] = [];
  const steps = '- $x = 20\n- Return $x';
  await played(text(steps, 'When $x is well above the $limit'), {
    matches(args) {
      asked.push(args.changed);
      return [];
    },
    replies: [ops({ set: { x: 20 } }, { step: '02' }, { return: '$x' })],
  });
  expect(asked).toEqual([{ $x: 20 }]);
});

test.each(['When $v > 50', 'When $v is large'])(
  'each value that calls of one reply give a variable is looked at: %s',
  async (trigger) => {
    const { result, said } = await played(
      text('- $v = look(90)\n- $v = look(10)\n- Return $v', trigger),
      {
        tools: [quickTool('look', ({ n }) => n, { ...orders, effect: 'read' })],
        matches: ({ changed }) => (Object(changed).$v > 50 ? ['Desk.TooBig:T1'] : []),
        replies: [
          ops(
            ...[{ step: '01' }, { call: 'look', args: { n: 90 }, into: '$v' }],
            ...[{ step: '02' }, { call: 'look', args: { n: 10 }, into: '$v' }],
            ...[{ step: '03' }, { return: '$v' }],
          ),
          ops({ step: '01' }, { say: 'Too big' }, { return: null }),
          ops(
            ...[{ step: '02' }, { call: 'look', args: { n: 10 }, into: '$v' }],
            ...[{ step: '03' }, { return: '$v' }],
          ),
        ],
      },
    );
    expect(result.error).toBeUndefined();
    expect([said, result.answer]).toEqual([['Too big'], 10]);
  },
);
