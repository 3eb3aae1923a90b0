/**
 * Values are held to declared types in two places: what a reply spells out where it is read, what
 * is computed in the loop. Both take and refuse the same, and make the same of texts.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { kindWords, valueType } from '../../../src/dialects/playbook/text/value-types.ts';
import { mistyped, unquoted } from '../../../src/planner/playbook/check/values/declared.ts';
import { stringify } from '../../../src/program/json.ts';
import { evaluate } from '../../../src/starlark/evaluate.ts';
import { root } from '../../support/repo.ts';

const loop = readFileSync(join(root, 'src/loops/playbook/types.star'), 'utf8');
const types = [
  ...kindWords,
  'none',
  ...['list[int]', 'List[str | None]', 'dict[str, float]', 'str | None', 'Optional[int]', 'int[]'],
  ...['Literal["a", "12", 1, true]', '"a" | "b"', 'list[Literal["a", 2]]', 'tuple[int, str]'],
];
const kinds = Object.fromEntries(types.map((type) => [type, valueType(type).fits]));
const rules = loop.slice(loop.indexOf('def is_number'), loop.indexOf('# What of the arguments'));

type Case = readonly [string, unknown];

/** What the loop makes of each value, and whether it takes it. */
function inLoop(cases: readonly Case[]): unknown {
  const text = `kinds = json.decode(${JSON.stringify(JSON.stringify(kinds))})
brief = lambda x: repr(x)
${rules}
cases = json.decode(${JSON.stringify(stringify(cases))})
seen = [(fitted(x, wanted), wanted) for wanted, x in cases]
json.encode([[x, misfit("x", x, wanted) == None] for x, wanted in seen])`;
  const { value, error } = evaluate(text);
  expect(error).toBeUndefined();
  return JSON.parse(String(value?.data()));
}

const inReply = (cases: readonly Case[]): unknown =>
  cases.map(([type, value]) => {
    const fitted = unquoted({ is: 'value', value }, type);
    return [fitted.is === 'value' ? fitted.value : null, mistyped('x', fitted, type) === undefined];
  });

const words = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'0129.-+e ²٣½０_\t\u00a0\u0085\x1c\u2028\u3000\ufeff') }),
  fc.constantFrom(
    'true',
    ' False',
    'TRUE\n',
    'none',
    'null',
    '1.',
    '.5',
    '-',
    '--1',
    '-1.5',
    '1e3',
  ),
  fc.constantFrom(
    '0123',
    '9'.repeat(15),
    '9'.repeat(16),
    '1.0',
    '\ufeff1',
    '١',
    'ＴＲＵＥ',
    'tRue',
  ),
);

const values = fc.oneof(
  { weight: 3, arbitrary: words },
  fc.boolean(),
  fc.constant(null),
  fc.integer(),
  fc.double({ min: -1e6, max: 1e6, noNaN: true }).filter((one) => !Object.is(one, -0)),
  fc.constantFrom([], [1, 'a'], [1, 2], ['a', 2], ['a', null], [[1]], [true], [1.5]),
  fc.constantFrom({}, { a: 1 }, { a: 'b' }, { a: 1.5, b: null }),
  fc.constantFrom('a', 'b', '12', 1, 2),
);

test('the loop and the reader of replies hold values to types alike', () => {
  const type = fc.constantFrom(...types);
  fc.assert(
    fc.property(fc.array(fc.tuple(type, values), { minLength: 1, maxLength: 40 }), (cases) => {
      expect(inLoop(cases)).toEqual(JSON.parse(stringify(inReply(cases) as never)));
    }),
    { numRuns: 300 },
  );
});
