/**
 * What was promised of playbooks when they were first described, row by row, most of which nobody
 * had built: each shown by a program that is played.
 */
import { describe, expect, test } from 'vitest';
import { link } from '../../src/dialects/playbook/link/link.ts';
import { printCompiled } from '../../src/dialects/playbook/pbasm/print.ts';
import { compiledOf, readTree } from '../../src/dialects/playbook/reader.ts';
import { quickTool } from '../engine/support.ts';
import { ops, orders, type Played, played, turnsIn } from '../planner/playbook/played.ts';
import { desk } from './desk.ts';
import { streamed } from './streamed.ts';

/** What a turn was asked beside what all turns are: the playbook, its place, the conversation. */
const asked = ({ prompts }: Played, turn: number): string =>
  prompts[turn]?.replace(/^system: [\s\S]*?\n\nuser: /, '') ?? '';

const linked = (text: string, inlineSteps = 0) =>
  link(compiledOf(readTree(text).tree), { inlineSteps });

const chain = desk(
  '- $a = First("x")\n- Tell them $a\n- Return $a',
  '## First(word)\n### Steps\n- b = Second(word)\n- Find $c, which is b and one more\n- Return $c\n\n' +
    '## Second(word)\n### Steps\n- Greet with the word\n- Return 100\n',
);

const chained = [ops({ say: '{word}!' }), ops({ set: { $c: 101 } }), ops({ say: '{$a}' })];

test('1: a model gets one playbook, a line to begin at, and the variables', async () => {
  const ran = await played(chain, { replies: chained });
  expect(asked(ran, 0)).toContain(
    '## Second(word)\n### Steps\n  01 Greet with the word\n= 02 Return 100',
  );
  expect(asked(ran, 0)).toContain('word = "x"');
  expect(asked(ran, 0)).toContain('You are at 01.');
  expect(asked(ran, 0)).not.toContain('## First');
});

test('2: playbooks are called as functions are, with arguments, and with their results', async () => {
  const ran = await played(chain, { replies: chained });
  expect(ran.result).toMatchObject({ status: 'done', answer: 101 });
  expect(asked(ran, 0)).toContain('It was called as Second(word="x").');
  expect(asked(ran, 1)).toContain('Second into b: 100');
  expect(asked(ran, 2)).toContain('First into $a: 101');
});

test('2: a model queues calls, and yields when it needs their results', async () => {
  const tide = quickTool('tide', ({ n }) => `tide ${n}`, {
    parameters: { type: 'object', properties: { n: { type: 'integer' } } },
  });
  const ran = await played(desk('- Look up both and tell them'), {
    tools: [tide],
    replies: [
      ops(
        { call: 'tide', args: { n: 1 }, into: 'a' },
        { call: 'tide', args: { n: 2 }, into: 'b' },
        { yield: 'call' },
      ),
      ops({ say: '{$a}, {$b}' }),
    ],
  });
  expect(ran.said).toEqual(['tide 1, tide 2']);
});

test('3: the machine knows who has called whom, and where each goes on', async () => {
  const ran = await played(chain, { replies: chained });
  const turns = ran.journal
    .events(ran.result.run)
    .flatMap((event) =>
      event.type === 'effect.started' && event.tool === 'turn' ? [event.step] : [],
    );
  expect(turns).toEqual(['Second:01', 'First:02', 'Main:02']);
});

test('4: of variables a model says what has changed, and all others stay', async () => {
  const text = desk(
    '- $a = 1\n- $b = 2\n- F()\n- Return [$a, $b]',
    '## F\n### Steps\n- Choose $b\n',
  );
  const { result } = await played(text, { replies: [ops({ set: { $b: 3 } })] });
  expect(result.answer).toEqual([1, 3]);
});

