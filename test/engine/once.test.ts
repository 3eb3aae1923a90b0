/** Calls that a run makes once (O1, O2), and what becomes of those that wait for another. */
import { expect, test } from 'vitest';
import { argumentReader } from '../../src/engine/perform/arguments.ts';
import { type Job, newJob } from '../../src/engine/perform/job.ts';
import { Once } from '../../src/engine/perform/once.ts';
import { noKey } from '../../src/engine/settings.ts';
import { testTool } from './support.ts';

const handler = testTool('look', {});
const tool = { spec: handler.spec, handler, read: argumentReader({}) };

const jobOf = (number: number, args: unknown, once: string | undefined = ''): Job =>
  newJob({
    request: {
      id: `0#${number}`,
      tool: 'look',
      args: JSON.stringify({ args }),
      step: '',
      site: { line: 0, column: 0 },
      ...(once === undefined ? {} : { once }),
    },
    ...{ tool, queuedAt: 0, requestKey: noKey, past: undefined },
  });

const done = { ok: true, value: '1' } as const;
const failed = { ok: false, error: { code: 'PV4200', message: 'broke' } } as const;

/** What was queued, and what was given the outcome of which other. */
function watched(): { once: Once; queued: string[]; shared: string[] } {
  const queued: string[] = [];
  const shared: string[] = [];
  const once = new Once(new Map(), {
    queue: ({ request }) => queued.push(request.id),
    share: ({ request }, { effect }) => shared.push(`${request.id} = ${effect}`),
  });
  return { once, queued, shared };
}

test('equal ones wait for the first, and later ones are given what it came to', () => {
  const { once, queued, shared } = watched();
  const [first, second, other, later, written] = [
    jobOf(1, 'a'),
    jobOf(2, 'a'),
    jobOf(3, 'b'),
    jobOf(4, 'a'),
    jobOf(5, 'a', '0#9'),
  ];
  for (const job of [first, second, other]) once.accept(job);
  expect(queued).toEqual(['0#1', '0#3']);
  once.settled(first, done);
  once.accept(later);
  // Something was written in between.
  once.accept(written);
  expect(shared).toEqual(['0#2 = 0#1', '0#4 = 0#1']);
  expect(queued).toEqual(['0#1', '0#3', '0#5']);
});

test('behind a failure, and behind one that is dropped, the next is performed', () => {
  const { once, queued, shared } = watched();
  const jobs = [1, 2, 3, 4].map((number) => jobOf(number, 'a'));
  for (const job of jobs) once.accept(job);
  const [first, , third, fourth] = jobs as [Job, Job, Job, Job];
  once.settled(first, failed);
  // A follower, which nobody but this knows; then the one that is performed.
  once.drop('0#3', undefined);
  once.drop('0#2', jobs[1]);
  expect(queued).toEqual(['0#1', '0#2', '0#4']);
  once.settled(fourth, done);
  once.accept(third);
  expect(shared).toEqual(['0#3 = 0#4']);
});

test('as many outcomes are kept as the bound says, the oldest go first (O2)', () => {
  const { once, queued, shared } = watched();
  const most = 2 ** 14;
  for (let number = 1; number <= most + 1; number++) {
    const job = jobOf(number, number);
    once.accept(job);
    once.settled(job, done);
  }
  expect(queued).toHaveLength(most + 1);
  once.accept(jobOf(most + 2, 1));
  once.accept(jobOf(most + 3, 2));
  expect(queued.at(-1)).toBe(`0#${most + 2}`);
  expect(shared).toEqual([`0#${most + 3} = 0#2`]);
});
