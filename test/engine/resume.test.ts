/** Resuming: after a crash anywhere, in doubt, diverged; nothing twice and nothing lost. */
import { hash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { checkProgram } from '../../src/dialects/index.ts';
import {
  type Arguments,
  type AttemptContext,
  EffectFailure,
  type Handler,
} from '../../src/engine/handler.ts';
import { type EventBody, type Journal, RunOwned } from '../../src/engine/journal/journal.ts';
import { memoryJournal } from '../../src/engine/journal/open-journal.ts';
import type { Assumption } from '../../src/engine/past/past-effect.ts';
import { readPast } from '../../src/engine/past/read-past.ts';
import { Replay } from '../../src/engine/past/replay.ts';
import type { RunResult } from '../../src/engine/result.ts';
import { resumeRun } from '../../src/engine/run.ts';
import type { Limits } from '../../src/program/limits.ts';
import type { Program } from '../../src/program/program.ts';
import { range } from '../../src/program/value.ts';
import {
  byName,
  programOf,
  quickTool,
  resume,
  settle,
  start,
  testTool,
  watchedJournal,
} from './support.ts';

/** Reads that overlap, writes in between, messages, a result that is passed on, a failure caught. */
const eventful = programOf(
  [
    { say: 'begin' },
    { tool: 'read' },
    { tool: 'read' },
    { tool: 'write', from: 2 },
    { sayResult: 3 },
    { tool: 'read', from: 4 },
    { tool: 'write' },
    { say: 'end' },
    { tool: 'once', from: 6 },
  ],
  (chunk) => {
    const after = chunk.label();
    const begin = chunk.address;
    chunk.tool('failing').constant('n').constant(0).call(0, 1).emit('BARRIER').emit('POP');
    const end = chunk.address;
    chunk.jump('JMP', after);
    chunk.handler({ start: begin, end, target: chunk.address, depth: 0 });
    chunk.emit('FIELD', chunk.constantSlot('message')).emit('EMIT', chunk.constantSlot('say'));
    chunk.place(after);
  },
);

/** What the world remembers of this run, whichever process touched it. */
interface World {
  /** Results by effect. */
  readonly done: Map<string, string>;
  /** Effects that must not happen twice and did. */
  readonly twice: string[];
}

function toolsOf(world: World): Map<string, Handler> {
  const act = ({ n }: Arguments, { effect }: AttemptContext): string => {
    if (world.done.has(effect)) world.twice.push(effect);
    world.done.set(effect, `wrote ${String(n)}`);
    return `wrote ${String(n)}`;
  };
  const refuse = (): never => {
    throw new EffectFailure('PV4200', 'this one fails');
  };
  return byName(
    quickTool('read', ({ n }) => `read ${String(n)}`),
    quickTool('write', act, { effect: 'write' }),
    quickTool('once', act, { effect: 'read', idempotent: false }),
    quickTool('failing', refuse),
  );
}

/** Fails for good from the append with this number on, as if the process had died before it. */
function dyingBefore(journal: Journal, fatal: number): Journal {
  let appends = 0;
  return watchedJournal(journal, () => {
    if (++appends >= fatal) throw new Error('died');
  });
}

/** The same just after it: it is in the journal, and the process does not hear of it. */
function dyingAfter(journal: Journal, fatal: number): Journal {
  let appends = 0;
  return {
    ...watchedJournal(journal, () => {}),
    append(lease, events, options) {
      if (++appends > fatal) throw new Error('died');
      const written = journal.append(lease, events, options);
      if (appends === fatal) throw new Error('died');
      return written;
    },
  };
}

/** What a person who looks at the world would decide about the effects in doubt. */
function lookAt(world: World, journal: Journal, run: string): Map<string, Assumption> {
  const decisions = new Map<string, Assumption>();
  for (const event of journal.events(run)) {
    if (event.type !== 'effect.unknown') continue;
    const value = world.done.get(event.effect);
    decisions.set(event.effect, value === undefined ? { as: 'retry' } : { as: 'done', value });
  }
  return decisions;
}

interface Survival {
  readonly result: RunResult | undefined;
  readonly messages: unknown[];
  readonly world: World;
}

/** Runs the eventful program in a journal that fails once, then goes on until it has ended. */
async function survive(journal: Journal, failing: Journal): Promise<Survival> {
  const world: World = { done: new Map(), twice: [] };
  const parts = { program: eventful, handlers: toolsOf(world) };
  const { id, result: first } = start({ ...parts, journal: failing });
  let result = await first.catch(() => undefined);
  while (result?.status !== 'done') {
    const assume = lookAt(world, journal, id);
    result = await resume({ ...parts, journal, run: id, assume }).result;
    if (result.status === 'suspended') expect(result.reason).toBe('unknown');
  }
  const messages = journal
    .events(id)
    .flatMap((event) => (event.type === 'message.emitted' ? [event.value] : []));
  return { result: result && { ...result, run: '' }, messages, world };
}

describe('a run that dies at any append comes to the same end, and writes once', async () => {
  const journal = memoryJournal();
  let appends = 0;
  const smooth = await survive(
    journal,
    watchedJournal(journal, () => appends++),
  );

  test('the run that does not die', () => {
    expect(smooth.result).toMatchObject({ status: 'done', answer: 'wrote read wrote read 2' });
    expect(smooth.messages).toEqual([
      '"begin"',
      '"read 3"',
      '"end"',
      '"this one fails"',
      '"wrote read wrote read 2"',
    ]);
    expect([...smooth.world.done.values()]).toEqual([
      'wrote read 2',
      'wrote 7',
      'wrote read wrote read 2',
    ]);
    expect(smooth.world.twice).toEqual([]);
    expect(appends).toBeGreaterThan(7);
  });

  const at = Array.from({ length: appends }, (_, i) => i + 1);
  test.each(at)('before append %d', async (k) => {
    const fresh = memoryJournal();
    expect(await survive(fresh, dyingBefore(fresh, k))).toEqual(smooth);
  });

  test.each(at.slice(0, -1))('after append %d', async (k) => {
    const fresh = memoryJournal();
    expect(await survive(fresh, dyingAfter(fresh, k))).toEqual(smooth);
  });
});

test('a run whose end is journaled is not resumed', async () => {
  const handlers = byName(quickTool('read', () => 1));
  const program = programOf([{ tool: 'read' }]);
  const run = start({ program, handlers });
  await run.result;
  const again = (): unknown => resume({ program, handlers, journal: run.journal, run: run.id });
  expect(again).toThrow(`run ${run.id} has ended: done`);
  expect(() => resume({ program, handlers, journal: run.journal, run: 'nowhere' })).toThrow(
    'there is no run nowhere',
  );
});

test('what runs elsewhere is not resumed here', async () => {
  const read = testTool('read');
  const program = programOf([{ tool: 'read' }]);
  const run = start({ program, handlers: byName(read), owner: 'another' });
  await read.call(0);
  const { journal, id } = run;
  expect(() => resume({ program, handlers: byName(read), journal, run: id })).toThrow(RunOwned);
  run.cancel();
  await run.result;
});

test('outcomes are handed in again in the order in which they came, and nothing is repeated', async () => {
  const read = testTool('read');
  const program = programOf(Array.from({ length: 6 }, () => ({ tool: 'read' })));
  const run = start({ program, handlers: byName(read), limits: { effects: 5 } });
  await read.call(4);
  for (const i of [3, 1, 4, 0, 2]) {
    read.calls[i]?.answer(i);
    await settle(3);
  }
  await run.result;
  const { journal, id } = run;
  const again = testTool('read');
  const limits = { effects: 6 };
  const resumed = resume({ program, handlers: byName(again), journal, run: id, limits });
  (await again.call(0)).answer(5);
  expect(again.calls[0]?.context.effect).toBe('0#6');
  expect((await resumed.result).variables).toEqual({ v1: 0, v2: 1, v3: 2, v4: 3, v5: 4, v6: 5 });
});

test('a run with a smaller window than before still uses every recorded outcome', async () => {
  const read = testTool('read');
  const program = programOf(Array.from({ length: 4 }, () => ({ tool: 'read' })));
  const run = start({ program, handlers: byName(read) });
  await read.call(3);
  for (const i of [2, 3]) read.calls[i]?.answer(i);
  await settle();
  run.cancel();
  await run.result;
  const again = testTool('read');
  const resumed = resume({
    program,
    handlers: byName(again),
    journal: run.journal,
    run: run.id,
    limits: { windowEntries: 1 },
  });
  (await again.call(0)).answer(0);
  (await again.call(1)).answer(1);
  expect((await resumed.result).variables).toEqual({ v1: 0, v2: 1, v3: 2, v4: 3 });
  expect(again.calls).toHaveLength(2);
});

describe('a request that differs from the recorded one', () => {
  const before = programOf([{ tool: 'read', n: 1 }, { tool: 'write' }]);
  const handlers = byName(
    quickTool('read', () => 1),
    quickTool('write', () => 2, { effect: 'write' }),
  );
  const suspended = async () => {
    const run = start({ program: before, handlers, limits: { effects: 1 } });
    await run.result;
    return run;
  };

  test('suspends the run as diverged and shows both', async () => {
    const { journal, id } = await suspended();
    const program = programOf([{ tool: 'read', n: 2 }, { tool: 'write' }]);
    const limits = { effects: 9 };
    const result = await resume({ program, handlers, journal, run: id, limits }).result;
    expect(result).toMatchObject({
      status: 'suspended',
      reason: 'diverged',
      error: {
        code: 'PV5103',
        message: 'effect 0#1: the journal has read {"n":1}, the program asks for read {"n":2}',
        step: '1',
        hint: expect.stringContaining('compiles the program differently'),
      },
    });
    const resumed = resume({ program: before, handlers, journal, run: id, limits });
    expect(await resumed.result).toMatchObject({ status: 'done', answer: 2 });
  });

  test('so does a program that ends without a write that was performed', async () => {
    const run = start({ program: before, handlers, limits: { instructions: 9 } });
    await run.result;
    const { journal, id } = run;
    const lease = journal.claim(id, 'test');
    const written: EventBody = {
      type: 'effect.settled',
      effect: '0#7',
      tool: 'write',
      hash: 'h',
      outcome: { ok: true, value: '1' },
      attempts: 1,
      startedAt: 0,
    };
    journal.append(lease, [written]);
    journal.release(lease);
    const limits = { instructions: Infinity };
    const result = await resume({ program: before, handlers, journal, run: id, limits }).result;
    expect(result).toMatchObject({ reason: 'diverged' });
    expect(result.error?.message).toMatch('has effect 0#7, write; the program ended without');
  });
});

test('a tool that is no longer configured is asked for, and the run stays as it is', async () => {
  const program = programOf([{ tool: 'read' }]);
  const run = start({ program, handlers: byName(testTool('read')), limits: { instructions: 1 } });
  await run.result;
  const limits = { instructions: Infinity };
  const parts = { program, journal: run.journal, run: run.id, limits };
  await expect(resume({ ...parts, handlers: byName() }).result).rejects.toMatchObject({
    code: 'PV5104',
    message: 'the run needs the tool read, which is not configured',
  });
  const handlers = byName(quickTool('read', () => 'now'));
  expect((await resume({ ...parts, handlers }).result).answer).toBe('now');
});

test.each<[string, Partial<Limits>]>([
  ['has failed', {}],
  ['was stopped before it asked for anything', { instructions: 1 }],
])('a run that %s stays so where a tool is missing', async (_, limits) => {
  const failing = quickTool('read', () => {
    throw new EffectFailure('PV9', 'no', { answered: true });
  });
  const program = programOf([{ tool: 'read' }]);
  const run = start({ program, handlers: byName(failing), limits });
  await run.result;
  const { journal } = run;
  const before = [journal.events(run.id), journal.find(run.id)];
  const more = { limits: { instructions: Infinity } };
  const resumed = resume({ program, journal, run: run.id, handlers: byName(), ...more });
  await expect(resumed.result).rejects.toMatchObject({ code: 'PV5104' });
  expect([journal.events(run.id), journal.find(run.id)]).toEqual(before);
});

test('a resume is journaled once the machine, however long it computes, asks for a tool', async () => {
  const text = 'n = 0\ndef f():\n    s = 0\n    for i in range(200000): s += i\n    return s\n';
  const tool = quickTool('read', () => 1);
  const specs = new Map([['read', tool.spec]]);
  const { program } = checkProgram(
    `${text}answer([f(), read()])\n`,
    { tools: specs, inputs: [] },
    { dialect: 'starlark' },
  );
  if (!program) throw new Error('it compiles');
  const run = start({ program, handlers: byName(tool), limits: { instructions: 10 } });
  await run.result;
  const { journal, id } = run;
  const before = journal.events(id);
  const limits = { instructions: Infinity };
  const handle = resume({ program, journal, run: id, handlers: byName(), limits });
  await expect(handle.result).rejects.toMatchObject({ code: 'PV5104' });
  expect(journal.events(id)).toEqual(before);
  const end = await resume({ program, journal, run: id, handlers: byName(tool), limits }).result;
  expect(end).toMatchObject({ status: 'done' });
});

test('a program that no longer compiles is told, and the run stays as it is', async () => {
  const handlers = byName(testTool('read'));
  const run = start({ program: programOf([{ tool: 'read' }]), handlers, limits: { effects: 0 } });
  await run.result;
  const load = (): never => {
    throw new SyntaxError('unexpected ]');
  };
  expect(() => resumeRun({ journal: run.journal, run: run.id, handlers, load })).toThrow(
    /no longer compiles: unexpected \]/,
  );
  expect(run.journal.find(run.id)).toMatchObject({ status: 'suspended', owned: false });
});

