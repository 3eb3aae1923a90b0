/** I1 and I2 of src/engine/perform/stand-in.ts: another tool performs what has failed for good. */
import { expect, test } from 'vitest';
import { RunError } from '../../src/engine/codes.ts';
import { EffectFailure } from '../../src/engine/handler.ts';
import { showRun } from '../../src/engine/views/show.ts';
import type { ToolSpec } from '../../src/program/effect.ts';
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

const one = programOf([{ tool: 'tool', n: 1 }]);
const gone = (message = 'gone', code = 'PV4999'): EffectFailure =>
  new EffectFailure(code, message, { answered: true });
const withN = (more: object = {}): ToolSpec['parameters'] => ({
  type: 'object',
  properties: { n: { type: 'integer' }, ...more },
});
const parameters = withN();

test('the next tool answers under the same effect, with a warning, and the journal says who', async () => {
  const tool = quickTool('tool', () => Promise.reject(gone()), {
    parameters: withN({ extra: {} }),
    alternatives: ['other'],
  });
  const other = testTool('other', { parameters });
  const run = start({ program: one, handlers: byName(tool, other) });
  const call = await other.call(0);
  expect(call.args).toEqual({ n: 1 });
  expect(call.context).toMatchObject({ effect: '0#1', attempt: 2 });
  call.answer(7);
  expect(await run.result).toMatchObject({
    status: 'done',
    answer: 7,
    warnings: [{ effect: '0#1', message: 'tool failed (gone): other stands in' }],
  });
  const { journal, id } = run;
  const events = journal.events(id).filter(({ type }) => type.startsWith('effect.'));
  expect(events).toMatchObject([
    { type: 'effect.started', attempt: 1, tool: 'tool' },
    {
      ...{ type: 'effect.started', attempt: 2, tool: 'tool', standIn: 'other' },
      failed: { code: 'PV4999', message: 'gone' },
    },
    { type: 'effect.settled', attempts: 2, tool: 'tool', standIn: 'other' },
  ]);
  expect(events[0]).not.toHaveProperty('standIn');
  const { effects } = showRun({ journal, run: id, load: loading(one) });
  expect(effects).toMatchObject([{ name: 'tool', standIn: 'other', status: 'done', attempts: 2 }]);
});

test('each has its own attempts, in the order of the list; all failed, the first says how', async () => {
  const clock = new TestClock();
  const tool = testTool('tool', { alternatives: ['b', 'a'], limits: { attempts: 1 } });
  const a = testTool('a');
  const b = testTool('b', { limits: { attempts: 2 } });
  const run = start({ program: one, handlers: byName(tool, a, b), clock });
  (await tool.call(0)).fail(new EffectFailure('PV4106', 'away', { retryable: true, hint: 'wait' }));
  const busy = new EffectFailure('PV4106', 'busy', { retryable: true });
  (await b.call(0)).fail(busy);
  await settle();
  clock.advance(1000);
  (await b.call(1)).fail(busy);
  (await a.call(0)).fail(gone('not there'));
  const { error, warnings } = await run.result;
  expect(error).toMatchObject({
    code: 'PV4106',
    message: 'away (what stands in for it failed too: b: busy (2 attempts); a: not there)',
    hint: 'wait',
  });
  expect(warnings.map(({ message }) => message.replace(/in \d+/, 'in some'))).toEqual([
    'tool failed (away): b stands in',
    'attempt 2 failed (busy), again in some ms',
    'b failed (busy (2 attempts)): a stands in',
  ]);
});

test('mistakes of the program are its own', async () => {
  for (const code of ['PV4201']) {
    const tool = quickTool('tool', () => Promise.reject(gone('no such city', code)), {
      parameters,
      alternatives: ['other'],
    });
    const other = testTool('other', { parameters });
    const run = start({ program: one, handlers: byName(tool, other) });
    expect(await run.result).toMatchObject({ error: { code }, warnings: [] });
    expect(other.calls).toEqual([]);
  }
  const strict = quickTool('tool', () => 1, {
    parameters: { ...withN(), properties: { n: { type: 'string' } } },
    alternatives: ['other'],
  });
  const run = start({
    program: one,
    handlers: byName(
      strict,
      quickTool('other', () => 2),
    ),
  });
  expect((await run.result).error).toMatchObject({ code: 'PV4001' });
});

test('one that may not be called is passed over: used up, to be approved, with other types', async () => {
  const tool = quickTool('tool', () => Promise.reject(gone()), {
    parameters,
    alternatives: ['few', 'text', 'last'],
  });
  const handlers = byName(
    tool,
    quickTool('few', () => 'few', { limits: { callsPerRun: 1 } }),
    quickTool('text', () => 'text', {
      parameters: { ...withN(), properties: { n: { type: 'string' } } },
    }),
    quickTool('last', () => 'last'),
  );
  const first = await start({ program: one, handlers }).result;
  expect(first.answer).toBe('few');
  const run = start({
    program: programOf([{ tool: 'tool' }, { tool: 'tool' }]),
    handlers,
    sequential: true,
  });
  expect((await run.result).answer).toBe('last');
  const asked = start({ program: one, handlers, approvals: { policy: 'all', yes: ['tool'] } });
  expect((await asked.result).error).toMatchObject({ code: 'PV4999', message: 'gone' });
});

test('a resumed run begins again with the tool of the program', async () => {
  const tool = testTool('tool', { alternatives: ['other'] });
  const other = testTool('other');
  const parts = { program: one, handlers: byName(tool, other) };
  const run = start(parts);
  (await tool.call(0)).fail(gone());
  await other.call(0);
  run.cancel('interrupted');
  expect((await run.result).reason).toBe('interrupted');
  const again = resume({ ...parts, journal: run.journal, run: run.id });
  (await tool.call(1)).answer('there again');
  expect(await again.result).toMatchObject({ status: 'done', answer: 'there again' });
});

test('a tool that is left alone has its alternative at once', async () => {
  const clock = new TestClock();
  const tool = testTool('tool', { alternatives: ['other'], limits: { attempts: 1 } });
  const other = quickTool('other', () => 'other');
  const away = new EffectFailure('PV4106', 'nobody there', { retryable: true });
  const program = programOf([{ tool: 'tool' }, { tool: 'tool' }, { tool: 'tool' }]);
  const run = start({
    ...{ program, clock, handlers: byName(tool, other), sequential: true },
    limits: { breakerFailures: 1, breakerMs: 1000, attempts: 1 },
  });
  (await tool.call(0)).fail(away);
  await settle();
  clock.advance(1000);
  (await tool.call(1)).fail(away);
  expect(await run.result).toMatchObject({ status: 'done', answer: 'other' });
  expect(tool.calls).toHaveLength(2);
});

test('tools that contradict each other are refused before the run', () => {
  const tool = quickTool('tool', () => 1, { alternatives: ['othr'] });
  const other = quickTool('other', () => 2);
  const starting = (): unknown => start({ program: one, handlers: byName(tool, other) });
  expect(starting).toThrow(RunError);
  expect(starting).toThrow('the tool tool: alternatives: there is no tool othr');
});
