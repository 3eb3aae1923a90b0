/**
 * Programs with fibers against themselves one call at a time, and what is done with room that comes.
 */
import { expect, test } from 'vitest';
import type { Request } from '../../src/program/effect.ts';
import { ofSample } from '../support/depth.ts';
import { hashOf } from '../support/draw.ts';
import { bodies, sourceOf } from '../support/random-starlark.ts';
import { drive } from '../support/starlark-machine.ts';
import {
  holdsInAnyOrder,
  holdsInSmallWindows,
  holdsWhenRestored,
  type Programs,
} from './side-by-side.ts';

const programs: Programs<Parameters<typeof sourceOf>[0]> = {
  drawn: bodies,
  sourceOf,
  counted: false,
  answer(hash, id) {
    if (hash % 9 === 0) return new Error(`${id} broke`);
    return hash % 4 === 0 ? [`r${hash % 100}`] : `r${hash % 100}`;
  },
};

test('side by side = one at a time: status, error and its trace, writes, emits, variables', () => {
  let deep = 0;
  const { most, done, failed } = holdsInAnyOrder(programs, (_, found) => {
    deep += found.filter(({ ids }) => ids.some((id) => /0\.\d+\.\d+/.test(id))).length;
  });
  expect(most).toBeGreaterThan(6);
  for (const count of [deep, done, failed]) expect(count).toBeGreaterThan(ofSample(50));
});

test('restore(snapshot) = continue, at every instruction', () => {
  holdsWhenRestored(programs);
});

test('a small window changes nothing but the overlap', () => {
  holdsInSmallWindows(programs);
});

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
