/** Runs against their own journals: what is as it was, and what is not. */
import { expect, test } from 'vitest';
import { EffectFailure } from '../../src/engine/handler.ts';
import { breaksIn } from '../../src/engine/journal/history.ts';
import type { EventBody, Journal, RunEvent } from '../../src/engine/journal/journal.ts';
import { memoryJournal } from '../../src/engine/journal/open-journal.ts';
import { type Verification, verifyRun } from '../../src/engine/past/verify.ts';
import type { Program } from '../../src/program/program.ts';
import { ended, started } from './history-events.ts';
import { byName, loading, programOf, quickTool, resume, start } from './support.ts';

const read = quickTool('read', ({ n }) => `got ${String(n)}`);
const three = programOf([
  { tool: 'read' },
  { sayResult: 1 },
  { tool: 'read', from: 1 },
  { say: 'end' },
]);

const verify = (journal: Journal, run: string, program: Program): Verification =>
  verifyRun({ journal, run, load: loading(program) });

/** The same events in a journal of their own, changed on the way. */
function rewritten(journal: Journal, run: string, change: (event: RunEvent) => EventBody): Journal {
  const copy = memoryJournal();
  const [first, ...rest] = journal.events(run);
  if (first?.type !== 'run.started') throw new Error('no run');
  copy.create(first.run, 'test', [first, ...rest].map(change));
  return copy;
}

test('a run that is done is what its journal says', async () => {
  const { journal, id, result } = start({ program: three, handlers: byName(read) });
  await result;
  expect(verify(journal, id, three)).toEqual({
    ...{ run: id, status: 'done', ok: true, sameProgram: true },
    ...{ effects: 2, messages: 3, differences: [] },
  });
});

test('a run that failed, and goes on when what was wrong is mended', async () => {
  let broken = true;
  const flaky = quickTool('read', ({ n }) => {
    if (broken && n !== 1) throw new EffectFailure('PV4200', 'broken', { answered: true });
    return `got ${String(n)}`;
  });
  const parts = { program: three, handlers: byName(flaky) };
  const { journal, id, result } = start(parts);
  expect((await result).status).toBe('failed');
  expect(verify(journal, id, three)).toMatchObject({ ok: true, status: 'failed' });
  broken = false;
  await resume({ ...parts, journal, run: id }).result;
  expect(verify(journal, id, three)).toMatchObject({ ok: true, status: 'done', effects: 2 });
});

test('an outcome that was changed shows in the first request built on it', async () => {
  const { journal, id, result } = start({ program: three, handlers: byName(read) });
  await result;
  const changed = rewritten(journal, id, (event) =>
    event.type === 'effect.settled' && event.effect === '0#1'
      ? { ...event, outcome: { ok: true, value: '"got 7"' } }
      : event,
  );
  const { ok, differences } = verify(changed, id, three);
  expect({ ok, differences }).toEqual({
    ok: false,
    differences: [
      {
        ...{ what: 'request', name: '0#2', step: '3' },
        ...{ recorded: 'read {"n":"got 1"}', replayed: 'read {"n":"got 7"}' },
      },
    ],
  });
});

test.each([
  [
    'asks for something else',
    programOf([{ tool: 'read', n: 5 }]),
    { what: 'request', name: '0#1', recorded: 'read {"n":1}', replayed: 'read {"n":5}' },
  ],
  [
    'asks for less',
    programOf([{ tool: 'read' }, { sayResult: 1 }, { say: 'x' }, { say: 'end' }]),
    { what: 'message', name: '2', recorded: 'say "end"', replayed: 'say "x"' },
  ],
  [
    'asks for more',
    programOf([
      { tool: 'read' },
      { sayResult: 1 },
      { tool: 'read', from: 1 },
      { tool: 'read', n: 9 },
      { say: 'end' },
    ]),
    { what: 'request', name: '0#3', recorded: null, replayed: 'read {"n":9}' },
  ],
  [
    'answers something else',
    programOf([
      { tool: 'read' },
      { sayResult: 1 },
      { tool: 'read', from: 1 },
      { say: 'end' },
      { tool: 'read', from: 1 },
    ]),
    { what: 'request', name: '0#3', recorded: null, replayed: 'read {"n":"got 1"}' },
  ],
])('a changed program that %s', async (_, program, difference) => {
  const { journal, id, result } = start({ program: three, handlers: byName(read) });
  await result;
  const { ok, differences } = verify(journal, id, program);
  expect(ok).toBe(false);
  expect(differences[0]).toMatchObject(difference);
});

test('an answer and a variable that were changed are named', async () => {
  const { journal, id, result } = start({ program: three, handlers: byName(read) });
  await result;
  const changed = rewritten(journal, id, (event) =>
    event.type === 'run.finished'
      ? { ...event, result: event.result.replaceAll('got got 1', 'nothing') }
      : event,
  );
  expect(verify(changed, id, three).differences).toEqual([
    {
      what: 'answer',
      name: '1',
      step: '',
      recorded: expect.any(String),
      replayed: expect.any(String),
    },
    { what: 'variable', name: 'v3', step: '', recorded: '"nothing"', replayed: '"got got 1"' },
  ]);
});

test('a run that was cut off is compared as far as it goes', async () => {
  const { journal, id, result } = start({ program: three, handlers: byName(read) });
  await result;
  const all = journal.events(id);
  for (let length = 2; length <= all.length; length++) {
    const cut = memoryJournal();
    const [first] = all;
    if (first?.type !== 'run.started') throw new Error('no run');
    cut.create(first.run, 'test', all.slice(0, length));
    expect(verify(cut, id, three), `${length} events`).toMatchObject({ ok: true });
  }
});

test.each<[string, EventBody[], string]>([
  ['an outcome without a start', [ended('0#1')], 'has not started'],
  ['a second outcome', [started('0#1'), ended('0#1'), ended('0#1')], 'has its outcome'],
  [
    'a start behind the outcome',
    [started('0#1'), ended('0#1'), started('0#1', 2)],
    'has its outcome',
  ],
  ['another request', [started('0#1'), { ...ended('0#1'), hash: 'ff' }], 'another request'],
  ['an attempt twice', [started('0#1', 2), started('0#1', 2)], 'attempt 2 after attempt 2'],
  [
    'a part that is missing',
    [started('0#1'), { type: 'effect.part', effect: '0#1', tool: 'read', index: 1, value: '1' }],
    'want 0',
  ],
  [
    'something behind the end',
    [{ type: 'run.finished', result: '{}' }, started('0#1')],
    "run's end",
  ],
  [
    'a run that is taken up when done',
    [{ type: 'run.finished', result: '{}' }, { type: 'run.resumed' }],
    'is done',
  ],
])('a history cannot have %s', (_, bodies, problem) => {
  const record = { id: 'r', title: '', dialect: '', createdAt: 0, inputs: '{}', settings: '{}' };
  const events = [{ type: 'run.started' as const, run: record }, ...bodies];
  const numbered = events.map((event, i) => ({ ...event, seq: i + 1, at: 0 }));
  const [first, ...more] = breaksIn(numbered);
  expect(first?.message).toContain(problem);
  expect(more).toEqual([]);
  expect(breaksIn(numbered.slice(0, -1))).toEqual([]);
  expect(breaksIn(numbered.toReversed())).not.toEqual([]);
});
