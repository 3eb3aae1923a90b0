/** Lines of playbooks are the steps of their run: entered, counted, looked at, forked from. */
import { expect, test } from 'vitest';
import { load } from '../../../src/cli/record/load.ts';
import { errorText } from '../../../src/cli/view/result.ts';
import { stackIn } from '../../../src/cli/view/step-stack.ts';
import { printCompiled } from '../../../src/dialects/playbook/pbasm/print.ts';
import { compiledOf, readTree } from '../../../src/dialects/playbook/tree-of.ts';
import type { Model } from '../../../src/effects/model/model.ts';
import { loadProgram } from '../../../src/engine/load.ts';
import { readPast } from '../../../src/engine/past/read-past.ts';
import { stateAt } from '../../../src/engine/past/time.ts';
import { locate } from '../../../src/engine/views/locate.ts';
import { type RunView, showRun } from '../../../src/engine/views/show.ts';
import { noting } from '../../playbooks/noting.ts';
import { timed } from '../../playbooks/timed.ts';
import { ops, type Played, type PlayOptions, played, stageOf } from './played.ts';

interface Seen extends Played {
  readonly view: RunView;
  /** Each with the steps around it. */
  readonly ids: readonly string[];
}

async function seen(text: string, options: PlayOptions): Promise<Seen> {
  const ran = await played(text, options);
  expect(ran.result.error).toBeUndefined();
  const view = showRun({ journal: ran.journal, run: ran.result.run, load });
  return { ...ran, view, ids: view.steps.map(({ id }) => stackIn(view.steps)(id)) };
}

const main = (steps: string, rest = ''): string =>
  `# Desk\n\n## Main\n### Triggers\n- At the beginning\n### Steps\n${steps}\n\n${rest}`;

test('steps are the lines that were done, in order, with what they asked for and said', async () => {
  const text = main(
    '- Say("Hello")\n- $x = Half(4)\n- Say("{$x}")\n- Return $x',
    '## Half(n)\n### Steps\n- Say("halving")\n- Return 2\n',
  );
  const { view, ids } = await seen(text, {
    replies: [
      ops(
        ...[{ step: '01' }, { say: 'Hello' }, { step: '02' }],
        ...[{ call: 'Half', args: { n: 4 }, into: 'x' }, { step: '03' }, { yield: 'call' }],
      ),
      ops({ step: '01' }, { say: 'halving' }, { step: '02' }, { return: 2 }),
      ops({ step: '04' }, { say: '{$x}' }, { step: '05' }, { return: '$x' }),
    ],
  });
  expect(ids).toEqual([
    ...['Main:01', 'Main:02', 'Main:02 > Half:01', 'Main:02 > Half:02'],
    ...['Main:03', 'Main:04', 'Main:05'],
  ]);
  expect(view.steps[1]).toMatchObject({ kind: 'QUE', line: 8, file: 'x.playbook.md' });
  expect(view.says?.map(({ step, text: said }) => [step, said])).toEqual([
    ...[
      ['Main:01', 'Hello'],
      ['Half:01', 'halving'],
      ['Main:04', '2'],
    ],
  ]);
  expect(view.effects.map(({ step, name }) => `${step} ${name}`)).toEqual([
    ...['Main:01 turn', 'Half:01 turn', 'Main:04 turn'],
  ]);
});

test('each time round a loop is a visit of its lines, also where it has one alone', async () => {
  const text = main('- For each $n in [1, 2]\n  - Say("{$n}")\n- Return 0');
  const line = (number: string, ...rest: readonly object[]) => [{ step: number }, ...rest];
  const { ids } = await seen(text, {
    replies: [
      ops(
        ...line('01', { set: { $n: 1 } }),
        ...line('01.01', { say: '1' }),
        ...line('01.02'),
        ...line('01', { set: { $n: 2 } }),
        ...line('01.01', { say: '2' }),
        ...line('01.02'),
        ...line('01'),
        ...line('02', { return: 0 }),
      ),
    ],
  });
  expect(ids).toEqual([
    ...['Main:01', 'Main:01.01', 'Main:01.02', 'Main:01@2', 'Main:01.01@2', 'Main:01.02@2'],
    ...['Main:01@3', 'Main:02'],
  ]);
});

