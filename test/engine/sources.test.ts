/** Where outcomes come from: noted by handlers, journaled with the outcome, shown. */
import { expect, test } from 'vitest';
import { guarded, redactionOf } from '../../src/effects/redaction.ts';
import { forkRun } from '../../src/engine/fork/fork.ts';
import { EffectFailure, type Handler } from '../../src/engine/handler.ts';
import { exportRuns } from '../../src/engine/journal/export.ts';
import { importRuns, readExport } from '../../src/engine/journal/import.ts';
import type { Journal } from '../../src/engine/journal/journal.ts';
import { memoryJournal } from '../../src/engine/journal/open-journal.ts';
import { showRun } from '../../src/engine/views/show.ts';
import type { Source } from '../../src/program/effect.ts';
import type { Program } from '../../src/program/program.ts';
import { compile } from '../support/starlark-machine.ts';
import { byName, loading, programOf, quickTool, resume, start } from './support.ts';

const page: Source = { url: 'https://a.example/1', title: 'One', fetchedAt: 1_600_000_000_000 };

const fetching = (...sources: unknown[]): Handler =>
  quickTool('read', (_, context) => {
    for (const source of sources) context.source(source as Source);
    return 'text';
  });

const program = programOf([{ tool: 'read' }, { tool: 'read', n: 1 }]);

const sourcesIn = (journal: Journal, run: string, of: Program = program) =>
  showRun({ journal, run, load: loading(of) }).effects.map(({ sources }) => sources);

async function noted(handler: Handler): Promise<readonly (readonly Source[] | undefined)[]> {
  const { journal, id, result } = start({ program, handlers: byName(handler) });
  expect(await result).toMatchObject({ status: 'done' });
  return sourcesIn(journal, id);
}

test('what a handler names is in the journal with the outcome, and shown', async () => {
  const { journal, id, result } = start({ program, handlers: byName(fetching(page)) });
  await result;
  const settled = journal.events(id).filter(({ type }) => type === 'effect.settled');
  expect(settled.map((event) => 'sources' in event && event.sources)).toEqual([[page], [page]]);
  expect(sourcesIn(journal, id)).toEqual([[page], [page]]);
});

test('where nothing is named, nothing is kept', async () => {
  const { journal, id, result } = start({ program, handlers: byName(fetching()) });
  await result;
  expect(journal.events(id).filter((event) => 'sources' in event)).toEqual([]);
  expect(sourcesIn(journal, id)).toEqual([undefined, undefined]);
});

test('sources stay through an export, an import, and a fork that takes the outcome over', async () => {
  const handlers = byName(fetching(page));
  const { journal, id, result } = start({ program, handlers });
  await result;
  const to = memoryJournal();
  const text = exportRuns({ journal, run: id, tree: false, now: 2_000_000 });
  const [imported = ''] = importRuns(to, readExport(text, 'run.json'));
  expect(sourcesIn(to, imported)).toEqual([[page], [page]]);
  const edit = { at: '2', by: 'person' } as const;
  const forked = forkRun({ journal, run: id, load: loading(program), handlers, edit });
  await forked.result;
  expect(sourcesIn(journal, forked.id)).toEqual([[page], [page]]);
});

test('of several attempts, the last one says what the outcome is made from', async () => {
  let tries = 0;
  const handler = quickTool('read', (_, context) => {
    tries++;
    context.source({ url: `https://a.example/${tries}` });
    if (tries === 1) throw new EffectFailure('PV4200', 'away', { retryable: true });
    return 'text';
  });
  const one = programOf([{ tool: 'read' }]);
  const { journal, id, result } = start({
    program: one,
    handlers: byName(handler),
    random: () => 0,
  });
  await result;
  expect(sourcesIn(journal, id, one)).toEqual([[{ url: 'https://a.example/2' }]]);
});

