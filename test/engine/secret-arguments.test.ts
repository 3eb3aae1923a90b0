/** Parameters that a tool declares secret: in its hands only. */
import { describe, expect, test } from 'vitest';
import { eventLine } from '../../src/agent/view/event-line.ts';
import { forkRun } from '../../src/engine/fork/fork.ts';
import { EffectFailure } from '../../src/engine/handler.ts';
import { exportRuns } from '../../src/engine/journal/export.ts';
import { importRuns, readExport } from '../../src/engine/journal/import.ts';
import type { Journal } from '../../src/engine/journal/journal.ts';
import { memoryJournal } from '../../src/engine/journal/open-journal.ts';
import { verifyRun } from '../../src/engine/past/verify.ts';
import { secretArguments } from '../../src/engine/perform/arguments.ts';
import { hashOf } from '../../src/engine/settings.ts';
import { showRun } from '../../src/engine/views/show.ts';
import { byName, loading, programOf, quickTool, resume, start } from './support.ts';

const parameters = {
  type: 'object',
  properties: { n: { type: 'string', writeOnly: true } },
  required: ['n'],
};
const secret = 'hunter"2 and more';

/** The program passes the result of step 1, a secret, to step 2. */
const program = programOf([{ tool: 'vault' }, { tool: 'login', from: 1 }, { tool: 'login', n: 7 }]);

test('the tool gets it; journal, error, warning and view have a mark in its place', async () => {
  const journal = memoryJournal();
  const seen: unknown[] = [];
  const vault = quickTool('vault', () => secret);
  const login = quickTool(
    'login',
    ({ n }, context) => {
      seen.push(n);
      context.warn(`tried ${n}`);
      throw new EffectFailure('PV4999', `no ${n} here`, { answered: true, hint: `not ${n}` });
    },
    { parameters },
  );
  const run = start({ program, handlers: byName(vault, login), journal });
  const result = await run.result;
  expect(seen[0]).toBe(secret);
  expect(result.error).toMatchObject({ message: 'no *** here', hint: 'not ***' });
  expect(result.warnings).toContainEqual({ effect: '0#2', step: '2', message: 'tried ***' });
  const later = journal
    .events(run.id)
    .filter((event) => 'effect' in event && event.effect === '0#2');
  expect(JSON.stringify(later)).toContain('{\\"n\\":\\"***\\"}');
  expect(JSON.stringify(later)).not.toContain('hunter');
  const { effects } = showRun({ journal, run: run.id, load: loading(program) });
  expect(effects[1]?.request).toEqual({ n: '***' });
});

test('what a tool repeats of it is marked, and a resumed run goes on with its true arguments', async () => {
  const journal = memoryJournal();
  const vault = quickTool('vault', () => secret);
  let fails = true;
  const seen: unknown[] = [];
  const login = quickTool(
    'login',
    ({ n }) => {
      seen.push(n);
      if (fails) throw new EffectFailure('PV4999', 'down', { answered: true });
      return { token: `for ${n}` };
    },
    { parameters },
  );
  const two = programOf([{ tool: 'vault' }, { tool: 'login', from: 1 }]);
  const run = start({ program: two, handlers: byName(vault, login), journal });
  expect((await run.result).status).toBe('failed');
  fails = false;
  const handle = resume({ journal, run: run.id, handlers: byName(vault, login), program: two });
  const result = await handle.result;
  expect(seen).toEqual([secret, secret]);
  expect(result.answer).toEqual({ token: 'for ***' });
});

test('secrets are found in objects, and without a declaration there is nothing to do', () => {
  const nested = secretArguments({
    type: 'object',
    properties: {
      user: { type: 'string' },
      auth: { type: 'object', properties: { key: { type: 'string', 'x-secret': true } } },
    },
  });
  expect(nested?.hide('{"user":"ann","auth":{"key":"abcdef","realm":"r"}}')).toBe(
    '{"user":"ann","auth":{"key":"***","realm":"r"}}',
  );
  expect(nested?.cleanText('{"auth":{"key":"abcdef"}}', 'abcdef!')).toBe('***!');
  expect(
    secretArguments({ type: 'object', properties: { a: { type: 'string' } } }),
  ).toBeUndefined();
});

describe('the hash of a request with a secret', () => {
  const pin = programOf([{ tool: 'login', n: 4711 }]);
  const plain = (n: number): string => hashOf({ tool: 'login', args: `{"n":${n}}` });
  const keys: string[] = [];
  const login = (own: typeof parameters | undefined) =>
    quickTool(
      'login',
      (_args, context) => {
        keys.push(context.idempotencyKey);
        return 'in';
      },
      own && { parameters: own },
    );
  const numeric = { ...parameters, properties: { n: { type: 'integer', writeOnly: true } } };

  const hashesOf = (journal: Journal, run: string): string[] =>
    journal
      .events(run)
      .flatMap((event) => ('hash' in event && 'effect' in event ? event.hash : []));

  test('lets nobody check a guess, in another run neither', async () => {
    const hashes = await Promise.all(
      [undefined, numeric, numeric].map(async (own) => {
        const run = start({ program: pin, handlers: byName(login(own)) });
        await run.result;
        return hashesOf(run.journal, run.id);
      }),
    );
    const [open = [], first = [], second = []] = hashes.map((all) => [...new Set(all)]);
    expect(open).toEqual([plain(4711)]);
    expect(first).toHaveLength(1);
    expect(first).not.toEqual(open);
    expect(first).not.toEqual(second);
    expect(keys.filter((key) => key.includes(plain(4711)))).toHaveLength(1);
  });

  test('is the same in a resumed run, a fork, an import and a replay', async () => {
    const journal = memoryJournal();
    const handlers = byName(login(numeric));
    const run = start({ program: pin, handlers, journal });
    await run.result;
    const moved = memoryJournal();
    const text = exportRuns({ journal, run: run.id, now: 0 });
    importRuns(moved, readExport(text, 'run.json'));
    const fork = forkRun({
      journal: moved,
      run: run.id,
      handlers,
      load: loading(pin),
      edit: { by: 'person' },
    });
    expect(await fork.result).toMatchObject({ status: 'done', answer: 'in' });
    // What is printed as it happens is told apart from what is kept.
    for (const event of moved.events(fork.id)) expect(eventLine(event)).not.toContain('requestKey');
    const types = moved.events(fork.id).map(({ type }) => type);
    expect(types).toContain('effect.reused');
    for (const id of [run.id, fork.id]) {
      expect(verifyRun({ journal: moved, run: id, load: loading(pin) })).toMatchObject({
        ok: true,
      });
    }
    // A secret that is another one is another request.
    const other = programOf([{ tool: 'login', n: 4712 }]);
    const verified = verifyRun({ journal: moved, run: run.id, load: loading(other) });
    expect(verified.differences).toMatchObject([{ what: 'request', name: '0#1' }]);
  });
});
