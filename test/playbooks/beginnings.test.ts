/** Agents that begin with the program, some of them several times, and agents that it makes. */
import { describe, expect, test } from 'vitest';
import { ops, played } from '../planner/playbook/played.ts';
import { programOf, tell } from './story.ts';

const begins = {
  of: 'Begin',
  ops: [{ step: '01' }, { set: { $count: 0 } }, { step: '02' }, { say: 'a branch begins' }],
};

const greets = (count: number) => ({
  of: 'Greet',
  ops: [
    ...[{ step: '01' }, { set: { $count: count } }, { step: '02' }],
    { return: '{who} is number {$count}' },
  ],
});

const turns = [
  {
    of: 'Main',
    ops: [
      ...[{ step: '01' }, { say: 'the office begins' }, { step: '02' }],
      { call: 'CreateAgent', args: { like: 'Branch', name: 'North' }, into: '$north' },
      ...[{ step: '03' }, { yield: 'call' }],
    ],
  },
  begins,
  {
    of: 'Main',
    ops: [
      ...[{ step: '04' }, { say: '{$north} is there' }, { step: '05' }],
      { call: 'CreateAgent', args: { like: 'Branch' }, into: '$east' },
      ...[{ step: '06' }, { call: '$north.Greet', args: { who: 'Ann' }, into: '$first' }],
      ...[{ step: '07' }, { say: 'Who is next?' }, { step: '08' }, { yield: 'user' }],
    ],
  },
  ...[begins, greets(1)],
  {
    of: 'Main',
    ops: [
      { set: { $name: 'Ben' } },
      ...[{ step: '09' }, { call: '$north.Greet', args: { who: '$name' }, into: '$second' }],
      ...[{ step: '10' }, { call: '$east.Greet', args: { who: '$name' }, into: '$third' }],
      ...[{ step: '11' }, { yield: 'call' }],
    ],
  },
  ...[greets(2), greets(1)],
  {
    of: 'Main',
    ops: [
      ...[{ step: '12' }, { say: '{$first}, {$second}, {$third}' }],
      ...[{ step: '13' }, { return: '$third' }],
    ],
  },
  begins,
  { of: 'Open', ops: [{ step: '01' }, { say: 'the archive begins' }] },
];

describe('three agents, two of them more than one, five in the end', () => {
  tell({
    program: 'branch-offices',
    answers: ['Ben'],
    turns,
    said: [
      ...['the office is unlocked', 'the office begins', 'a branch begins'],
      ...['North is there', 'a branch begins'],
      ...['Who is next?', 'Ann is number 1, Ben is number 2, Ben is number 1'],
      ...['a branch begins', 'the archive begins'],
    ],
    answer: 'Ben is number 1',
    skip: { turn: 8, ops: [{ step: '13' }, { return: '$third' }] },
  });
});

test('who asks one agent has not asked another one like it, and is told', async () => {
  const written = turns.map(({ ops: one }) => ops(...one));
  const [end = '', ...rest] = written.slice(8);
  const ask = (agent: string) => ({
    ...{ call: `${agent}.Greet`, args: { who: '$name' } },
    into: agent === '$east' ? '$third' : '$second',
  });
  const name = { set: { $name: 'Ben' } };
  const { result, prompts, said } = await played(programOf('branch-offices'), {
    answers: ['Ben'],
    replies: [
      ...written.slice(0, 5),
      ops(name, { step: '09' }, ask('North'), { step: '10' }, ask('$north'), { yield: 'call' }),
      ops(...greets(2).ops),
      ops({ step: '10' }, ask('$east'), { step: '11' }, { yield: 'call' }),
      ops(...greets(1).ops),
      ...[end, ...rest],
    ],
  });
  expect(result.error).toBeUndefined();
  expect(prompts[7]).toContain('was called with these arguments already, at 09; line 10 says:');
  expect(said).toContain('Ann is number 1, Ben is number 2, Ben is number 1');
});

describe('whoever is called or spoken to has begun by then, and does not begin again', () => {
  const take = (count: number) => ({
    of: 'Take',
    ops: [{ step: '01' }, { set: { $free: count } }, { step: '02' }, { return: '$free' }],
  });
  tell({
    program: 'boat-rental',
    answers: ['Ann'],
    turns: [
      { of: 'Main', ops: [{ step: '01' }, { say: 'Who?' }, { step: '02' }, { yield: 'user' }] },
      {
        of: 'Main',
        ops: [
          ...[{ set: { $name: 'Ann' } }, { step: '03' }],
          { call: 'Store.Take', args: { who: '$name' }, into: '$first' },
          ...[{ step: '04' }, { call: 'Store.Take', args: { who: '$name' }, into: '$second' }],
          ...[{ step: '05' }, { say: 'Ann has a boat', to: 'Clerk' }, { step: '06' }],
          { return: ['$first', '$second'] },
        ],
      },
      {
        of: 'Open',
        ops: [
          ...[{ step: '01' }, { set: { $free: 5 } }],
          ...[{ step: '02' }, { say: 'The store is open.' }],
        ],
      },
      ...[take(4), take(3)],
      { of: 'Unlock', ops: [{ step: '01' }, { say: 'The book is open.' }] },
      { of: 'HearAgent', isFree: true, ops: [{ return: null }] },
    ],
    said: ['Who?', 'The store is open.', 'The book is open.'],
    answer: [4, 3],
    skip: { turn: 2, ops: [{ step: '02' }, { say: 'The store is open.' }] },
  });

  const opens = '## Open\n### Triggers\n- At the beginning\n### Steps\n- $rate = 2\n';
  const begun = ops({ step: '01' }, { set: { $rate: 2 } });
  const ofThe = (prompt: string): string => /.*## (\w+)\(/s.exec(prompt)?.[1] ?? '';

  test('also where playbooks are played beside each other, or one in place of its caller', async () => {
    const price = (n: number) => ({ call: 'Store.Price', args: { n }, into: n === 1 ? 'a' : 'b' });
    const text =
      '# Desk\n## Main\n### Triggers\n- At the beginning\n### Steps\n- a = Store.Price(1)\n' +
      '- b = Store.Price(2)\n- Return Shop.Sum(a, b)\n\n# Store\n' +
      `${opens}## Price(n)\npublic: true\n### Steps\n- Return n * $rate\n\n` +
      `# Shop\n${opens}## Sum(a, b)\npublic: true\n### Steps\n- Return (a + b) * $rate\n`;
    const { result, prompts } = await played(text, {
      replies: ({ prompt }) =>
        ({
          Main: ops(
            ...[{ step: '01' }, price(1), { step: '02' }, price(2), { step: '03' }],
            ...[{ call: 'Shop.Sum', args: { a: '$a', b: '$b' } }, { yield: 'call' }],
          ),
          Open: begun,
          Price: ops({ step: '01' }, { return: prompt.includes('Price(n=1)') ? 2 : 4 }),
          Sum: ops({ step: '01' }, { return: 12 }),
        })[ofThe(prompt)] ?? '',
    });
    expect(result).toMatchObject({ status: 'done', answer: 12 });
    const order = prompts.map(ofThe);
    expect(order).toEqual(['Main', 'Open', 'Price', 'Price', 'Open', 'Sum']);
    for (const at of [2, 3, 5]) expect(prompts[at]).toContain('$rate = 2');
  });
});
