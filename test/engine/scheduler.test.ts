/** The scheduler's promises, S1 and S2, over random arrivals, ends and cancels. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { argumentReader } from '../../src/engine/perform/arguments.ts';
import { type Job, newJob } from '../../src/engine/perform/job.ts';
import { Queue, Scheduler } from '../../src/engine/perform/scheduler.ts';
import { runId } from '../../src/engine/run-name.ts';
import { noKey } from '../../src/engine/settings.ts';
import { testTool } from './support.ts';

const bounds: Readonly<Record<string, number>> = { a: 1, b: 2, c: Infinity, d: 2, e: Infinity };
// A bound of none counts as one.
const declared: Readonly<Record<string, object>> = {
  a: { limits: { concurrency: 0 } },
  b: { limits: { concurrency: 2 } },
  c: {},
  d: { limits: { concurrency: 2 }, conflicts: ['c', 'e'] },
  e: { conflicts: ['e'] },
};
/** Both ways round. */
const against: Readonly<Record<string, string>> = { a: '', b: '', c: 'd', d: 'ce', e: 'de' };

const tools = new Map(
  Object.entries(declared).map(([name, spec]) => {
    const handler = testTool(name, spec);
    return [name, { spec: handler.spec, handler, read: argumentReader({}) }];
  }),
);

function taskOf(name: string, number: number): Job {
  const tool = tools.get(name);
  if (!tool) throw new Error(`no tool ${name}`);
  const request = {
    id: `0#${number}`,
    tool: name,
    args: '{}',
    step: '',
    site: { line: 0, column: 0 },
  };
  return newJob({ request, tool, queuedAt: 0, requestKey: noKey, past: undefined });
}

/** What the scheduler must do, told the slow way. */
const nameOf = ({ tool }: Job): string => tool.spec.name;

class Model {
  readonly queued: Job[] = [];
  readonly running: Job[] = [];
  readonly held = new Set<string>();
  /** Tools of which a job has run: others are not held. */
  readonly seen = new Set<string>();

  conflict(one: string, other: string): boolean {
    return against[one]?.includes(other) === true;
  }

  ownRoom(name: string): boolean {
    const beside = this.running.filter((job) => nameOf(job) === name);
    return beside.length < (bounds[name] ?? 0) && !this.held.has(name);
  }

  next(concurrency: number): Job | undefined {
    if (this.running.length >= concurrency) return undefined;
    return this.queued.find((job, index) => {
      const name = nameOf(job);
      const ahead = this.queued.slice(0, index).map(nameOf);
      return (
        this.ownRoom(name) &&
        !this.running.some((other) => this.conflict(name, nameOf(other))) &&
        !ahead.some((other) => other !== name && this.conflict(name, other) && this.ownRoom(other))
      );
    });
  }
}

const action = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom('a', 'b', 'c', 'd', 'e').map((name) => ({ enqueue: name })),
  },
  { weight: 3, arbitrary: fc.constant({ start: true }) },
  { weight: 2, arbitrary: fc.nat(20).map((end) => ({ end })) },
  { weight: 1, arbitrary: fc.nat(20).map((drop) => ({ drop })) },
  { weight: 1, arbitrary: fc.constantFrom('a', 'c', 'd').map((hold) => ({ hold })) },
);

test('the oldest job whose tool has room is next', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4 }), fc.array(action), (given, actions) => {
      const concurrency = Math.max(1, given);
      const scheduler = new Scheduler(given);
      const model = new Model();
      let count = 0;
      for (const step of actions) {
        if ('enqueue' in step) {
          const job = taskOf(step.enqueue, ++count);
          scheduler.enqueue(job);
          model.queued.push(job);
        } else if ('hold' in step) {
          const { hold } = step;
          if (model.seen.has(hold)) {
            scheduler.hold(hold, !model.held.has(hold));
            if (!model.held.delete(hold)) model.held.add(hold);
          }
        } else if ('start' in step) {
          const job = scheduler.peek();
          if (job) {
            scheduler.start(job);
            model.seen.add(nameOf(job));
            model.queued.splice(model.queued.indexOf(job), 1);
            model.running.push(job);
          }
        } else {
          const from = 'end' in step ? model.running : model.queued;
          const index = 'end' in step ? step.end : step.drop;
          const [job] = from.splice(index % Math.max(1, from.length), 1);
          if (job) scheduler.remove(job);
        }
        expect(scheduler.peek()?.request.id).toBe(model.next(concurrency)?.request.id);
        expect(scheduler.running).toBe(model.running.length);
        const known = [...model.queued, ...model.running];
        expect(new Set(scheduler.jobs())).toEqual(new Set(known));
      }
    }),
    { numRuns: 500 },
  );
});

test('a queue is first in, first out, however long it has been in use', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { minLength: 100, maxLength: 400 }), (pushes) => {
      const queue = new Queue<number>();
      const model: number[] = [];
      pushes.forEach((push, i) => {
        if (push) {
          queue.push(i);
          model.push(i);
        } else {
          expect(queue.shift()).toBe(model.shift());
        }
        expect(queue.peek()).toBe(model[0]);
      });
    }),
  );
});

test('names of runs sort by age and differ by chance', () => {
  const at = (now: number, random: number): string => runId(now, () => random);
  expect(at(1_700_000_000_000, 0)).toMatch(/^r[0-9a-hjkmnp-tv-z]{14}$/);
  expect(at(1_700_000_000_000, 0.999) < at(1_700_000_000_001, 0)).toBe(true);
  expect(at(5, 0.1)).not.toBe(at(5, 0.2));
  expect(at(32 ** 9 - 1, 0)).toBe('rzzzzzzzzz00000');
  const draws = [0.5, 0.2, 0.9, 0.9, 0.1];
  const random = (): number => draws.shift() ?? 0;
  const made = Array.from({ length: 5 }, () => runId(7, random));
  expect(made.toSorted()).toEqual(made);
  expect(new Set(made).size).toBe(made.length);
});
