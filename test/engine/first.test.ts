/** Races in runs: what is journaled decides, also for a process that comes later. */
import { expect, test } from 'vitest';
import { EffectFailure } from '../../src/engine/handler.ts';
import { showRun } from '../../src/engine/views/show.ts';
import { compile } from '../support/starlark-machine.ts';
import {
  byName,
  loading,
  quickTool,
  resume,
  settle,
  start,
  TestClock,
  testTool,
} from './support.ts';

const source = `
a = read(x = 1)
b = read(x = 2)
won = first([a, b], timeout = 10)
more = pure(x = 3)
`;
const program = compile(source);

test('the winner is journaled, the loser hears of it, and show lists the race', async () => {
  const clock = new TestClock();
  const read = testTool('read');
  const pure = quickTool('pure', ({ x }) => x, { effect: 'pure' });
  const run = start({ program, handlers: byName(read, pure), clock });
  const [slow, quick] = [await read.call(0), await read.call(1)];
  const { signal } = slow.context;
  quick.answer('quick');
  const result = await run.result;
  expect(result.variables).toMatchObject({ won: { index: 1, value: 'quick' }, more: 3 });
  expect(signal.aborted).toBe(true);
  expect(clock.waits()).toEqual([]);
  const settled = run.journal
    .events(run.id)
    .flatMap((event) => (event.type === 'effect.settled' ? [[event.effect, event.outcome]] : []));
  expect(settled).toContainEqual(['0#3', { ok: true, value: '1' }]);
  const { effects } = showRun({ ...run, run: run.id, load: loading(program) });
  expect(effects.find(({ id }) => id === '0#3')).toMatchObject({
    kind: 'clock',
    name: 'first',
    class: 'read',
    status: 'done',
    step: '4',
    request: { candidates: 2, timeoutMs: 10_000 },
  });
});

test('a later process takes the same winner, whoever is quicker then', async () => {
  const read = testTool('read');
  const hanging = testTool('pure', { effect: 'pure' });
  const run = start({ program, handlers: byName(read, hanging) });
  await read.call(0);
  (await read.call(1)).answer('quick');
  await hanging.call(0);
  run.cancel('interrupted');
  expect((await run.result).status).toBe('suspended');
  const asked: unknown[] = [];
  const eager = quickTool('read', ({ x }) => asked.push(x));
  const pure = quickTool('pure', ({ x }) => x, { effect: 'pure' });
  const handlers = byName(eager, pure);
  const again = resume({ program, handlers, journal: run.journal, run: run.id });
  expect((await again.result).variables).toMatchObject({ won: { index: 1, value: 'quick' } });
  expect(asked).toEqual([]);
});

test('None after its time, which goes on while no process has the run', async () => {
  const clock = new TestClock();
  const pure = quickTool('pure', ({ x }) => x, { effect: 'pure' });
  const first = testTool('read');
  const run = start({ program, handlers: byName(first, pure), clock });
  await first.call(1);
  await settle();
  clock.advance(7_000);
  run.cancel('interrupted');
  await run.result;
  clock.advance(2_000);
  const second = testTool('read');
  const handlers = byName(second, pure);
  const again = resume({ program, handlers, journal: run.journal, run: run.id, clock });
  await second.call(1);
  await settle();
  clock.advance(999);
  await settle();
  expect(run.journal.find(run.id)?.status).toBe('running');
  clock.advance(1);
  const result = await again.result;
  expect(result).toMatchObject({ status: 'done', variables: { won: null, more: 3 } });
});

test('where all fail, the run fails as the one that stands first', async () => {
  const read = testTool('read');
  const pure = quickTool('pure', ({ x }) => x, { effect: 'pure' });
  const run = start({ program, handlers: byName(read, pure) });
  const [a, b] = [await read.call(0), await read.call(1)];
  b.fail(new EffectFailure('PV4200', 'no 2'));
  await settle();
  a.fail(new EffectFailure('PV4200', 'no 1'));
  expect(await run.result).toMatchObject({ status: 'failed', error: { message: 'no 1', line: 4 } });
  const mended = byName(
    quickTool('read', ({ x }) => x),
    pure,
  );
  const again = resume({ program, handlers: mended, journal: run.journal, run: run.id });
  const { variables } = await again.result;
  expect(variables).toMatchObject({ won: { index: 0, value: 1 }, more: 3 });
});
