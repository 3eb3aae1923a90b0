/** `planvm ask --dialect llmcompiler`: plans that run while they are written, joined, planned anew. */
import { describe, expect, test } from 'vitest';
import { Folder } from '../support/cli.ts';
import { inOrder, type ServedReply, startModelServer } from '../support/model-server.ts';
import { startToolServer, toolModule } from '../support/tool-server.ts';

const ask = ['ask', 'Which is higher?', '--dialect', 'llmcompiler', '--model', 'openai/test'];
const withTools = [...ask, '--tools', './tools.mjs'];

const plan = (...calls: string[]): string =>
  [...calls.map((call) => `Thought: why\n${call}`), '<END_OF_PLAN>'].join('\n');
const finish = (answer: string): string =>
  JSON.stringify({ thought: 'seen', action: 'finish', answer, reason: '' });
const replan = (reason: string): string =>
  JSON.stringify({ thought: 'seen', action: 'replan', answer: '', reason });

interface AskOptions {
  readonly flags?: readonly string[];
  /** What tools find, where a test says something else. */
  readonly answer?: (call: string) => unknown;
  /** The flags of each look at the run that has ended; what it prints is in `looks`. */
  readonly shows?: readonly (readonly string[])[];
}

/** Asks with these replies of the model. */
async function asked(replies: readonly ServedReply[], options: AskOptions = {}) {
  await using models = await startModelServer(inOrder(...replies));
  await using tools = await startToolServer(options.answer);
  using folder = new Folder({ 'tools.mjs': toolModule });
  const env = { ...models.env.openai, ...tools.env };
  const ended = await folder.planvm([...withTools, ...(options.flags ?? [])], { env });
  const looks: string[] = [];
  for (const flags of options.shows ?? []) {
    looks.push((await folder.planvm(['show', 'last', ...flags])).stdout);
  }
  return { ...ended, requests: models.requests, calls: tools.calls, looks };
}

const lastMessage = (request: { messages: readonly { content: string }[] } | undefined): string =>
  request?.messages.at(-1)?.content ?? '';

