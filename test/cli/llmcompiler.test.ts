/** Plans of tasks through the real command line: how they end, what fails, what goes on. */
import { describe, expect, test } from 'vitest';
import { Folder } from '../support/cli.ts';
import { startModelServer } from '../support/model-server.ts';

const tools = `
const text = { type: 'string' };
const needs = (...names) => ({ type: 'object', required: names,
  properties: Object.fromEntries(names.map((name) => [name, text])) });
export default [
  { name: 'search', description: 'Searches.', effect: 'read', parameters: needs('query'),
    run: ({ query }) => ({ title: query, pages: [query.length, 7] }) },
  { name: 'join_texts', description: 'Joins.', effect: 'pure',
    parameters: { type: 'object', properties: { texts: { type: 'array' } }, required: ['texts'] },
    run: ({ texts }) => texts.join('+') },
  { name: 'double', description: 'Doubles.', effect: 'pure', parameters: { type: 'object',
    properties: { n: { type: 'number' } }, required: ['n'] }, run: ({ n }) => 2 * n },
  { name: 'throws', description: 'Throws.', effect: 'read', parameters: needs(),
    run: () => { throw new Error('the line is dead'); } },
  { name: 'hangs', description: 'Hangs.', effect: 'read', parameters: needs(), limits: { timeoutMs: 40 },
    run: () => new Promise(() => {}) },
  { name: 'late', description: 'Answers too late.', effect: 'read', parameters: needs(), limits: { timeoutMs: 40 },
    run: ({}, { signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve('late'))) },
  { name: 'mends', description: 'Fails while a file is there.', effect: 'read', parameters: needs(),
    run: async () => {
      const { existsSync } = await import('node:fs');
      if (existsSync('broken')) throw new Error('it is broken');
      return 'mended';
    } },
];`;

const files = { 'tools.mjs': tools };
const withTools = ['--tools', 'tools.mjs', '--attempts', '1'];
/** A plan with a thought before each line. */
const plan = (...lines: readonly string[]): string =>
  `Question: what?\n${lines.map((line, i) => `Thought: t${i}\n${i + 1}. ${line}\n`).join('')}`;

async function ran(text: string, ...args: readonly string[]) {
  using folder = new Folder({ ...files, 'plan.llmcompiler': text });
  const call = ['run', 'plan.llmcompiler', ...withTools, '--json', ...args];
  const { code, stdout, stderr } = await folder.planvm(call);
  return { code, stderr, ...JSON.parse(stdout) };
}

