/**
 * What was promised of playbooks when they were first described, row by row, most of which nobody
 * had built: each shown by a program that is played.
 */
import { describe, expect, test } from 'vitest';
import { graphOf } from '../../src/dialects/playbook/compiled/graph.ts';
import { explained } from '../../src/dialects/playbook/link/explain.ts';
import { link } from '../../src/dialects/playbook/link/link.ts';
import { stepLines } from '../../src/dialects/playbook/pbasm/print.ts';
import { compiledOf, readTree } from '../../src/dialects/playbook/tree-of.ts';
import { quickTool } from '../engine/support.ts';
import { ops, type Played, played, turnsIn } from '../planner/playbook/played.ts';
import { streamed } from './streamed.ts';

const desk = (steps: string, rest = ''): string =>
  `# Desk\nYou are brief.\n\n## Main\n### Triggers\n- At the beginning\n### Steps\n${steps}\n\n${rest}`;

const called = (name: string, args: object, into?: string) => ({
  ...{ call: name, args },
  ...(into !== undefined && { into }),
});

const wait = { yield: 'call' };

/** What a turn was asked beside what all turns are: the playbook, its place, the conversation. */
const asked = ({ prompts }: Played, turn: number): string =>
  prompts[turn]?.replace(/^system: [\s\S]*?\n\nuser: /, '') ?? '';

const linked = (text: string, inlineSteps = 0, tools: readonly string[] = []) =>
  link(compiledOf(readTree(text).tree, tools), { inlineSteps, isWrite: () => true });

const chain = desk(
  '- $a = First("x")\n- Say("{$a}")\n- Return $a',
  '## First(word)\n### Steps\n- b = Second(word)\n- c = b and one more\n- Return c\n\n' +
    '## Second(word)\n### Steps\n- Say("{word}!")\n- Return 100\n',
);

const chained = [
  ops(called('First', { word: 'x' }, 'a'), wait),
  ops(called('Second', { word: '$word' }, 'b'), wait),
  ops({ say: '{$word}!' }, { return: 100 }),
  ops({ set: { c: 101 } }, { return: '$c' }),
  ops({ say: '{$a}' }, { return: '$a' }),
];

test('1: a model gets one playbook, a line to begin at, and the variables', async () => {
  const ran = await played(chain, { replies: chained });
  expect(asked(ran, 2)).toBe(
    '## Second(word)\n### Steps\n01:QUE Say(user, "{word}!")\n02:RET 100\n\n' +
      'Variables:\nword = "x"\n\nIt was called as Second(word="x"). Begin at line 01.',
  );
});

test('2: playbooks are called as functions are: queued, with arguments, and with their results', async () => {
  const ran = await played(chain, { replies: chained });
  expect(ran.result).toMatchObject({ status: 'done', answer: 101 });
  expect(asked(ran, 1)).toContain('First(word="x"). Begin at line 01.');
  expect(asked(ran, 3)).toContain('Results:\n- Second into b: 100');
  expect(asked(ran, 4)).toContain('Results:\n- First into $a: 101');
});

test('3: the machine knows who has called whom, and where each goes on', async () => {
  const ran = await played(chain, { replies: chained });
  const turns = ran.journal
    .events(ran.result.run)
    .flatMap((event) =>
      event.type === 'effect.started' && event.tool === 'turn' ? [event.step] : [],
    );
  expect(turns).toEqual(['Main:01', 'First:01', 'Second:01', 'First:03', 'Main:03']);
});

test('4: of variables a model says what has changed, and all others stay', async () => {
  const text = desk('- $a = 1\n- $b = 2\n- F()\n- Return [$a, $b]', '## F\n### Steps\n- $b = 3\n');
  const { result } = await played(text, {
    replies: [
      ops({ set: { $a: 1, $b: 2 } }, called('F', {}), wait),
      ops({ set: { $b: 3 } }),
      ops({ return: ['$a', '$b'] }),
    ],
  });
  expect(result.answer).toEqual([1, 3]);
});

