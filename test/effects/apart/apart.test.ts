/**
 * Work in a thread or process of its own: A1 it can always be ended, A2 it has nothing of the
 * process, A3 a thread stays for the next piece.
 */
import { describe, expect, test } from 'vitest';
import { apart } from '../../../src/effects/apart/apart.ts';
import { apartProcess } from '../../../src/effects/apart/process.ts';
import { EffectFailure } from '../../../src/engine/handler.ts';

const file = new URL('./odd-thread.ts', import.meta.url);

const memoryBytes = 64 * 2 ** 20;

describe.each([
  ['thread', apart, ['fill the heap', 'fill buffers', 'one huge buffer']],
  ['process', apartProcess, ['fill the heap', 'one huge buffer', 'native memory']],
] as const)('a %s', (kind, run, full) => {
  const work = (what: string, signal = new AbortController().signal): Promise<unknown> =>
    run<string, unknown>(file, what, { signal, what: 'the work', memoryBytes });

  test('the result comes back', async () => {
    expect(await work('hello')).toEqual(['hello']);
  });

  test('an endless loop ends with its signal (A1)', async () => {
    const controller = new AbortController();
    const spinning = work(kind === 'thread' ? 'spin' : 'native spin', controller.signal);
    // Another thread has come and gone meanwhile: this one spins by then.
    await work('hello');
    controller.abort(new Error('time is over'));
    await expect(spinning).rejects.toThrow('time is over');
    await expect(work('hello', controller.signal)).rejects.toThrow('time is over');
  });

  test('work that has run into its time limit is not tried again', async () => {
    const controller = new AbortController();
    const spinning = work(kind === 'thread' ? 'spin' : 'native spin', controller.signal);
    await work('hello');
    controller.abort(new EffectFailure('PV4005', 'no answer in time', { retryable: true }));
    await expect(spinning).rejects.toBeInstanceOf(EffectFailure);
    await expect(spinning).rejects.toMatchObject({ retryable: false, unavailable: false });
  });

  test.each(full)('memory: %s (A1)', async (what) => {
    const failure = await work(what).catch((thrown: unknown) => thrown);
    expect(failure).toBeInstanceOf(EffectFailure);
    expect(failure).toMatchObject({
      code: 'PV4901',
      message: 'the work would need more than 64 MiB of memory',
      answered: true,
      mayHaveActed: false,
    });
  });

  test('failures arrive as what they are', async () => {
    await expect(work('fail')).rejects.toMatchObject({ code: 'PV4910', hint: 'another' });
    await expect(work('exit')).rejects.toMatchObject({
      code: 'PV4902',
      message: 'what works on the work has ended: it exited with 3',
    });
    const mistake = await work('throw').catch((thrown: unknown) => thrown);
    expect(mistake).not.toBeInstanceOf(EffectFailure);
    expect(mistake).toMatchObject({ message: 'a mistake' });
  });

  test('it sees no environment and prints nothing (A2)', async () => {
    expect(process.env.PATH).not.toBe(undefined);
    expect(await work('look')).toEqual([]);
  });
});

describe('a thread stays (A3)', () => {
  const who = (what = 'who', signal = new AbortController().signal): Promise<unknown> =>
    apart<string, unknown>(file, what, { signal, what: 'the work', memoryBytes });

  test('for the next piece of work, also after a failure', async () => {
    const first = await who();
    await expect(who('fail')).rejects.toMatchObject({ code: 'PV4910' });
    expect(await who()).toBe(first);
  });

  test('one, of several that work at the same time', async () => {
    const both = await Promise.all([who(), who()]);
    expect(new Set(both).size).toBe(2);
    expect(both).toContain(await who());
  });

  test('but not where it was given up', async () => {
    const first = await who();
    const giving = new AbortController();
    const spinning = who('spin', giving.signal);
    giving.abort(new Error('too late'));
    await expect(spinning).rejects.toThrow('too late');
    expect(await who()).not.toBe(first);
  });

  test('nor where it has died', async () => {
    const first = await who();
    await expect(who('exit')).rejects.toMatchObject({ code: 'PV4902' });
    expect(await who()).not.toBe(first);
  });

  test('nor where it holds half of its memory', async () => {
    const first = await who('hold');
    expect(await who()).not.toBe(first);
  });
});
