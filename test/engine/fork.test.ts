/** Forks: what comes from the base, what is performed again, what is performed anew. */
import { describe, expect, test } from 'vitest';
import { checkProgram } from '../../src/dialects/index.ts';
import { forkRun } from '../../src/engine/fork/fork.ts';
import { previewFork } from '../../src/engine/fork/fork-preview.ts';
import { type Arguments, EffectFailure, type Handler } from '../../src/engine/handler.ts';
import type { ForkEdit } from '../../src/engine/journal/fork-edit.ts';
import type { Journal, RunEvent } from '../../src/engine/journal/journal.ts';
import { memoryJournal } from '../../src/engine/journal/open-journal.ts';
import type { Person } from '../../src/engine/perform/person.ts';
import { decideRun } from '../../src/engine/reply.ts';
import type { RunHandle } from '../../src/engine/run.ts';
import type { EffectView } from '../../src/engine/views/show.ts';
import type { Program } from '../../src/program/program.ts';
import { byName, loading, programOf, quickTool, resume, type Step, start } from './support.ts';

/** What was performed, in order: `read 3`. */
interface World {
  readonly done: string[];
  readonly handlers: Map<string, Handler>;
}

function world(failing: readonly string[] = []): World {
  const done: string[] = [];
  const act =
    (name: string) =>
    ({ n }: Arguments, { run }: { run: string }): string => {
      const what = `${name} ${String(n)}`;
      if (failing.includes(what)) {
        throw new EffectFailure('PV4200', `no ${what}`, { answered: true });
      }
      done.push(what);
      return `${run} ${what}`;
    };
  const handlers = byName(
    quickTool('read', act('read')),
    quickTool('write', act('write'), { effect: 'write' }),
    quickTool('model', act('model'), { kind: 'model' }),
  );
  return { done, handlers };
}

const steps: readonly Step[] = [
  { say: 'begin' },
  { tool: 'read' },
  { tool: 'write', from: 2 },
  { tool: 'read', n: 7 },
  { sayResult: 4 },
  { tool: 'read', from: 4 },
  { tool: 'write', n: 9 },
];

async function base(program: Program, failing?: readonly string[]) {
  const { done, handlers } = world(failing);
  const { journal, id, result } = start({ program, handlers, id: 'base' });
  return { journal, id, result: await result, done };
}

interface Forked {
  readonly handle: RunHandle;
  readonly done: string[];
}

let forks = 0;

function fork(
  journal: Journal,
  run: string,
  program: Program,
  edit: Omit<ForkEdit, 'by'>,
  { handlers, done }: World = world(),
): Forked {
  const id = `fork${++forks}`;
  const handle = forkRun({
    ...{ journal, run, handlers, id, load: loading(program) },
    edit: { by: 'person', ...edit },
  });
  return { handle, done };
}

const messages = (events: readonly RunEvent[], after: number): unknown[] =>
  events.flatMap((event) =>
    event.type === 'message.emitted' && event.seq > after ? [event.value] : [],
  );

const own = (journal: Journal, run: string): RunEvent[] =>
  journal.events(run, journal.find(run)?.base?.seq ?? 0);

const types = (events: readonly RunEvent[]): string[] => events.map(({ type }) => type);

