/** Questions and pauses: P1 to P4 of src/engine/perform/waiting.ts, in one process and over several. */
import { describe, expect, test } from 'vitest';
import { checkProgram } from '../../src/dialects/index.ts';
import { clockHandlers } from '../../src/effects/clock/handlers.ts';
import { askHandler } from '../../src/effects/person/ask.ts';
import type { Handler } from '../../src/engine/handler.ts';
import type { Journal } from '../../src/engine/journal/journal.ts';
import { memoryJournal } from '../../src/engine/journal/open-journal.ts';
import type { Person } from '../../src/engine/perform/person.ts';
import { answerRun } from '../../src/engine/reply.ts';
import type { RunHandle } from '../../src/engine/run.ts';
import { encode, fromJson } from '../../src/program/json.ts';
import type { Limits } from '../../src/program/limits.ts';
import type { Program } from '../../src/program/program.ts';
import { byName, quickTool, resume, settle, start, TestClock, testTool } from './support.ts';

const [sleep, now] = clockHandlers();
const clockTools = [sleep, now].filter((one) => one !== undefined);

function compile(source: string, handlers: ReadonlyMap<string, Handler>): Program {
  const tools = new Map([...handlers].map(([name, { spec }]) => [name, spec]));
  const checked = checkProgram(source, { tools, inputs: [] }, { dialect: 'starlark' });
  if (checked.program) return checked.program;
  throw new Error(checked.diagnostics.map(({ message }) => message).join('\n'));
}

interface Started {
  readonly journal: Journal;
  readonly clock: TestClock;
  readonly handle: RunHandle;
  again(options?: { person?: Person; limits?: Partial<Limits> }): RunHandle;
}

function run(
  source: string,
  {
    tools = [],
    person,
    limits,
  }: {
    tools?: readonly Handler[];
    person?: Person;
    limits?: Partial<Limits>;
  } = {},
): Started {
  const clock = new TestClock();
  const journal = memoryJournal({ now: () => clock.now() });
  const handlers = byName(askHandler, ...clockTools, ...tools);
  const program = compile(source, handlers);
  const common = { journal, handlers, clock };
  const handle = start({ program, ...common, ...(limits && { limits }), person });
  return {
    journal,
    clock,
    handle,
    again: (options = {}) => resume({ program, run: handle.id, ...common, ...options }),
  };
}

const answer = (journal: Journal, id: string, effect: string, value: unknown): void => {
  journal.post(id, { kind: 'answer', effect, value: encode(fromJson(value)), by: 'kim' });
};

const typesOf = (journal: Journal, id: string): string[] =>
  journal.events(id).map(({ type }) => type);

test('a question ends the run as waiting; an answer from anywhere lets it go on', async () => {
  const { journal, handle, again } = run('name = ask("Who are you?")\nanswer("Hi " + name)');
  expect(await handle.result).toMatchObject({
    status: 'waiting',
    reason: 'person',
    error: { code: 'PV5140', message: 'it asks: Who are you? (effect 0#1)', step: '1' },
    waits: [{ kind: 'question', effect: '0#1', tool: 'ask', question: 'Who are you?' }],
  });
  expect(journal.find(handle.id)).toMatchObject({ status: 'waiting', owned: false });
  answer(journal, handle.id, '0#1', 'Ada');
  expect(await again().result).toMatchObject({ status: 'done', answer: 'Hi Ada' });
  const settled = journal.events(handle.id).find(({ type }) => type === 'effect.settled');
  expect(settled).toMatchObject({ by: 'kim', attempts: 1 });
  expect(journal.posts(handle.id)).toEqual([]);
});

test('P1 the question is journaled once, however often the run is taken up', async () => {
  const { journal, handle, again } = run('x = ask("Yes?")');
  await handle.result;
  for (let i = 0; i < 3; i++) expect(await again().result).toMatchObject({ status: 'waiting' });
  const asked = typesOf(journal, handle.id).filter((type) => type === 'effect.started');
  expect(asked).toHaveLength(1);
});

test('it is asked when all before it has succeeded, and reads behind it wait', async () => {
  const calls: unknown[] = [];
  const look = quickTool('look', ({ n }) => calls.push(n) && n, {
    parameters: { type: 'object', properties: { n: {} } },
  });
  const { handle, again, journal } = run('look(n = 1)\nask("Go on?")\nlook(n = 2)', {
    tools: [look],
  });
  await handle.result;
  expect(calls).toEqual([1]);
  answer(journal, handle.id, '0#2', 'yes');
  expect(await again().result).toMatchObject({ status: 'done' });
  expect(calls).toEqual([1, 2]);
});

