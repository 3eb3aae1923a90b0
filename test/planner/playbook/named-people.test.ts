/** People by name: src/loops/playbook/people.star, and whom replies may speak to. */
import { describe, expect, test } from 'vitest';
import { askHandler } from '../../../src/effects/person/ask.ts';
import { answerRun } from '../../../src/engine/reply.ts';
import { byName } from '../../engine/support.ts';
import { ops, played, saidIn, stageOf } from './played.ts';

const trip = `# Desk

## Main
### Triggers
- At the beginning
### Steps
- Say("One moment.")
- Ask Clara for the $day
- Ask Bob for the $budget
- Return [$day, $budget]

# Clara:Human
Knows when.

# Bob:Human
Knows how much.
`;

const asking = ops(
  { step: '01' },
  { say: 'One moment.' },
  { step: '02' },
  { say: 'Which day, Clara?', to: 'clara' },
  { step: '03' },
  { say: 'How much, Bob?' },
  { step: '04' },
  { yield: 'user' },
);

test('several are asked at the same time, each answers for themselves, from other processes', async () => {
  const last = ops(
    { set: { day: 'Monday', budget: 90 } },
    { step: '05' },
    { return: ['$day', '$budget'] },
  );
  const stage = stageOf(trip, { replies: [asking, last] });
  const { run, waits, status } = await stage.start();
  expect(status).toBe('waiting');
  expect(waits).toMatchObject([
    { kind: 'question', to: 'Clara', question: 'Which day, Clara?' },
    { kind: 'question', to: 'Bob', question: 'How much, Bob?' },
  ]);
  expect(saidIn(stage.journal, run)).toStrictEqual([
    'One moment.',
    { to: 'Clara', text: 'Which day, Clara?' },
    { to: 'Bob', text: 'How much, Bob?' },
  ]);
  const reply = { journal: stage.journal, run, handlers: byName(askHandler) };
  await answerRun({ ...reply, to: 'Bob', by: 'Bob', answer: () => '90 at most' });
  expect(await stage.resume(run)).toMatchObject({ status: 'waiting', waits: [{ to: 'Clara' }] });
  await answerRun({ ...reply, to: 'Clara', by: 'Clara', answer: () => 'on Monday' });
  expect(await stage.resume(run)).toMatchObject({ status: 'done', answer: ['Monday', 90] });
  expect(stage.prompts[1]).toContain('Clara wrote: "on Monday"\n\nBob wrote: "90 at most"');
  expect(stage.prompts[0]).toContain('- Clara: Knows when.\n- Bob: Knows how much.');
});

test('who has answered is told of that, and of nothing that others are asked or have said', async () => {
  const stage = stageOf(trip, { replies: [asking] });
  const { run } = await stage.start();
  const handlers = byName(askHandler);
  const answerAs = (to: string) =>
    answerRun({ journal: stage.journal, run, handlers, to, by: to, answer: () => 'so' });
  const already = (name: string): RegExp => new RegExp(`^${name} has replied to effect`);
  const nothingOfTom = `run ${run} asks nothing of Tom`;
  expect(await answerAs('Bob')).toMatchObject([{ to: 'Bob' }]);
  await expect(answerAs('Bob')).rejects.toThrow(already('Bob'));
  await expect(answerAs('Tom')).rejects.toThrow(nothingOfTom);
  expect(await answerAs('Clara')).toMatchObject([{ to: 'Clara' }]);
  await expect(answerAs('Clara')).rejects.toThrow(already('Clara'));
  await expect(answerAs('Bob')).rejects.toThrow(already('Bob'));
  await expect(answerAs('Tom')).rejects.toThrow(nothingOfTom);
});

test('a question about what another one is to find out waits for that', async () => {
  const text = trip.replace('Ask Bob for the $budget', 'Ask Bob for the $budget of {$day}');
  const done = await played(text, {
    replies: [
      ops({ step: '02' }, { say: 'Which day?' }, { yield: 'user' }),
      ops({ set: { day: 'Monday' } }, { step: '04' }, { say: 'How much?' }, { yield: 'user' }),
      ops({ set: { budget: 9 } }, { step: '06' }, { return: ['$day', '$budget'] }),
    ],
    answers: ['Monday', '9'],
    strictness: 'advise',
  });
  expect(done.result).toMatchObject({ status: 'done', answer: ['Monday', 9] });
  expect(done.prompts[0]).toContain('03:YLD for user\n04:QUE Say(Bob, Ask Bob for the $budget of');
});

test('whoever is nobody of the file is a problem, repaired once; then the run ends with it', async () => {
  const toDave = ops({ step: '01' }, { say: 'One moment.', to: 'Dave' }, { yield: 'user' });
  const twice = await played(trip, { replies: [toDave, toDave] });
  expect(twice.result).toMatchObject({ status: 'failed', error: { code: 'PV7312' } });
  expect(twice.said).toStrictEqual([]);
  expect(twice.prompts[1]).toContain(
    'there is nobody called Dave to say this to; there are the user, Clara, Bob',
  );
});