test('the model plans, the tasks run, the model answers from what they came to', async () => {
  const text = plan(
    '1. search["Mont Blanc"]',
    '2. search["Elbrus"]',
    '3. look["$1, ${2}"]',
    '4. join()',
  );
  const done = await asked([text, finish('Elbrus')], { shows: [['--json'], []] });
  expect(done).toMatchObject({ code: 0, stdout: 'Elbrus\n' });
  expect(done.calls.slice(0, 2).sort()).toEqual(['search Elbrus', 'search Mont Blanc']);
  expect(done.calls[2]).toBe('look found search Mont Blanc, found search Elbrus');
  expect(done.requests).toHaveLength(2);
  expect(JSON.stringify(done.requests[0]?.body)).toContain('"stop":["<END_OF_PLAN>"]');
  expect(JSON.stringify(done.requests[1]?.body)).toContain('"json_schema"');
  expect(lastMessage(done.requests[1])).toContain(
    '2. search["Elbrus"]\nObservation: found search Elbrus',
  );
  const [shown = '', told] = done.looks;
  const { effects } = JSON.parse(shown);
  const steps = effects.map(({ step, name }: Record<string, string>) => `${step} ${name}`);
  expect(steps).toEqual(expect.arrayContaining(['1.1 search', '1.2 search', '1.3 look']));
  expect(told).toMatch(/✔ 1\.1 search {2}0#2 /);
});

test('join of a result is the answer as it is, and no model is asked for it', async () => {
  const answer = () => ({ height: 5642, peaks: ['west'] });
  const whole = await asked([plan('1. search["Elbrus"]', '2. join($1)')], { answer });
  expect(JSON.parse(whole.stdout)).toEqual(answer());
  expect(whole.requests).toHaveLength(1);
  const text = plan('1. search["Elbrus"]', '2. join("It is ${1.height} m, at the ${1.peaks[0]}.")');
  expect((await asked([text], { answer })).stdout).toBe('It is 5642 m, at the west.\n');
});

test('what is given is told, and tasks refer to it by its name, also in plans within plans', async () => {
  const text = plan('1. search[${city}]', '2. plan["how high is ${1}"]', '3. join()');
  const inner = plan('1. look["${people[0].name} of ${city}"]', '2. join($1)');
  const flags = ['--input', 'city=Rome', '--input', 'people=[{"name": "Ann"}]'];
  const done = await asked([text, inner, finish('yes')], { flags });
  expect(done).toMatchObject({ code: 0, stdout: 'yes\n' });
  expect(done.calls).toEqual(['search Rome', 'look Ann of Rome']);
  expect(lastMessage(done.requests[0])).toContain('Given:\n- city = "Rome"\n- people = [{"name"');
  expect(lastMessage(done.requests[0])).toContain('${city} stands for it');
  expect(lastMessage(done.requests[2])).toContain('- city = "Rome"');
  expect(lastMessage(done.requests[2])).not.toContain('stands for it');
});

describe('another plan', () => {
  const first = plan('1. search["Elbrus"]', '2. look["Etna"]', '3. join()');

  test('gets the reason and all that there is; its tasks may use earlier results', async () => {
    const second = plan('4. look["${1} again"]', '5. join($4)');
    const answer = (call: string): unknown =>
      call === 'look Etna' ? new Error('it is dark') : `found ${call}`;
    const done = await asked([first, replan('Etna is missing'), second], { answer });
    expect(done).toMatchObject({ code: 0, stdout: 'found look found search Elbrus again\n' });
    const told = lastMessage(done.requests[2]);
    expect(told).toContain('because: Etna is missing');
    expect(told).toContain('1. search["Elbrus"]\nObservation: found search Elbrus');
    expect(told).toMatch(/2\. look\["Etna"\]\nError: PV4202 .*it is dark/);
    expect(told).toContain('Its numbers begin at 3');
  });

  test('that counts from 1 again has ids of its own, and means its own tasks', async () => {
    const second = plan('1. look["Etna"]', '2. look["${1} again"]', '3. join($2)');
    const done = await asked([first, replan('more'), second]);
    expect(done.stdout).toBe('found look found look Etna again\n');
  });

  test('is never the answer: wanted in the last round, it is a failure with its reason', async () => {
    const done = await asked([first, replan('look for b')], { flags: ['--rounds', '1'] });
    expect(done).toMatchObject({ code: 1, stdout: '' });
    expect(done.stderr).toContain('PV7203');
    expect(done.stderr).toContain('look for b');
    expect(done.stderr).toContain('--rounds');
    expect(done.requests).toHaveLength(2);
    const joining = done.requests[1]?.messages.map(({ content }) => content).join('\n');
    expect(joining).not.toMatch(/"replan"/);
  });
});

describe('--no-join', () => {
  const text = plan('1. search["a"]', '2. look["b"]', '3. join()');

  test('answers with all results by their ids', async () => {
    const done = await asked([text], { flags: ['--no-join'] });
    expect(JSON.parse(done.stdout)).toEqual({ '1': 'found search a', '2': 'found look b' });
    expect(done.requests).toHaveLength(1);
  });

  test('fails where a task fails, and says which', async () => {
    const answer = (call: string): unknown => (call === 'look b' ? new Error('dark') : 'x');
    const done = await asked([text], { flags: ['--no-join'], answer });
    expect(done).toMatchObject({ code: 1, stdout: '' });
    expect(done.stderr).toMatch(/PV7204: .*task 2, look\["b"\], failed: PV4202 .*dark/);
  });
});

describe('while the plan is written', () => {
  test('tasks start, and what needs them', async () => {
    await using tools = await startToolServer();
    await using models = await startModelServer(({ index }) => {
      if (index > 0) return finish('done');
      const pieces = [
        'Thought: a\n1. search["a"]\n2. look["then ${1}"]\nThought: now it is qui',
        'et\n3. search["late"]\n4. join()\n',
      ];
      // Goes on only once the second task has been called.
      return { text: pieces.join(''), pieces, gate: tools.called('look then found search a') };
    });
    using folder = new Folder({ 'tools.mjs': toolModule });
    const done = await folder.planvm(withTools, { env: { ...models.env.openai, ...tools.env } });
    expect(done).toMatchObject({ code: 0, stdout: 'done\n' });
    expect(tools.calls).toEqual(['search a', 'look then found search a', 'search late']);
  });

  test('what writes waits for the whole of it', async () => {
    let isWhole = false;
    const early: string[] = [];
    await using tools = await startToolServer((call) => {
      if (call.startsWith('send') && !isWhole) early.push(call);
      return 'ok';
    });
    await using models = await startModelServer(async ({ index }) => {
      if (index > 0) return finish('done');
      const pieces = ['1. search["a"]\n2. send["x"]\n', '3. look["b"]\n', '4. join()\n'];
      const gate = tools.called('search a').then(() => {
        isWhole = true;
      });
      return { text: pieces.join(''), pieces, gate };
    });
    using folder = new Folder({ 'tools.mjs': toolModule });
    const done = await folder.planvm(withTools, { env: { ...models.env.openai, ...tools.env } });
    expect(done).toMatchObject({ code: 0, stdout: 'done\n' });
    expect(early).toEqual([]);
    expect(tools.calls.slice(0, 2)).toEqual(['search a', 'send x']);
  });

  test('what writes is not called at all where the plan has errors', async () => {
    const text = plan('1. send["x"]', '2. serch["y"]', '3. search["z"]', '4. join()');
    const done = await asked([text, finish('done')]);
    expect(done).toMatchObject({ code: 0, stdout: 'done\n' });
    expect(done.calls).toEqual(['search z']);
    const told = lastMessage(done.requests[1]);
    expect(told).toMatch(/1\. send\["x"\]\nError: PV7202 not called/);
    expect(told).toMatch(/2\. serch\["y"\]\nError: PV7202 .*PV2611.*did you mean search/s);
  });
});

describe('a planner that breaks off', () => {
  const begun = 'Thought: a\n1. search["a"]\n2. look["b"]\n3. search["never';

  test.each<[string, ServedReply]>([
    ['in the midst of a line', { text: begun, unfinished: true }],
    ['by its connection', { text: begun, errorInside: { message: 'overloaded' } }],
    ['at its token limit', { text: begun, finish: 'length' }],
  ])(
    '%s is asked for the rest: what was complete has run, and is not run again',
    async (_how, reply) => {
      const done = await asked([reply, plan('3. search["c"]', '4. join()'), finish('done')]);
      expect(done).toMatchObject({ code: 0, stdout: 'done\n' });
      expect([...done.calls].sort()).toEqual(['look b', 'search a', 'search c']);
      const told = lastMessage(done.requests[1]);
      expect(told).toContain('1. search["a"]\nObservation: found search a');
      expect(told).toMatch(/because: .*(broke off|token limit)/);
      expect(told).toContain('Its numbers begin at 3');
    },
  );

  test('twice has its answer from what there is, which says what is missing', async () => {
    const broken = { text: begun, unfinished: true } as const;
    const again = { text: '4. look["d"]\n5. sea', unfinished: true } as const;
    const done = await asked([broken, again, finish('as far as is known')]);
    expect(done).toMatchObject({ code: 0, stdout: 'as far as is known\n' });
    expect(lastMessage(done.requests[2])).toMatch(
      /what is missing of it\)\nError: PV7202 the plan broke off/,
    );
  });
});

