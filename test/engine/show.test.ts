/** The document of `show --json`: steps and effects of runs in every state. */
import { expect, test } from 'vitest';
import { EffectFailure } from '../../src/engine/handler.ts';
import type { Journal } from '../../src/engine/journal/journal.ts';
import { memoryJournal } from '../../src/engine/journal/open-journal.ts';
import { type RunView, showRun } from '../../src/engine/views/show.ts';
import type { Program } from '../../src/program/program.ts';
import {
  byName,
  loading,
  programOf,
  quickTool,
  resume,
  settle,
  start,
  TestClock,
  testTool,
} from './support.ts';

const show = (journal: Journal, run: string, program: Program): RunView =>
  showRun({ journal, run, load: loading(program) });

test('a run that is done, with its times, requests and outcomes', async () => {
  const clock = new TestClock();
  const journal = memoryJournal({ now: () => clock.now() });
  const read = testTool('read', { kind: 'retrieve' });
  const program = programOf([{ tool: 'read' }, { tool: 'read' }]);
  const parts = { program, handlers: byName(read), journal, clock, limits: { concurrency: 1 } };
  const run = start(parts);
  const begun = clock.now();
  const first = await read.call(0);
  clock.advance(10);
  first.answer(2n ** 60n);
  const second = await read.call(1);
  clock.advance(20);
  second.answer('b');
  await run.result;
  const common = { kind: 'retrieve', name: 'read', class: 'read', status: 'done', attempts: 1 };
  expect(show(journal, run.id, program)).toEqual({
    run: run.id,
    status: 'done',
    title: '',
    answer: 'b',
    answers: [{ value: 'b', step: '2' }],
    steps: [
      { id: '1', kind: 'call', status: 'done', line: 1 },
      { id: '2', kind: 'call', status: 'done', line: 2 },
    ],
    effects: [
      {
        ...common,
        id: '0#1',
        step: '1',
        queuedAt: begun,
        startedAt: begun,
        endedAt: begun + 10,
        request: { n: 1 },
        outcome: { value: 2n ** 60n },
      },
      {
        ...common,
        id: '0#2',
        step: '2',
        queuedAt: begun,
        startedAt: begun + 10,
        endedAt: begun + 30,
        request: { n: 2 },
        outcome: { value: 'b' },
      },
    ],
  });
});

test('what runs, what waits for a slot, and what was interrupted', async () => {
  const clock = new TestClock();
  const journal = memoryJournal({ now: () => clock.now() });
  const read = testTool('read');
  const program = programOf([{ tool: 'read' }, { tool: 'read' }]);
  const parts = { program, handlers: byName(read), journal, clock, limits: { concurrency: 1 } };
  const run = start(parts);
  await read.call(0);
  clock.advance(5);
  const statuses = (): string[] =>
    show(journal, run.id, program).effects.map(({ status }) => status);
  expect(statuses()).toEqual(['running', 'queued']);
  clock.advance(0);
  const later = memoryJournal({ now: () => clock.now() });
  const lease = later.create({ ...recordOf(journal, run.id) }, 'gone');
  later.append(lease, journal.events(run.id));
  later.release(lease);
  expect(show(later, run.id, program).effects.map(({ status }) => status)).toEqual([
    'interrupted',
    'queued',
  ]);
  run.cancel();
  await run.result;
  expect(statuses()).toEqual(['cancelled', 'queued']);
});

function recordOf(journal: Journal, run: string) {
  const started = journal.events(run).find((event) => event.type === 'run.started');
  if (!started) throw new Error('the run has not started');
  return started.run;
}

test('a failed step, and one in doubt', async () => {
  const program = programOf([{ tool: 'read' }, { tool: 'write' }, { tool: 'read' }]);
  const statuses = async (write: () => unknown): Promise<unknown> => {
    const handlers = byName(
      quickTool('read', () => 1),
      quickTool('write', write, { effect: 'write' }),
    );
    const run = start({ program, handlers });
    await run.result;
    const { steps, effects } = show(run.journal, run.id, program);
    return [steps.map(({ status }) => status), effects.map(({ status }) => status)];
  };
  const failing = (answered: boolean) => () => {
    throw new EffectFailure('PV4200', 'no', { answered });
  };
  expect(await statuses(failing(true))).toEqual([
    ['done', 'failed', 'cancelled'],
    ['done', 'failed'],
  ]);
  expect(await statuses(failing(false))).toEqual([
    ['done', 'unknown', 'running'],
    ['done', 'unknown'],
  ]);
});

test('a value without a plain form is shown in its canonical one', async () => {
  const program = programOf([], (chunk) => chunk.tool('read').emit('ANSWER'));
  const run = start({ program, handlers: byName(testTool('read')) });
  expect((await run.result).answer).toEqual({ $tool: 'read' });
});

test('says when there is no such run', async () => {
  await settle(1);
  expect(() => show(memoryJournal(), 'nowhere', programOf([]))).toThrow('there is no run nowhere');
});

test('what a run has done with larger limits than it began with', async () => {
  const handlers = byName(quickTool('read', () => 'x'.repeat(200_000)));
  const program = programOf([{ tool: 'read' }, { sayResult: 1 }, { tool: 'read', from: 1 }]);
  const run = start({ program, handlers, limits: { memoryBytes: 50_000 } });
  expect(await run.result).toMatchObject({ status: 'suspended', reason: 'limit' });
  const { journal } = run;
  const limits = { memoryBytes: Infinity };
  const resumed = resume({ program, handlers, journal, run: run.id, limits });
  expect(await resumed.result).toMatchObject({ status: 'done' });
  const { steps } = show(journal, run.id, program);
  expect(steps.map(({ id, status }) => [id, status])).toEqual([
    ['1', 'done'],
    ['2', 'done'],
    ['3', 'done'],
  ]);
});

test('a step that failed beside the one that ended the run is not done', async () => {
  const fails = quickTool('bad', () => {
    throw new Error('it broke');
  });
  const handlers = byName(
    fails,
    quickTool('read', () => 'x'),
  );
  const program = programOf([{ tool: 'bad' }, { tool: 'bad' }, { tool: 'read' }, { sayResult: 1 }]);
  const run = start({ program, handlers });
  expect(await run.result).toMatchObject({ status: 'failed' });
  const { steps, effects } = show(run.journal, run.id, program);
  const failed = new Set(effects.flatMap(({ status, step }) => (status === 'failed' ? step : [])));
  expect(failed.size).toBeGreaterThan(0);
  for (const { id, status } of steps) expect(status === 'failed').toBe(failed.has(id));
});
