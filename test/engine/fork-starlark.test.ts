/** Forks of programs with fibers, messages on their way, races, streams and doubt. */
import { describe, expect, test } from 'vitest';
import { forkRun } from '../../src/engine/fork/fork.ts';
import { EffectFailure, type Handler } from '../../src/engine/handler.ts';
import type { ForkEdit } from '../../src/engine/journal/fork-edit.ts';
import type { Journal } from '../../src/engine/journal/journal.ts';
import { memoryJournal } from '../../src/engine/journal/open-journal.ts';
import { verifyRun } from '../../src/engine/past/verify.ts';
import type { RunHandle } from '../../src/engine/run.ts';
import { showRun } from '../../src/engine/views/show.ts';
import type { Program } from '../../src/program/program.ts';
import { compile } from '../support/starlark-machine.ts';
import { byName, loading, quickTool, resume, settle, start, testTool } from './support.ts';

interface Performed {
  readonly calls: string[];
  readonly handlers: Map<string, Handler>;
}

/** Answers what it is given; `slow` ones later. */
function performing(): Performed {
  const calls: string[] = [];
  const handlers = byName(
    ...(['read', 'write'] as const).map((name) =>
      quickTool(
        name,
        async ({ x }) => {
          calls.push(`${name} ${JSON.stringify(x)}`);
          if (x === 'slow') await settle(5);
          return x;
        },
        { effect: name },
      ),
    ),
  );
  return { calls, handlers };
}

function fork(
  journal: Journal,
  run: string,
  program: Program,
  edit: Omit<ForkEdit, 'by'>,
  { handlers }: Pick<Performed, 'handlers'>,
): RunHandle {
  return forkRun({
    ...{ journal, run, handlers, load: loading(program) },
    edit: { by: 'person', ...edit },
  });
}

/** The messages of the run's own events. */
const saidBy = (journal: Journal, run: string): unknown[] =>
  journal
    .events(run, journal.find(run)?.base?.seq ?? 0)
    .flatMap((event) => (event.type === 'message.emitted' ? [event.value] : []));

describe('messages', () => {
  const source = `
slow = read(x = "slow")
print(slow)
def say(x):
    print("fiber " + x)
    y = read(x = x)
    print(y)
    return y
found = parallel(say, ["slow", "b"])
print("between")
other = read(x = "c")
print(other)
`;

  test('that were on their way when the step was entered come before it', async () => {
    const program = compile(source);
    const { handlers } = performing();
    const base = start({ program, handlers });
    await base.result;
    const all = saidBy(base.journal, base.id);
    expect(all).toHaveLength(7);
    const { steps } = showRun({ ...base, run: base.id, load: loading(program) });
    const last = steps.findLast(({ line }) => line === 12)?.id ?? '';
    const other = performing();
    const later = fork(base.journal, base.id, program, { at: last }, other);
    await later.result;
    expect(saidBy(base.journal, later.id)).toEqual(['"c"']);
    const earlier = fork(base.journal, base.id, program, { at: '10', perform: 'all' }, other);
    await earlier.result;
    expect(saidBy(base.journal, earlier.id)).toEqual(['"between"', '"c"']);
    expect(other.calls).toEqual(['read "c"']);
  });

  test('that the base never came to release are released', async () => {
    const program = compile('a = read(x = 1)\nb = read(x = 2)\nprint(a)\nprint(b)\nc = 3');
    const read = testTool('read');
    const base = start({ program, handlers: byName(read) });
    (await read.call(1)).answer('two');
    await settle();
    base.cancel('interrupted');
    await base.result;
    expect(saidBy(base.journal, base.id)).toEqual([]);
    const handle = fork(base.journal, base.id, program, { at: '5' }, performing());
    await handle.result;
    expect(saidBy(base.journal, handle.id)).toEqual(['"1"', '"two"']);
  });
});