describe('5: locals and what the agent shares', () => {
  const text = desk(
    '- $log = a long text\n- x = 7\n- Use($log)\n- Other()\n- Return x',
    '## Use(log)\n### Steps\n- Think about log\n\n## Other\n### Steps\n- x = 5\n- Say("done")\n',
  );
  const log = 'tide '.repeat(900);
  const replies = [
    ops({ set: { $log: log, x: 7 } }, called('Use', { log: '$log' }), called('Other', {}), wait),
    ops({ show: ['log'] }, { yield: 'call' }),
    ops({ think: 'I see' }, { return: null }),
    ops({ set: { x: 5 } }, { say: 'done' }, { return: null }),
    ops({ return: '$x' }),
  ];

  test('a callee has its own, and those of its caller stay what they were', async () => {
    const ran = await played(text, { replies });
    expect(ran.result).toMatchObject({ status: 'done', answer: 7 });
    expect(asked(ran, 3)).not.toMatch(/^x\b/m);
  });

  test('what no line ahead reads is named alone, and what is long is shown when it is asked for', async () => {
    const ran = await played(text, { replies });
    expect(asked(ran, 1)).toContain('$log');
    expect(asked(ran, 1)).not.toContain(log);
    expect(asked(ran, 2)).toContain(log);
    expect(asked(ran, 3)).toMatch(/\$log: \w+ of \d+ characters, not shown/);
    expect(asked(ran, 3)).not.toContain('tide');
  });
});

const small = desk(
  '- $a = Twice(2)\n- Say("{$a}")\n- Return $a',
  '## Twice(n)\n### Steps\n- m = n times two\n- Return m\n',
);

test('6: small playbooks are inlined, which saves the turns that it says', async () => {
  const [said] = explained(linked(small, 8));
  expect(said).toMatchObject({ what: 'inlined', at: 'Desk.Main:01' });
  const apart = await played(small, {
    replies: [
      ops(called('Twice', { n: 2 }, 'a'), wait),
      ops({ set: { m: 4 } }, { return: '$m' }),
      ops({ say: '{$a}' }, { return: '$a' }),
    ],
  });
  const lines = linked(small, 8).agents[0]?.playbooks[0]?.lines;
  const sets = [...(lines?.values() ?? [])].flatMap(({ step }) =>
    step.writes.map((name) => [{ step: step.number }, { set: { [name]: name === 'n' ? 2 : 4 } }]),
  );
  const within = await played(small, {
    inline: 8,
    replies: [ops(...sets.flat(), { say: '{$a}' }, { return: '$a' })],
  });
  expect(apart.result).toMatchObject({ status: 'done', answer: 4 });
  expect(within.result).toMatchObject({ status: 'done', answer: 4 });
  expect(within.said).toEqual(apart.said);
  expect([apart.prompts.length, within.prompts.length]).toEqual([3, 1]);
});

describe('7: a call that is the last a playbook does', () => {
  const down = desk(
    '- Return Down(3)',
    '## Down(n)\n### Steps\n- If n is 0\n  - Return "ground"\n- Return Down(n less one)\n',
  );

  test('takes its place: nobody is asked to go on with what has nothing left to do', async () => {
    const go = (n: number) => ops(called('Down', { n }, 'r'), { return: '$r' });
    const { result, prompts } = await played(down, {
      depth: 2,
      replies: [go(3), go(2), go(1), go(0), ops({ step: '01.01' }, { return: 'ground' })],
    });
    expect(explained(linked(down)).map(({ what }) => what)).toContain('tail call');
    expect(result).toMatchObject({ status: 'done', answer: 'ground' });
    expect(prompts).toHaveLength(5);
  });

  test('what has fired before it does not fire in it', async () => {
    const rest = '## F\n### Steps\n- $x = 30\n- Return $x\n\n';
    const { result, said } = await played(
      desk(
        '- $x = 20\n- Return F()',
        `${rest}## B\n### Triggers\n- When $x > 15\n### Steps\n- Say("big")\n`,
      ),
      {
        replies: [
          ops({ set: { $x: 20 } }),
          ops({ say: 'big' }, { return: null }),
          ops({ step: '02' }, called('F', {}, 'r'), { return: '$r' }),
          ops({ set: { $x: 30 } }, { return: '$x' }),
        ],
      },
    );
    expect(result).toMatchObject({ status: 'done', answer: 30 });
    expect(said).toEqual(['big']);
  });
});