test('what calls set off stands at their line, also where a model has to say so', async () => {
  const text = main(
    '- $x = Half(4)\n- Say("{$x}")\n- Return $x',
    '## Half(n)\n### Steps\n- Return 2\n\n## Odd\n### Triggers\n- When $x is odd\n' +
      '### Steps\n- Say("odd")\n',
  );
  const { view, ids } = await seen(text, {
    replies: [
      ops(
        ...[{ step: '01' }, { call: 'Half', args: { n: 4 }, into: 'x' }],
        ...[{ step: '02' }, { yield: 'call' }],
      ),
      ops({ step: '01' }, { return: 2 }),
      ops({ step: '01' }, { say: 'odd' }),
      ops({ step: '03' }, { say: '{$x}' }, { step: '04' }, { return: '$x' }),
    ],
    matches: () => ['Desk.Odd:T1'],
  });
  expect(ids).toEqual([
    ...['Main:01', 'Main:01 > Half:01', 'Main:01 > Odd:01', 'Main:02', 'Main:03', 'Main:04'],
  ]);
  expect(view.effects.map(({ step, name }) => `${step} ${name}`)).toEqual([
    ...['Main:01 turn', 'Half:01 turn', 'Main:01 match_triggers', 'Odd:01 turn', 'Main:03 turn'],
  ]);
});

const coded = `# Desk

\`\`\`tools
def Twice(n):
    return Half(n) * 4
\`\`\`

## Main
### Triggers
- At the beginning
### Steps
- $x = Twice(4)
- Return $x

## Half(n)
### Steps
- Return 2
`;

const codedReplies = [
  ops({ step: '01' }, { call: 'Twice', args: { n: 4 }, into: 'x' }, { yield: 'call' }),
  ops({ step: '01' }, { return: 2 }),
  ops({ step: '02' }, { return: '$x' }),
];

test('a playbook that a function calls stands in the line that called the function', async () => {
  const { ids, result } = await seen(coded, { replies: codedReplies });
  expect(result.answer).toBe(8);
  expect(ids).toEqual(['Main:01', 'Main:01 > Half:01', 'Main:02']);
});

test('what a function does behind a playbook that it has called stands in its own line', async () => {
  const text = coded.replace(
    'return Half(n) * 4',
    'x = Half(n)\n    note(n = x)\n    return x * 4',
  );
  const { view, ids } = await seen(text, {
    replies: codedReplies,
    tools: [noting([], 'note', ['n'], () => null)],
  });
  expect(ids).toEqual(['Main:01', 'Main:01 > Half:01', 'Main:02']);
  expect(view.effects.map(({ step, name }) => `${step} ${name}`)).toEqual([
    ...['Main:01 turn', 'Half:01 turn', 'Main:01 note', 'Main:02 turn'],
  ]);
});

test('what is played for the time stands in the line that waits, which still waits behind it', async () => {
  const tick = '## Tick\n### Triggers\n- After 2 hours\n### Steps\n- Say("tick")\n';
  const text = main('- Wait 3 hours\n- Return 1', tick);
  const { view, ids } = await seen(text, {
    tools: timed().tools,
    replies: [
      ops({ step: '01' }, { yield: 'timer' }),
      ops({ step: '01' }, { say: 'tick' }, { return: null }),
      ops({ step: '02' }, { return: 1 }),
    ],
  });
  expect(ids).toEqual(['Main:01', 'Main:01 > Tick:01', 'Main:02']);
  const slept = view.effects.filter(({ name }) => name === 'sleep');
  expect(slept.map(({ step }) => step)).toEqual(['Main:01', 'Main:01']);
});

test('what a second message sets off stands in the line that says it', async () => {
  const office = '# Office\n\n## Thank\n### Triggers\n- When all is fine\n### Steps\n- $n = 1\n';
  const text = main('- Ask Office for the $rate\n- Tell Office that all is fine', office);
  const { ids } = await seen(text, {
    matches: ({ message }) => (message === 'All is fine.' ? ['Office.Thank:T1'] : []),
    replies: [
      ops({ step: '01' }, { say: 'The rate?', to: 'Office' }, { step: '02' }, { yield: 'agent' }),
      ops({ say: '7%' }, { return: null }),
      ops({ set: { $rate: '7%' } }, { step: '03' }, { say: 'All is fine.', to: 'Office' }),
      ops({ step: '01' }, { set: { $n: 1 } }),
    ],
  });
  expect(ids).toEqual([
    ...['Desk.Main:01', 'Desk.Main:01 > Office.HearAgent', 'Desk.Main:02', 'Desk.Main:03'],
    'Desk.Main:03 > Office.Thank:01',
  ]);
});

test('what the description of a playbook calls stands in that', async () => {
  const raw = 'execution_mode: raw\n';
  const text = main(
    '- $z = Nested("tea")\n- Say("{$z}")\n- Return 1',
    `## Nested(topic)\n${raw}\nGiven: {Poem(topic)}\n\n## Poem(topic)\n${raw}\nOf {topic}.\n`,
  );
  const { ids } = await seen(text, {
    replies: [
      ops(
        { step: '01' },
        { call: 'Nested', args: { topic: 'tea' }, into: '$z' },
        { yield: 'call' },
      ),
      ...['a poem', 'more of it'],
      ops({ step: '03' }, { say: '{$z}' }, { step: '04' }, { return: 1 }),
    ],
  });
  expect(ids).toEqual([
    'Main:01',
    'Main:01 > Nested',
    'Main:01 > Nested > Poem',
    'Main:03',
    'Main:04',
  ]);
});

