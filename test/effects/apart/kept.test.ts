/** Threads that stay: which is used again, and which is not. */
import { expect, test } from 'vitest';
import { keptThreads } from '../../../src/effects/apart/kept.ts';

const file = new URL('./kept-worker.ts', import.meta.url);
const open = () =>
  keptThreads<string, number>(file, { memoryBytes: 2 ** 28, spare: 1, idleMs: 60_000 });

const asked = (signal: AbortSignal = new AbortController().signal) => ({
  signal,
  what: 'the test',
});

test('the next piece of work goes to the same thread, also after a failure', async () => {
  const threads = open();
  const first = await threads.ask('who', asked());
  await expect(threads.ask('fail', asked())).rejects.toMatchObject({ message: 'as told' });
  expect(await threads.ask('who', asked())).toBe(first);
});

test('work at the same time has a thread each, of which one stays', async () => {
  const threads = open();
  const both = await Promise.all([threads.ask('who', asked()), threads.ask('who', asked())]);
  expect(new Set(both).size).toBe(2);
  expect(both).toContain(await threads.ask('who', asked()));
});

test('one that was given up is ended, and the next is new', async () => {
  const threads = open();
  const first = await threads.ask('who', asked());
  const giving = new AbortController();
  const hanging = threads.ask('hang', asked(giving.signal));
  giving.abort(new Error('too late'));
  await expect(hanging).rejects.toThrow('too late');
  expect(await threads.ask('who', asked())).not.toBe(first);
});

test('one that dies fails its work, and the next is new', async () => {
  const threads = open();
  const first = await threads.ask('who', asked());
  await expect(threads.ask('die', asked())).rejects.toMatchObject({ code: 'PV4902' });
  expect(await threads.ask('who', asked())).not.toBe(first);
});

test('work that nobody waits for is not begun', async () => {
  const signal = AbortSignal.abort(new Error('before'));
  await expect(open().ask('who', asked(signal))).rejects.toThrow('before');
});
