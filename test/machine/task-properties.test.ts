/**
 * Programs of tasks against themselves one call at a time: with failures, skips and calls for each
 * element.
 */
import { expect, test } from 'vitest';
import { ofSample } from '../support/depth.ts';
import { sourceOf, taskLists } from '../support/random-tasks.ts';
import { variablesOf } from '../support/starlark-machine.ts';
import {
  holdsInAnyOrder,
  holdsInSmallWindows,
  holdsWhenRestored,
  type Programs,
} from './side-by-side.ts';

/** Effects come to failures, numbers, lists, texts. */
const programs: Programs<Parameters<typeof sourceOf>[0]> = {
  drawn: taskLists,
  sourceOf,
  counted: true,
  answer(hash, id) {
    if (hash % 8 === 0) return new Error(`${id} broke`);
    if (hash % 3 === 0) return hash % 50;
    if (hash % 3 === 1) return Array.from({ length: hash % 4 }, (_, i) => `e${i}`);
    return hash % 2 === 0 ? `["j${hash % 10}", 2]` : `r${hash % 100}`;
  },
};

test('side by side = one at a time: status, error, writes, emits, variables, instructions', () => {
  const seen = { fans: 0, skips: 0 };
  const { most, done, failed } = holdsInAnyOrder(programs, (expected, found) => {
    if (variablesOf(expected).join().includes('skipped: task')) seen.skips++;
    seen.fans += found.filter(({ ids }) => ids.some((id) => /#\d+\.[1-9]/.test(id))).length;
  });
  expect(most).toBeGreaterThan(4);
  for (const count of [seen.fans, seen.skips, done, failed])
    expect(count).toBeGreaterThan(ofSample(50));
});

test('restore(snapshot) = continue, at every instruction', () => {
  holdsWhenRestored(programs);
});

test('a small window changes nothing but the overlap', () => {
  holdsInSmallWindows(programs);
});
