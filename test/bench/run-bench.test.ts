/** Benchmarks in process: what is asked, listed and counted, and what ends one. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { GoalOptions } from '../../src/agent/run/work.ts';
import { openToolbox } from '../../src/agent/tools/toolbox.ts';
import { readDataset } from '../../src/bench/dataset.ts';
import { type BenchLine, openLog } from '../../src/bench/log.ts';
import { headOf, itemsWith, knownLines, methodsNamed } from '../../src/bench/options.ts';
import { type Bench, type BenchEnd, runBench } from '../../src/bench/run-bench.ts';
import type { Limits } from '../../src/program/limits.ts';
import { Folder } from '../support/cli.ts';
import { inOrder, type Script, startModelServer } from '../support/model-server.ts';
import { fenced } from '../support/talk.ts';

interface Benching {
  readonly questions: unknown;
  readonly script: Script;
  readonly methods?: readonly string[];
  readonly goal?: GoalOptions;
  readonly limits?: Partial<Limits>;
  readonly signal?: AbortSignal;
  readonly concurrency?: number;
  readonly host?: Bench['host'];
  /** A folder with a log to go on with. */
  readonly folder?: Folder;
}

async function bench(benching: Benching): Promise<BenchEnd> {
  const { questions, script, methods = ['starlark'], goal = {}, limits = {} } = benching;
  await using server = await startModelServer(script);
  using own = new Folder({ 'q.json': questions });
  const { path } = benching.folder ?? own;
  const workspace = {
    ...{ settings: { model: 'openai/m', limits }, origins: {}, env: server.env.openai },
    ...{ home: path, servers: () => [], hasServers: false, unread: undefined },
  };
  const dataset = readDataset(join(own.path, 'q.json'));
  const toolbox = await openToolbox(workspace);
  const head = headOf(dataset, methods, 'm', workspace, { goal });
  const log = openLog(join(path, 'log.ndjson'), head, benching.folder !== undefined);
  const items = itemsWith(dataset, []);
  try {
    return await runBench({
      ...{ workspace, toolbox, items, log, options: { goal }, costMax: Infinity },
      methods: methodsNamed(methods, workspace),
      known: knownLines(log.known, items, false),
      concurrency: benching.concurrency ?? 1,
      signal: benching.signal ?? new AbortController().signal,
      host: benching.host ?? {},
    });
  } finally {
    log.close();
    toolbox.close();
  }
}

test('methods are dialects in which a model plans; another name is refused', () => {
  const settings = { limits: {}, dialect: 'stackvm-2' };
  expect(methodsNamed(undefined, { settings })).toEqual(['stackvm-2']);
  expect(methodsNamed(undefined, { settings: { limits: {} } }).toSorted()).toEqual([
    ...['llmcompiler', 'react', 'stack', 'stackvm-1', 'stackvm-2', 'starlark'],
  ]);
  expect(methodsNamed(['react', 'stack', 'react'], { settings })).toEqual(['react', 'stack']);
  for (const name of ['playbook', 'assembly', 'starlrak']) {
    expect(() => methodsNamed([name], { settings })).toThrow(`called ${name}`);
  }
});

const questionsNamed = (...ids: readonly string[]) =>
  ids.map((id) => ({ id, question: `Is it ${id}?`, answer: 'yes' }));

