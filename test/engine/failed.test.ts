/** Resuming a run that failed: what failed is performed again, what succeeded is not. */
import { expect, test } from 'vitest';
import { EffectFailure, type Handler } from '../../src/engine/handler.ts';
import { resumeRun } from '../../src/engine/run.ts';
import { showRun } from '../../src/engine/views/show.ts';
import type { Program } from '../../src/program/program.ts';
import { byName, loading, programOf, quickTool, resume, start } from './support.ts';

/** A tool of a world that is broken until it is mended; counts its calls by their argument. */
function fragile(name: string, changes: Parameters<typeof quickTool>[2] = {}) {
  const calls: unknown[] = [];
  const world = { broken: true, calls };
  const handler: Handler = quickTool(
    name,
    ({ n }) => {
      calls.push(n);
      if (!world.broken) return `${name} ${String(n)}`;
      throw new EffectFailure('PV4200', `${name} is broken`, { answered: true });
    },
    changes,
  );
  return { world, handler };
}

test('performs the failed effect again and nothing else', async () => {
  const done: unknown[] = [];
  const good = quickTool('good', ({ n }) => {
    done.push(n);
    return n;
  });
  const { world, handler } = fragile('fragile');
  const program = programOf([{ tool: 'good' }, { tool: 'fragile' }, { tool: 'good', from: 2 }]);
  const parts = { program, handlers: byName(good, handler) };
  const { journal, id, result } = start(parts);
  expect(await result).toMatchObject({ status: 'failed', error: { code: 'PV4200', step: '2' } });

  const failedAgain = await resume({ ...parts, journal, run: id }).result;
  expect(failedAgain).toMatchObject({ status: 'failed', error: { code: 'PV4200', step: '2' } });
  world.broken = false;
  const mended = await resume({ ...parts, journal, run: id }).result;
  expect(mended).toMatchObject({ status: 'done', answer: 'fragile 2' });
  expect(world.calls).toEqual([2, 2, 2]);
  expect(done).toEqual([1, 'fragile 2']);
  const shown = showRun({ journal, run: id, load: loading(program) });
  expect(shown.effects.map(({ id, status, attempts }) => ({ id, status, attempts }))).toEqual([
    { id: '0#1', status: 'done', attempts: 1 },
    { id: '0#2', status: 'done', attempts: 3 },
    { id: '0#3', status: 'done', attempts: 1 },
  ]);
});

test('performs all that failed side by side again, although one of them ended the run', async () => {
  const { world, handler } = fragile('fragile');
  const program = programOf([{ tool: 'fragile' }, { tool: 'fragile' }, { tool: 'fragile' }]);
  const parts = { program, handlers: byName(handler) };
  const { journal, id, result } = start(parts);
  await result;
  world.broken = false;
  expect((await resume({ ...parts, journal, run: id }).result).status).toBe('done');
});

test('a write that said it had failed is tried again, one in doubt is still asked about', async () => {
  const { world, handler } = fragile('write', { effect: 'write' });
  const parts = { program: programOf([{ tool: 'write' }]), handlers: byName(handler) };
  const { journal, id, result } = start(parts);
  expect((await result).status).toBe('failed');
  const cut = quickTool(
    'write',
    () => {
      throw new EffectFailure('PV4200', 'the connection broke', { answered: false });
    },
    { effect: 'write' },
  );
  const doubtful = await resume({ ...parts, handlers: byName(cut), journal, run: id }).result;
  expect(doubtful).toMatchObject({ status: 'suspended', reason: 'unknown' });
  world.broken = false;
  const still = await resume({ ...parts, journal, run: id }).result;
  expect(still).toMatchObject({ status: 'suspended', reason: 'unknown' });
  const assume = { as: 'retry' } as const;
  const retried = await resume({ ...parts, journal, run: id, assume }).result;
  expect(retried).toMatchObject({ status: 'done', answer: 'write 1' });
});

test('a failure that the program has handled stays as it was', async () => {
  const { world: caught, handler: first } = fragile('caught');
  const { world, handler: second } = fragile('fatal');
  const program = handling();
  const parts = { program, handlers: byName(first, second) };
  const { journal, id, result } = start(parts);
  expect(await result).toMatchObject({ status: 'failed', error: { message: 'fatal is broken' } });
  caught.broken = false;
  world.broken = false;
  const mended = await resume({ ...parts, journal, run: id }).result;
  expect(mended).toMatchObject({ status: 'done', answer: 'caught is broken' });
  expect({ caught: caught.calls, fatal: world.calls }).toEqual({ caught: [1], fatal: [2, 2] });
});

test('it can be killed after it was taken up, and still performs what had failed', async () => {
  const { world, handler } = fragile('fragile');
  const parts = { program: programOf([{ tool: 'fragile' }]), handlers: byName(handler) };
  const { journal, id, result } = start(parts);
  await result;
  const lease = journal.claim(id, 'somebody who dies');
  journal.append(lease, [{ type: 'run.resumed', again: ['0#1'] }]);
  journal.release(lease);
  world.broken = false;
  expect(await resume({ ...parts, journal, run: id }).result).toMatchObject({
    status: 'done',
    answer: 'fragile 1',
  });
});

test('a program that fails by itself fails again in the same way, or goes further with a limit', async () => {
  const program = programOf([{ tool: 'read' }], (chunk) => {
    for (let i = 0; i < 4; i++) chunk.emit('STEP', 0);
  });
  const handlers = byName(quickTool('read', () => 'read'));
  const { journal, id, result } = start({ program, handlers, limits: { stepVisits: 2 } });
  expect(await result).toMatchObject({ status: 'failed', error: { code: 'PV3014' } });
  const load = loading(program);
  const again = resumeRun({ journal, run: id, handlers, load });
  expect(await again.result).toMatchObject({ status: 'failed', error: { code: 'PV3014' } });
  const limits = { stepVisits: 9 };
  const further = resumeRun({ journal, run: id, handlers, load, limits });
  expect(await further.result).toMatchObject({ status: 'done', answer: 'read' });
});

/** Calls `caught` and goes on with its message where it fails, then calls `fatal`. */
function handling(): Program {
  return programOf([], (chunk) => {
    const after = chunk.label();
    const start = chunk.address;
    chunk.tool('caught').constant('n').constant(1).call(0, 1).emit('BARRIER');
    const end = chunk.address;
    chunk.jump('JMP', after);
    chunk.handler({ start, end, target: chunk.address, depth: 0 });
    chunk.emit('FIELD', chunk.constantSlot('message')).place(after);
    chunk.tool('fatal').constant('n').constant(2).call(0, 1).emit('BARRIER').emit('POP');
    chunk.emit('ANSWER');
  });
}