describe('a fork', () => {
  const program = programOf(steps);

  test('of all, with nothing changed, performs nothing and comes to the same end', async () => {
    const { journal, id, result } = await base(program);
    const { handle, done } = fork(journal, id, program, {});
    const again = await handle.result;
    expect(done).toEqual([]);
    expect({ ...again, run: '', usage: null }).toEqual({ ...result, run: '', usage: null });
    expect(types(own(journal, handle.id)).filter((type) => type.startsWith('effect'))).toEqual(
      Array(5).fill('effect.reused'),
    );
  });

  test('at a step with a variable: what does not need it comes from the base', async () => {
    const { journal, id } = await base(program);
    const { handle, done } = fork(journal, id, program, { at: '6', set: { v4: '"other"' } });
    const { answer, answers, variables } = await handle.result;
    expect(done).toEqual(['read other']);
    expect(variables).toMatchObject({ v4: 'other', v6: `${handle.id} read other` });
    expect(answer).toBe('base write 9');
    expect(answers).toHaveLength(1);
    expect(types(own(journal, handle.id))).toEqual([
      'run.forked',
      'effect.started',
      'effect.settled',
      'effect.reused',
      'message.emitted',
      'run.finished',
    ]);
    expect(messages(journal.events(handle.id), journal.find(id)?.events ?? 0)).toEqual([
      '"base write 9"',
    ]);
  });

  test('keeps the base as it is', async () => {
    const { journal, id } = await base(program);
    const before = journal.events(id);
    await fork(journal, id, program, { at: '2', set: { v2: '1' } }).handle.result;
    expect(journal.events(id)).toEqual(before);
  });

  test('keeps a failure before its step that the base has gone on with', async () => {
    const about = { execution_objective: 'A step.' };
    const call = { tool_name: 'read', tool_params: { n: 3 }, output_vars: 'found' };
    const plan = [
      { seq_no: 0, type: 'calling', parameters: call, on_error: 2, ...about },
      { seq_no: 1, type: 'assign', parameters: { final_answer: { found: 'all' } }, ...about },
      { seq_no: 2, type: 'assign', parameters: { final_answer: 'nothing' }, ...about },
    ];
    const { handlers } = world(['read 3']);
    const tools = new Map([...handlers].map(([name, { spec }]) => [name, spec]));
    const text = JSON.stringify(plan);
    const { program } = checkProgram(text, { tools, inputs: [] }, { dialect: 'stackvm-2' });
    expect(program).toBeDefined();
    if (!program) return;
    const run = await base(program, ['read 3']);
    expect(run.result).toMatchObject({ status: 'done', answer: 'nothing' });
    const { handle, done } = fork(run.journal, run.id, program, { at: '2' });
    expect(await handle.result).toMatchObject({ status: 'done', answer: 'nothing' });
    expect(done).toEqual([]);
  });

  test('with another outcome of an effect, before its step or in it', async () => {
    const { journal, id } = await base(program);
    const outcomes = { '0#3': { ok: true, value: '"given"' } } as const;
    for (const at of ['4', '6', undefined]) {
      const { handle, done } = fork(journal, id, program, { outcomes, ...(at ? { at } : {}) });
      const { variables } = await handle.result;
      expect(done).toEqual(['read given']);
      expect(variables).toMatchObject({ v4: 'given' });
    }
  });

  test('with another program: equal requests take the outcomes, one each', async () => {
    const { journal, id } = await base(
      programOf([
        { tool: 'read', n: 1 },
        { tool: 'write', n: 1 },
      ]),
    );
    const changed = programOf([
      { tool: 'write', n: 5 },
      { tool: 'write', n: 1 },
      { tool: 'read', n: 1 },
      { tool: 'read', n: 1 },
    ]);
    const { handle, done } = fork(journal, id, changed, {
      program: { text: '', dialect: 'assembly' },
    });
    const { variables } = await handle.result;
    expect(done).toEqual(['write 5', 'read 1']);
    expect(variables).toMatchObject({ v2: 'base write 1', v3: 'base read 1' });
  });

  test('says which writes of the base it does without', async () => {
    const { journal, id } = await base(program);
    const shorter = programOf(steps.slice(0, 2));
    const edit = { at: '2', program: { text: '', dialect: 'assembly' } };
    const { warnings } = await fork(journal, id, shorter, edit).handle.result;
    expect(warnings.map(({ message, step }) => [step, message.slice(0, 40)])).toEqual([
      ['3', 'the base has done write {"n":"base read '],
      ['7', 'the base has done write {"n":9} (effect '],
    ]);
  });

  test('of a run that failed performs what failed again', async () => {
    const { journal, id, result } = await base(program, ['write 9']);
    expect(result.status).toBe('failed');
    for (const at of ['2', '6', '7', undefined]) {
      const { handle, done } = fork(journal, id, program, at ? { at } : {});
      expect(await handle.result).toMatchObject({ status: 'done', answer: `${handle.id} write 9` });
      expect(done).toEqual(['write 9']);
    }
  });

  test('performs models, or all, anew from its step on', async () => {
    const talks = programOf([
      { tool: 'model' },
      { tool: 'read' },
      { tool: 'model' },
      { tool: 'write' },
    ]);
    const { journal, id } = await base(talks);
    const models = fork(journal, id, talks, { at: '2', perform: 'models' });
    await models.handle.result;
    expect(models.done).toEqual(['model 3']);
    const all = fork(journal, id, talks, { at: '2', perform: 'all' });
    await all.handle.result;
    expect(all.done.toSorted()).toEqual(['model 3', 'read 2', 'write 4']);
  });

  test('of a fork, before and behind where that one began', async () => {
    const { journal, id } = await base(program);
    const first = fork(journal, id, program, { at: '6', set: { v4: '"other"' } });
    await first.handle.result;
    const later = fork(journal, first.handle.id, program, { at: '7' });
    const { variables } = await later.handle.result;
    expect(later.done).toEqual([]);
    expect(variables).toMatchObject({ v4: 'other', v6: `${first.handle.id} read other` });
    const earlier = fork(journal, first.handle.id, program, { at: '4' });
    const back = await earlier.handle.result;
    // What the first fork was changed by stays.
    expect(earlier.done).toEqual([]);
    expect(back.variables).toMatchObject({ v4: 'other', v6: `${first.handle.id} read other` });
    const undone = fork(journal, first.handle.id, program, {
      at: '6',
      set: { v4: '"base read 7"' },
    });
    expect(await undone.handle.result).toMatchObject({
      // What the first fork had left over of its base is there again.
      variables: { v4: 'base read 7', v6: 'base read base read 7' },
    });
    expect(undone.done).toEqual([]);
  });

  test('goes on from its own journal when it is resumed', async () => {
    const { journal, id } = await base(program);
    const stopped = world();
    const { handle } = fork(journal, id, program, { at: '4', perform: 'all' }, stopped);
    handle.cancel('interrupted');
    expect((await handle.result).status).toBe('suspended');
    const again = world();
    const resumed = resume({ journal, run: handle.id, program, handlers: again.handlers });
    expect((await resumed.result).status).toBe('done');
    expect([...stopped.done, ...again.done].toSorted()).toEqual([
      'read 7',
      `read ${resumed.id} read 7`,
      'write 9',
    ]);
  });
});