describe('5: locals and what the agent shares', () => {
  const log = 'tide '.repeat(900);
  const text = desk(
    '- $log = read()\n- x = 7\n- Use($log)\n- Other()\n- Return x',
    '## Use(log)\n### Steps\n- Tell them of the log\n\n## Other\n### Steps\n- x = 5\n- Say something\n',
  );
  const options = {
    tools: [quickTool('read', () => log)],
    replies: [ops({ show: ['log'] }), ops({ say: 'Long.' }), ops({ say: 'done' })],
  };

  test('a callee has its own, and those of its caller stay what they were', async () => {
    const ran = await played(text, options);
    expect(ran.result).toMatchObject({ status: 'done', answer: 7 });
    expect(asked(ran, 2)).not.toMatch(/^x = 7/m);
  });

  test('what no line ahead reads is named alone, and what is long is shown when it is asked for', async () => {
    const ran = await played(text, options);
    expect(asked(ran, 0)).not.toContain(log);
    expect(asked(ran, 1)).toContain(log);
    expect(asked(ran, 2)).toMatch(/\$log: \w+ of \d+ characters, not shown/);
    expect(asked(ran, 2)).not.toContain('tide tide');
  });
});

test('6: small playbooks are inlined, which saves the turns that it says', async () => {
  const small = desk(
    '- Greet them\n- Look(2)\n- Say("bye")',
    '## Look(n)\n### Steps\n- Tell them what {n} is\n',
  );
  const [said] = linked(small, 8).inlining;
  expect(said).toMatchObject({ at: 'Desk.Main:02', isInlined: true });
  const apart = await played(small, { replies: [ops({ say: 'Hi' }), ops({ say: 'Two' })] });
  const within = await played(small, {
    inline: 8,
    replies: [ops({ say: 'Hi' }, { at: '02.02' }, { say: 'Two' })],
  });
  expect([apart.said, within.said]).toEqual([
    ['Hi', 'Two', 'bye'],
    ['Hi', 'Two', 'bye'],
  ]);
  expect([apart.prompts.length, within.prompts.length]).toEqual([2, 1]);
});

describe('7: a call that is the last a playbook does', () => {
  const down = desk(
    '- Return Down(30)',
    '## Down(n)\n### Steps\n- If n == 0\n  - Return "ground"\n- Return Down(n - 1)\n',
  );

  test('takes its place: nothing goes on with what has nothing left to do', async () => {
    const { result } = await played(down, { depth: 2, replies: [] });
    expect(result).toMatchObject({ status: 'done', answer: 'ground' });
    const apart = await played(down, { depth: 2, tails: false, replies: [] });
    expect(apart.result.error).toMatchObject({ code: 'PV7323' });
  });

  test('what has fired before it does not fire in it', async () => {
    const rest = '## F\n### Steps\n- $x = 30\n- Return $x\n\n';
    const { result, said } = await played(
      desk(
        '- $x = 20\n- Return F()',
        `${rest}## B\n### Triggers\n- When $x > 15\n### Steps\n- Say("big")\n`,
      ),
      { replies: [] },
    );
    expect([result.answer, said]).toEqual([30, ['big']]);
  });
});