test('words instead of a plan are asked about once, and then fail with what was said', async () => {
  const done = await asked(['I cannot know that.', 'As I said: no.']);
  expect(done).toMatchObject({ code: 1, stdout: '' });
  expect(done.stderr).toContain('PV7202');
  expect(done.stderr).toContain('As I said: no.');
  expect(done.requests).toHaveLength(2);
  expect(lastMessage(done.requests[1])).toContain('This cannot be carried out');
  const mended = await asked(['I cannot.', plan('1. search["a"]', '2. join($1)')]);
  expect(mended.stdout).toBe('found search a\n');
});

test('a line that says in words what to do is no task lost: the plan goes on behind it', async () => {
  const text = [
    'Here is the plan.',
    'Thought: why\n1. search["a"]\nObservation: 12 m',
    'Thought: why\n2. Then look up b',
    '3. join()',
  ].join('\n');
  const rest = plan('2. look["b"]', '3. join()');
  const done = await asked([text, rest, finish('done')]);
  expect(done).toMatchObject({ code: 0, stdout: 'done\n' });
  expect(done.calls).toEqual(['search a', 'look b']);
  expect(lastMessage(done.requests[1])).toMatch(
    /because: 6:1: PV1201 got 2\. Then look up b, want 2\./,
  );
  expect(done.stderr).toContain('PV1215 got Here is the plan.; it was left out');
  expect(done.stderr).toMatch(/PV2621 got an observation: .* \(leave it out\)/);
});