describe('a fork that asks before it does without a write', () => {
  const program = programOf(steps);
  const shorter = programOf(steps.slice(0, 4));
  const edit: Omit<ForkEdit, 'by'> = {
    at: '2',
    vanished: 'ask',
    program: { text: '', dialect: 'assembly' },
  };
  const options = { handlers: world().handlers, by: 'ada' };

  async function waiting(): Promise<{ journal: Journal; run: string }> {
    const { journal, id } = await base(program);
    const { handle } = fork(journal, id, shorter, edit);
    expect(await handle.result).toMatchObject({
      ...{ status: 'waiting', reason: 'approval' },
      waits: [{ kind: 'approval', effect: 'base:0#5', tool: 'write', request: { n: 9 } }],
    });
    return { journal, run: handle.id };
  }

  const goOn = (journal: Journal, run: string): RunHandle =>
    resume({ journal, run, program: shorter, handlers: world().handlers });

  test('is done once a person has approved', async () => {
    const { journal, run } = await waiting();
    expect(await goOn(journal, run).result).toMatchObject({ status: 'waiting' });
    await decideRun({ ...options, journal, run, effects: ['base:0#5'], approved: true });
    const { status, warnings } = await goOn(journal, run).result;
    expect(status).toBe('done');
    expect(warnings).toHaveLength(1);
    expect(journal.posts(run)).toEqual([]);
    expect(types(own(journal, run)).filter((type) => type.startsWith('approval'))).toEqual([
      'approval.requested',
      'approval.granted',
    ]);
  });

  test('is cancelled where a person denies it', async () => {
    const { journal, run } = await waiting();
    await decideRun({ ...options, journal, run, effects: 'all', approved: false });
    expect(await goOn(journal, run).result).toMatchObject({
      ...{ status: 'cancelled', error: { code: 'PV5135' } },
    });
  });

  const changed = programOf([...steps.slice(0, 6), { tool: 'write', n: 5 }]);

  async function holding(person?: Person): Promise<Forked & { journal: Journal }> {
    const { journal, id } = await base(program);
    const own = world();
    const all = { ...edit, by: 'revise' } as const;
    const handle = forkRun({
      ...{ journal, run: id, id: `fork${++forks}`, load: loading(changed), person },
      ...{ handlers: own.handlers, edit: all },
    });
    return { journal, handle, done: own.done };
  }

  test('performs no write of its own before a person has agreed', async () => {
    const { journal, handle, done } = await holding();
    expect(await handle.result).toMatchObject({
      ...{ status: 'waiting', reason: 'approval' },
      waits: [{ effect: 'base:0#5', tool: 'write', why: expect.stringContaining('effect 0#5') }],
    });
    expect(done).toEqual([]);
    const again = world();
    const goOn = (): RunHandle =>
      resume({ journal, run: handle.id, program: changed, handlers: again.handlers });
    expect((await goOn().result).status).toBe('waiting');
    await decideRun({ ...options, journal, run: handle.id, effects: 'all', approved: true });
    expect((await goOn().result).status).toBe('done');
    expect(again.done).toEqual(['write 5']);
  });

  test('never performs it where a person denies that', async () => {
    const { journal, handle } = await holding();
    await handle.result;
    await decideRun({ ...options, journal, run: handle.id, effects: 'all', approved: false });
    const again = world();
    const { handlers } = again;
    const resumed = resume({ journal, run: handle.id, program: changed, handlers });
    expect(await resumed.result).toMatchObject({ status: 'cancelled', error: { code: 'PV5135' } });
    expect(again.done).toEqual([]);
  });

  test.each([true, false])('asks whoever is there: %s', async (approved) => {
    const asked: string[] = [];
    const { handle, done } = await holding({
      answer: () => Promise.resolve(undefined),
      decide({ effect }) {
        asked.push(`${effect} after ${done.length}`);
        return Promise.resolve({ approved, by: 'ada' });
      },
    });
    expect((await handle.result).status).toBe(approved ? 'done' : 'cancelled');
    expect(asked).toEqual(['base:0#5 after 0']);
    expect(done).toEqual(approved ? ['write 5'] : []);
  });

  test('does not ask where the write comes behind one of its own', async () => {
    const { journal, id } = await base(program);
    const more = programOf([
      ...steps.slice(0, 6),
      { tool: 'write', n: 5 },
      { tool: 'write', n: 9 },
    ]);
    const { handle, done } = fork(journal, id, more, edit);
    expect((await handle.result).status).toBe('done');
    expect(done).toEqual(['write 5']);
  });

  test('does not ask where nothing is missing', async () => {
    const { journal, id } = await base(program);
    const { handle } = fork(journal, id, program, { at: '2', vanished: 'ask' });
    expect((await handle.result).status).toBe('done');
  });
});