test('several questions are open at once where they are asked in parallel', async () => {
  const { journal, handle, again } = run(
    'xs = parallel(lambda n: ask("Number %d?" % n), [1, 2, 3])\nanswer(xs)',
  );
  expect(await handle.result).toMatchObject({
    waits: [{ effect: '0.1#1' }, { effect: '0.2#1' }, { effect: '0.3#1' }],
    error: { hint: 'answer it' },
  });
  answer(journal, handle.id, '0.3#1', 'c');
  answer(journal, handle.id, '0.1#1', 'a');
  expect(await again().result).toMatchObject({ waits: [{ effect: '0.2#1' }] });
  answer(journal, handle.id, '0.2#1', 'b');
  expect(await again().result).toMatchObject({ answer: ['a', 'b', 'c'] });
});

test('of two who answer at the same time, one is told that the other has', async () => {
  const { journal, handle, again } = run('answer(ask("Which room?"))');
  await handle.result;
  const handlers = new Map([['ask', askHandler]]);
  const replyOf = (by: string, room: number) =>
    answerRun({ journal, run: handle.id, handlers, by, answer: () => String(room) });
  const came = await Promise.allSettled([replyOf('Ada', 12), replyOf('Bob', 13)]);
  expect(came).toMatchObject([
    { status: 'fulfilled' },
    { status: 'rejected', reason: { code: 'PV5142', message: expect.stringContaining('Ada has') } },
  ]);
  expect(await again().result).toMatchObject({ status: 'done', answer: '12' });
  await expect(replyOf('Bob', 14)).rejects.toMatchObject({ code: 'PV5142' });
});

test('who has looked before the answer of another one was taken is told so', async () => {
  const { journal, handle, again } = run('answer(ask("Which room?"))');
  await handle.result;
  const handlers = new Map([['ask', askHandler]]);
  let seen: number | undefined = journal.events(handle.id).at(-1)?.seq;
  const waiting = journal.find(handle.id);
  answer(journal, handle.id, '0#1', '12');
  await again().result;
  const before: Partial<Journal> = {
    events: (id, after, upTo) => journal.events(id, after, upTo ?? seen),
    find: () => waiting,
    post(id, post) {
      seen = undefined;
      return journal.post(id, post);
    },
  };
  const asSeen = new Proxy(journal, {
    get: (target, name) =>
      Reflect.get(before, name) ?? Reflect.get(target, name, target).bind(target),
  });
  const late = { journal: asSeen, run: handle.id, handlers, by: 'Bob', answer: () => '13' };
  await expect(answerRun(late)).rejects.toMatchObject({
    code: 'PV5142',
    message: `somebody else has replied to effect 0#1 of run ${handle.id}`,
  });
});

test('P2 an answer that does not fit leaves the question open, and is told of', async () => {
  const { journal, handle, again } = run('x = ask("How many?", schema = {"type": "integer"})');
  await handle.result;
  answer(journal, handle.id, '0#1', 'many');
  expect(await again().result).toMatchObject({
    status: 'waiting',
    warnings: [{ message: 'an answer of kim was not taken: the answer must be integer' }],
  });
  expect(journal.posts(handle.id)).toEqual([]);
  answer(journal, handle.id, '0#1', 3);
  expect(await again().result).toMatchObject({ status: 'done', variables: { x: 3 } });
});

test('P2 the same where it takes time to find out whether an answer fits', async () => {
  const slow = 'x = ask("Which?", schema = {"type": "string", "pattern": "^a+$"})';
  const { journal, handle, again } = run(slow);
  await handle.result;
  answer(journal, handle.id, '0#1', 'b');
  expect(await again().result).toMatchObject({
    status: 'waiting',
    warnings: [{ message: 'an answer of kim was not taken: the answer must match pattern "^a+$"' }],
  });
  expect(journal.posts(handle.id)).toEqual([]);
  answer(journal, handle.id, '0#1', 'aa');
  expect(await again().result).toMatchObject({ status: 'done', variables: { x: 'aa' } });
});