test('what fibers ask for belongs to the step that has asked for them', async () => {
  const program = compile(`
def look(x):
    y = read(x = x)
    return read(x = y)
found = parallel(look, ["slow", "b"])
n = 5
last = read(x = n)
`);
  const { handlers } = performing();
  const base = start({ program, handlers });
  await base.result;
  const other = performing();
  const edit = { at: '7', set: { n: '6' }, perform: 'all' } as const;
  expect(await fork(base.journal, base.id, program, edit, other).result).toMatchObject({
    variables: { found: ['slow', 'b'], last: 6 },
  });
  expect(other.calls).toEqual(['read 6']);
  // The step of an effect of a fiber is the one that has asked for the fiber.
  const outcomes = { '0.1#1': { ok: true, value: '"quick"' } } as const;
  const again = performing();
  const changed = fork(base.journal, base.id, program, { at: '0.1#1', outcomes }, again);
  expect(await changed.result).toMatchObject({ variables: { found: ['quick', 'b'], last: 5 } });
  expect(again.calls).toEqual(['read "quick"']);
  expect(base.journal.events(changed.id).find(({ type }) => type === 'run.forked')).toMatchObject({
    edit: { at: '5' },
  });
});

test('a race has the winner that it had, also among those that are there at once', async () => {
  const program = compile(`
won = first([read(x = "slow"), read(x = "quick")])
after = read(x = won.value)
`);
  const base = start({ program, handlers: performing().handlers });
  expect(await base.result).toMatchObject({ variables: { won: { index: 1 } } });
  for (const edit of [{}, { at: '3' }]) {
    const other = performing();
    const handle = fork(base.journal, base.id, program, edit, other);
    expect(await handle.result).toMatchObject({ variables: { won: { index: 1 }, after: 'quick' } });
    expect(other.calls).toEqual([]);
  }
});

test('a stream is taken over with its parts', async () => {
  const source = 'seen = []\nfor part in stream(read, x = 1):\n    seen.append(part)\n';
  const program = compile(source);
  const read = testTool('read');
  const base = start({ program, handlers: byName(read) });
  const call = await read.call(0);
  call.context.part('a');
  call.context.part('b');
  call.answer(null);
  await base.result;
  for (const edit of [{}, { at: '1' }, { at: '2' }]) {
    const none = testTool('read');
    const handle = fork(base.journal, base.id, program, edit, { handlers: byName(none) });
    expect(await handle.result).toMatchObject({ variables: { seen: ['a', 'b'] } });
    expect(none.calls).toEqual([]);
  }
});

test('a stream that is given an outcome has that for its only part, also when it is resumed', async () => {
  const source =
    'seen = []\nfor part in stream(read, x = 1):\n    seen.append(part)\nread(x = 2)\n';
  const program = compile(source);
  const { handlers } = performing();
  const base = start({ program, handlers });
  await base.result;
  const outcomes = { '0#1': { ok: true, value: '"given"' } } as const;
  const none = byName(testTool('read'));
  const edit = { at: '0#1', outcomes };
  const limits = { instructions: 9 };
  const { journal } = base;
  const first = forkRun({
    ...{ journal, run: base.id, handlers: none, load: loading(program), limits },
    edit: { by: 'person', ...edit },
  });
  expect(await first.result).toMatchObject({ status: 'suspended' });
  const more = { journal, run: first.id, handlers: none, limits: { instructions: 1000 } };
  const handle = resume({ ...more, program });
  expect(await handle.result).toMatchObject({ status: 'done', variables: { seen: ['given'] } });
  const { differences } = verifyRun({ journal, run: first.id, load: loading(program) });
  expect(differences).toEqual([]);
});

test('what was recorded before an outcome that is taken over is seen before it', async () => {
  const program = compile('a = read(x = "k")\nread(x = a)\n');
  const base = start({ program, handlers: performing().handlers });
  await base.result;
  const text = `
for part in stream(pure, x = 1):
    t = try_call(read, x = part)
    try_call(read, x = t.value)
`;
  const pure = quickTool('pure', (_, context) => {
    context.part('k');
    throw new EffectFailure('PV4200', 'no', { answered: true });
  });
  const handlers = new Map([...performing().handlers, ['pure', pure]]);
  const load = (read: string) => ({ program: read === text ? compile(text) : program });
  const { journal } = base;
  const { id, result } = forkRun({
    ...{ journal, run: base.id, handlers, load },
    edit: { by: 'person', program: { text, dialect: 'starlark' } },
  });
  expect(await result).toMatchObject({ status: 'failed' });
  expect(verifyRun({ journal, run: id, load }).differences).toEqual([]);
});

