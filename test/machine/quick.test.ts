/** The short ways of quick.ts beside the long ones: same results, same fuel, no surprise (Q1, Q2). */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { methodsOf } from '../../src/machine/builtins/builtins.ts';
import { allBuiltins } from '../../src/machine/builtins/index.ts';
import { element, quickFunctions, quickMethods, setElement } from '../../src/machine/quick.ts';
import { binary } from '../../src/machine/values/operators.ts';
import { arithmetic } from '../../src/machine/values/quick-arithmetic.ts';
import { index, setIndex } from '../../src/machine/values/sequence.ts';
import type { Surroundings } from '../../src/machine/values/surroundings.ts';
import {
  builtin,
  dict,
  float,
  type List,
  list,
  set,
  settled,
  tuple,
  type Value,
} from '../../src/program/value.ts';

const scalar: fc.Arbitrary<Value> = fc.oneof(
  fc.constantFrom<Value>(null, true, false, 0, 2n ** 70n, '\0odd', '', 'a'),
  fc.integer({ min: -5, max: 5 }),
  fc.double().map(float),
);
const items = fc.array(scalar, { maxLength: 4 });
const key = fc.oneof(scalar, items.map(tuple));
const pairs = fc.array(fc.tuple(key, scalar), { maxLength: 4 });

/** Makes the same value again and again, so that one call cannot change what the next one sees. */
type Maker = () => Value;

const locked = <T extends { frozen: List['frozen']; iterating: number }>(
  value: T,
  how: number,
): T => Object.assign(value, { frozen: how === 1, iterating: how === 2 ? 1 : 0 });

const maker: fc.Arbitrary<Maker> = fc.oneof(
  scalar.map((value) => () => value),
  fc.integer({ min: -5, max: 5 }).map((value) => () => value),
  fc.integer({ min: 6, max: 9 }).map((value) => () => value),
  fc.tuple(items, fc.nat(3)).map(
    ([all, how]) =>
      () =>
        locked(list([...all]), how),
  ),
  fc.tuple(pairs, fc.nat(3)).map(
    ([all, how]) =>
      () =>
        locked(dict(all), how),
  ),
  items.map((all) => () => tuple(all)),
  items.map((all) => () => set(all)),
  fc.constant(() => builtin('len')),
);

/** What a call gives and leaves behind, with the fuel that it took; undefined where it throws. */
function outcome(call: (around: Surroundings) => Value | undefined, after: () => unknown): unknown {
  let fuel = 0;
  const charge = (units: number): void => {
    fuel += units;
  };
  try {
    const result = call({ valueBytes: 1000, charge });
    return result === undefined ? undefined : { result: settled(result), fuel, after: after() };
  } catch {
    return undefined;
  }
}

describe('library functions', () => {
  test.each([...quickFunctions.keys()])('%s', (name) => {
    const calls = fc.array(maker, { maxLength: 4 });
    let taken = 0;
    fc.assert(
      fc.property(calls, (makers) => {
        const quick = outcome(
          (around) => {
            const stack = [null, ...makers.map((make) => make())];
            return quickFunctions.get(name)?.(stack, 1, makers.length, around);
          },
          () => null,
        );
        if (quick === undefined) return;
        taken++;
        const args = makers.map((make) => make());
        const long = (around: Surroundings): Value | undefined =>
          allBuiltins.functions.get(name)?.call(args, new Map(), around);
        expect(quick).toEqual(outcome(long, () => null));
      }),
      { numRuns: 2000 },
    );
    expect(taken).toBeGreaterThan(0);
  });
});

describe('methods', () => {
  test.each([...quickMethods.keys()])('%s', (name) => {
    const calls = fc.tuple(maker, fc.array(maker, { maxLength: 3 }));
    let taken = 0;
    fc.assert(
      fc.property(calls, ([makeReceiver, makers]) => {
        const mine = makeReceiver();
        const quick = outcome(
          () => {
            const stack = [null, null, ...makers.map((make) => make())];
            return quickMethods.get(name)?.(mine, stack, 2, makers.length);
          },
          () => mine,
        );
        if (quick === undefined) return;
        taken++;
        const other = makeReceiver();
        const args = [other, ...makers.map((make) => make())];
        const long = (around: Surroundings): Value | undefined =>
          methodsOf(other, allBuiltins.methods).get(name)?.call(args, new Map(), around);
        expect(quick).toEqual(outcome(long, () => other));
      }),
      { numRuns: 2000 },
    );
    expect(taken).toBeGreaterThan(0);
  });
});

test('elements', () => {
  let taken = 0;
  fc.assert(
    fc.property(maker, key, (make, i) => {
      const found = element(make(), i);
      if (found === undefined) return;
      taken++;
      expect(found).toEqual(index(make(), i, { valueBytes: 1e6 }));
    }),
    { numRuns: 5000 },
  );
  expect(taken).toBeGreaterThan(0);
});

test('assignment to elements', () => {
  let taken = 0;
  fc.assert(
    fc.property(maker, key, scalar, (make, i, value) => {
      const mine = make() as List;
      if (!setElement(mine, i, value)) {
        expect(mine).toEqual(make());
        return;
      }
      taken++;
      const other = make();
      setIndex(other, i, value, { valueBytes: 1e6 });
      expect(mine).toEqual(other);
    }),
    { numRuns: 5000 },
  );
  expect(taken).toBeGreaterThan(0);
});

test('operators', () => {
  const edges = [0, 1, -1, 7, -7, 2 ** 31, -(2 ** 31), 2 ** 53 - 1, 1 - 2 ** 53, 10n ** 20n];
  const number = fc.oneof(fc.constantFrom<Value>(...edges), fc.double().map(float), scalar);
  const op = fc.integer({ min: 13, max: 26 });
  const taken = new Set<number>();
  fc.assert(
    fc.property(op, number, number, (code, x, y) => {
      const quick = arithmetic(code, x, y);
      if (quick === undefined) return;
      taken.add(code);
      expect(quick).toEqual(binary(code, x, y, { valueBytes: 1000 }));
    }),
    { numRuns: 20_000 },
  );
  expect([...taken].sort()).toEqual([13, 14, 15, 16, 17, 21, 22, 23, 26]);
});