test('an owner that still does something else takes answers within a second', async () => {
  const slow = testTool('slow', { effect: 'pure' });
  const source = 'x = ask("Yes?")\ns = slow()\nanswer([x, s])';
  const { journal, handle, clock } = run(source, { tools: [slow] });
  const call = await slow.call(0);
  await settle();
  answer(journal, handle.id, '0#1', 'yes');
  clock.advance(1000);
  await settle();
  expect(typesOf(journal, handle.id)).toContain('effect.settled');
  call.answer('slow');
  expect(await handle.result).toMatchObject({ answer: ['yes', 'slow'] });
});

test('a deadline takes the default, counted from the first time that it was asked', async () => {
  const source = 'x = ask("Go on?", choices = ["yes", "no"], default = "no", timeout = 3600)';
  const { handle, again, clock, journal } = run(source);
  const asked = clock.now();
  expect(await handle.result).toMatchObject({ waits: [{ default: 'no', until: asked + 3600e3 }] });
  clock.advance(1800e3);
  expect(await again().result).toMatchObject({ waits: [{ until: asked + 3600e3 }] });
  clock.advance(1799e3);
  const last = again();
  await settle();
  expect(journal.find(handle.id)).toMatchObject({ status: 'running', owned: true });
  clock.advance(1000);
  expect(await last.result).toMatchObject({
    status: 'done',
    variables: { x: 'no' },
    warnings: [{ message: 'nobody answered within 3600 s: its default was taken' }],
  });
});

describe('P4 an answer that is there when a process first sees that time is over', () => {
  const source = 'x = ask("Go on?", timeout = 3600)\nanswer(x)';

  test('counts: it was left while no process had the run', async () => {
    const { handle, clock, again, journal } = run(source);
    await handle.result;
    clock.advance(1000);
    answer(journal, handle.id, '0#1', 'yes');
    clock.advance(86_400e3);
    const late = again();
    await settle();
    clock.advance(0);
    expect(await late.result).toMatchObject({ status: 'done', answer: 'yes' });
    expect(journal.posts(handle.id)).toEqual([]);
  });

  test('counts: it was left just before, and nobody had looked', async () => {
    const { handle, clock, journal } = run(source.replace('3600', '0.5'));
    await settle();
    answer(journal, handle.id, '0#1', 'yes');
    clock.advance(500);
    expect(await handle.result).toMatchObject({ status: 'done', answer: 'yes' });
  });
});

test('without a default nobody answering is a failure, that the program can take', async () => {
  const source = 'r = try_call(ask, question = "Yes?", timeout = 5)\nanswer(r.error.code)';
  const { handle, clock } = run(source);
  await settle();
  clock.advance(5000);
  expect(await handle.result).toMatchObject({ status: 'done', answer: 'PV4021' });
});

test.each([
  ['ask("?", choices = [])', 'nobody can answer this: choices: got none'],
  ['ask("?", choices = ["a"], default = "b")', 'default: got "b", want one of "a"'],
  ['ask("?", schema = {"type": "nonsense"})', 'schema: it is no JSON Schema: '],
  ['ask(len("day"))', 'question: got number 3, want string'],
  ['sleep(len("") - 1)', 'seconds: got -1, want a number from 0 to 1000000000'],
])('%s is refused', async (source, message) => {
  const { handle } = run(source);
  const result = await handle.result;
  expect(result.status).toBe('failed');
  expect(result.error?.message).toContain(message);
});

test('somebody who is there is asked in place, again where the answer does not fit', async () => {
  const asked: (string | undefined)[] = [];
  const given = ['many', 4];
  const person: Person = {
    async answer({ question }, problem) {
      asked.push(question, problem);
      return { value: given.shift(), by: 'kim' };
    },
    decide: async () => undefined,
  };
  const source = 'x = ask("How many?", schema = {"type": "integer"})\nanswer(x)';
  const { handle } = run(source, { person });
  expect(await handle.result).toMatchObject({ status: 'done', answer: 4 });
  expect(asked).toEqual(['How many?', undefined, 'How many?', 'the answer must be integer']);
});

