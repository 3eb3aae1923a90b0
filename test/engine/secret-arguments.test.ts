/** Parameters that a tool declares secret: in its hands only. */
import { expect, test } from 'vitest';
import { EffectFailure } from '../../src/engine/handler.ts';
import { memoryJournal } from '../../src/engine/journal/memory/journal.ts';
import { secretArguments } from '../../src/engine/perform/secret-arguments.ts';
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
