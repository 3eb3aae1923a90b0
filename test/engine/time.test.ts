/** The state of runs at places of their past: steps, effects, events, the end. */
import { expect, test } from 'vitest';
import { EffectFailure } from '../../src/engine/handler.ts';
import type { Journal } from '../../src/engine/journal/journal.ts';
import { type StateAt, stateAt } from '../../src/engine/past/time.ts';
import type { Program } from '../../src/program/program.ts';
import type { Value } from '../../src/program/value.ts';
import { byName, loading, programOf, quickTool, start, testTool } from './support.ts';

const at = (journal: Journal, run: string, program: Program, place: string): StateAt =>
  stateAt({ journal, run, load: loading(program), at: place });

const variables = ({ inspection }: StateAt): Record<string, unknown> =>
  Object.fromEntries([...inspection.globals].map(([name, value]) => [name, kindOf(value)]));

const kindOf = (value: Value): unknown =>
  typeof value === 'object' && value?.kind === 'pending' ? 'pending' : value;

const chain = programOf([
  { tool: 'read' },
  { tool: 'read', from: 1 },
  { sayResult: 2 },
  { tool: 'read', from: 2 },
]);

const reading = byName(quickTool('read', ({ n }) => `<${String(n)}>`));

test('at a step: as it was entered, with what was there and what was to come', async () => {
  const run = start({ program: chain, handlers: reading, sequential: true });
  await run.result;
  const state = at(run.journal, run.id, chain, '3');
  expect(variables(state)).toEqual({ v1: '<1>', v2: 'pending' });
  expect(state.moment).toEqual({ kind: 'step', step: { index: 2, visit: 1, id: '3' } });
  expect(state.inspection.lines[0]?.step).toBe('3');
  expect(state.inspection.status).toBe('paused');
  expect(variables(at(run.journal, run.id, chain, '1'))).toEqual({});
});

test('where the program runs ahead, a step is entered before the outcomes are there', async () => {
  const run = start({ program: chain, handlers: reading });
  await run.result;
  const { inspection, ...state } = at(run.journal, run.id, chain, '4@1');
  expect(variables({ inspection, ...state })).toEqual({ v1: 'pending', v2: 'pending' });
  expect([...inspection.pendings.values()].map(({ id, state }) => [id, state])).toEqual([
    ['0#1', 'open'],
    ['0#2', 'waiting'],
  ]);
});

test('at an effect: as the step was entered that issued it', async () => {
  const run = start({ program: chain, handlers: reading, sequential: true });
  await run.result;
  const state = at(run.journal, run.id, chain, '0#3');
  expect(state.inspection.lines[0]?.step).toBe('4');
  expect(state.inspection.lines[0]?.issued).toBe(2);
  expect(state.emitted).toBe(1);
});

test('at an event: with the outcomes that the journal had by then', async () => {
  const run = start({ program: chain, handlers: reading });
  await run.result;
  const settled = run.journal.events(run.id).filter(({ type }) => type === 'effect.settled');
  const seen = settled.map(({ seq }) => variables(at(run.journal, run.id, chain, `event:${seq}`)));
  expect(seen).toEqual([
    { v1: '<1>', v2: 'pending', v4: 'pending' },
    { v1: '<1>', v2: '<<1>>', v4: 'pending' },
    { v1: '<1>', v2: '<<1>>', v4: '<<<1>>>' },
  ]);
  expect(variables(at(run.journal, run.id, chain, 'start'))).toEqual({});
  expect(at(run.journal, run.id, chain, 'end').inspection.status).toBe('done');
});

test('the end of a failed run has its error, that of one that waits what it waits for', async () => {
  const failing = quickTool('read', () => {
    throw new EffectFailure('PV4200', 'no', { answered: true });
  });
  const failed = start({ program: chain, handlers: byName(failing) });
  await failed.result;
  const { status, error } = at(failed.journal, failed.id, chain, 'end').inspection;
  expect([status, error?.code, error?.step]).toEqual(['failed', 'PV4200', '1']);

  const slow = testTool('read');
  const stopped = start({ program: chain, handlers: byName(slow) });
  await slow.call(0);
  stopped.cancel('interrupted');
  await stopped.result;
  const { inspection } = at(stopped.journal, stopped.id, chain, 'end');
  expect(inspection.status).toBe('blocked');
  expect(inspection.lines[0]?.waits).toEqual({ on: 'end' });
  expect(inspection.lines[0]?.open[0]).toMatchObject({ id: '0#1', name: 'read', state: 'open' });
  // Never started, so the journal knows nothing of it.
  expect(at(stopped.journal, stopped.id, chain, '0#3').inspection.lines[0]?.step).toBe('4');
});

test('a place that is not there is said with those that are', async () => {
  const run = start({ program: chain, handlers: reading });
  await run.result;
  const refused = (place: string): string => {
    try {
      at(run.journal, run.id, chain, place);
    } catch (error) {
      return error instanceof Error ? error.message : '';
    }
    return '';
  };
  expect(refused('9')).toBe(`run ${run.id} has not entered a step 9`);
  expect(refused('3@2')).toBe(`run ${run.id} has entered step 3 once`);
  expect(refused('0#9')).toBe(`run ${run.id} has no effect 0#9`);
  expect(refused('event:99')).toBe(`run ${run.id} has no event 99`);
  expect(() => at(run.journal, 'nobody', chain, '1')).toThrow('there is no run nobody');
});
