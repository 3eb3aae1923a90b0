/** `planvm bench`: whole benchmarks, stopped and resumed ones, and what is refused. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Folder } from '../support/cli.ts';
import { startModelServer } from '../support/model-server.ts';

const questions = [
  { id: 'a', question: 'Which is higher, Mont Blanc or the Matterhorn?', answer: 'Mont Blanc' },
  { id: 'b', question: 'Are Lyon and Nice in France?', answer: 'yes' },
  { id: 'c', question: 'How much higher is Mont Blanc than the Matterhorn?', answer: 330 },
];

const program = (code: string): string => `\`\`\`starlark\n${code}\n\`\`\``;
const plan = (answer: string): string =>
  `\`\`\`json\n${JSON.stringify([
    {
      ...{ seq_no: 0, type: 'assign', execution_objective: 'Answer.' },
      parameters: { final_answer: answer },
    },
  ])}\n\`\`\``;

/** Replies by a part of the question. */
const transcript = (replies: Readonly<Record<string, string>>): string =>
  Object.entries(replies)
    .map(([part, reply]) => `${JSON.stringify({ prompt: `*${part}*`, reply })}\n`)
    .join('');

const files = {
  'q.json': questions,
  'replies.ndjson': transcript({
    'Mont Blanc or': program('answer("The Mont Blanc")'),
    Lyon: program('answer(site(city = "Lyon") == site(city = "Nice"))'),
    'How much': program('answer("300 m")'),
  }),
  'tools.mjs': `
    import { appendFileSync } from 'node:fs';
    const parameters = { type: 'object', properties: { city: { type: 'string' } } };
    export default [{ name: 'site', description: 'Says where a city is.', effect: 'read', parameters,
      run({ city }) { appendFileSync('calls.log', city + '\\n'); console.log('looking'); return 'France'; } }];`,
};

const bench = (...args: string[]): string[] => [
  ...['bench', 'qa', '--dataset', 'q.json', '--replay', 'replies.ndjson', '--method', 'starlark'],
  ...['--tools', 'tools.mjs', ...args],
];

const wrong = { published: false, corrected: false };