describe('the preview of a fork', () => {
  const program = programOf(steps);
  const preview = (journal: Journal, run: string, edit: Omit<ForkEdit, 'by'>, then = program) => {
    const shown = previewFork({
      ...{ journal, run, handlers: world().handlers, load: loading(then) },
      edit: { by: 'person', ...edit },
    });
    const names = (effects: readonly EffectView[]): string[] =>
      effects.map(({ id, name, step }) => `${step} ${name} ${id}`);
    const { kept, reused, performed, vanished, ends } = shown;
    const again = performed.filter((one) => one.again);
    const lists = { kept, reused, performed, again, vanished };
    return {
      ...Object.fromEntries(Object.entries(lists).map(([key, list]) => [key, names(list)])),
      ends,
    };
  };

  test('says what comes from where, as far as it is known', async () => {
    const { journal, id } = await base(program);
    const before = journal.list().length;
    expect(preview(journal, id, { at: '6', set: { v4: '"other"' } })).toEqual({
      kept: ['2 read 0#1', '3 write 0#2', '4 read 0#3'],
      reused: [],
      performed: ['6 read 0#4'],
      again: [],
      // It waits behind what is performed, and will be asked for.
      vanished: [],
      ends: false,
    });
    expect(preview(journal, id, { at: '6' })).toMatchObject({
      reused: ['6 read 0#4', '7 write 0#5'],
      performed: [],
      vanished: [],
      ends: true,
    });
    expect(preview(journal, id, { at: '6', perform: 'all' })).toMatchObject({
      reused: [],
      performed: ['6 read 0#4'],
      again: ['6 read 0#4'],
    });
    expect(journal.list()).toHaveLength(before);
  });

  test('says which writes are gone for certain', async () => {
    const { journal, id } = await base(program);
    const shorter = programOf(steps.slice(0, 4));
    const edit = { at: '3', program: { text: '', dialect: 'assembly' } };
    expect(preview(journal, id, edit, shorter)).toMatchObject({
      ...{ performed: [], vanished: ['7 write 0#5'], ends: true },
    });
  });
});

describe('a fork is refused', () => {
  const program = programOf(steps);
  const refused = async (edit: Omit<ForkEdit, 'by'>, then = program): Promise<unknown> => {
    const { journal, id } = await base(program);
    const before = journal.list().length;
    try {
      fork(journal, id, program === then ? program : then, edit);
    } catch (error) {
      expect(journal.list()).toHaveLength(before);
      return error;
    }
    return undefined;
  };

  test('at a step or effect that there is not', async () => {
    expect(await refused({ at: '12' })).toMatchObject({ code: 'PV5110' });
    expect(await refused({ at: '2@2' })).toMatchObject({ code: 'PV5110' });
    expect(await refused({ at: '0#9' })).toMatchObject({ code: 'PV5110' });
  });

  test('with names that there are not', async () => {
    expect(await refused({ at: '3', set: { v22: '1' } })).toMatchObject({
      code: 'PV5132',
      message: 'got v22, want a variable that the run has (did you mean v2?)',
    });
    expect(await refused({ set: { v2: '1' } })).toMatchObject({ code: 'PV5132' });
    expect(await refused({ outcomes: { '0#7': { ok: true, value: '1' } } })).toMatchObject({
      code: 'PV5133',
    });
  });

  test('of a run that there is not', () => {
    expect(() => fork(memoryJournal(), 'none', program, {})).toThrow('there is no run none');
  });
});

test('a fork whose tool is missing is not made', async () => {
  const program = programOf(steps);
  const { journal, id } = await base(program);
  const { handlers } = world();
  handlers.delete('read');
  const edit = { by: 'person', perform: 'all' } as const;
  const options = { journal, run: id, load: loading(program), edit, handlers };
  expect(() => forkRun(options)).toThrow(expect.objectContaining({ code: 'PV5104' }));
  expect(journal.children(id)).toEqual([]);
});