describe('8: three kinds of call of a model', () => {
  const tide = quickTool('tide', () => 'high', {
    effect: 'read',
    parameters: { type: 'object', properties: {} },
  });
  const text = desk(
    '- $t = tide()\n- F($t)\n- Say("{$t}")\n- Return $t',
    '## F(t)\n### Steps\n- Think\n- Say("f")\n',
  );
  const replies = [
    ops(called('tide', {}, 't'), wait),
    ops(called('F', { t: '$t' }), wait),
    ops({ say: 'f' }, { return: null }),
    ops({ say: '{$t}' }, { return: '$t' }),
  ];

  test('a new playbook begins a conversation; a result and a callee’s end go on with one', async () => {
    const ran = await played(text, { tools: [tide], replies });
    expect(ran.result).toMatchObject({ status: 'done', answer: 'high' });
    expect(asked(ran, 1).startsWith(asked(ran, 0))).toBe(true);
    expect(asked(ran, 2)).toMatch(/^## F\(t\)/);
    expect(asked(ran, 2)).not.toContain('assistant:');
    expect(asked(ran, 3).startsWith(asked(ran, 1))).toBe(true);
  });

  test('a conversation that is long is told in short to a caller that goes on', async () => {
    const long = quickTool('tide', () => `${'it is high, and '.repeat(120)}so on`, {
      effect: 'read',
      parameters: { type: 'object', properties: {} },
    });
    const rounds = Array.from({ length: 12 }, (_, n) => `- $t${n} = tide()\n- Think`).join('\n');
    const text = desk(`${rounds}\n- F()\n- Say("end")`, '## F\n### Steps\n- Think\n');
    const lines = linked(text, 0, ['tide']).agents[0]?.playbooks[0]?.lines ?? new Map();
    const ran = await played(text, {
      tools: [long],
      replies({ prompt }) {
        if (prompt.includes('called as F(). Begin')) return ops({ think: 'so' }, { return: null });
        if (/F gave its result|- F: null/.test(prompt)) {
          return ops({ say: 'end' }, { return: null });
        }
        const [, from = '01'] = /Go on at line (\d+)\.$/.exec(prompt) ?? [];
        const line = [...lines.keys()].find((one) => one >= from && lines.get(one)?.step.call);
        const { callee = '', into } = lines.get(line ?? '')?.step.call ?? {};
        return ops({ step: line ?? '' }, called(callee, {}, into?.slice(1)), wait);
      },
    });
    expect(ran.result.error).toBeUndefined();
    expect(ran.said).toEqual(['end']);
    const last = asked(ran, ran.prompts.length - 1);
    expect(last).toContain('So far in this playbook (at length in earlier):');
    expect(last.length).toBeLessThan((ran.prompts.at(-3)?.length ?? 0) / 2);
  });
});

describe('triggers', () => {
  const text = desk(
    '- $mood = how the visitor feels\n- $n = 20\n- $mood = how they feel now\n- Return $n',
    '## Cheer\n### Triggers\n- When $mood sounds bad\n### Steps\n- Say("Cheer up")\n\n' +
      '## TooBig\n### Triggers\n- When $n > 15\n### Steps\n- Say("Too big")\n- $n = 15\n',
  );
  const replies = [
    ops({ set: { $mood: 'sad' } }, { say: 'never' }),
    ops({ say: 'Cheer up' }, { return: null }),
    ops({ step: '02' }, { set: { $n: 20 } }, { say: 'never' }),
    ops({ say: 'Too big' }, { step: '02' }, { set: { $n: 15 } }, { return: null }),
    ops({ step: '03' }, { set: { $mood: 'sad' } }, { step: '04' }, { return: '$n' }),
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
    expect(asked(ran, 2)).toContain('Desk.Cheer was played');
    expect([2, 4].map((turn) => /Go on at line [\d.]+$/.exec(asked(ran, turn))?.[0])).toEqual([
      'Go on at line 02.',
      'Go on at line 03.',
    ]);
  });

  test('11: that match in the midst of a stream end it: the request is cancelled', async () => {
    const calls: unknown[] = [];
    const order = quickTool('order', () => calls.push('ordered'), {
      effect: 'write',
      parameters: { type: 'object', properties: {} },
    });
    const { model, cancelled } = streamed(
      [
        [{ set: { $n: 20 } }, { call: 'order' }],
        [{ say: 'Too big' }, { return: null }],
        [{ step: '02' }, { return: '$n' }],
      ],
      1,
    );
    const { result, said } = await played(
      desk('- $n = how many\n- Return $n', '## B\n### Triggers\n- $n > 15\n### Steps\n- Say no\n'),
      { model, tools: [order], replies: [] },
    );
    expect(result).toMatchObject({ status: 'done', answer: 20 });
    expect(said).toEqual(['Too big']);
    expect(calls).toEqual([]);
    expect(cancelled).toEqual([1]);
  });
});