test('resuming reads the text, the tools and the inputs that the run was started with', async () => {
  const program: Program = programOf([], (chunk) => chunk.emit('GLOBAL', 0).emit('ANSWER'));
  const named = { ...program, globals: ['city'] };
  const handlers = byName(testTool('read', { effect: 'pure' }));
  const inputs = new Map([['city', 'Bonn']]);
  const limits = { instructions: 1 };
  const run = start({ program: named, handlers, inputs, text: 'the text', limits });
  await run.result;
  const seen: unknown[] = [];
  const resumed = resumeRun({
    journal: run.journal,
    run: run.id,
    handlers,
    limits: { instructions: 99 },
    load(text, dialect, tools, names) {
      seen.push(text, dialect, tools.get('read')?.effect, names);
      return { program: named, warnings: [{ message: 'a comma too many' }] };
    },
  });
  expect(await resumed.result).toMatchObject({
    status: 'done',
    answer: 'Bonn',
    warnings: [{ message: 'a comma too many' }],
  });
  expect(seen).toEqual(['the text', 'assembly', 'pure', ['city']]);
});

test('nothing starts before every recorded outcome has been handed in', async () => {
  // What `slow` was asked for is void as soon as `failing` fails; before the machine comes to that
  // it is busy for longer than a slice.
  const program = programOf([], (chunk) => {
    const [after, top, out] = [chunk.label(), chunk.label(), chunk.label()];
    const begin = chunk.address;
    chunk.tool('failing').constant('n').constant(1).call(0, 1).emit('POP');
    chunk.tool('slow').constant('n').constant(2).call(0, 1).emit('POP');
    chunk
      .constant(range(0, 60_000, 1))
      .emit('ITER')
      .place(top)
      .jump('NEXT', out)
      .emit('POP');
    chunk.jump('JMP', top).place(out).emit('ENDITER').emit('BARRIER');
    const end = chunk.address;
    chunk.jump('JMP', after);
    chunk.handler({ start: begin, end, target: chunk.address, depth: 0 });
    chunk.emit('POP').tool('slow').constant('n').constant(3).call(0, 1).emit('ANSWER');
    chunk.place(after);
  });
  const failing = testTool('failing');
  const slow = testTool('slow');
  const limits = { effects: 2 };
  const run = start({ program, handlers: byName(failing, slow), limits });
  await slow.call(0);
  (await failing.call(0)).answer(undefined);
  expect((await run.result).reason).toBe('limit');
  const again = testTool('slow');
  const resumed = resume({
    program,
    handlers: byName(failing, again),
    journal: run.journal,
    run: run.id,
    limits: { effects: 3 },
  });
  (await again.call(0)).answer('instead');
  expect((await resumed.result).answer).toBe('instead');
  expect(again.calls.map(({ args }) => args)).toEqual([{ n: 3 }]);
});