describe('the end', () => {
  test.each([
    ['join($2)', 14],
    ['join("It is $2, of $1.title.")', 'It is 14, of abc.'],
    ['JOIN($1.pages[*])', [3, 7]],
    ['finish($1.pages[-1])', 7],
  ])('%s answers without a model', async (end, answer) => {
    const found = await ran(plan('search["abc"]', 'double[$1.pages[1]]', end));
    expect(found).toMatchObject({ code: 0, status: 'done', answer });
    expect(found.answers).toEqual([{ value: answer, step: '3' }]);
    expect(found.variables).toMatchObject({ '1': { title: 'abc' }, '2': 14 });
  });

  test('join() without a model: what no task needs, and a word about it', async () => {
    const one = await ran(plan('double[1]', 'double[$1]', 'join()'));
    expect(one).toMatchObject({ answer: 4, code: 0 });
    expect(one.stderr).toContain(
      'no model joins the results: the answer is what no task needs, of 2',
    );
    const two = await ran(plan('double[1]', 'double[2]', 'join()'));
    expect(two.answer).toEqual({ '1': 2, '2': 4 });
  });

  test('--no-join: all results by id, also in a run that was resumed', async () => {
    using folder = new Folder({
      ...files,
      'plan.llmcompiler': plan('double[1]', 'mends[]', 'join()'),
      broken: '',
    });
    const failed = await folder.planvm(['run', 'plan.llmcompiler', ...withTools, '--no-join']);
    expect(failed).toMatchObject({ code: 1, stdout: '' });
    expect(failed.stderr).toContain('task 2 failed: mends: it is broken');
    const { rmSync } = await import('node:fs');
    rmSync(`${folder.path}/broken`);
    const { code, stdout } = await folder.planvm(['resume', 'last', '--json']);
    expect({ code, answer: JSON.parse(stdout).answer }).toEqual({
      code: 0,
      answer: { '1': 2, '2': 'mended' },
    });
  });

  test('an end that is missing is added', async () => {
    expect(await ran(plan('double[0]', 'double[$1]'))).toMatchObject({ code: 0, answer: 0 });
  });

  test('a failure that the answer needs nothing of is a warning', async () => {
    const found = await ran(plan('double[2]', 'throws[]', 'join($1)'));
    expect(found).toMatchObject({ code: 0, answer: 4 });
    expect(found.warnings.map(({ message }: { message: string }) => message)).toContain(
      'task 2 failed: throws: the line is dead; the answer needs none of it',
    );
  });

  test.each([
    [
      { action: 'finish', answer: 'both are 4', thought: '', reason: '' },
      { code: 0, answer: 'both are 4' },
    ],
    [
      { action: 'replan', answer: '', thought: '', reason: 'too few' },
      {
        code: 1,
        error: { code: 'PV3706', message: 'the results are not enough for an answer: too few' },
      },
    ],
  ])('join() with a model that says %j', async (reply, outcome) => {
    await using server = await startModelServer(() => JSON.stringify(reply));
    using folder = new Folder({
      ...files,
      'plan.llmcompiler': plan('double[2]', 'throws[]', 'join()'),
    });
    const env = { ...server.env.openai, OPENAI_API_KEY: 'sk-loopback-0123456789abcdef' };
    const args = ['run', 'plan.llmcompiler', ...withTools, '--json', '--model', 'openai/test'];
    const { code, stdout } = await folder.planvm(args, { env });
    expect({ code, ...JSON.parse(stdout) }).toMatchObject(outcome);
    expect(server.requests[0]?.prompt).toContain('the line is dead');
    const { stdout: shown } = await folder.planvm(['show', 'last', '--json']);
    const join = JSON.parse(shown).effects.at(-1);
    expect(join).toMatchObject({ name: 'join', step: '3', status: 'done' });
  });
});

test('--observations are results, and their tasks are not called', async () => {
  const text =
    'Thought: a\n1. throws[]\nObservation: {"n": 5}\nThought: b\n2. double[$1.n]\n3. join($2)\n';
  expect(await ran(text, '--observations')).toMatchObject({ code: 0, answer: 10 });
  expect(await ran(text)).toMatchObject({ code: 1, error: { code: 'PV4202', step: '1' } });
});

describe('a task that gives nothing', () => {
  test.each([
    ['throws[]', 'PV4202', 'task 1 failed: throws: the line is dead'],
    ['hangs[]', 'PV4005', 'task 1 failed: hangs gave no answer within 40 ms'],
    ['late[]', 'PV4005', 'task 1 failed: late gave no answer within 40 ms'],
  ])('%s fails the run where nobody looks at it', async (call, code, message) => {
    const { error } = await ran(plan(call, 'double[4]', 'join()'), '--no-join');
    expect(error.code).toBe(code);
    expect(error.message).toContain(message);
  });

  test('skips those that need it, with the reason; the others go on', async () => {
    using folder = new Folder({
      ...files,
      'plan.llmcompiler': plan(
        'throws[]',
        'double[$1]',
        'join_texts[["a", $2]]',
        'double[4]',
        'join($4)',
      ),
    });
    const { code, stdout } = await folder.planvm(['run', 'plan.llmcompiler', ...withTools]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '8\n' });
    const { stdout: shown } = await folder.planvm(['show', 'last']);
    const reason = '    skipped: task 1 failed: throws: the line is dead\n';
    expect(shown).toContain(`↷ 2 task  2. double[$1]\n    t1\n${reason}`);
    expect(shown).toContain(`↷ 3 task  3. join_texts[["a", $2]]\n    t2\n${reason}`);
    expect(shown).toContain('✔ 4 task');
  });

  test('an argument that a result cannot give is the failure of its task', async () => {
    const { error } = await ran(plan('search["x"]', 'double[$1.title]', 'join($2)'));
    expect(error.message).toMatch(/^task 2 failed: .*"x"|task 2 failed: wrong arguments/);
    const missing = await ran(plan('search["x"]', 'double[$1.size]', 'join($2)'));
    expect(missing.error.message).toContain('$1.size: got the keys "title", "pages"');
  });
});

