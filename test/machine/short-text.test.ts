/** The short way to write values down, held against the long one. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { asData, writeDown } from '../../src/machine/values/pendings.ts';
import { shortMax, shortText } from '../../src/machine/values/short-text.ts';
import type { Surroundings } from '../../src/machine/values/surroundings.ts';
import { encode } from '../../src/program/json.ts';
import { dict, float, list, type Pending, tuple, type Value } from '../../src/program/value.ts';

/** What a way of writing gives or throws, and what it is charged. */
function outcomeOf(
  write: (value: Value, around: Surroundings) => string,
  value: Value,
  valueBytes = 1e6,
): unknown {
  let units = 0;
  const charge = (more: number): void => {
    units += more;
  };
  try {
    return { text: write(value, { valueBytes, charge }), units };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const long = (value: Value, around: Surroundings): string => {
  const text = asData(value, around, encode);
  if (text.length > shortMax) around.charge?.(text.length);
  return text;
};

const given = (value: Value): Pending => ({ kind: 'pending', entry: 1, value });

const keys = fc.oneof(
  fc.constantFrom('x', '_x', 'Ünder', '$int', '$set', '0', '10', 'a b', '', '"', '[', '\0s'),
  fc.string({ maxLength: 5 }),
);

const { value: values } = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    fc.constantFrom<Value>(null, true, false, 0, -3, 2 ** 40, 2n ** 80n, 'text', '\u2028"\\'),
    fc.string({ maxLength: 300, unit: 'grapheme' }),
    fc.double().map(float),
    fc.array(tie('value'), { maxLength: 4 }).map(list),
    fc.array(tie('value'), { maxLength: 2 }).map(tuple),
    fc.array(fc.tuple(keys, tie('value')), { maxLength: 4 }).map((pairs) => dict(pairs)),
    tie('value').map(given),
  ),
}));

test('a value is written the same, at the same charge, whichever way is taken', () => {
  let short = 0;
  const property = fc.property(values, fc.constantFrom(10, 200, 1e6), (value, valueBytes) => {
    if (shortText(value, { units: 0 }) !== undefined) short++;
    expect(outcomeOf(writeDown, value, valueBytes)).toEqual(outcomeOf(long, value, valueBytes));
  });
  fc.assert(property, { numRuns: 3000 });
  expect(short).toBeGreaterThan(500);
});

test('what is long, deep, no data or still to come is left to the long way', () => {
  const pending: Pending = { kind: 'pending', entry: 1, value: undefined };
  const deep = list([list([list([list([list([list([])])])])])]);
  const wide = list(Array.from({ length: 600 }, () => 7));
  for (const value of ['x'.repeat(1001), deep, wide, list([pending]), float(0.5)]) {
    expect(shortText(value, { units: 0 })).toBeUndefined();
  }
});