const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('a whole benchmark', () => {
  test('says how many answers are right by both rules, and logs each with its run', async () => {
    using folder = new Folder(files);
    const { code, stdout, stderr } = await folder.planvm(bench('--json', '--out', 'log.ndjson'));
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ dataset: { name: 'q', items: 3 }, model: 'replay/replies.ndjson', log: 'log.ndjson' },
      methods: [
        {
          ...{ name: 'starlark', items: 3, unanswered: 0 },
          right: { published: 1 / 3, corrected: 1 },
          usage: { modelCalls: 3, cost: 0 },
        },
      ],
    });
    expect(stderr).toContain('q: 3 questions with replay/replies.ndjson\n');
    expect(stderr).toMatch(/✔ 3\/3 starlark c {2}\S+ {2}300 m\n/);
    const [head, ...lines] = linesOf(folder.read('log.ndjson'));
    expect(head).toMatchObject({ type: 'bench', methods: ['starlark'], options: { repairs: 3 } });
    expect(lines).toMatchObject([
      { id: 'a', answer: 'The Mont Blanc', right: { published: true, corrected: true } },
      { id: 'b', answer: 'true', right: { published: false, corrected: true }, status: 'done' },
      { id: 'c', label: '330', answer: '300 m', right: { published: false, corrected: true } },
    ]);
    const shown = await folder.planvm(['show', lines[1].run, '--json']);
    expect(JSON.parse(shown.stdout)).toMatchObject({
      effects: [{ name: 'site' }, { name: 'site', outcome: { value: 'France' } }],
    });
    expect(lines[1].runs).toHaveLength(2);
  });

  test('prints a table, and where to look for what is wrong', async () => {
    using folder = new Folder({
      ...files,
      'replies.ndjson': transcript({ '': program('answer("no")') }),
    });
    const { code, stdout, stderr } = await folder.planvm(bench());
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^method +items +published +corrected +first try +mean .*\nstarlark +3 +0\.0% /,
    );
    const run = /planvm show (\S+) {3}why starlark is wrong on a\n/.exec(stderr)?.[1] ?? '';
    expect((await folder.planvm(['show', run])).code).toBe(0);
    expect(existsSync(join(folder.path, '.planvm/bench/q.starlark.ndjson'))).toBe(true);
    await folder.planvm(bench());
    expect(existsSync(join(folder.path, '.planvm/bench/q.starlark-2.ndjson'))).toBe(true);
  });

  test('several methods, some questions, many at a time', async () => {
    using folder = new Folder({
      'q.json': questions,
      'replies.ndjson': transcript({
        'Mont Blanc or': plan('Mont Blanc'),
        Lyon: plan('No'),
        'How much': plan('330'),
      }),
    });
    const args = ['bench', 'qa', '--dataset', 'q.json', '--replay', 'replies.ndjson', '--json'];
    const { code, stdout, stderr } = await folder.planvm([
      ...args,
      ...['--method', 'stackvm-2,stackvm-1', '--id', 'a,b', '--concurrency', '4', '--limit', '2'],
    ]);
    expect(code).toBe(0);
    const log = '.planvm/bench/q.stackvm-2+stackvm-1.ndjson';
    expect(stderr).toContain(`log: ${log}\n`);
    expect(JSON.parse(stdout).methods).toMatchObject([
      { name: 'stackvm-2', items: 2, right: { corrected: 0.5 } },
      { name: 'stackvm-1', items: 2 },
    ]);
  });

  test('an item that fails has no answer; where all do, the benchmark has failed', async () => {
    using folder = new Folder({
      ...files,
      'replies.ndjson': transcript({
        'Mont Blanc or': program('answer("Mont Blanc")'),
        Lyon: 'I cannot.',
        'How much': program('if site(city = "x"): fail("no")\nanswer(1)'),
      }),
    });
    const { code, stdout } = await folder.planvm(
      bench('--json', '--repair', '0', '--corrections', '0', '--out', 'log.ndjson'),
    );
    expect(code).toBe(0);
    expect(JSON.parse(stdout).methods).toMatchObject([
      { unanswered: 2, right: { published: 1 / 3 } },
    ]);
    const [, ...lines] = linesOf(folder.read('log.ndjson'));
    expect(lines.slice(1)).toMatchObject(
      [
        { id: 'b', answer: null, status: 'failed', error: { code: 'PV7001' }, run: /^r/ },
        { id: 'c', answer: null, status: 'failed', error: { code: 'PV3105' } },
      ].map((line) => ({ ...line, run: expect.stringMatching(/^r/) })),
    );
    const failed = await folder.planvm(bench('--id', 'b,c', '--repair', '0', '--corrections', '0'));
    expect(failed.code).toBe(1);
  });

  test('loops over tasks: a run each, with its options where it has them', async () => {
    const act = (text: string) => `Thought: So.\nAction: ${text}`;
    using folder = new Folder({
      ...files,
      'replies.ndjson': [
        'Thought: Both.\n1. site("Lyon")\n2. site("Nice")\n3. join()\n<END_OF_PLAN>',
        ...[act('site[Lyon]'), act('Finish[No]')],
      ]
        .map((reply) => `${JSON.stringify({ prompt: '*Lyon*', reply })}\n`)
        .join(''),
    });
    const { code, stderr } = await folder.planvm([
      ...['bench', 'qa', '--dataset', 'q.json', '--id', 'b', '--tools', 'tools.mjs'],
      ...['--replay', 'replies.ndjson', '--method', 'llmcompiler,react', '--out', 'log.ndjson'],
      ...['--no-join', '--rounds', '2'],
    ]);
    expect(`exit ${code} ${stderr}`).toContain('exit 0');
    const [head, tasks, thoughts] = linesOf(folder.read('log.ndjson'));
    expect(head.options).toMatchObject({ join: false, rounds: 2 });
    expect(tasks).toMatchObject({
      ...{ method: 'llmcompiler', answer: '{"1":"France","2":"France"}', right: wrong },
      ...{ usage: { modelCalls: 1 }, runs: [tasks.run] },
    });
    expect(thoughts).toMatchObject({
      ...{ method: 'react', answer: 'No', right: wrong, usage: { modelCalls: 2 } },
    });
    const shown = await folder.planvm(['show', thoughts.run, '--json']);
    expect(JSON.parse(shown.stdout).effects).toMatchObject([
      ...[{ name: 'next_action' }, { name: 'site' }, { name: 'next_action' }],
    ]);
  });

  test('the game of 24', async () => {
    using folder = new Folder({
      'puzzles.csv': 'Rank,Puzzles,AMT (s)\n7,4 9 10 13,4.4\n',
      'replies.ndjson': transcript({ '4, 9, 10, 13': plan('(10 - 4) * (13 - 9)') }),
    });
    const { stdout } = await folder.planvm([
      ...[
        'bench',
        'qa',
        '--dataset',
        'puzzles.csv',
        '--replay',
        'replies.ndjson',
        '--method',
        'stackvm-2',
        '--json',
      ],
    ]);
    expect(JSON.parse(stdout).methods).toMatchObject([
      { name: 'stackvm-2', right: { published: 1, corrected: 1 } },
    ]);
  });
});

