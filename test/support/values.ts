/** Arbitrary guest values for properties: every kind that has a text, and the keys that surprise. */
import fc from 'fast-check';
import * as V from '../../src/program/value.ts';

/** Strings, with those that objects of the host treat in a way of their own. */
export const text: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
  fc.constantFrom(
    '',
    '__proto__',
    'constructor',
    '0',
    '1',
    '10',
    '007',
    '4294967295',
    '\0s',
    '\0t',
  ),
  fc.constantFrom('$int', '$float', '$bytes', '$tuple', '$set', '$range', '$dict', '$struct'),
);

export const integer: fc.Arbitrary<number | bigint> = fc.oneof(
  fc.maxSafeInteger(),
  fc.bigInt().map(V.int),
  fc.constantFrom<number | bigint>(0, 1, 2 ** 53 - 1, V.int(2n ** 53n), V.int(-(2n ** 64n))),
);

export const floating: fc.Arbitrary<V.Float> = fc
  .oneof(fc.double(), fc.constantFrom(0, -0, 1, 1e21, 1e300, 5e-324, NaN, Infinity, -Infinity))
  .map(V.float);

const blob = fc.uint8Array({ maxLength: 8 }).map(V.bytes);

const scalar: fc.Arbitrary<V.Value> = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  integer,
  floating,
  text,
  blob,
);

/** What a dict or a set takes as key. */
export const hashable: fc.Arbitrary<V.Value> = fc.oneof(
  { weight: 4, arbitrary: scalar },
  fc.array(scalar, { maxLength: 3 }).map(V.tuple),
  fc.tuple(scalar, fc.array(scalar, { maxLength: 2 }).map(V.tuple)).map(V.tuple),
);

const span = fc
  .tuple(fc.integer(), fc.integer({ min: -50, max: 50 }), fc.integer({ min: 1, max: 9 }))
  .chain(([start, length, step]) =>
    fc.constantFrom(V.range(start, start + length, step), V.range(start, start - length, -step)),
  );

/** Values that are constants of programs: nothing in them changes. */
export const constant: fc.Arbitrary<V.Value> = fc.oneof(
  { weight: 6, arbitrary: hashable },
  span,
  text.map(V.tool),
  text.map(V.builtin),
);

export const anyValue: fc.Arbitrary<V.Value> = fc.letrec<{ value: V.Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'value' },
    constant,
    fc.array(tie('value'), { maxLength: 4 }).map(V.list),
    fc.array(tie('value'), { maxLength: 4 }).map(V.tuple),
    fc.array(hashable, { maxLength: 5 }).map(V.set),
    fc.array(fc.tuple(hashable, tie('value')), { maxLength: 4 }).map(V.dict),
    fc.array(fc.tuple(text, tie('value')), { maxLength: 4 }).map(V.dict),
    fc
      .tuple(text, fc.array(fc.tuple(text, tie('value')), { maxLength: 3 }))
      .map(([name, fields]): V.Struct => ({ kind: 'struct', name, fields: new Map(fields) })),
  ),
})).value;