test('the same where it takes time to find that out', async () => {
  const asked: (string | undefined)[] = [];
  const given = ['b', 'aa'];
  const person: Person = {
    async answer(_question, problem) {
      asked.push(problem);
      return { value: given.shift(), by: 'kim' };
    },
    decide: async () => undefined,
  };
  const { handle } = run('answer(ask("Which?", schema = {"pattern": "^a+$"}))', { person });
  expect(await handle.result).toMatchObject({ status: 'done', answer: 'aa' });
  expect(asked).toEqual([undefined, 'the answer must match pattern "^a+$"']);
});

test('somebody who leaves is not asked for the rest', async () => {
  let times = 0;
  const person: Person = {
    async answer() {
      times++;
      return undefined;
    },
    decide: async () => undefined,
  };
  const { handle } = run('parallel(ask, ["a?", "b?"])', { person });
  expect(await handle.result).toMatchObject({ status: 'waiting', waits: [{}, {}] });
  expect(times).toBe(1);
});

test('an answer from elsewhere takes the question back from who is asked in place', async () => {
  const gone = Promise.withResolvers<void>();
  const person: Person = {
    answer: (_question, _problem, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          gone.resolve();
          resolve(undefined);
        });
      }),
    decide: async () => undefined,
  };
  const { handle, journal, clock } = run('x = ask("Yes?")\nanswer(x)', { person });
  await settle();
  answer(journal, handle.id, '0#1', 'from afar');
  clock.advance(1000);
  expect(await handle.result).toMatchObject({ answer: 'from afar' });
  await gone.promise;
});

test('P3 a pause counts from its journaled start; a resumed run waits for the rest', async () => {
  const { handle, again, clock, journal } = run('sleep(100)\nanswer("up")');
  await settle();
  clock.advance(60_000);
  handle.cancel('interrupted');
  await handle.result;
  const rest = again();
  await settle();
  expect(clock.waits()).toContain(40_000);
  clock.advance(40_000);
  expect(await rest.result).toMatchObject({ status: 'done', answer: 'up' });
  const started = typesOf(journal, handle.id).filter((type) => type === 'effect.started');
  expect(started).toHaveLength(1);
});

test('a pause that is over before the run is taken up again costs nothing more', async () => {
  const { handle, again, clock } = run('sleep(7200)\nanswer("up")');
  expect(await handle.result).toMatchObject({
    status: 'waiting',
    reason: 'time',
    error: { code: 'PV5141' },
    waits: [{ kind: 'pause', until: clock.now() + 7200e3 }],
  });
  clock.advance(7200e3);
  const rest = again();
  await settle();
  clock.advance(0);
  expect(await rest.result).toMatchObject({ status: 'done', answer: 'up' });
});

test('the limit stay says for how long a process stays', async () => {
  const short = run('sleep(30)', { limits: { stayMs: 29_999 } });
  expect(await short.handle.result).toMatchObject({ status: 'waiting', reason: 'time' });
  const long = run('sleep(30)', { limits: { stayMs: 30_000 } });
  await settle();
  long.clock.advance(30_000);
  expect(await long.handle.result).toMatchObject({ status: 'done' });
});

test('the time is that when all before it is done', async () => {
  const slow = quickTool('slow', () => 1);
  const times: number[] = [];
  const clock = { now: () => times.push(0) };
  const [, counted] = clockHandlers({
    now: clock.now,
    random: () => 0,
    below: () => 0,
    uuid: () => '',
  });
  const source = 'a = now(format = "seconds")\nslow()\nb = now(format = "seconds")\nanswer(b - a)';
  const { handle } = run(source, { tools: counted ? [slow, counted] : [slow] });
  expect(await handle.result).toMatchObject({ answer: 0.001 });
});

test('questions count as effects', async () => {
  const { handle } = run('ask("a?")', { limits: { effects: 0 } });
  expect(await handle.result).toMatchObject({ status: 'suspended', reason: 'limit' });
});

test('a thousand waiting runs are rows: no process has them, and no timer is set', async () => {
  const { journal, clock, handle } = run('ask("Go on?")');
  await handle.result;
  const handlers = byName(askHandler);
  const program = compile('ask("Go on?", timeout = 86400)', handlers);
  for (let i = 1; i < 1000; i++) {
    await start({ program, handlers, journal, clock, id: `r${i}` }).result;
  }
  const waiting = journal.list({ status: 'waiting' });
  expect(waiting).toHaveLength(1000);
  expect(waiting.filter(({ owned }) => owned)).toEqual([]);
  expect(clock.waits()).toEqual([]);
});