describe('where there is nobody else than the user', () => {
  const text = '# Desk\n\n## Main\n### Triggers\n- At the beginning\n### Steps\n- Say("Hi")\n';
  const told = 'there is nobody called Bob to say this to; there is only the user';
  const good = ops({ step: '01' }, { say: 'Hi' }, { return: 1 });
  const bad = ops({ step: '01' }, { say: 'Hi', to: 'Bob' }, { return: 1 });

  test.each([
    ['an operation', bad],
    ['an operation of another order', ops({ step: '01' }, { to: 'Bob', say: 'Hi' })],
    ['a call', ops({ step: '01' }, { call: 'Say', args: { to: 'Bob', text: 'Hi' } })],
    ['a call by places', ops({ step: '01' }, { call: 'Say', args: ['Bob', 'Hi'] })],
    ['a statement', 'await self.Step("Desk.Main:01:QUE")\nawait self.Say("Bob", "Hi")'],
    ['a statement with a name', 'await self.Step("Desk.Main:01:QUE")\nSay(to="Bob", text="Hi")'],
  ])('what is said to somebody else by %s the user has, which is told of', async (_, first) => {
    const strict = await played(text, { replies: [first, good], strictness: 'enforce' });
    expect(strict.prompts[1]).toContain(told);
    expect(strict.said).toStrictEqual(['Hi']);
    expect(strict.result).toMatchObject({ status: 'done', answer: 1 });
    const { said, result } = await played(text, { replies: [first, good] });
    expect(said).toStrictEqual(['Hi']);
    expect(result.warnings[0]).toMatchObject({ message: expect.stringContaining(told) });
  });

  test.each(['advise', 'repair'] as const)('by `%s` the model is not asked again', async (by) => {
    const { said, result } = await played(text, { replies: [bad], strictness: by });
    expect(said).toStrictEqual(['Hi']);
    expect(result).toMatchObject({ status: 'done', answer: 1 });
    expect(result.warnings).toMatchObject([{ message: expect.stringContaining(told) }]);
  });

  test('who says it twice to nobody ends the run where that is enforced', async () => {
    const { said, result } = await played(text, { replies: [bad, bad], strictness: 'enforce' });
    expect(result).toMatchObject({ status: 'failed', error: { code: 'PV7312' } });
    expect(said).toStrictEqual(['Hi']);
  });
});

const starting = (metadata: string): string => `# Desk

## First
### Triggers
- At the beginning
### Steps
- Say("First.")

## Second($city="Bonn")
${metadata}
### Triggers
- At the beginning
### Steps
- Return $city
`;

test('of several that start, one may be what inputs are for, and what the answer is of', async () => {
  const replies = [ops({ say: 'First.' }, { return: 1 }), ops({ return: '$city' })];
  const given = { city: 'Rome' };
  const chosen = await played(starting('cli_entry: true'), { replies, given });
  expect(chosen.result.answer).toBe('Rome');
  const first = await played(starting(''), { replies, given });
  expect(first.result.answer).toBe(1);
});

describe('whom a variable names', () => {
  const text = [
    '# Desk\n\n## Main\n### Triggers\n- At the beginning\n### Steps\n- $who = Find()',
    '- Say($who, "The price is 7.")\n- Return $who\n\n## Find\n### Steps\n- Return a name\n',
    '# Ann\nA clerk.\n\n# Clara:Human\nKeeps the books.\n',
  ].join('\n');
  const found = (who: unknown) => [
    ops({ step: '01' }, { call: 'Find', into: '$who' }, { yield: 'call' }),
    ops({ return: who }),
    ops({ step: '03' }, { say: 'The price is 7.', to: '$who' }, { step: '04' }, { return: '$who' }),
  ];

  test.each<readonly [string, readonly unknown[]]>([
    ['Clara', [{ to: 'Clara', text: 'The price is 7.' }]],
    ['the user', ['The price is 7.']],
    ['User', ['The price is 7.']],
  ])('%s hears it', async (who, heard) => {
    const { result, said } = await played(text, { replies: found(who) });
    expect(result.error).toBeUndefined();
    expect(said).toEqual(heard);
  });

  test.each(['Zoe', 7])('%s is nobody: the model is told so, and nobody hears it', async (who) => {
    const replies = [...found(who), ops({ say: 'The price is 7.', to: 'Clara' }, { return: 1 })];
    const { prompts, said } = await played(text, { replies });
    expect(prompts[3]).toContain(
      `there is nobody called ${who} to say this to; there are user, Clara, Ann`,
    );
    expect(said).toEqual([{ to: 'Clara', text: 'The price is 7.' }]);
  });

  test('a variable that there is not names nobody', async () => {
    const replies = [
      ops({ step: '01' }, { call: 'Find', into: '$who' }, { yield: 'call' }),
      ops({ return: 'Clara' }),
      ops({ step: '03' }, { say: 'The price is 7.', to: '$whom' }),
      ops({ step: '03' }, { say: 'The price is 7.', to: '$who' }, { step: '04' }, { return: 1 }),
    ];
    const { prompts, said } = await played(text, { replies });
    expect(prompts[3]).toContain('$whom is no variable');
    expect(said).toEqual([{ to: 'Clara', text: 'The price is 7.' }]);
  });

  test('an agent in a list hears it, and whoever has set off a playbook is its sender', async () => {
    const program = [
      '# Desk\n\n## Main\n### Triggers\n- At the beginning\n### Steps\n- $all = ["Zoe", "Ann"]',
      '- Say($all[1], "The secret is 7.")\n- Return 1\n',
      '# Ann\n\n## Heard\n### Triggers\n- When a secret is told\n### Steps\n- Say($sender, "Hush.")\n',
    ].join('\n');
    const { said, result, prompts, journal } = await played(program, {
      replies: [
        ops(
          ...[{ step: '01' }, { set: { $all: ['Zoe', 'Ann'] } }, { step: '02' }],
          ...[{ say: 'The secret is 7.', to: '$all[1]' }, { step: '03' }, { return: 1 }],
        ),
        ops({ step: '01' }, { say: 'Hush.', to: '$sender' }),
        ops({ return: null }),
      ],
      matches: ({ message }) => (message === 'The secret is 7.' ? ['Ann.Heard:T1'] : []),
    });
    expect(result.error).toBeUndefined();
    expect(said).toEqual([]);
    expect(prompts).toHaveLength(3);
    expect(JSON.stringify(journal.events(result.run))).toContain('Ann to Desk: Hush.');
  });
});
