/** What is remembered from run to run: values by key, and a list of todos. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { memorySet } from '../../../src/effects/memory/set.ts';
import { checkedHandler } from '../../../src/effects/tool/checked.ts';
import { openSet } from '../../../src/effects/tool-set.ts';
import { attempt } from '../../support/attempt.ts';
import { Sandbox } from '../files/sandbox.ts';

type Call = (
  name: string,
  args?: Readonly<Record<string, unknown>>,
  key?: string,
) => Promise<unknown>;

function folder(): string {
  const files = new Sandbox();
  onTestFinished(() => files[Symbol.dispose]());
  return files.data;
}

/** As a process of its own has them. */
async function process(home: string, warnings: string[] = []): Promise<Call> {
  const handlers = (await openSet(memorySet, {}, { PLANVM_HOME: home })).map(checkedHandler);
  return async (name, args = {}, idempotencyKey = name) => {
    const handler = handlers.find(({ spec }) => spec.name === name);
    const context = { ...attempt(), queuedAt: Date.UTC(2026, 0, 1), idempotencyKey };
    return await handler?.perform(args, { ...context, warn: (text) => void warnings.push(text) });
  };
}

test('a value is there in the next process, whole, until it is forgotten', async () => {
  const home = join(folder(), 'home');
  const value = { big: 9007199254740993n, list: [1, 2.5, null, true], text: 'Ærø' };
  const kept = { key: 'a/b', summary: 'Numbers', updatedAt: '2026-01-01T00:00:00.000Z' };
  const call = await process(home);
  expect(await call('remember', { key: 'a/b', value, summary: ' Numbers ' })).toEqual(kept);
  expect(statSync(join(home, 'memory.db')).mode & 0o777).toBe(0o600);
  const next = await process(home);
  expect(await next('recall', { key: 'a/b' })).toEqual(value);
  await next('remember', { key: 'a/b', value: 'anew' });
  expect(await call('recall', { key: 'a/b' })).toBe('anew');
  expect(await call('forget', { key: 'a/b' })).toBe(true);
  expect(await next('forget', { key: 'a/b' })).toBe(false);
  await expect(next('recall', { key: 'a/b' })).rejects.toMatchObject({ code: 'PV4970' });
});

test('what there is can be found by words, and a name nearly right is told', async () => {
  const warnings: string[] = [];
  const call = await process(join(folder(), 'home'), warnings);
  for (const [key, summary] of [
    ['tides', 'When the sea is high'],
    ['moons', 'Which planet has which'],
  ]) {
    await call('remember', { key, value: 1, summary });
  }
  const keys = async (args: Readonly<Record<string, unknown>>): Promise<string[]> =>
    ((await call('memories', args)) as { key: string }[]).map(({ key }) => key);
  expect(await keys({})).toEqual(['moons', 'tides']);
  expect(await keys({ query: 'SEA high' })).toEqual(['tides']);
  expect(await keys({ query: 'sea planet' })).toEqual([]);
  expect(warnings).toEqual([]);
  expect(await keys({ limit: 1 })).toEqual(['moons']);
  expect(warnings).toEqual(['1 older memories are not listed: say more in query, or limit']);
  await expect(call('recall', { key: 'tide' })).rejects.toMatchObject({
    hint: 'did you mean tides?',
  });
});

test('a todo is on the list once, however often it is tried, until it is done', async () => {
  const call = await process(join(folder(), 'home'));
  const first = { id: 1, text: 'Call Ada', done: false };
  expect(await call('todo_add', { text: 'Call Ada' }, 'one')).toEqual(first);
  expect(await call('todo_add', { text: 'Call Ada' }, 'one')).toEqual(first);
  await call('todo_add', { text: 'Call Ada' }, 'two');
  expect(await call('todos')).toHaveLength(2);
  expect(await call('todo_done', { id: 1 })).toEqual({ ...first, done: true });
  expect(await call('todos')).toEqual([{ ...first, id: 2 }]);
  expect(await call('todos', { all: true })).toHaveLength(2);
  expect(await call('todo_done', { id: 1, done: false })).toEqual(first);
  await expect(call('todo_done', { id: 9 })).rejects.toMatchObject({
    ...{ code: 'PV4971', hint: 'open are 1, 2' },
  });
});

test('a file that cannot be made is said, with what to do', async () => {
  const call = await process('/dev/null/home');
  await expect(call('memories')).rejects.toMatchObject({
    ...{ code: 'PV4972', hint: expect.stringContaining('planvm:memory?memory=') },
  });
});

test('a file that refuses a call later on is said in the same way', async () => {
  const home = join(folder(), 'home');
  const call = await process(home);
  await call('remember', { key: 'a', value: 1, summary: 'A' });
  const other = new DatabaseSync(join(home, 'memory.db'));
  other.exec('DROP TABLE memories; DROP TABLE todos');
  other.close();
  const refused = { code: 'PV4972', message: expect.stringMatching(/memory\.db .*no such table/) };
  const summary = 'A';
  await expect(call('remember', { key: 'a', value: 1, summary })).rejects.toMatchObject(refused);
  for (const name of ['memories', 'todos']) await expect(call(name)).rejects.toMatchObject(refused);
});