test('tools of the user come first, and the example is made of them', async () => {
  const done = await asked([plan('1. join("none")')]);
  const told = done.requests[0]?.messages[0]?.content ?? '';
  expect(told).toMatch(/others:\n- `search\[query: string\]`.*\n.*Example.*\n- `look\[/);
  expect(told).toMatch(/Question: an example\nThought: .*\n1\. search\["query 1"\]/);
  expect(told).toContain('- `llm_generate[prompt');
});

const toldNames = (request: { messages: readonly { content: string }[] } | undefined): string[] =>
  [...(request?.messages[0]?.content ?? '').matchAll(/^- `([\w.]+)\[/gm)].map(
    ([, name = '']) => name,
  );

test('the model is told of what tasks have use for, and of what there is', async () => {
  const given = ['search', 'look', 'send', 'sum'];
  const own = ['llm_generate', 'llm_call', 'table', 'table_ask'];
  const plain = ['llm_list_bind', 'coerce', 'calculate', 'ask', 'sleep', 'now', 'datetime'];
  const none = await asked([plan('1. join("none")')]);
  expect(toldNames(none.requests[0])).toEqual([...given, ...own, ...plain]);
  await using models = await startModelServer(inOrder(plan('1. random[]', '2. join("none")')));
  using folder = new Folder({ 'tools.mjs': toolModule, 'notes.md': 'Elbrus is 5642 m high.' });
  const ingested = await folder.planvm(['ingest', 'notes.md']);
  expect(ingested.code).toBe(0);
  const goal = 'Which is higher? Search with retrieve_embedded_chunks.';
  const done = await folder.planvm([...withTools.with(1, goal)], { env: models.env.openai });
  // What it is not told of it may call all the same.
  expect(done).toMatchObject({ code: 0, stdout: 'none\n' });
  const searches = ['retrieve_knowledge_graph', 'retrieve_embedded_chunks', 'vector_search'];
  expect(toldNames(models.requests[0])).toEqual([...given, ...own, ...searches, ...plain]);
});

test('what is wrong with single tasks is their failure, and the others run', async () => {
  const text = plan(
    ...[
      '1. search["a"]',
      '2. look[$9]',
      '3. look[$2]',
      '4. search[]',
      '5. look[$6]',
      '6. look[$5]',
    ],
    ...['7. join()'],
  );
  const done = await asked([text, finish('done')]);
  expect(done).toMatchObject({ code: 0, stdout: 'done\n' });
  expect(done.calls).toEqual(['search a']);
  const told = lastMessage(done.requests[1]);
  for (const code of ['PV2607', 'PV2613', 'PV2609']) expect(told).toContain(code);
  expect(told).toMatch(/3\. look\[\$2\]\nError: \S+ skipped: task 2 failed/);
});

test('a task that names one which comes later waits for it', async () => {
  const done = await asked([plan('1. look[$2]', '2. search["a"]', '3. join($1)')]);
  expect(done).toMatchObject({ code: 0, stdout: 'found look found search a\n' });
});

test('a goal within a plan has a plan of its own, whose answer is the result', async () => {
  const outer = plan('1. search["a"]', '2. plan["compare ${1} with b"]', '3. join($2)');
  const inner = plan('1. look["b"]', '2. send["never"]', '3. join()');
  const done = await asked([outer, inner, finish('a is higher')]);
  expect(done).toMatchObject({ code: 0, stdout: 'a is higher\n' });
  expect(done.calls).toEqual(['search a', 'look b']);
  expect(lastMessage(done.requests[1])).toContain('Question: compare found search a with b');
  expect(lastMessage(done.requests[2])).toMatch(/2\. send\["never"\]\nError: PV7202 .*PV2611/s);
});

test('plans within plans go as deep as --depth says', async () => {
  const inner = (goal: string) => plan(`1. plan["${goal}"]`, '2. join($1)');
  const last = plan('1. look["x"]', '2. join($1)');
  const deep = await asked([inner('b'), inner('c'), inner('d'), last], { flags: ['--depth', '3'] });
  expect(deep).toMatchObject({ code: 0, stdout: 'found look x\n' });
  const flat = await asked([inner('b'), finish('none')], { flags: ['--depth', '0'] });
  expect(flat.code).toBe(0);
  expect(lastMessage(flat.requests[1])).toContain('PV2611 there is no tool plan');
});

test('a run that a budget has stopped goes on with a larger one, and calls nothing twice', async () => {
  const usage = { input: 10_000, output: 2000 };
  const text = plan('1. search["a"]', '2. join()');
  await using models = await startModelServer(inOrder({ text, usage }, finish('done')));
  await using tools = await startToolServer();
  using folder = new Folder({ 'tools.mjs': toolModule });
  const env = { ...models.env.openai, ...tools.env };
  const stopped = await folder.planvm([...withTools, '--tokens', '12010'], { env });
  expect(stopped).toMatchObject({ code: 5, stdout: '' });
  const resumed = await folder.planvm(['resume', 'last', '--tokens', '100k'], { env });
  expect(resumed).toMatchObject({ code: 0, stdout: 'done\n' });
  expect(tools.calls).toEqual(['search a']);
  expect(models.requests).toHaveLength(2);
});

test('a process that is killed while a plan is written is gone on with by another', async () => {
  await using tools = await startToolServer();
  const second = plan('2. look["b"]', '3. join()');
  await using models = await startModelServer(({ index }) => {
    const pieces = ['Thought: a\n1. search["a"]\n', '2. look["lost"]\n'];
    if (index === 0) return { text: pieces.join(''), pieces, gate: new Promise<void>(() => {}) };
    return index === 1 ? second : finish('done');
  });
  using folder = new Folder({ 'tools.mjs': toolModule });
  const env = { ...models.env.openai, ...tools.env };
  const killed = folder.start(withTools, { env });
  await killed.said('1.1 search');
  killed.process.kill('SIGKILL');
  await killed.ended;
  const resumed = await folder.planvm(['resume', 'last'], { env });
  expect(resumed).toMatchObject({ code: 0, stdout: 'done\n' });
  expect(tools.calls).toEqual(['search a', 'look b']);
  expect(models.requests).toHaveLength(3);
});

test('a fork goes another way with the same tools and the same loop', async () => {
  const text = plan('1. search["a"]', '2. join()');
  await using models = await startModelServer(inOrder(text, finish('one'), finish('two')));
  await using tools = await startToolServer();
  using folder = new Folder({ 'tools.mjs': toolModule });
  const env = { ...models.env.openai, ...tools.env };
  await folder.planvm(withTools, { env });
  const { stdout } = await folder.planvm(['show', 'last', '--json']);
  const search = JSON.parse(stdout).effects.find(({ name }: { name: string }) => name === 'search');
  const edit = ['--outcome', `${search.id}="something else"`];
  const forked = await folder.planvm(['fork', 'last', ...edit], { env });
  expect(forked).toMatchObject({ code: 0, stdout: 'two\n' });
  expect(tools.calls).toEqual(['search a']);
  expect(lastMessage(models.requests[2])).toContain('Observation: something else');
});

test('in French the model is told in French; --examples are those of the user', async () => {
  const text = plan('1. search["a"]', '2. join()');
  const french = await asked([text, finish('fini')], { flags: ['--language', 'French'] });
  expect(french.requests[0]?.messages[0]?.content).toContain('Tu écris des plans');
  expect(french.requests[1]?.messages[0]?.content).toContain('Réponds par un seul objet JSON');
  await using models = await startModelServer(inOrder(text, finish('done')));
  await using tools = await startToolServer();
  using folder = new Folder({ 'tools.mjs': toolModule, 'own.txt': 'Question: mine\n1. join()' });
  const env = { ...models.env.openai, ...tools.env };
  await folder.planvm([...withTools, '--examples', 'own.txt'], { env });
  expect(models.requests[0]?.messages[0]?.content).toContain('Question: mine');
});

test.each([
  [[...ask, '--no-native-tools'], '--no-native-tools is of no use'],
  [[...ask, '--rounds', '0'], 'want at least 1'],
  [['ask', 'x', '--model', 'openai/test', '--no-join'], 'is for loops over tasks'],
])('%j is refused', async (args, words) => {
  using folder = new Folder();
  const done = await folder.planvm(args, { env: { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' } });
  expect(done).toMatchObject({ code: 2, stdout: '' });
  expect(done.stderr).toContain(words);
});