test('what the description of one with lines calls stands where that is called', async () => {
  const text = main(
    '- $z = Nested("tea")\n- Say("{$z}")',
    '## Nested(topic)\n\nGiven: {Poem(topic)}\n\n### Steps\n- Return 5\n\n' +
      '## Poem(topic)\nexecution_mode: raw\n\nOf {topic}.\n',
  );
  const { ids } = await seen(text, {
    replies: [
      ops(
        { step: '01' },
        { call: 'Nested', args: { topic: 'tea' }, into: '$z' },
        { yield: 'call' },
      ),
      ...['a poem', ops({ step: '01' }, { return: 5 })],
      ops({ step: '03' }, { say: '5' }),
    ],
  });
  expect(ids).toEqual(['Main:01', 'Main:01 > Poem', 'Main:01 > Nested:01', 'Main:03']);
});

test('what the description of one that begins calls stands in that, which no line has called', async () => {
  const text =
    '# Desk\n\n## Main\n\nGiven: {Poem("tea")}\n\n### Triggers\n- At the beginning\n### Steps\n' +
    '- Say("Hi")\n- Return 1\n\n## Poem(topic)\nexecution_mode: raw\n\nOf {topic}.\n';
  const { ids, result } = await seen(text, {
    replies: ['a poem', ops({ step: '01' }, { say: 'Hi' }, { step: '02' }, { return: 1 })],
  });
  expect(result.status).toBe('done');
  expect(ids).toEqual(['Main > Poem', 'Main:01', 'Main:02']);
});

test('the state at a line is that before anything of it was done', async () => {
  const { journal, result } = await seen(main('- $x = 1\n- $x = 2\n- Return $x'), {
    replies: [
      ops(
        ...[{ step: '01' }, { set: { $x: 1 } }, { step: '02' }, { set: { $x: 2 } }],
        ...[{ step: '03' }, { return: '$x' }],
      ),
    ],
  });
  const valueAt = (at: string): string => {
    const { inspection } = stateAt({ journal, run: result.run, load, at });
    const frames = inspection.lines[0]?.frames ?? [];
    return JSON.stringify(
      frames.findLast(({ name }) => name === 'follow')?.locals.get('frame'),
      (_, value) => (typeof value === 'bigint' || value instanceof Map ? String(value) : value),
    );
  };
  expect(valueAt('Main:02')).not.toBe(valueAt('Main:03'));
  expect(() => valueAt('Main:07')).toThrow('has not entered a step Main:07');
});

test('a fork begins at a line of the main line, and at none that a function has called', async () => {
  const { journal, result } = await seen(coded, { replies: codedReplies });
  const events = journal.events(result.run);
  const loaded = loadProgram(result.run, readPast(events), load);
  expect(locate(loaded, events, 'Main:02').point).toMatchObject({ step: 'Main:02' });
  expect(() => locate(loaded, events, 'Half:01')).toThrow('within a call');
});

const failing = (top: string): string => `# Desk

\`\`\`tools
def Bad(n):
    """Fails."""
    return n // (n - 4)

limit = ${top}
\`\`\`

## Main
### Triggers
- At the beginning
### Steps
- $x = Bad(4)
- Return $x
`;

const callsBad = ops(
  ...[{ step: '01' }, { call: 'Bad', args: { n: 4 }, into: 'x' }, { yield: 'call' }],
);

test('what fails in code is told with its place in the Markdown, to the model and to people', async () => {
  const { prompts, view } = await seen(failing('1'), {
    replies: [callsBad, ops({ step: '02' }, { return: null })],
  });
  expect(prompts[1]).toContain('floored division by zero (x.playbook.md:6:14)');
  expect(view.says).toMatchObject([{ step: 'Main:01', isNote: true }]);
  expect(view.says?.[0]?.text).toMatch(/^Main:01: Bad failed: .*x\.playbook\.md:6:14\)$/);
});

test('code that ends the run does so at its place, called by the line', async () => {
  const { result } = await played(failing('{}["b"]'), { replies: [callsBad] });
  expect(result.error).toMatchObject({
    ...{ code: 'PV3005', file: 'x.playbook.md', line: 8, column: 11, step: 'Main:01' },
    trace: [
      { name: 'Main:01', line: 15, column: 3 },
      { name: '_code_of_Desk', line: 8, column: 11 },
    ],
  });
});

