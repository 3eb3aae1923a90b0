/** The library as a program uses it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { RunEvent } from '../src/engine/journal/journal.ts';
import {
  AgentError,
  type AgentEvent,
  type ApprovalRule,
  check,
  compile,
  defineTool,
  InvalidProgram,
  type Model,
  openAgent,
  openJournal,
  run,
} from '../src/index.ts';
import { answering, calling, ref } from './support/cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'planvm-library-'));
afterAll(() => rmSync(folder, { recursive: true }));

const double = defineTool({
  name: 'double',
  description: 'Doubles n.',
  parameters: z.object({ n: z.number() }),
  effect: 'read',
  run: ({ n }) => n * 2,
});

const text = JSON.stringify([
  calling(0, 'double', { n: ref('n') }, 'twice'),
  calling(1, 'double', { n: ref('twice') }, 'four_times'),
  answering(2, ref('four_times')),
]);

test('a run goes from one journal to another, and is dropped', async () => {
  const [from, to] = [openJournal(':memory:'), openJournal(':memory:')];
  await using agent = await openAgent({ tools: [double], journal: from });
  await using other = await openAgent({ journal: to });
  const { run: id } = await agent.run(text, { inputs: { n: 4 } }).end;
  expect(other.runs.import(agent.runs.export(id))).toEqual([id]);
  // Settings stay behind, since an imported run carries no trust, and so does its claim to its id.
  const moved = (event: RunEvent): unknown => {
    if (event.type !== 'run.started') return event;
    const { identity: _, ...record } = event.run;
    return { ...event, run: { ...record, settings: '' } };
  };
  expect(to.events(id).map(moved)).toEqual(from.events(id).map(moved));
  agent.runs.delete(id);
  expect(agent.runs.list()).toEqual([]);
  expect(from.sweep()).toMatchObject({ runs: 1, events: to.events(id).length });
});

describe('run', () => {
  test('shortens what does not fit the window, with regard to what the run is for', async () => {
    const asked: string[] = [];
    const model: Model = {
      name: 'own/small',
      complete: async ({ messages }) => {
        const all = messages.map(({ content }) => content).join('\n');
        asked.push(all);
        const text = all.includes('drawn at random') ? '{"all": true, "why": "short"}' : 'short';
        return {
          text,
          usage: { modelCalls: 1, inputTokens: 1, outputTokens: 1 },
          finishReason: 'stop',
        };
      },
    };
    const done = await run('answer(llm_call([long], "What of the tides?"))\n', {
      ...{ dialect: 'starlark', model, goal: 'Know when to sail.' },
      settings: { contextWindow: 1000 },
      inputs: { long: 'The moon pulls at the sea. '.repeat(400) },
    });
    expect(done).toMatchObject({ status: 'done', answer: 'short' });
    expect(asked.length).toBeGreaterThan(4);
    expect(asked.filter((one) => one.includes('Know when to sail.'))).toHaveLength(1);
  });

  test('keeps secrets of the environment out of what tools give back', async () => {
    const leak = defineTool({
      name: 'leak',
      description: 'Says too much.',
      parameters: z.object({}),
      effect: 'read',
      run: () => 'tok-123456 and qq-9',
    });
    const program = JSON.stringify([calling(0, 'leak', {}, 'a'), answering(1, ref('a'))]);
    const env = { API_TOKEN: 'tok-123456' };
    const redact = { patterns: ['qq-\\d'] };
    const { answer } = await run(program, { tools: [leak], env, redact });
    expect(answer).toBe('*** and ***');
  });

  test('takes tools and inputs and gives the result document', async () => {
    const result = await run(text, { tools: [double], inputs: { n: 4 } });
    expect(result).toMatchObject({ status: 'done', answer: 16, variables: { twice: 8 } });
  });

  test('throws what is wrong with a text that is no program', async () => {
    const failure = await run('[]').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(InvalidProgram);
    expect(failure).toMatchObject({ message: expect.stringContaining('PV2102') });
  });

  test('plays playbooks, which are valid and no program of the machine', async () => {
    const playbooks =
      '# Greeter\n\n## Main\n\n### Triggers\n- At the beginning\n\n### Steps\n- Return 2\n';
    const options = { dialect: 'playbook' };
    expect(await check(playbooks, options)).toMatchObject({ ok: true });
    await expect(compile(playbooks, options)).rejects.toThrow(AgentError);
    await expect(compile(playbooks, options)).rejects.toThrow(
      'got a playbook, want a program: a control loop plays it',
    );
    const model = { complete: async () => 'nobody asks' };
    expect(await run(playbooks, { ...options, model })).toMatchObject({ status: 'done' });
    expect(() => new InvalidProgram([], { text: '', file: '' })).toThrow(RangeError);
  });

  test('a program that fails is a result', async () => {
    const broken = defineTool({
      name: 'double',
      description: 'Fails.',
      parameters: { type: 'object', properties: { n: {} } },
      effect: 'pure',
      run() {
        throw new Error('no');
      },
    });
    const result = await run(text, { tools: [broken], inputs: { n: 4 } });
    expect(result).toMatchObject({
      status: 'failed',
      error: { code: 'PV4202', message: 'double: no' },
    });
  });

  test('takes a model of the caller’s own, and opens it once', async () => {
    const model: Model = {
      name: 'mine',
      async complete(_request, context) {
        const usage = { modelCalls: 1, inputTokens: 2, outputTokens: 3, cost: 0 };
        context.use(usage);
        return { text: 'Loire', finishReason: 'stop', usage };
      },
    };
    const plan = JSON.stringify([
      calling(0, 'llm_generate', { prompt: 'Name a river.' }, 'river'),
      answering(1, ref('river')),
    ]);
    expect(await run(plan, { model })).toMatchObject({
      answer: 'Loire',
      usage: { modelCalls: 1, inputTokens: 2, outputTokens: 3 },
    });
    await expect(run(plan)).rejects.toMatchObject({ code: 'PV6011' });
  });

  test('takes a model that is nothing but a function from messages to a text', async () => {
    const { answer: said, usage } = await run('answer(llm_call("Rain.", "Rhyme it."))', {
      model: { complete: async ({ messages }) => `${messages.length} lines` },
    });
    expect(said).toMatch(/^\d lines$/);
    expect(usage).toMatchObject({ modelCalls: 1, estimated: 1 });
  });

  test('a function decides about each call that changes something', async () => {
    const order = defineTool({
      name: 'order',
      description: 'Orders.',
      parameters: { type: 'object', properties: { total: { type: 'integer' } } },
      run: ({ total }) => total,
    });
    const approve: ApprovalRule = ({ arguments: args }) =>
      Object(args).total <= 100 ? 'allow' : 'ask';
    const options = { tools: [order], approve };
    expect(await run('answer(order(total = 80))', options)).toMatchObject({ answer: 80 });
    const { waits } = await run('answer(order(total = 180))', options);
    expect(waits).toMatchObject([{ kind: 'approval', request: { total: 180 } }]);
  });

  test('a tool is called by itself, with the types of its schema', async () => {
    const price = defineTool({
      name: 'price',
      description: 'The price of an article.',
      parameters: {
        type: 'object',
        properties: {
          article: { enum: ['bread', 'milk'] },
          count: { type: 'integer' },
          notes: { type: 'array', items: { type: 'string' } },
        },
        required: ['article'],
      },
      run: ({ article, count = 1, notes = [] }, { progress }) => {
        progress(notes.join());
        return (article === 'bread' ? 3 : 2) * count;
      },
    });
    expect(price.run({ article: 'bread', count: 2 })).toBe(6);
    const shown: string[] = [];
    const progress = (text: string): void => void shown.push(text);
    expect(price.run({ article: 'milk', notes: ['a', 'b'] }, { progress })).toBe(2);
    expect(shown).toEqual(['a,b']);
    // @ts-expect-error: there is no such article.
    expect(price.run({ article: 'tea' })).toBe(2);
    expect(await double.run({ n: 2 })).toBe(4);
  });

  test('tells of events as they happen', async () => {
    await using agent = await openAgent({ tools: [double] });
    const session = agent.run(text, { inputs: { n: 1 } });
    const heard: AgentEvent[] = [];
    session.subscribe((event) => heard.push(event));
    const read: AgentEvent[] = [];
    for await (const event of session) read.push(event);
    expect(heard).toEqual(read);
    const types = read.map((each) => (each.type === 'run.event' ? each.event.type : each.type));
    expect(types.slice(0, 2)).toEqual(['run.began', 'run.started']);
    expect(types.slice(-2)).toEqual(['run.finished', 'ended']);
  });
});

test('a signal suspends a run, and resume goes on with it', async () => {
  const path = join(folder, 'runs.db');
  const stop = new AbortController();
  const gate = (open: boolean) =>
    defineTool({
      name: 'double',
      description: 'Waits.',
      parameters: { type: 'object', properties: { n: {} } },
      effect: 'read',
      run({ n }) {
        if (open) return Number(n) * 2;
        stop.abort();
        return new Promise(() => {});
      },
    });
  const { signal } = stop;
  const first = await run(text, {
    ...{ inputs: { n: 4 }, journal: path, tools: [gate(false)], signal },
  });
  expect(first).toMatchObject({ status: 'suspended', reason: 'interrupted' });
  expect(first.next).toEqual([{ do: 'resume', run: first.run }]);
  await using agent = await openAgent({ tools: [gate(true)], journal: path });
  const second = await agent.resume(first.run).end;
  expect(second).toMatchObject({ run: first.run, status: 'done', answer: 16 });
  const { effects } = await agent.runs.show(first.run);
  expect(effects.map(({ status }) => status)).toEqual(['done', 'done']);
});

test('what was accepted once is accepted again, whatever the limits are by then', async () => {
  const long = (words: string) => `# ${'x'.repeat(5 * 2 ** 20)}\nanswer(double(n = 2)${words})\n`;
  await using agent = await openAgent({ tools: [double] });
  await expect(agent.run(long('')).end).rejects.toThrow('PV1002');
  const most = { sourceBytes: 6 * 2 ** 20 };
  const first = await agent.run(long(''), { limits: { ...most, effects: 0 } }).end;
  expect(first).toMatchObject({ status: 'suspended', reason: 'limit' });
  expect(await agent.resume(first.run, { limits: { effects: 1 } }).end).toMatchObject({
    answer: 4,
  });
  expect(await agent.fork(first.run, {}).end).toMatchObject({ status: 'done', answer: 4 });
  // What a fork brings along is new.
  const program = { text: long(' + 1'), dialect: 'starlark' };
  await expect(agent.fork(first.run, { program }).end).rejects.toThrow('PV1002');
  const limits = { ...most, effects: 1 };
  expect(await agent.fork(first.run, { program }, { limits }).end).toMatchObject({ answer: 5 });
});

test('fork makes another run of one, with other values, and performs what is new', async () => {
  const calls: unknown[] = [];
  const doubling = defineTool({
    name: 'double',
    description: 'Doubles n.',
    parameters: { type: 'object', properties: { n: {} } },
    effect: 'read',
    run({ n }) {
      calls.push(n);
      return Number(n) * 2;
    },
  });
  await using agent = await openAgent({ tools: [doubling] });
  const base = await agent.run(text, { inputs: { n: 4 } }).end;
  const other = await agent.fork(base.run, { at: '1', set: { twice: 5 } }, { id: 'other' }).end;
  const outcomes = { '0#2': { value: 17 } };
  const given = await agent.fork(base.run, { at: '1', outcomes }).end;
  const failed = await agent.fork(base.run, { outcomes: { '0#1': { error: 'no' } } }).end;
  expect([other.answer, given.answer, failed.error?.code]).toEqual([10, 17, 'PV4010']);
  expect(calls).toEqual([4, 8, 5]);
  expect(agent.runs.family(other.run).forks.map((one) => one.run.id)).toEqual([
    'other',
    given.run,
    failed.run,
  ]);
});

const toolOf = (name: string) => ({
  name,
  description: 'A tool.',
  parameters: { type: 'object', properties: { n: {} } },
  kind: 'tool' as const,
  idempotent: true,
  destructive: false,
});

test('a run waits for an answer and an approval, and resume goes on with them', async () => {
  const journal = openJournal(':memory:');
  const wipe = defineTool({
    name: 'wipe',
    description: 'Wipes a disk.',
    parameters: z.object({ disk: z.string() }),
    effect: 'write',
    destructive: true,
    run: ({ disk }) => `wiped ${disk}`,
  });
  await using agent = await openAgent({ tools: [wipe], journal });
  const text = 'disk = ask("Which disk?", choices = ["a", "b"])\nanswer(wipe(disk = disk))\n';
  const first = await agent.run(text).end;
  expect(first).toMatchObject({ status: 'waiting', waits: [{ question: 'Which disk?' }] });
  await expect(agent.reply(first.run, { answer: 'c', by: 'kim' })).rejects.toThrow(
    'got "c", want one of "a", "b"',
  );
  await agent.reply(first.run, { answer: 'b', by: 'kim' });
  const second = await agent.resume(first.run).end;
  expect(second).toMatchObject({ status: 'waiting', waits: [{ request: { disk: 'b' } }] });
  const reply = { approved: true, by: 'kim' };
  const third = await agent.resume(first.run, { reply }).end;
  expect(third).toMatchObject({ status: 'done', answer: 'wiped b' });
  const asked = await run(text, {
    ...{ tools: [wipe], journal, approve: 'none' },
    person: {
      answer: async () => ({ value: 'a', by: 'kim' }),
      decide: async () => undefined,
    },
  });
  expect(asked).toMatchObject({ status: 'done', answer: 'wiped a' });
});

test('check and compile say what they know without running anything', async () => {
  expect(await check(text)).toMatchObject({ ok: false, dialect: 'stackvm-2' });
  const tools = [{ ...toolOf('double'), effect: 'read' as const }];
  expect(await check(text, { tools, inputs: ['n'] })).toMatchObject({ ok: true, diagnostics: [] });
  expect((await compile(text, { tools, inputs: ['n'] })).steps).toHaveLength(3);
  await expect(compile('[]')).rejects.toThrow(InvalidProgram);
});