test('what its base knew before the step, a fork sees before what it takes over', async () => {
  const program = compile(`
def fail(x):
    return [][pure(x = x)]
found = parallel(fail, [7])
a = read(x = "k")
b = read(x = "%s and more" % (a,))
`);
  const pure = quickTool('pure', async ({ x }) => {
    await settle(10);
    return x;
  });
  const handlers = new Map([...performing().handlers, ['pure', pure]]);
  const { journal, id, result } = start({ program, handlers });
  expect(await result).toMatchObject({ status: 'failed' });
  const handle = fork(journal, id, program, { at: '5' }, { handlers });
  expect(await handle.result).toMatchObject({ status: 'failed' });
  const load = loading(program);
  expect(verifyRun({ journal, run: handle.id, load }).differences).toEqual([]);
});

test('a race that a fork does without was no write', async () => {
  const program = compile('n = 1\nif n == 1:\n    first([read(x = 1)])\n');
  const base = start({ program, handlers: performing().handlers });
  await base.result;
  const edit = { at: '2', set: { n: '2' } };
  const handle = fork(base.journal, base.id, program, edit, performing());
  expect(await handle.result).toMatchObject({ status: 'done', warnings: [] });
});

test('the program of a fork is compared however few instructions the fork may spend', async () => {
  const program = compile('a = 1\nb = [a, a, a]\nc = read(x = 1)\n');
  const base = start({ program, handlers: performing().handlers });
  await base.result;
  const text = 'a = 1\nb = [a, a, a]\nc = read(x = 2)\n';
  const load = (read: string) => ({ program: read === text ? compile(text) : program });
  const handle = forkRun({
    ...{ journal: base.journal, run: base.id, handlers: performing().handlers, load },
    edit: { at: '3', by: 'person', program: { text, dialect: 'starlark' } },
    limits: { instructions: 1 },
  });
  expect(await handle.result).toMatchObject({ status: 'suspended', reason: 'limit' });
});

test('failures that the program has handled are there before the step, and tried anew behind it', async () => {
  const program = compile(`
a = try_call(read, x = 1).error
n = 1
b = try_call(read, x = 2).error
`);
  const failing = quickTool('read', () => {
    throw new EffectFailure('PV4200', 'no');
  });
  const base = start({ program, handlers: byName(failing) });
  await base.result;
  const other = performing();
  const handle = fork(base.journal, base.id, program, { at: '3' }, other);
  expect(await handle.result).toMatchObject({ variables: { a: { code: 'PV4200' }, b: null } });
  expect(other.calls).toEqual(['read 2']);
});

describe('a fork of a run that is going on', () => {
  const program = compile('a = read(x = 1)\nb = read(x = 2)\nwrite(x = b)\nc = read(x = 3)');

  test('has what was there when it was made, and goes its own way', async () => {
    const read = testTool('read');
    const handlers = new Map([...performing().handlers, ['read', read]]);
    const base = start({ program, handlers });
    (await read.call(0)).answer('one');
    await settle();
    const other = performing();
    const handle = fork(base.journal, base.id, program, { at: '2' }, other);
    expect(await handle.result).toMatchObject({ status: 'done', variables: { a: 'one', b: 2 } });
    expect(other.calls).toEqual(['read 2', 'write 2', 'read 3']);
    (await read.call(1)).answer('two');
    (await read.call(2)).answer('three');
    expect(await base.result).toMatchObject({ variables: { a: 'one', b: 'two', c: 'three' } });
    expect(base.journal.find(handle.id)?.base?.seq).toBeLessThan(
      base.journal.events(base.id).length,
    );
  });

  test('asks about a write that is under way there', async () => {
    const write = testTool('write', { effect: 'write' });
    const handlers = new Map([...performing().handlers, ['write', write]]);
    const base = start({ program, handlers });
    const call = await write.call(0);
    const other = performing();
    const handle = fork(base.journal, base.id, program, { at: '4' }, other);
    expect(await handle.result).toMatchObject({ status: 'suspended', reason: 'unknown' });
    expect(other.calls).toEqual([]);
    call.answer(null);
    expect((await base.result).status).toBe('done');
  });
});