describe('8: three kinds of call of a model', () => {
  const text = desk(
    '- Look up the tide()\n- F()\n- Tell them\n- Return 1',
    '## F\n### Steps\n- Say something\n',
  );
  const replies = [
    ops({ call: 'tide', into: 't' }, { yield: 'call' }),
    ops({ at: '01' }),
    ops({ say: 'f' }),
    ops({ say: '{$t}' }),
  ];

  test('a new playbook begins a conversation; a result and a callee’s end go on with one', async () => {
    const ran = await played(text, { tools: [quickTool('tide', () => 'high')], replies });
    expect(ran.result).toMatchObject({ status: 'done', answer: 1 });
    expect(asked(ran, 1).startsWith(asked(ran, 0))).toBe(true);
    expect(asked(ran, 2)).toMatch(/^## F\(\)/);
    expect(asked(ran, 2)).not.toContain('assistant:');
    expect(asked(ran, 3).startsWith(asked(ran, 1))).toBe(true);
  });

  test('a conversation that is long is told in short', async () => {
    const long = quickTool('tide', () => `${'it is high, and '.repeat(110)}so on`);
    const rounds = Array.from({ length: 24 }, () => '- tide()\n- Tell them').join('\n');
    const ran = await played(desk(rounds), {
      tools: [long],
      replies: () => ops({ say: 'high' }),
    });
    expect(ran.result.error).toBeUndefined();
    const sizes = ran.prompts.map(({ length }) => length);
    expect(Math.max(...sizes)).toBeLessThan(80_000);
    expect(ran.prompts.at(-1)).toContain('So far in this playbook');
  });
});

describe('triggers', () => {
  const text = desk(
    '- Find the $mood\n- $n = 20\n- Find the $mood again\n- Return $n',
    '## Cheer\n### Triggers\n- When $mood sounds bad\n### Steps\n- Say("Cheer up")\n\n' +
      '## TooBig\n### Triggers\n- When $n > 15\n### Steps\n- Say("Too big")\n- $n = 15\n',
  );
  const replies = [
    ops({ set: { $mood: 'sad' } }, { say: 'never' }),
    ops({ at: '01' }),
    ops({ set: { $mood: 'sad' } }),
  ];

  test('9: are matched by a call of their own, of what has changed, and never what was matched', async () => {
    const judged: unknown[] = [];
    const { result } = await played(text, {
      ...{ replies, startup: 'what no condition is about' },
      matches(one) {
        judged.push(one);
        return ['Desk.Cheer:T1'];
      },
    });
    expect(result.error).toBeUndefined();
    expect(judged).toEqual([
      {
        conditions: [{ id: 'Desk.Cheer:T1', text: 'When $mood sounds bad' }],
        changed: { $mood: 'sad' },
      },
    ]);
  });

  test('10: push what they are of, and who was interrupted goes on where it was', async () => {
    const ran = await played(text, { replies, matches: () => ['Desk.Cheer:T1'] });
    expect(ran.said).toEqual(['Cheer up', 'Too big']);
    expect(ran.result.answer).toBe(15);
    expect(asked(ran, 1)).toContain('Desk.Cheer was played');
    expect(asked(ran, 1)).toContain('You are at 01.');
  });

  test('11: that match in the midst of a stream end it: the request is cancelled', async () => {
    const calls: unknown[] = [];
    const order = quickTool('order', () => calls.push('ordered'), orders);
    const { model, cancelled } = streamed(
      [[{ set: { $n: 20 } }, { call: 'order', args: { n: 1 } }], [{ at: '01' }]],
      1,
    );
    const { result, said } = await played(
      desk(
        '- Find out $n\n- Return $n',
        '## B\n### Triggers\n- When $n > 15\n### Steps\n- Say("Too big")\n',
      ),
      { model, tools: [order], replies: [] },
    );
    expect(result).toMatchObject({ status: 'done', answer: 20 });
    expect([said, calls, cancelled]).toEqual([['Too big'], [], [1]]);
  });
});

describe('12: one loop, and every way out of it is named', () => {
  test('no progress', async () => {
    const round = ops({ call: 'tide', into: 't' }, { yield: 'call' });
    const { result, prompts } = await played(desk('- Look at the tide()\n- Say("up")'), {
      tools: [quickTool('tide', () => 'low')],
      replies: () => round,
    });
    expect(result).toMatchObject({ status: 'failed', error: { code: 'PV7322' } });
    expect(prompts.length).toBeLessThan(8);
  });

  test('too many turns', async () => {
    const text = desk('- $n = 0\n- While True\n  - $n += 1\n  - Name a number\n- Return $n');
    const { result, prompts } = await played(text, {
      turns: 7,
      replies: () => ops({ say: 'one' }),
    });
    expect(result).toMatchObject({ status: 'failed', error: { code: 'PV7321' } });
    expect(prompts).toHaveLength(7);
  });

  test('too many calls within each other', async () => {
    const { result } = await played(
      desk('- $b = F()\n- Say("{$b}")', '## F\n### Steps\n- b = F()\n- Return b + 1\n'),
      { depth: 5, replies: [] },
    );
    expect(result).toMatchObject({ status: 'failed', error: { code: 'PV7323' } });
  });
});

test('13: lines are a graph with conditions, what else there is, loops and jumps', () => {
  const text = desk(
    '- $a = 1\n- If $a\n  - Say("a")\n- Otherwise\n  - Say("b")\n- While they like\n  - Say("c")\n' +
      '- If they want more\n  - Go to step 1\n- Return 1',
  );
  const [main] = linked(text).agents[0]?.playbooks ?? [];
  const edges = [...(main?.lines ?? [])].map(([number, line]) => [
    number,
    line.edges.map(({ kind, to }) => `${kind} ${to}`),
  ]);
  expect(Object.fromEntries(edges)).toEqual({
    '01': ['next 02'],
    '02': ['true 02.01', 'false 03'],
    '02.01': ['next 04'],
    '03': ['next 03.01'],
    '03.01': ['next 04'],
    '04': ['loop 04.01', 'exit 05'],
    '04.01': ['loop 04'],
    '05': ['true 05.01', 'false 06'],
    '05.01': ['jump 01'],
    '06': ['return '],
  });
});

test('14: the compiler shows waits: after a call whose result is needed, after a question', () => {
  const text = desk(
    '- Say("Hi")\n- Say("Who are you?")\n- Ask user for $n\n- $a = F($n)\n- $b = F(2)\n- Say("{$a} {$b}")',
    '## F(n)\n### Steps\n- Return n\n',
  );
  const printed = printCompiled(compiledOf(readTree(text).tree));
  expect(printed).toContain(
    [
      '- 01:QUE Say("Hi")',
      '- 02:QUE Say("Who are you?"); YLD for user',
      '- 03:QUE? Ask user for $n; YLD for user',
      '- 04:QUE $a = F($n)',
      '- 05:QUE $b = F(2); YLD for call',
      '- 06:QUE Say("{$a} {$b}")',
    ].join('\n'),
  );
});

test('15: a wrong line is named, what is open is free in its words, a quote is said as it is', async () => {
  const ran = await played(desk('- Say("2 to go")\n- Wish them well\n- Return 1'), {
    replies: [ops({ say: 'Bye!' }, { at: '09' }), ops({ at: '02' })],
  });
  expect(ran.result).toMatchObject({ status: 'done', answer: 1 });
  expect(ran.said).toEqual(['2 to go', 'Bye!']);
  expect(asked(ran, 1)).toContain('got the line 09');
});

test('16: a model writes operations alone: no lines of the machine, plans, recaps, triggers', async () => {
  const ran = await played(desk('- $n = 2\n- Say("{$n}")\n- Wish them well'), {
    replies: [ops({ say: 'Luck!' })],
  });
  expect(ran.result).toMatchObject({ status: 'done', warnings: [] });
  expect(ran.prompts[0]).toContain('Reply with operations alone');
  expect(ran.prompts[0]).not.toMatch(/\btrig\b|\brecap\b/);
});

test('17: a long conversation is told in short, more and more so, and what a person wrote stays', async () => {
  const notes = Array.from(
    { length: 40 },
    (_, n) => `note ${n}: ${'it is high tide, '.repeat(90)}`,
  );
  const ran = await played(desk('- While there are notes\n  - Take a note\n- Say("bye")'), {
    answers: notes,
    replies: ({ number }) =>
      number > 40
        ? ops({ at: '01', holds: false })
        : ops({ at: '01', holds: true }, { at: '01.01' }, { say: 'More?' }, { yield: 'user' }),
  });
  expect(ran.result.error).toBeUndefined();
  const longest = Math.max(...ran.prompts.map(({ length }) => length));
  expect(longest).toBeLessThan(64_000);
  const last = asked(ran, 40);
  expect(last).toContain('So far in this playbook');
  for (const kept of ['note 0:', 'note 30:', 'note 38:']) expect(last).toContain(kept);
  const first = ran.prompts.findIndex((prompt) => prompt.includes('So far in this playbook'));
  expect(first).toBeGreaterThan(10);
});

test('the tokens of a prompt are told by what they are for', async () => {
  const { journal, result } = await played(chain, { replies: chained });
  const turns = turnsIn(journal, result.run);
  expect(turns).toHaveLength(3);
  for (const { tokens } of turns)
    expect(tokens).toMatchObject({ instructions: expect.any(Number) });
});
