/** Runs that fail and are repaired, or revised as a person suggests: each in a fork. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Folder } from '../support/cli.ts';
import { inOrder, type Script, startModelServer } from '../support/model-server.ts';

const tools = `import { appendFileSync } from 'node:fs';
const parameters = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
export default [
  { name: 'note', description: 'Writes a note.', parameters, effect: 'write',
    run: ({ text }) => { appendFileSync('notes.txt', text + '\\n'); return 'noted ' + text; } },
  { name: 'broken', description: 'Looks up.', parameters, effect: 'read', idempotent: false,
    run() { throw new Error('the index is gone'); } },
  { name: 'acts', description: 'Acts, and fails.', parameters, effect: 'write', destructive: false,
    run({ text }) { appendFileSync('notes.txt', 'acted ' + text + '\\n'); throw new Error('cut'); } },
  { name: 'lookup', description: 'Looks up.', parameters, effect: 'read', run: ({ text }) => 'shelf of ' + text },
];
`;

const step = (number: number, tool: string, text: string, output: string): string =>
  JSON.stringify({
    seq_no: number,
    type: 'calling',
    parameters: { tool, params: { text }, output_vars: output },
    execution_objective: `Call ${tool} with it; the answer needs that.`,
  });
const listOf = (...steps: string[]): string => `[${steps.join(', ')}]`;
const noted = step(0, 'note', 'tides', 'noted');
const fails = step(1, 'broken', 'tides', 'final_answer');
const works = step(1, 'lookup', 'tides', 'final_answer');
const plan = listOf(noted, fails);

async function inFolder(
  script: Script,
  use: (
    planvm: (...args: string[]) => ReturnType<Folder['planvm']>,
    notes: () => string,
    prompts: () => string[],
  ) => Promise<void>,
): Promise<void> {
  await using server = await startModelServer(script);
  using folder = new Folder({ 'tools.ts': tools, 'plan.json': plan });
  const env = {
    ...server.env.openai,
    ...{ PLANVM_MODEL: 'openai/test', PLANVM_TOOLS: 'tools.ts', PLANVM_DIALECT: 'stackvm-2' },
  };
  const notes = join(folder.path, 'notes.txt');
  await use(
    (...args) => folder.planvm(args, { env }),
    () => (existsSync(notes) ? readFileSync(notes, 'utf8') : ''),
    () => server.requests.map(({ prompt }) => prompt),
  );
}

test('a tool that has failed after it acted is called once, unless a person wants it again', async () => {
  const acts = step(0, 'acts', 'tides', 'final_answer');
  const again = listOf(step(0, 'lookup', 'x', 'other'), step(1, 'acts', 'tides', 'final_answer'));
  await inFolder(inOrder(listOf(acts), `PLAN\n${again}`), async (planvm, notes, prompts) => {
    const waits = await planvm('ask', 'Where are the tides?', '--repair', '1', '--json');
    expect(waits.code).toBe(4);
    expect(JSON.parse(waits.stdout)).toMatchObject({
      ...{ status: 'waiting', reason: 'approval' },
      error: { message: expect.stringContaining('an equal call has failed before, and may have') },
    });
    expect(prompts()[1]).toContain('cut (it may have acted before it failed)');
    expect((await planvm('resume', 'last')).code).toBe(4);
    expect(notes()).toBe('acted tides\n');
    await planvm('approve', 'last');
    expect(notes()).toBe('acted tides\nacted tides\n');
  });
});

test('ask repairs the step that failed; what it wrote before is not written again', async () => {
  await inFolder(inOrder(plan, `STEP\n${works}`), async (planvm, notes, prompts) => {
    const done = await planvm('ask', 'Where are the tides?', '--json');
    expect(done.code).toBe(0);
    const { run, answer } = JSON.parse(done.stdout);
    expect(answer).toBe('shelf of tides');
    expect(notes()).toBe('tides\n');
    expect(prompts()[1]).toContain('the index is gone');
    const { stdout } = await planvm('runs', '--json');
    const runs = JSON.parse(stdout);
    expect(runs.map(({ status }: { status: string }) => status)).toEqual([
      ...['done', 'done', 'failed', 'done'],
    ]);
    expect(runs[0].run).toBe(run);
    const shown = await planvm('show', run, '--json');
    expect(JSON.parse(shown.stdout).effects).toMatchObject([
      { name: 'note', status: 'done' },
      { name: 'lookup', status: 'done' },
    ]);
  });
});

test('a repairing model sees computed values and locals, and looks at what is cut', async () => {
  const program = [
    'shelf = lookup(text = "tides " * 200)',
    'place = shelf.upper()[:14]',
    'both = [place, len(shelf)]',
    'def tell(word):',
    '    length = len(word)',
    '    return "it" if broken(text = word) else length',
    'answer(tell(place))',
    '',
  ].join('\n');
  const script = inOrder(
    `\`\`\`starlark\n${program}\`\`\``,
    'LOOK shelf[-6:]\nLOOK both[1] + length\nLOOK fail("no")',
    'REST\n```starlark\nanswer(place)\n```',
  );
  await inFolder(script, async (planvm, _notes, prompts) => {
    const done = await planvm(
      'ask',
      'Where are the tides?',
      '--program',
      '--json',
      '--dialect',
      'starlark',
    );
    expect(JSON.parse(done.stdout)).toMatchObject({ status: 'done', answer: 'SHELF OF TIDES' });
    const [, repair = '', looked = ''] = prompts();
    expect(repair).toContain('place: string of 14 characters = "SHELF OF TIDES"');
    expect(repair).toContain('both: list of 2 = ["SHELF OF TIDES",1209]');
    expect(repair).toContain('length: int = 14');
    expect(repair).toContain('LOOK');
    expect(looked).toContain('shelf[-6:]\n= "tides "');
    expect(looked).toContain('both[1] + length\n= 1223');
    expect(looked).toContain('fail("no")\n= cannot be evaluated');
  });
});

test('a rewrite of what failed is refused, and the last attempt writes the whole anew', async () => {
  const script = inOrder(
    plan,
    `STEP\n${fails}`,
    `STEP\n${step(1, 'broken', 'the tides', 'final_answer')}`,
    listOf(noted, works),
  );
  await inFolder(script, async (planvm, notes, prompts) => {
    const done = await planvm('ask', 'Where are the tides?', '--repair', '2');
    expect(done).toMatchObject({ code: 0, stdout: 'shelf of tides\n' });
    expect(prompts()[2]).toContain('the program is the same one that has failed before');
    expect(prompts()[3]).toContain('These were tried and failed; write none of them again:');
    expect(prompts()[3]).toContain('Rewrite the whole program');
    expect(notes()).toBe('tides\n');
  });
});

test('a model that may write the whole anew is told what has been written', async () => {
  await inFolder(inOrder(plan, `PLAN\n${listOf(noted, works)}`), async (planvm, notes, prompts) => {
    const done = await planvm('ask', 'Where are the tides?');
    expect(done).toMatchObject({ code: 0, stdout: 'shelf of tides\n' });
    expect(prompts()[1]).toContain('stay done:\n- step 0: note {"text":"tides"}\n');
    expect(notes()).toBe('tides\n');
  });
});

test('a repair that leaves a write out waits until a person approves', async () => {
  const script = inOrder(plan, `PLAN\n${listOf(step(0, 'lookup', 'tides', 'final_answer'))}`);
  await inFolder(script, async (planvm, notes) => {
    const done = await planvm('ask', 'Where are the tides?');
    expect(done.code).toBe(4);
    expect(done.stderr).toContain('note {"text":"tides"} is to be approved (effect base:0#1)');
    const { run } = JSON.parse((await planvm('runs', '--json')).stdout)[0];
    const approved = await planvm('approve', run, 'base:0#1');
    expect(approved).toMatchObject({ code: 0, stdout: 'shelf of tides\n' });
    expect(approved.stderr).toContain('it stays done');
    expect(notes()).toBe('tides\n');
    const { stdout } = await planvm('tree', run, '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'failed',
      forks: [
        {
          run,
          status: 'done',
          edit: { by: 'repair', note: expect.stringContaining('PV4202 broken: the index is gone') },
        },
      ],
    });
  });
});

test('run --repair does the same for a program from a file', async () => {
  await inFolder(inOrder(`STEP\n${works}`), async (planvm, notes) => {
    const failed = await planvm('run', 'plan.json');
    expect(failed).toMatchObject({ code: 1, stdout: '' });
    const done = await planvm('run', 'plan.json', '--repair', '1');
    expect(done).toMatchObject({ code: 0, stdout: 'shelf of tides\n' });
    expect(notes()).toBe('tides\ntides\n');
  });
});

test('a model is told of limits, and only a person of the flags that raise them', async () => {
  const large = 'def f(n):\n    return [n] * n\n\nxs = f(100000000)\nanswer(len(xs))\n';
  const small = 'answer(3)\n';
  await using server = await startModelServer(inOrder(`PLAN\n${small}`));
  using folder = new Folder({ 'large.star': large });
  const env = { ...server.env.openai, PLANVM_MODEL: 'openai/test' };
  const done = await folder.planvm(['run', 'large.star', '--repair', '1'], { env });
  expect(done).toMatchObject({ code: 0, stdout: '3\n' });
  expect(done.stderr).toContain('the limit valueBytes (--value-bytes)');
  const [request] = server.requests;
  expect(request?.prompt).toContain('the limit valueBytes');
  expect(JSON.stringify(request)).not.toMatch(/--[a-z]|planvm /);
});

test('a model that does not repair ends in the failure of the run', async () => {
  await inFolder(inOrder(plan, 'No tool knows the tides.'), async (planvm) => {
    const done = await planvm('ask', 'Where are the tides?');
    expect(done.code).toBe(1);
    expect(done.stderr).toContain('PV7001');
    expect(done.stderr).toContain('the index is gone');
  });
});

test('revise goes back to a step with a suggestion, and the run stays as it is', async () => {
  const good = listOf(noted, works);
  const other = step(1, 'lookup', 'tide tables', 'final_answer');
  await inFolder(inOrder(good, `STEP\n${other}`), async (planvm, notes, prompts) => {
    const first = JSON.parse((await planvm('ask', 'Where are the tides?', '--json')).stdout);
    const args = ['revise', first.run, 'Look for the tables', '--at', '1', '--scope', 'step'];
    const done = await planvm(...args);
    expect(done).toMatchObject({ code: 0, stdout: 'shelf of tide tables\n' });
    expect(notes()).toBe('tides\n');
    expect(prompts()[1]).toContain('Goal: Where are the tides?');
    expect(prompts()[1]).toContain('What is to be changed: Look for the tables');
    expect(prompts()[1]).toContain('- noted: string of 11 characters = "noted tides"');
    const again = JSON.parse((await planvm('show', first.run, '--json')).stdout);
    expect(again).toMatchObject({ status: 'done', effects: [{}, { request: { text: 'tides' } }] });
  });
});

test('revise --preview prints the program and what it would do, and makes no fork', async () => {
  const good = listOf(noted, works);
  const other = step(1, 'lookup', 'tide tables', 'final_answer');
  await inFolder(inOrder(good, `STEP\n${other}`), async (planvm) => {
    await planvm('ask', 'Where are the tides?');
    const { run } = JSON.parse((await planvm('runs', '--json')).stdout)[0];
    const shown = await planvm('revise', run, 'Look for the tables', '--at', '1', '--preview');
    expect(`${shown.stderr}exit ${shown.code}`).toContain('exit 0');
    expect(JSON.parse(shown.stdout)).toEqual([noted, other].map((one) => JSON.parse(one)));
    expect(shown.stderr).toContain(`fork of ${run}, from step 1 on`);
    expect(shown.stderr).toContain('1 effect to be performed');
    const runs = JSON.parse((await planvm('runs', '--json')).stdout);
    expect(runs.map(({ dialect }: { dialect: string }) => dialect)).toEqual([
      ...['starlark', 'stackvm-2', 'starlark'],
    ]);
  });
});

test('revise takes a step as people type it', async () => {
  const other = step(1, 'lookup', 'tide tables', 'final_answer');
  await inFolder(inOrder(listOf(noted, works), `STEP\n${other}`), async (planvm) => {
    await planvm('ask', 'Where are the tides?');
    const done = await planvm('revise', 'last', 'Tables', '--at', '01@1', '--scope', 'step');
    expect(done).toMatchObject({ code: 0, stdout: 'shelf of tide tables\n' });
  });
});

test('revise says which steps there are', async () => {
  await inFolder(inOrder(listOf(noted, works)), async (planvm) => {
    await planvm('ask', 'Where are the tides?');
    const done = await planvm('revise', 'last', 'Better', '--at', '7');
    expect(done.code).toBe(2);
    expect(done.stderr).toContain('PV6042');
    expect(done.stderr).toContain('its steps: 0, 1');
  });
});

test.each([
  ['planning', 0, []],
  ['repairing', 1, [plan]],
])('an ask that a budget stops while %s goes on to its answer', async (_, at, first) => {
  const usage = { input: 50_000, output: 10 };
  const last = at === 0 ? listOf(noted, works) : `STEP\n${works}`;
  const broken = { text: at === 0 ? '[{"seq_no": 0}]' : 'STEP\n{"seq_no": 1}', usage };
  await inFolder(inOrder(...first, broken, last), async (planvm, notes) => {
    const stopped = await planvm('ask', 'Where are the tides?', '--tokens', '30k');
    expect(stopped.code).toBe(5);
    const resumed = await planvm('resume', 'last', '--tokens', '200k');
    expect(resumed).toMatchObject({ code: 0, stdout: 'shelf of tides\n' });
    expect(notes()).toBe('tides\n');
  });
});

test('a process that ends between planning and running: resume runs the plan, once', async () => {
  await inFolder(inOrder(listOf(noted, works)), async (planvm, notes) => {
    await planvm('ask', 'Where are the tides?');
    const [run, planning] = JSON.parse((await planvm('runs', '--json')).stdout);
    const again = await planvm('resume', planning.run);
    expect(again.code).toBe(2);
    expect(again.stderr).toContain('PV5106');
    await planvm('delete', run.run, '--yes');
    const resumed = await planvm('resume', planning.run);
    expect(resumed).toMatchObject({ code: 0, stdout: 'shelf of tides\n' });
    expect(notes()).toBe('tides\ntides\n');
  });
});

const failing = (text: string): string => `found = broken(text = "${text}")\nanswer(found)\n`;

test('three failures allow a different attempt, which may be words; what was found is not lost', async () => {
  const first = `kept = lookup(text = "tides")\nanswer("so far: " + kept)\n${failing('a')}`;
  const script = inOrder(first, failing('b'), `STEP\n${failing('c')}`, 'They are away.');
  await inFolder(script, async (planvm, _notes, prompts) => {
    const done = await planvm('ask', 'Where?', '--dialect', 'starlark', '--program', '--json');
    expect(JSON.parse(done.stdout)).toMatchObject({ status: 'done', answer: 'They are away.' });
    expect(prompts()[1]).toContain('1 | kept = lookup(text = "tides")');
    expect(prompts()[1]).toContain('- step 1: lookup {"text":"tides"}\n  gave shelf of tides');
    expect(prompts()[1]).toContain('- kept: string of 14 characters = "shelf of tides"');
    expect(prompts()[3]).toContain('something very different');
  });
});

test('where all has failed, the answers and values of every attempt are given, with exit 1', async () => {
  const first = `kept = lookup(text = "tides")\nanswer("so far: " + kept)\n${failing('a')}`;
  const script = inOrder(first, `PLAN\n${failing('b')}`);
  await inFolder(script, async (planvm) => {
    const args = ['ask', 'Where?', '--dialect', 'starlark', '--program', '--repair', '1'];
    const done = await planvm(...args);
    expect(done).toMatchObject({ code: 1, stdout: 'so far: shelf of tides\n' });
    expect(done.stderr).toContain('what was found until then:');
    expect(done.stderr).toContain('kept: string of 14 characters = "shelf of tides"');
  });
});

test('a program of ask that ends without an answer goes back to the model', async () => {
  const silent = 'if lookup(text = "x") == "nothing":\n    answer("never")\n';
  const script = inOrder(silent, 'PLAN\n```starlark\nanswer("found")\n```');
  await inFolder(script, async (planvm, _notes, prompts) => {
    const args = ['ask', 'Where?', '--dialect', 'starlark', '--program'];
    const done = await planvm(...args);
    expect(done).toMatchObject({ code: 0, stdout: 'found\n' });
    expect(prompts()[1]).toContain('PV7005: the program ended without an answer');
  });
});