test('an equal task that shares an outcome shares what it was made from', async () => {
  const source = 'a = task(read, {"x": 1})\nb = task(read, {"x": 1})\nanswer([a.value, b.value])\n';
  const shared = compile(source);
  const { journal, id, result } = start({ program: shared, handlers: byName(fetching(page)) });
  expect(await result).toMatchObject({ status: 'done', answer: ['text', 'text'] });
  const effects = showRun({ journal, run: id, load: loading(shared) }).effects;
  expect(effects.filter(({ as }) => as !== undefined)).toHaveLength(1);
  expect(effects.map(({ sources }) => sources)).toEqual([[page], [page]]);
});

test('a failure comes from nowhere', async () => {
  const failing = quickTool('read', (_, context) => {
    context.source(page);
    throw new EffectFailure('PV4200', 'no', { answered: true });
  });
  const { journal, id, result } = start({ program, handlers: byName(failing) });
  expect(await result).toMatchObject({ status: 'failed' });
  expect(journal.events(id).filter((event) => 'sources' in event)).toEqual([]);
});

test('each address is kept once, on one line, bounded, and without a login', async () => {
  const [kept] = await noted(
    fetching(
      {
        url: 'https://ada:hunter2@a.example/@x?q=1',
        title: `a\n\u202e\u001b[31mb ${'c'.repeat(400)}`,
      },
      { url: 'https://a.example/@x?q=1', title: 'again' },
      { url: 'file:///tmp/a', title: '', fetchedAt: Number.NaN },
    ),
  );
  expect(kept).toEqual([
    { url: 'https://a.example/@x?q=1', title: `a [31mb ${'c'.repeat(291)}…` },
    { url: 'file:///tmp/a' },
  ]);
});

test('what is no source, and what is too many, is left out with a warning', async () => {
  const many = Array.from({ length: 102 }, (_, i) => ({ url: `https://a.example/${i}` }));
  const handlers = byName(fetching({ title: 'no address' }, ...many));
  const { journal, id, result } = start({ program: programOf([{ tool: 'read' }]), handlers });
  expect((await result).warnings.map(({ message }) => message)).toEqual([
    'read named a source without an address',
    'more than 100 sources: only the first are kept',
  ]);
  const event = journal.events(id).find((one) => 'sources' in one);
  expect(event && 'sources' in event && event.sources).toHaveLength(100);
});

test('a source holds no secret: of the environment, of an argument', async () => {
  const key = 'sk-Planted-0123456789';
  const redaction = redactionOf({ SEARCH_API_KEY: key });
  const leaky = fetching({ url: `https://a.example/?key=${key}`, title: `by ${key}` });
  expect(await noted(guarded(leaky, redaction))).toMatchObject([
    [{ url: 'https://a.example/?key=***', title: 'by ***' }],
    [{ url: 'https://a.example/?key=***', title: 'by ***' }],
  ]);
  const properties = { n: { type: 'integer' }, pin: { type: 'string', writeOnly: true } };
  const secret = quickTool(
    'read',
    ({ pin }, context) => {
      context.source({ url: `https://a.example/?pin=${String(pin)}` });
      return 'text';
    },
    { parameters: { type: 'object', properties } },
  );
  const called = compile('read(n = 1, pin = "4711-4711")', new Map([['read', secret.spec]]));
  const { journal, id, result } = start({ program: called, handlers: byName(secret) });
  await result;
  expect(sourcesIn(journal, id, called)).toEqual([[{ url: 'https://a.example/?pin=***' }]]);
  expect(JSON.stringify(journal.events(id))).not.toContain('4711-4711');
});

test('a run that is resumed has the sources of what was done before', async () => {
  let broken = true;
  const handler = quickTool('read', ({ n }, context) => {
    context.source(page);
    if (n === 2 && broken) throw new EffectFailure('PV4200', 'no', { answered: true });
    return 'text';
  });
  const two = programOf([{ tool: 'read' }, { tool: 'read' }]);
  const handlers = byName(handler);
  const { journal, id, result } = start({ program: two, handlers });
  expect(await result).toMatchObject({ status: 'failed' });
  broken = false;
  expect(await resume({ program: two, handlers, journal, run: id }).result).toMatchObject({
    status: 'done',
  });
  expect(sourcesIn(journal, id, two)).toEqual([[page], [page]]);
});