test('an effect that is taken up again is not charged again', async () => {
  const read = testTool('read');
  const program = programOf([{ tool: 'read' }, { tool: 'read' }]);
  const run = start({ program, handlers: byName(read), limits: { effects: 2 } });
  await read.call(1);
  run.cancel();
  await run.result;
  const handlers = byName(quickTool('read', () => 'again'));
  const resumed = resume({ program, handlers, journal: run.journal, run: run.id });
  expect((await resumed.result).status).toBe('done');
});

test('an effect in doubt that no longer matters is not asked about', async () => {
  const failing = testTool('failing');
  const once = testTool('once', { idempotent: false });
  const program = programOf([{ tool: 'failing' }, { tool: 'once' }]);
  const journal = memoryJournal();
  const dying = watchedJournal(journal, (events) => {
    if (events.some(({ type }) => type === 'effect.cancelled')) throw new Error('died');
  });
  const run = start({ program, handlers: byName(failing, once), journal: dying });
  await once.call(0);
  (await failing.call(0)).answer(undefined);
  await expect(run.result).rejects.toThrow('died');
  const resumed = resume({ program, handlers: byName(failing, once), journal, run: run.id });
  expect(await resumed.result).toMatchObject({ status: 'failed', error: { step: '1' } });
});

/** Of a call of `read` without arguments. */
const readNothing = hash('sha256', 'read\n{}');

test('an outcome has its turn in the order of the journal, or later when it is asked for late', () => {
  const settled = (effect: string, value: string): EventBody => ({
    type: 'effect.settled',
    effect,
    tool: 'read',
    hash: readNothing,
    outcome: { ok: true, value },
    attempts: 1,
    startedAt: 0,
  });
  const bodies = [settled('b', '2'), settled('late', '9'), settled('a', '1')];
  const past = readPast(bodies.map((body, i) => ({ ...body, seq: i + 1, at: i })));
  const replay = new Replay(past);
  const take = (effect: string): unknown => {
    const site = { line: 0, column: 0 };
    const request = { id: effect, tool: 'read', args: '{}', step: '', site };
    const known = replay.answer(request, undefined);
    return known.kind === 'settled' ? known.outcome : known.kind;
  };
  expect([take('a'), take('b')]).toEqual([undefined, undefined]);
  expect(replay.next()?.effect).toBe('b');
  expect(replay.next()?.effect).toBe('a');
  expect(replay.next()).toBeUndefined();
  expect(take('late')).toEqual({ ok: true, value: '9' });
  expect([...replay.unclaimed()]).toEqual([]);
});