describe('12: one loop, and every way out of it is named', () => {
  test('no progress', async () => {
    const tide = quickTool('tide', () => 'low', {
      effect: 'read',
      parameters: { type: 'object', properties: {} },
    });
    const round = ops({ step: '01.01' }, called('tide', {}), wait);
    const { result, prompts } = await played(desk('- While it is low\n  - tide()\n- Say("up")'), {
      tools: [tide],
      replies: () => round,
    });
    expect(result).toMatchObject({ status: 'failed', error: { code: 'PV7322' } });
    expect(result.error?.message).toContain(`Its last reply:\n${round}`);
    expect(prompts.length).toBeLessThan(6);
  });

  test('too many turns', async () => {
    let n = 0;
    const text = desk('- While $n is below 1000\n  - $n = $n + 1\n  - F()\n', '## F\n');
    const { result } = await played(`${text}Think.\n`, {
      turns: 7,
      replies: ({ prompt }) =>
        /called as F\(/.test(prompt)
          ? ops({ return: null })
          : ops({ step: '01.01' }, { set: { $n: ++n } }, { step: '01.02' }, called('F', {}), wait),
    });
    expect(result).toMatchObject({ status: 'failed', error: { code: 'PV7321' } });
    expect(n).toBe(7);
  });

  test('too many calls within each other', async () => {
    const { result, prompts } = await played(
      desk('- $b = F()\n- Say("{$b}")', '## F\n### Steps\n- $b = F()\n- Return $b and more\n'),
      { depth: 5, replies: () => ops({ step: '01' }, called('F', {}, 'b'), wait) },
    );
    expect(result).toMatchObject({ status: 'failed', error: { code: 'PV7323' } });
    expect(prompts).toHaveLength(5);
  });
});

test('13: steps are a graph with conditions, what else there is, loops and jumps', () => {
  const text = desk(
    '- If $a\n  - Say("a")\n- Otherwise\n  - Say("b")\n- While $c\n  - Say("c")\n' +
      '- If $d\n  - Go back to step 1\n- Return 1',
  );
  const [main] = compiledOf(readTree(text).tree, []).agents[0]?.playbooks ?? [];
  const graph = graphOf(main?.steps ?? []);
  const edges = [...graph.edges].map(([line, all]) => [
    line,
    all.map(({ kind, to }) => `${kind} ${to}`),
  ]);
  expect(Object.fromEntries(edges)).toEqual({
    '01': ['true 01.01', 'false 02'],
    '01.01': ['next 03'],
    '02': ['next 02.01'],
    '02.01': ['next 03'],
    '03': ['loop 03.01', 'exit 04'],
    '03.01': ['next 03.02'],
    '03.02': ['loop 03'],
    '04': ['true 04.01', 'false 05'],
    '04.01': ['jump 01'],
    '05': ['return '],
  });
});

test('14: the compiler sets waits: behind a call whose result is needed, behind a question', () => {
  const text = desk(
    '- Say("Hi")\n- Ask user for $n\n- $a = F($n)\n- $b = F(2)\n- Say("{$a} {$b}")',
    '## F(n)\n### Steps\n- Return n\n',
  );
  const [main] = compiledOf(readTree(text).tree, []).agents[0]?.playbooks ?? [];
  expect(stepLines(main?.steps ?? [], '').map((line) => line.trim())).toEqual([
    '- 01:QUE Say(user, "Hi")',
    '- 02:QUE Say(user, Ask user for $n)',
    '- 03:YLD for user',
    '- 04:QUE $a = F($n)',
    '- 05:QUE $b = F(2)',
    '- 06:YLD for call',
    '- 07:QUE Say(user, "{$a} {$b}")',
  ]);
});

test('15: a wrong line is named, what is left open is no literal, what is one is said as it is', async () => {
  const text = desk('- Say("{$n} to go")\n- Say(a farewell)\n- Return 1');
  const reply = [{ set: { $n: 2 } }, { say: '{$n} to go' }, { say: 'Bye!' }];
  const ran = await played(text, {
    replies: [ops(...reply, { step: '09' }), ops({ step: '03' }, { return: 1 })],
  });
  expect(ran.result).toMatchObject({ status: 'done', answer: 1 });
  expect(ran.said).toEqual(['2 to go', 'Bye!']);
  expect(asked(ran, 1)).toContain('Main has no line 09, its lines are 01, 02, 03');
});

test('16: nothing is asked back that the machine knows: no lines, plans, recaps, triggers', async () => {
  const ran = await played(desk('- $n = 2\n- Say("{$n}")\n- Return $n'), {
    replies: [ops({ set: { n: 2 } }, { say: '{$n}' }, { return: '$n' })],
  });
  expect(ran.result).toMatchObject({ status: 'done', answer: 2, warnings: [] });
  expect(ran.prompts[0]).toContain('Reply with operations alone');
  expect(ran.prompts[0]).not.toMatch(/\btrig\b|\brecap\b/);
});

test('17: a long conversation is told in short, more and more so, and what a person wrote stays', async () => {
  const notes = Array.from(
    { length: 40 },
    (_, n) => `note ${n}: ${'it is high tide, '.repeat(90)}`,
  );
  const ran = await played(
    desk('- While there are notes\n  - Ask user for a $note\n- Return $note'),
    {
      answers: notes,
      replies: ({ number }) =>
        number === 41
          ? ops({ set: { note: 'last' } }, { step: '02' }, { return: '$note' })
          : ops(
              { set: { note: `n${number}` } },
              { step: '01' },
              { say: `More?` },
              { yield: 'user' },
            ),
    },
  );
  expect(ran.result.error).toBeUndefined();
  const longest = Math.max(...ran.prompts.map(({ length }) => length));
  expect(longest).toBeLessThan(64_000);
  const last = asked(ran, 40);
  expect(last).toContain('So far in this playbook');
  for (const kept of ['note 0:', 'note 30:', 'note 38:']) expect(last).toContain(kept);
  expect(last).toContain('Go on at line');
  const isFirst = ran.prompts.findIndex((prompt) => prompt.includes('So far in this playbook'));
  expect(isFirst).toBeGreaterThan(10);
});

test('the tokens of a prompt are told by what they are for', async () => {
  const { journal, result } = await played(chain, { replies: chained });
  const turns = turnsIn(journal, result.run);
  expect(turns).toHaveLength(5);
  for (const { tokens } of turns)
    expect(tokens).toMatchObject({ instructions: expect.any(Number) });
});