const logged = (folder: Folder): (BenchLine | { readonly id?: undefined })[] =>
  readFileSync(join(folder.path, 'log.ndjson'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

test('the game of 24', async () => {
  const puzzle = 'Rank,Puzzles,AMT (s)\n7,4 9 10 13,4.4\n';
  const { lines, stopped } = await bench({
    questions: puzzle,
    script: () => fenced('answer("(10 - 4) * (13 - 9)")'),
  });
  expect(stopped).toBeUndefined();
  expect(lines).toMatchObject([
    { id: '7', label: '24 of 4 9 10 13', right: { published: true, corrected: true } },
  ]);
});

test('a run that was repaired is the one that is named', async () => {
  const { lines } = await bench({
    questions: questionsNamed('a'),
    script: inOrder(fenced('x = 1 % 0\nanswer(x)'), fenced('answer("yes")')),
  });
  expect(lines).toMatchObject([{ answer: 'yes', status: 'done', usage: { modelCalls: 2 } }]);
  const [{ run, runs } = { run: '', runs: [] }] = lines;
  expect(runs).toHaveLength(4);
  expect(runs.at(-1)).toBe(run);
});

test('what is spent in a run within another counts once', async () => {
  const { lines } = await bench({
    questions: questionsNamed('a'),
    script: ({ index }) => ({
      text: fenced(index === 0 ? 'answer(delegate("Say yes."))' : 'answer("yes")'),
      usage: { input: 10, output: 5 },
    }),
  });
  expect(lines).toMatchObject([
    { answer: 'yes', usage: { modelCalls: 2, inputTokens: 20, outputTokens: 10 } },
  ]);
  expect(lines[0]?.runs).toHaveLength(2);
});

test('planning that meets a budget is a line of its own, and the next question is asked', async () => {
  const { lines, stopped } = await bench({
    questions: questionsNamed('a', 'b'),
    script: () => ({ text: 'I cannot.', usage: { input: 900, output: 100 } }),
    limits: { tokens: 1500 },
  });
  expect(stopped).toBeUndefined();
  expect(lines).toMatchObject(
    ['a', 'b'].map((id) => ({ id, answer: null, status: 'suspended', error: { code: 'PV6020' } })),
  );
  expect(lines[0]?.run).toBe(lines[0]?.runs[0]);
});

test('the signal interrupts what is under way, which is asked again by the next', async () => {
  using folder = new Folder();
  const questions = questionsNamed('a', 'b', 'c');
  const ends = new AbortController();
  let begun = 0;
  const first = await bench({
    ...{ questions, folder, signal: ends.signal, concurrency: 2 },
    script: ({ prompt }) => {
      if (prompt.includes('Is it a?')) return fenced('answer("yes")');
      ends.abort();
      return { hang: true };
    },
    host: { begun: () => begun++ },
  });
  expect(first.stopped).toBe('interrupted');
  expect(begun).toBeLessThanOrEqual(3);
  expect(logged(folder).map(({ id }) => id)).toEqual([
    undefined,
    ...first.lines.map(({ id }) => id),
  ]);
  const asked: string[] = [];
  const second = await bench({
    ...{ questions, folder },
    script: ({ prompt }) => {
      asked.push(prompt);
      return fenced('answer("yes")');
    },
  });
  expect(second.stopped).toBeUndefined();
  expect(asked).toHaveLength(3 - first.lines.length);
  expect(
    logged(folder)
      .map(({ id }) => id)
      .toSorted(),
  ).toEqual(['a', 'b', 'c', undefined]);
});

test('an option that says nothing to a method is left out of what that asks', async () => {
  const { lines } = await bench({
    questions: questionsNamed('a'),
    script: () => 'Thought: So.\nAction: Finish[yes]',
    ...{ methods: ['react'], goal: { depth: 3, join: false } },
  });
  expect(lines).toMatchObject([{ method: 'react', answer: 'yes', runs: [expect.any(String)] }]);
});

test.each([
  ['starlark', [fenced('answer("yes")')], true],
  ['starlark', [fenced('answer(nothing)'), fenced('answer("yes")')], false],
  ['starlark', ['TOOLS none', fenced('answer("yes")')], true],
  ['llmcompiler', ['1. join("yes")\n<END_OF_PLAN>'], true],
  ['react', ['Thought: I know.\nAction: Finish[yes]'], true],
  ['react', ['I know it.', 'Thought: I know.\nAction: Finish[yes]'], false],
])('%s: whether the first of %j needed no correction: %j', async (method, replies, firstTry) => {
  const { lines } = await bench({
    ...{ questions: questionsNamed('a'), methods: [method], goal: { nativeTools: false } },
    script: inOrder(...replies),
  });
  expect(lines).toMatchObject([{ answer: 'yes', firstTry }]);
});

test('a plan of tasks with an error was not right at the first try', async () => {
  const { lines } = await bench({
    ...{ questions: questionsNamed('a'), methods: ['llmcompiler'] },
    script: inOrder('1. nothing["a"]\n2. join()\n<END_OF_PLAN>', '1. join("yes")\n<END_OF_PLAN>'),
  });
  expect(lines).toMatchObject([{ firstTry: false }]);
});