test('budgets are for what the fork does itself', async () => {
  const program = compile('a = read(x = 1)\nb = read(x = 2)\nc = read(x = 3)\nd = read(x = 4)');
  const limits = { effects: 4 };
  const base = start({ program, handlers: performing().handlers, limits });
  expect((await base.result).status).toBe('done');
  const again = performing();
  const handle = fork(base.journal, base.id, program, { at: '2', perform: 'all' }, again);
  expect(await handle.result).toMatchObject({ status: 'done', usage: { modelCalls: 0 } });
  expect(again.calls).toHaveLength(3);
  const small = forkRun({
    ...{ journal: base.journal, run: base.id, handlers: again.handlers, load: loading(program) },
    edit: { by: 'person', perform: 'all' },
    limits: { effects: 3 },
  });
  expect(await small.result).toMatchObject({ status: 'suspended', reason: 'limit' });
  const more = { journal: base.journal, program, handlers: again.handlers, run: small.id };
  expect((await resume({ ...more, limits: { effects: 4 } }).result).status).toBe('done');
});

describe('a write of which nobody knows whether it happened', () => {
  const program = compile('write(x = 1)\nn = read(x = 2)\nwrite(x = n)');

  /** Its base is stopped while the first write is under way. */
  async function stopped(): Promise<{ journal: Journal; id: string }> {
    const journal = memoryJournal();
    const write = testTool('write', { effect: 'write' });
    const { handlers } = performing();
    const base = start({ program, journal, handlers: new Map([...handlers, ['write', write]]) });
    await write.call(0);
    base.cancel('interrupted');
    await base.result;
    return { journal, id: base.id };
  }

  test.each([[{}], [{ at: '1' }], [{ at: '2' }]])(
    'is asked about, forked with %o',
    async (edit) => {
      const { journal, id } = await stopped();
      const other = performing();
      const handle = fork(journal, id, program, edit, other);
      expect(await handle.result).toMatchObject({ status: 'suspended', reason: 'unknown' });
      expect(other.calls).toEqual([]);
      const parts = { journal, program, run: handle.id };
      const still = resume({ ...parts, handlers: other.handlers });
      expect(await still.result).toMatchObject({ status: 'suspended', reason: 'unknown' });
      const assume = { as: 'done', value: 7 } as const;
      const decided = resume({ ...parts, handlers: other.handlers, assume });
      expect(await decided.result).toMatchObject({ status: 'done' });
      expect(other.calls).toEqual(['read 2', 'write 2']);
    },
  );

  test('is performed once it is decided that it did not', async () => {
    const { journal, id } = await stopped();
    const other = performing();
    const handle = fork(journal, id, program, {}, other);
    await handle.result;
    const assume = { as: 'retry' } as const;
    const { handlers } = other;
    const decided = resume({ journal, program, run: handle.id, handlers, assume });
    expect(await decided.result).toMatchObject({ status: 'done' });
    expect(other.calls).toEqual(['write 1', 'read 2', 'write 2']);
  });
});

test('a line inside of a function is no place: the step is named that goes there', async () => {
  const source = `
def look(x):
    return read(x = x)
def both(x):
    return look(x)
for x in ["a"]:
    y = read(x = x)
found = parallel(both, ["b", "c"])
`;
  const program = compile(source);
  const base = start({ program, handlers: performing().handlers, text: source });
  await base.result;
  const hintAt = (at: string): unknown => {
    try {
      return fork(base.journal, base.id, program, { at }, performing());
    } catch (error) {
      return error;
    }
  };
  const hint = (text: string): unknown =>
    expect.objectContaining({ code: 'PV5110', hint: expect.stringContaining(text) });
  expect(hintAt('3')).toEqual(hint('line 3 is a part of the function look: take step 8,'));
  expect(hintAt('7@2')).toEqual(hint('line 7 is a part of step 6;'));
  expect(hintAt('40')).toEqual(hint('its steps: 2, 4, 6, 8'));
});