test('a model that does not keep to its playbook has failed at a line of that', async () => {
  const { result } = await played(main('- Say("Hello")'), {
    replies: [ops({ step: '09' }), ops({ step: '09' })],
  });
  expect(result.error).toMatchObject({ file: 'x.playbook.md', line: 7, step: 'Main:01' });
  expect(result.error?.message).toContain('Main has no line 09, its line is 01');
  expect(result.error?.trace).toBeUndefined();
});

test('an error of the loop itself is said to be one', () => {
  const own = { code: 'PV3005', message: 'no', step: '', line: 1, column: 1 };
  const ran = { text: 'x = 1', file: 'a/x.playbook.md', playbooks: '# Desk', kept: true };
  const said = errorText(own, ran, false);
  expect(said).toContain('the loop that plays x.playbook.md:1:1: error PV3005: no\n   1 | x = 1');
  expect(said).toContain('no line of the playbooks');
  const placed = errorText({ ...own, file: 'x.playbook.md' }, ran, false);
  expect(placed).toContain('a/x.playbook.md:1:1: error PV3005: no\n   1 | # Desk');
  expect(placed).not.toContain('hint');
});

test('what fails in a description is told at its placeholder, also of a compiled text', async () => {
  const text = `# Desk

## Main($n = 0)
hidden: true

Says {$n}.

And {1 // $n} too.

### Triggers
- At the beginning
### Steps
- Return 1
`;
  const compiled = printCompiled(compiledOf(readTree(text).tree));
  for (const one of [text, compiled]) {
    const { result } = await played(one, { replies: [] });
    expect(result.error).toMatchObject({
      code: 'PV3003',
      file: 'x.playbook.md',
      line: 8,
      column: 8,
    });
  }
});

const deep = main(
  '- $a = 1\n- $b = Middle($a)\n- Return $b + 1',
  '## Middle(n)\n### Steps\n- $c = n\n- $d = Deep($c)\n- Return $d + 1\n\n' +
    '## Deep(n)\n### Steps\n- Ask user for $e\n- Return $e\n',
);

const toDeep = [
  ops(
    ...[{ step: '01' }, { set: { $a: 1 } }, { step: '02' }],
    ...[{ call: 'Middle', args: { n: '$a' }, into: '$b' }, { yield: 'call' }],
  ),
  ops(
    ...[{ step: '01' }, { set: { $c: 1 } }, { step: '02' }],
    ...[{ call: 'Deep', args: { n: '$c' }, into: '$d' }, { yield: 'call' }],
  ),
];

test('lines that have called what was not over are not done: failed with it, or as open', async () => {
  const statesAfter = async (...replies: readonly string[]) => {
    const { journal, result } = await played(deep, { replies: [...toDeep, ...replies] });
    const { steps } = showRun({ journal, run: result.run, load });
    return [result.status, ...steps.map(({ id, status }) => `${id} ${status}`)];
  };
  expect(await statesAfter(ops({ step: '09' }), ops({ step: '09' }))).toEqual([
    ...['failed', 'Main:01 done', 'Main:02 failed'],
    ...['Middle:01 done', 'Middle:02 failed', 'Deep:01 failed'],
  ]);
  const asks = ops({ step: '01' }, { say: 'Which?' }, { step: '02' }, { yield: 'user' });
  expect(await statesAfter(asks)).toEqual([
    ...['waiting', 'Main:01 done', 'Main:02 running', 'Middle:01 done', 'Middle:02 running'],
    ...['Deep:01 done', 'Deep:02 running'],
  ]);
});

test('the line that a reply has come to is not done while the reply goes on', async () => {
  const usage = { modelCalls: 1, inputTokens: 1, outputTokens: 1, cost: 0 };
  const parts = [
    `${ops({ step: '01' }, { set: { $a: 1 } }, { step: '02' })}\n`,
    ops({ say: 'b' }, { step: '03' }, { return: 1 }),
  ];
  const rest = Promise.withResolvers<void>();
  const model: Model = {
    name: 'slow',
    async complete(_, { progress, use }) {
      use(usage);
      progress(parts[0] ?? '');
      await rest.promise;
      progress(parts[1] ?? '');
      return { text: parts.join(''), finishReason: 'stop', usage };
    },
  };
  const stage = stageOf(main('- $a = 1\n- Say("b")\n- Return 1'), { replies: [], model });
  const ended = stage.start();
  const { journal } = stage;
  const states = (): readonly string[] => {
    const [{ id = '' } = {}] = journal.list({});
    return showRun({ journal, run: id, load }).steps.map((one) => `${one.id} ${one.status}`);
  };
  while (states().length < 2) await new Promise((resolve) => setImmediate(resolve));
  expect(states()).toEqual(['Main:01 running', 'Main:02 running']);
  rest.resolve();
  expect((await ended).status).toBe('done');
  expect(states()).toEqual(['Main:01 done', 'Main:02 done', 'Main:03 done']);
});
