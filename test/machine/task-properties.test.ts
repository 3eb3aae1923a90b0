/**
 * Programs of tasks against themselves one call at a time: with failures, skips and calls for each
 * element, in whatever order outcomes arrive, wherever the machine is taken apart.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Program } from '../../src/program/program.ts';
import { sourceOf, taskLists } from '../support/random-tasks.ts';
import {
  type Answer,
  compile,
  type Driven,
  drive,
  variablesOf,
} from '../support/starlark-machine.ts';

/** A fixed outcome for each effect, by id and arguments: failures, numbers, lists, texts. */
const answers =
  (seed: number): Answer =>
  (_, { id, args }) => {
    const hash = hashOf(`${seed}${id}${args}`);
    if (hash % 8 === 0) return new Error(`${id} broke`);
    if (hash % 3 === 0) return hash % 50;
    if (hash % 3 === 1) return Array.from({ length: hash % 4 }, (_, i) => `e${i}`);
    return hash % 2 === 0 ? `["j${hash % 10}", 2]` : `r${hash % 100}`;
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
  const { instructions } = machine.view();
  const variables = status === 'done' ? [...variablesOf(driven), String(instructions)] : [];
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

test('side by side = one at a time: status, error, writes, emits, variables, instructions', () => {
  const seen = { most: 0, fans: 0, skips: 0, done: 0, failed: 0 };
  fc.assert(
    fc.property(taskLists, seeds, (tasks, seed) => {
      const compiled = compile(sourceOf(tasks));
      const expected = alone(compiled, seed);
      seen[expected.status as 'done' | 'failed']++;
      if (variablesOf(expected).join().includes('skipped: task')) seen.skips++;
      for (const order of [seed, seed + 1]) {
        const found = drive(compiled, { answer: answers(seed), pick: chance(order) });
        seen.most = Math.max(seen.most, found.most);
        if (found.ids.some((id) => /#\d+\.[1-9]/.test(id))) seen.fans++;
        expect(outcome(found)).toEqual(outcome(expected));
        if (expected.status === 'done') {
          expect(found.ids).toEqual(expect.arrayContaining(expected.ids));
        }
      }
    }),
    { numRuns: 1500 },
  );
  expect(seen.most).toBeGreaterThan(4);
  for (const count of [seen.fans, seen.skips, seen.done, seen.failed]) {
    expect(count).toBeGreaterThan(50);
  }
}, 60_000);

test('restore(snapshot) = continue, at every instruction', () => {
  fc.assert(
    fc.property(taskLists, seeds, (tasks, seed) => {
      const compiled = compile(sourceOf(tasks));
      const options = { answer: answers(seed), pick: chance(seed), fuel: 1, restored: true };
      expect(outcome(drive(compiled, options))).toEqual(outcome(alone(compiled, seed)));
    }),
    { numRuns: 150 },
  );
}, 60_000);

test('a small window changes nothing but the overlap', () => {
  fc.assert(
    fc.property(taskLists, seeds, fc.integer({ min: 2, max: 5 }), (tasks, seed, windowEntries) => {
      const compiled = compile(sourceOf(tasks));
      const limits = { windowEntries };
      const found = drive(compiled, { answer: answers(seed), pick: chance(seed), fuel: 7, limits });
      expect(outcome(found)).toEqual(outcome(alone(compiled, seed)));
    }),
    { numRuns: 400 },
  );
}, 60_000);