describe('a benchmark that was stopped', () => {
  test('goes on behind the last line, whole or not, and asks nothing twice', async () => {
    using folder = new Folder(files);
    await folder.planvm(bench('--out', 'log.ndjson'));
    const [head = '', a = '', b = '', c = ''] = folder.read('log.ndjson').split('\n');
    folder.write('log.ndjson', `${head}\n${a}\n${b}\n${c.slice(0, 40)}`);
    folder.write('calls.log', '');
    const { code, stdout, stderr } = await folder.planvm(
      bench('--out', 'log.ndjson', '--resume', '--json'),
    );
    expect(code).toBe(0);
    expect(stderr).toContain('2 in the log already');
    expect(JSON.parse(stdout).methods).toMatchObject([{ items: 3, right: { corrected: 1 } }]);
    expect(linesOf(folder.read('log.ndjson')).map(({ id }) => id)).toEqual([
      ...[undefined, 'a', 'b', 'c'],
    ]);
    expect(folder.read('calls.log')).toBe('');
  });

  test('goes on with more questions', async () => {
    using folder = new Folder(files);
    await folder.planvm(bench('--out', 'log.ndjson', '--limit', '1'));
    const { stdout } = await folder.planvm(bench('--out', 'log.ndjson', '--resume', '--json'));
    expect(JSON.parse(stdout).methods).toMatchObject([{ items: 3, usage: { modelCalls: 3 } }]);
    expect(folder.read('log.ndjson').split('"type":"item"')).toHaveLength(4);
  });

  test('a run that was repaired is the one that is named', async () => {
    using folder = new Folder({
      ...files,
      'replies.ndjson': `${[
        program('x = site(city = "a") % 2\nanswer(x)'),
        program('answer("yes")'),
      ]
        .map((reply) => JSON.stringify({ prompt: '*Lyon*', reply }))
        .join('\n')}\n`,
    });
    await folder.planvm(bench('--out', 'log.ndjson', '--id', 'b'));
    const [, line] = linesOf(folder.read('log.ndjson'));
    expect(line).toMatchObject({ id: 'b', answer: 'yes', usage: { modelCalls: 2 } });
    expect(line.runs).toHaveLength(4);
    const shown = await folder.planvm(['show', line.run, '--json']);
    expect(JSON.parse(shown.stdout)).toMatchObject({ run: line.run, status: 'done' });
  });

  test('asks again what has no answer, on demand; the later line counts', async () => {
    using folder = new Folder(files);
    await folder.planvm(bench('--out', 'log.ndjson', '--corrections', '0'));
    const log = folder.read('log.ndjson');
    const lost = '"answer":null,"right":{"published":false,"corrected":false}';
    folder.write('log.ndjson', log.replace(/"answer":"300 m","right":{[^}]*}/, lost));
    const again = ['--out', 'log.ndjson', '--corrections', '0', '--json'];
    const kept = await folder.planvm(bench(...again, '--resume'));
    expect(JSON.parse(kept.stdout).methods).toMatchObject([
      { items: 3, right: { corrected: 2 / 3 } },
    ]);
    const asked = await folder.planvm(bench(...again, '--again'));
    expect(JSON.parse(asked.stdout).methods).toMatchObject([{ items: 3, right: { corrected: 1 } }]);
    const resumed = await folder.planvm(bench(...again, '--resume'));
    expect(JSON.parse(resumed.stdout).methods).toMatchObject([
      { items: 3, right: { corrected: 1 } },
    ]);
  });

  test('Ctrl-C ends what is under way and says how to go on', async () => {
    using folder = new Folder({
      ...files,
      'tools.mjs': `export default [{ name: 'site', description: 'Hangs.', effect: 'read',
        parameters: { type: 'object', properties: { city: { type: 'string' } } },
        run: (_, { signal }) => new Promise((_, fail) => {
          process.stderr.write('hanging\\n');
          signal.addEventListener('abort', () => fail(signal.reason));
        }) }];`,
    });
    const call = folder.start(bench('--out', 'log.ndjson', '--concurrency', '2'));
    await call.said('hanging\n');
    await call.said('✔ 2/3');
    call.process.kill('SIGINT');
    const { code, stderr } = await call.ended;
    expect(code).toBe(130);
    expect(stderr).toContain('interrupted; --resume --out log.ndjson goes on\n');
    expect(linesOf(folder.read('log.ndjson')).map(({ id }) => id)).toEqual([undefined, 'a', 'c']);
    folder.write('tools.mjs', files['tools.mjs']);
    const resumed = await folder.planvm(bench('--out', 'log.ndjson', '--resume', '--json'));
    expect(JSON.parse(resumed.stdout).methods).toMatchObject([
      { items: 3, right: { corrected: 1 } },
    ]);
  });

  test('a tool that never yields ends the process, and is in the log', async () => {
    using folder = new Folder({
      ...files,
      'tools.mjs': `export default [{ name: 'site', description: 'Spins.', effect: 'read',
        parameters: { type: 'object', properties: { city: { type: 'string' } } },
        run() { for (;;); } }];`,
    });
    const limits = ['--timeout', '100ms', '--attempts', '1'];
    const { code, stderr } = await folder.planvm(bench('--out', 'log.ndjson', ...limits));
    expect({ code, stderr }).toEqual({
      code: 130,
      stderr: expect.stringContaining('ends with it; --resume --out log.ndjson goes on\n'),
    });
    const resumed = await folder.planvm(bench('--out', 'log.ndjson', '--resume', '--json'));
    expect(JSON.parse(resumed.stdout).methods).toMatchObject([{ items: 3, unanswered: 1 }]);
  });

  test('a killed process has left every line that it has said', async () => {
    using folder = new Folder({
      ...files,
      'tools.mjs': `export default [{ name: 'site', description: 'Kills.', effect: 'read',
        parameters: { type: 'object', properties: { city: { type: 'string' } } },
        run() { process.kill(process.pid, 'SIGKILL'); } }];`,
    });
    const killed = await folder.planvm(bench('--out', 'log.ndjson'));
    expect(killed.signal).toBe('SIGKILL');
    expect(linesOf(folder.read('log.ndjson'))).toMatchObject([{ type: 'bench' }, { id: 'a' }]);
    folder.write('tools.mjs', files['tools.mjs']);
    const { stdout } = await folder.planvm(bench('--out', 'log.ndjson', '--resume', '--json'));
    expect(JSON.parse(stdout).methods).toMatchObject([{ items: 3, right: { corrected: 1 } }]);
  });
});

