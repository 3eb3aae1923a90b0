/** When an execution looks at what has arrived. */
import { expect, test } from 'vitest';
import { memoryJournal } from '../../src/engine/journal/open-journal.ts';
import { Ticks } from '../../src/engine/upkeep.ts';
import { byName, programOf, settle, start, testTool, watchedJournal } from './support.ts';

const microtasks = async (): Promise<void> => {
  for (let i = 0; i < 100; i++) await Promise.resolve();
};

test('what has to wait for company is looked at with the next turn, once', async () => {
  let looked = 0;
  const ticks = new Ticks(() => looked++);
  ticks.want(false);
  ticks.want(false);
  await microtasks();
  expect(looked).toBe(0);
  await settle(1);
  expect(looked).toBe(1);
});

test('once there is enough, it is not waited for; nothing is left to look at then', async () => {
  let looked = 0;
  const ticks = new Ticks(() => looked++);
  ticks.want(false);
  ticks.want(true);
  await microtasks();
  expect(looked).toBe(1);
  await settle(1);
  expect(looked).toBe(1);
});

test('others get their turn however much arrives', async () => {
  let looked = 0;
  const ticks = new Ticks(() => {
    looked++;
    if (looked < 100) ticks.want(true);
  });
  ticks.want(true);
  await microtasks();
  expect(looked).toBe(32);
  await settle(1);
  await microtasks();
  expect(looked).toBe(65);
});

test('what the first of many lets start does not wait for the last', async () => {
  const leaf = testTool('leaf');
  const next = testTool('next');
  const { result } = start({
    handlers: byName(leaf, next),
    program: programOf([
      ...Array.from({ length: 12 }, () => ({ tool: 'leaf' })),
      ...Array.from({ length: 12 }, (_, i) => ({ tool: 'next', from: i + 1 })),
    ]),
  });
  await settle();
  const started: number[] = [];
  for (const call of leaf.calls) {
    call.answer(1);
    await microtasks();
    started.push(next.calls.length);
  }
  expect(started).toEqual([0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12]);
  for (const call of next.calls) call.answer(2);
  expect((await result).status).toBe('done');
});

test('while nothing starts, more and more is handed in together', async () => {
  const leaf = testTool('leaf');
  const [leaves, dependents] = [60, 5];
  const settled: number[] = [];
  const journal = watchedJournal(memoryJournal(), (events) => {
    const ended = events.filter((one) => one.type === 'effect.settled').length;
    if (ended > 0) settled.push(ended);
  });
  const { result } = start({
    ...{ handlers: byName(leaf), journal },
    program: programOf([
      ...Array.from({ length: leaves }, () => ({ tool: 'leaf' })),
      ...Array.from({ length: dependents }, () => ({ tool: 'leaf', from: leaves })),
    ]),
  });
  await settle();
  for (const call of leaf.calls.slice()) {
    call.answer(1);
    await microtasks();
  }
  expect(settled).toEqual([4, 8, 16, 32]);
  for (const call of leaf.calls.slice(leaves)) {
    call.answer(2);
    await microtasks();
  }
  expect(settled).toEqual([4, 8, 16, 32, 4, 1]);
  expect((await result).status).toBe('done');
});