describe('what is wrong is said before anything runs', () => {
  test.each([
    ['a tool that there is not', plan('serch["x"]', 'join()'), 'PV2611'],
    ['a wrong number of arguments', plan('double[1, 2]', 'join()'), 'PV2615'],
    ['an argument of another type', plan('double["3 of 7"]', 'join()'), 'PV2620'],
    ['a missing argument', plan('double[]', 'join()'), 'PV2613'],
    ['two tasks of one number', 'Thought: a\n1. double[1]\n1. double[2]\n2. join()\n', 'PV2605'],
    ['a task that needs itself', plan('double[$1]', 'join()'), 'PV2608'],
    ['tasks that wait for each other', plan('double[$2]', 'double[$1]', 'join()'), 'PV2609'],
    ['a result that there is not', plan('double[$7]', 'join()'), 'PV2607'],
  ])('%s', async (_, text, code) => {
    expect(await ran(text)).toMatchObject({ code: 3, status: 'invalid', error: { code } });
  });
});

test('numbers with gaps, references to later tasks, an empty plan', async () => {
  const gaps = 'Thought: a\n3. double[$8]\nThought: b\n8. double[2]\n9. join($3)\n';
  expect(await ran(gaps)).toMatchObject({ code: 0, answer: 8 });
  const empty = await ran('Thought: nothing to do\n1. join()\n');
  expect(empty).toMatchObject({ code: 3, error: { code: 'PV2601' } });
});

test('10 000 lines', async () => {
  const lines = Array.from({ length: 10_000 }, (_, i) =>
    i === 0 ? 'double[1]' : i % 100 === 0 ? `double[$${i - 99} * 0]` : `double[$${i} * 0 + ${i}]`,
  );
  const text = lines.map((line, i) => `${i + 1}. ${line}`).join('\n');
  const found = await ran(`${text}\n10001. join($10000)\n`, '--no-journal');
  expect(found).toMatchObject({ code: 0, answer: 2 * 9999 });
});

test('a plan can be looked back into, forked and compiled', async () => {
  using folder = new Folder({
    ...files,
    'plan.llmcompiler': plan('double[1]', 'double[$1]', 'double[$2]', 'join($3)'),
  });
  await folder.planvm(['run', 'plan.llmcompiler', ...withTools]);
  const at = await folder.planvm(['show', 'last', '--at', '3']);
  expect(at.stdout).toContain('0#2 double  step 2  waits for 1 value  → later 4');
  const forked = await folder.planvm(['fork', 'last', '--at', '3', '--set', '2=50', '--json']);
  expect(JSON.parse(forked.stdout)).toMatchObject({ answer: 100, variables: { '1': 2, '2': 50 } });
});

test('what was asked is not asked again, unless something was written in between', async () => {
  const counting = `let calls = 0;
    const parameters = { type: 'object', properties: { x: { type: 'string' } }, required: ['x'] };
    export default [
      { name: 'count', description: 'Counts.', effect: 'read', parameters, run: () => ++calls },
      { name: 'note', description: 'Writes.', effect: 'write', parameters, run: () => 'noted' },
    ];`;
  using folder = new Folder({
    'tools.mjs': counting,
    'plan.llmcompiler': plan(
      ...['count["a"]', 'count["a"]', 'count["b"]', 'note[$1]', 'count["a"]', 'count["a"]'],
      'join("$1 $2 $3 $5 $6")',
    ),
  });
  const { code, stdout } = await folder.planvm(['run', 'plan.llmcompiler', '--tools', 'tools.mjs']);
  expect({ code, stdout }).toEqual({ code: 0, stdout: '1 1 2 3 3\n' });
  const { stdout: shown } = await folder.planvm(['show', 'last', '--json']);
  const effects: { id: string; as?: string; attempts: number }[] = JSON.parse(shown).effects;
  expect(effects.filter(({ as }) => as).map(({ id, as }) => `${id} as ${as}`)).toEqual([
    '0#2 as 0#1',
    '0#6 as 0#5',
  ]);
  const replayed = await folder.planvm(['replay', 'last']);
  expect(replayed.code).toBe(0);
});