describe('with a provider', () => {
  const asking = (...args: string[]): string[] => [
    ...['bench', 'qa', '--dataset', 'q.json', '--out', 'log.ndjson'],
    ...['--model', 'openai/gpt-5-mini', '--attempts', '1', ...args],
  ];

  test('counts tokens and cost, and begins nothing beyond --cost-max', async () => {
    await using server = await startModelServer(() => ({
      text: program('answer("Mont Blanc")'),
      usage: { input: 1_000_000, output: 100_000 },
    }));
    using folder = new Folder(files);
    const env = server.env.openai;
    const part = await folder.planvm(
      asking('--method', 'starlark', '--cost-max', '0.5', '--json'),
      { env },
    );
    expect(part.code).toBe(5);
    expect(part.stderr).toContain('stopped at --cost-max; --resume --out log.ndjson goes on\n');
    const [{ usage, items }] = JSON.parse(part.stdout).methods;
    expect(items).toBe(2);
    expect(usage).toMatchObject({ modelCalls: 2, inputTokens: 2_000_000, outputTokens: 200_000 });
    expect(usage.cost).toBeGreaterThanOrEqual(0.5);
    const rest = await folder.planvm(asking('--method', 'starlark', '--resume', '--json'), { env });
    expect(rest.code).toBe(0);
    expect(JSON.parse(rest.stdout).methods).toMatchObject([{ items: 3, usage: { modelCalls: 3 } }]);
    expect(server.requests).toHaveLength(3);
  });

  test.each([
    ['starlark', 401, 1],
    ['llmcompiler', 401, 1],
    ['react', 404, 1],
    ['starlark', 503, 3],
  ])('%s: status %d ends it after %d of many', async (method, status, requests) => {
    await using server = await startModelServer(() => ({ status }));
    const many = Array.from({ length: 4 }, (_, id) => ({ id, question: 'Why?', answer: 'x' }));
    using folder = new Folder({ 'q.json': many });
    const { code, stderr } = await folder.planvm(asking('--method', method), {
      env: server.env.openai,
    });
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('error PV6806') });
    expect(server.requests).toHaveLength(requests);
    expect(linesOf(folder.read('log.ndjson'))).toHaveLength(1 + requests);
  });
});

