/** Forks of runs with an effect that a run within it has not finished: src/engine/fork/acted.ts. */
import { expect, test } from 'vitest';
import { checkProgram } from '../../src/dialects/index.ts';
import { forkRun } from '../../src/engine/fork/fork.ts';
import { EffectFailure, type Handler } from '../../src/engine/handler.ts';
import type { Load } from '../../src/engine/load.ts';
import { byName, quickTool, resume, start } from './support.ts';

const compile: Load = (text, dialect, tools, inputs) => {
  const { program } = checkProgram(text, { tools, inputs }, { dialect });
  if (!program) throw new Error('no program');
  return { program };
};

/** `agent` writes, or only reads, and then fails while it is told to. */
function world(writes: boolean) {
  const acts: string[] = [];
  const state = { breaks: true };
  const act = quickTool('act', (_, { run }) => acts.push(run) && 'acted', {
    effect: writes ? 'write' : 'read',
  });
  const check = quickTool('check', () => {
    if (state.breaks) throw new EffectFailure('PV1', 'away', { answered: true });
    return 'fine';
  });
  const inner = byName(act, check);
  const agent: Handler = quickTool(
    'agent',
    async (_, context) =>
      await context.inner({
        ...{ name: 'loop', title: 'agent', text: 'act()\nanswer(check())', dialect: 'starlark' },
        ...{ compile, inputs: new Map(), handlers: inner },
      }),
    { effect: 'write', idempotent: true },
  );
  const handlers = byName(
    agent,
    quickTool('read', () => 'read'),
  );
  const tools = new Map([...handlers].map(([name, { spec }]) => [name, spec]));
  return { acts, state, handlers, tools };
}

/** A run that has ended with what its agent came to; the agent would get through now. */
async function ended(writes: boolean, source = 'a = read()\nb = agent()\nanswer(b)') {
  const made = world(writes);
  const { handlers, tools, state } = made;
  const { program } = compile(source, 'starlark', tools, []);
  const base = start({ program, handlers, text: source, dialect: 'starlark' });
  const { status } = await base.result;
  state.breaks = false;
  return { ...made, status, base, program };
}

async function forked(writes: boolean, source?: string, at = '2') {
  const made = await ended(writes, source);
  const { base, handlers } = made;
  const edit = { at, set: { a: '"other"' }, by: 'person' } as const;
  const { journal } = base;
  const fork = forkRun({ journal, handlers, run: base.id, edit, load: compile });
  return { ...made, fork, result: await fork.result };
}

test('a fork does not write again what a run within an effect of its base has written', async () => {
  const { acts, base, fork, status, result, program, handlers } = await forked(true);
  expect(status).toBe('failed');
  expect(result).toMatchObject({
    ...{ status: 'suspended', reason: 'unknown' },
    error: { message: expect.stringContaining('a run within it had begun to write') },
  });
  expect(acts).toHaveLength(1);
  const { journal } = base;
  const parts = { journal, run: fork.id, program, handlers, load: compile };
  const end = await resume({ ...parts, assume: { as: 'retry' } }).result;
  expect(end).toMatchObject({ status: 'done', answer: 'fine' });
  expect(acts).toHaveLength(2);
});

test('what has only read within is performed again', async () => {
  const { acts, result } = await forked(false);
  expect(result).toMatchObject({ status: 'done', answer: 'fine' });
  expect(acts).toHaveLength(2);
});

test('the run itself goes on within, and writes once', async () => {
  const { acts, base, program, handlers } = await ended(true);
  const parts = { journal: base.journal, run: base.id, program, handlers, load: compile };
  expect(await resume(parts).result).toMatchObject({ status: 'done', answer: 'fine' });
  expect(acts).toHaveLength(1);
});

test('a failure that the program has gone on with stays what it was', async () => {
  const source = 'b = attempt(agent)\na = read()\nanswer(b.ok)';
  const { acts, result } = await forked(true, source, '3');
  expect(result).toMatchObject({ status: 'done', answer: false });
  expect(acts).toHaveLength(1);
});
