/**
 * Programs with fibers against themselves one call at a time: whatever the order in which outcomes
 * arrive, whatever fails, and wherever the machine is taken apart and put together again.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Request } from '../../src/program/effect.ts';
import type { Program } from '../../src/program/program.ts';
import { bodies, sourceOf } from '../support/random-starlark.ts';
import {
  type Answer,
  compile,
  type Driven,
  drive,
  variablesOf,
} from '../support/starlark-machine.ts';

/** A fixed outcome for each effect, by id and arguments. */
const answers =
  (seed: number): Answer =>
  (_, { id, args }) => {
    const hash = hashOf(`${seed}${id}${args}`);
    if (hash % 9 === 0) return new Error(`${id} broke`);
    return hash % 4 === 0 ? [`r${hash % 100}`] : `r${hash % 100}`;
  };

function hashOf(text: string): number {
  let hash = 2166136261;
  for (const char of text) hash = Math.imul(hash ^ char.charCodeAt(0), 16777619) >>> 0;
  return hash;
}

/** What must not depend on time. */
function outcome(driven: Driven): unknown {
  const { status, error, emits, writes, machine } = driven;
  const { trace, step } = machine.view().error ?? {};
  const variables = status === 'done' ? variablesOf(driven) : [];
  return { status, error, trace, step, emits, writes, variables };
}

const alone = (one: Program, seed: number): Driven =>
  drive(one, { answer: answers(seed), limits: { windowEntries: 1 } });

function chance(seed: number): (open: readonly unknown[]) => number {
  let state = seed >>> 0;
  return ({ length }) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return length === 0 ? 0 : state % length;
  };
}

const seeds = fc.integer({ min: 0, max: 1e6 });

test('side by side = one at a time: status, error and its trace, writes, emits, variables', () => {
  const seen = { most: 0, deep: 0, done: 0, failed: 0 };
  fc.assert(
    fc.property(bodies, seeds, (drawn, seed) => {
      const compiled = compile(sourceOf(drawn));
      const expected = alone(compiled, seed);
      seen[expected.status as 'done' | 'failed']++;
      const ids = new Set(expected.ids);
      for (const order of [seed, seed + 1]) {
        const found = drive(compiled, { answer: answers(seed), pick: chance(order) });
        seen.most = Math.max(seen.most, found.most);
        if (found.ids.some((id) => /0\.\d+\.\d+/.test(id))) seen.deep++;
        expect(outcome(found)).toEqual(outcome(expected));
        // Some reads more may have started, but no call has another name.
        if (expected.status === 'done') expect(found.ids).toEqual(expect.arrayContaining([...ids]));
      }
    }),
    { numRuns: 1500 },
  );
  expect(seen.most).toBeGreaterThan(6);
  for (const count of [seen.deep, seen.done, seen.failed]) expect(count).toBeGreaterThan(50);
}, 60_000);

test('restore(snapshot) = continue, at every instruction', () => {
  fc.assert(
    fc.property(bodies, seeds, (drawn, seed) => {
      const compiled = compile(sourceOf(drawn));
      const options = { answer: answers(seed), pick: chance(seed), fuel: 1, restored: true };
      expect(outcome(drive(compiled, options))).toEqual(outcome(alone(compiled, seed)));
    }),
    { numRuns: 120 },
  );
}, 60_000);

test('a small window changes nothing but the overlap', () => {
  fc.assert(
    fc.property(bodies, seeds, fc.integer({ min: 2, max: 5 }), (drawn, seed, windowEntries) => {
      const compiled = compile(sourceOf(drawn));
      const limits = { windowEntries };
      const found = drive(compiled, { answer: answers(seed), pick: chance(seed), fuel: 7, limits });
      expect(outcome(found)).toEqual(outcome(alone(compiled, seed)));
    }),
    { numRuns: 400 },
  );
}, 60_000);

test('room that comes is used, in the order of the program, wherever the machine was taken apart', () => {
  const source = `
def f(x):
    c = parallel(read, [x, x, x])
    t = attempt(read, x = x)
    return [c, t]
parallel(f, ["a", "b", "c"])`;
  for (let seed = 0; seed < 60; seed++) {
    for (const windowEntries of [3, 5, 8]) {
      const rank = ({ id }: Request): number => hashOf(`${seed}${id}`);
      const pick = (open: readonly Request[]): number =>
        open.findIndex((one) => open.every((other) => rank(one) <= rank(other)));
      const limits = { windowEntries };
      const [found, again] = [false, true].map((restored) =>
        drive(source, { limits, pick, restored }),
      );
      expect(again?.ids).toEqual(found?.ids);
      expect(again?.most).toBe(found?.most);
    }
  }
});