describe('what is refused', () => {
  test('a log that is there, of other questions, another method or model', async () => {
    using folder = new Folder(files);
    await folder.planvm(bench('--out', 'log.ndjson'));
    const log = folder.read('log.ndjson');
    const call = async (...args: string[]) => {
      const { code, stderr } = await folder.planvm([...bench('--out', 'log.ndjson'), ...args]);
      expect(folder.read('log.ndjson')).toBe(log);
      return `${code} ${stderr}`;
    };
    expect(await call()).toContain('2 error PV6802: the log log.ndjson is already there');
    expect(await call('--resume', '--method', 'stackvm-2')).toContain(
      'of another benchmark: it has the method starlark, not stackvm-2, starlark',
    );
    expect(await call('--resume', '--repair', '1')).toContain('it has repairs 3, not 1');
    expect(await call('--resume', '--deny', 'uuid')).toMatch(/it has deny .*, not .*uuid/);
    folder.write('other.ndjson', folder.read('replies.ndjson'));
    expect(await call('--resume', '--replay', 'other.ndjson')).toContain(
      'it has the model replay/replies.ndjson, not replay/other.ndjson',
    );
    folder.write('far/replies.ndjson', folder.read('replies.ndjson'));
    expect(await call('--resume', '--replay', 'far/replies.ndjson')).toContain(
      'it has the model replay/replies.ndjson, not replay/far/replies.ndjson',
    );
    const args = bench('--out', 'log.ndjson', '--resume').filter((one) => one !== '--replay');
    const models = ['--model', 'replay/replies.ndjson', '--planner-model', 'replay/other.ndjson'];
    const planned = await folder.planvm([...args.toSpliced(4, 1), ...models]);
    expect(planned.stderr).toContain('it has planner null, not "replay/other.ndjson"');
    folder.write('q.json', questions.slice(1));
    expect(await call('--resume')).toContain(
      'its questions are those of q.json, which has changed',
    );
  });

  test.each([
    [['--method', 'starlrak'], 'PV6804', 'did you mean starlark?'],
    [['--id', 'z'], 'PV6002', 'no question of q.json has the id z'],
    [['--concurrency', '0'], 'PV6002', 'got 0, want a positive integer'],
    [['--cost-max', 'much'], 'PV6002', 'got much, want an amount in USD'],
    [['--dataset', 'tools.mjs'], 'PV6801', 'tools.mjs: '],
    [['--dataset', 'nowhere.json'], 'PV6006', 'cannot read the dataset nowhere.json'],
    [['--out', 'q.json/log'], 'PV6802', 'cannot write the log q.json/log'],
    [['--out', 'q.json', '--resume'], 'PV6803', 'q.json:1 is not a line of a benchmark'],
  ])('%j', async (args, code, message) => {
    using folder = new Folder({ ...files, 'q.json': `${JSON.stringify(questions)}\n` });
    const { code: ended, stderr } = await folder.planvm(bench(...args));
    expect({ ended, stderr }).toMatchObject({ ended: 2, stderr: expect.stringContaining(code) });
    expect(stderr).toContain(message);
    expect(existsSync(join(folder.path, '.planvm/runs.db'))).toBe(false);
  });

  test('no model, said before the first question', async () => {
    using folder = new Folder(files);
    const { code, stderr } = await folder.planvm(['bench', 'qa', '--dataset', 'q.json']);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('PV6011') });
  });
});
