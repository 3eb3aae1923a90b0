/** Arithmetic text: exact, bounded, and plain about what is wrong with it. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { evaluate } from '../../src/program/arithmetic.ts';
import { encode } from '../../src/program/json.ts';
import { float, int, type Value } from '../../src/program/value.ts';

/** The value as canonical JSON, or the column and the message. */
function result(text: string, ...values: Value[]): string {
  const found = evaluate(text, values);
  return 'value' in found ? encode(found.value) : `${found.error.column}: ${found.error.message}`;
}

describe('values', () => {
  test.each<[string, string]>([
    ['1 + 2 * 3', '7'],
    ['(1 + 2) * 3', '9'],
    ['10 - 4 - 3', '3'],
    ['-2 ** 2', '-4'],
    ['2 ** 3 ** 2', '512'],
    ['2 ** -1', '0.5'],
    ['10 / 5', '2'],
    ['10 / 4', '2.5'],
    ['7 // -2', '-4'],
    ['-7 % 3', '2'],
    ['7.5 // 2', '{"$float":"3"}'],
    ['-7.5 % 2', '0.5'],
    ['2.0 * 3', '{"$float":"6"}'],
    ['0.1 + 0.2', '0.3'],
    ['1.1 * 1.1', '1.21'],
    ['1 / 3 * 3', '{"$float":"1"}'],
    ['1 / 3', '0.3333333333333333'],
    ['8848.86 / 2', '4424.43'],
    ['0.3 // 0.1', '{"$float":"3"}'],
    ['0.3 % 0.1', '{"$float":"0"}'],
    ['1.5 ** 2', '2.25'],
    ['0.1 ** -2', '{"$float":"100"}'],
    ['-(0.1 + 0.2) + 0.3', '{"$float":"0"}'],
    ['2 ** 0.5 * 2 ** 0.5', '2.0000000000000004'],
    ['0.1 ** 300 * 10 ** 300', '{"$float":"1"}'],
    ['9007199254740993 / 2', '{"$float":"4503599627370496"}'],
    ['(2**200 + 1) / 3', '{"$float":"5.356460147529967e+59"}'],
    ['.5 + 5.', '5.5'],
    ['1_000 * 1e3', '{"$float":"1000000"}'],
    ['99999999999 * 99999999999', '{"$int":"9999999999800000000001"}'],
    ['10**400 / 10**399', '10'],
    ['(10**400 + 1) / 10**399', '{"$float":"10"}'],
    ['1 / (10**400 + 1)', '{"$float":"0"}'],
    ['(2**1030 + 1) / (2**1029 + 1)', '{"$float":"2"}'],
    ['3 × 4 ÷ 2 − 1', '5'],
    ['(-1) ** 10**30', '1'],
  ])('%s', (text, value) => expect(result(text)).toBe(value));

  test.each<[string, string]>([
    ['abs(-3)', '3'],
    ['min(2, 1.5, 3)', '1.5'],
    ['max(2, 2**70)', '{"$int":"1180591620717411303424"}'],
    ['sqrt(16)', '4'],
    ['sqrt(10**400)', `{"$int":"1${'0'.repeat(200)}"}`],
    ['sqrt(2)', '1.4142135623730951'],
    ['floor(-1.5)', '-2'],
    ['ceil(1.2)', '2'],
    ['round(2.5)', '3'],
    ['round(-2.5)', '-3'],
    ['round(1234.567, 2)', '1234.57'],
    ['round(2.675, 2)', '2.68'],
    ['round(-2.675, 2)', '-2.68'],
    ['floor((0.1 + 0.7) * 10)', '8'],
    ['ceil(-1.2)', '-1'],
    ['max(0.1 + 0.2, 0.3)', '0.3'],
    ['round(1250, -2)', '1300'],
    ['round(-1249.9, -2)', '{"$float":"-1200"}'],
    ['round(1e22)', '{"$int":"10000000000000000000000"}'],
  ])('%s', (text, value) => expect(result(text)).toBe(value));

  test('references stand for numbers', () => {
    expect(result('$0 - $1 * $0', int(-3n), float(0.5))).toBe('-1.5');
    expect(result('$0 + $1', float(0.1), float(0.2))).toBe('0.3');
    expect(result('$0 / 10', float(1e300))).toBe('{"$float":"1e+299"}');
  });
});

describe('no value', () => {
  test.each<[string, string]>([
    ['1 / 0', '3: division by zero: 1 / 0'],
    ['5 % 0.0', '3: division by zero: 5 % 0'],
    ['0 ** -1', '3: zero to a negative power'],
    ['(-8) ** 0.5', '6: a negative number to a fractional power has no real result'],
    ['9**9**9**9', '5: the result would have more than 10000 digits'],
    ['10**9999 * 10**9999', '10: the result would have more than 10000 digits'],
    ['1e308 * 10', '7: the result is beyond the range of a float'],
    ['10**400 * 0.5', '9: the result is beyond the range of a float'],
    ['sqrt(-1)', '1: the square root of -1 is not real'],
    ['round(1, 0.5)', '1: got 0.5 digits, want an int'],
  ])('%s', (text, error) => {
    expect(result(text)).toBe(error);
    expect(evaluate(text)).toMatchObject({ error: { syntax: false } });
  });

  test.each<[string, string]>([
    ['', '1: got the end, want a number'],
    ['1 +', '4: got the end, want a number'],
    ['50%', '4: got the end, want a number'],
    ['2 3', '3: got 3, want an operator'],
    ['(1', '3: got the end, want ) for the ( in column 1'],
    ['1)', '2: got ), want an operator'],
    ['1 ^ 2', '3: got ^, want ** for a power'],
    ['1 < 2', '3: got <: comparisons are not arithmetic'],
    ['2024-10-05', '9: got 05, want no leading zero'],
    ['rond(1)', '1: got rond, want a number or a function; did you mean round?'],
    ['abs(1, 2)', '1: abs: got 2 arguments, want 1'],
    ['max', '4: got the end, want ( after max'],
    ['$1 + 1', '1: got $1, want one of 1 numbers'],
    [
      'x',
      '1: got x, want a number or a function; functions are abs, sqrt, floor, ceil, min, max, round, sum',
    ],
    ['('.repeat(101), '101: got nesting deeper than 100'],
    [`${'-'.repeat(101)}1`, '101: got nesting deeper than 100'],
  ])('%s', (text, error) => {
    expect(result(text, 1)).toBe(error);
    expect(evaluate(text, [1])).toMatchObject({ error: { syntax: true } });
  });
});

/** An expression with its value, computed another way. */
const expression = fc.letrec<{ tree: [string, bigint] }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 6 },
    fc.bigInt(-1000n, 1000n).map((n): [string, bigint] => [`(${n})`, n]),
    fc
      .tuple(fc.constantFrom('+', '-', '*', '//', '%'), tie('tree'), tie('tree'))
      .map(([op, [left, x], [right, y]]): [string, bigint] => {
        const divides = (op === '//' || op === '%') && y === 0n;
        const text = `(${left} ${divides ? '+' : op} ${right})`;
        // Rounding down from the remainder that is not negative: unlike the host's division.
        const rest = divides || op === '+' ? 0n : ((x % (y || 1n)) + (y || 1n)) % (y || 1n);
        if (divides || op === '+') return [text, x + y];
        if (op === '-') return [text, x - y];
        if (op === '*') return [text, x * y];
        return [text, op === '%' ? rest : (x - rest) / y];
      }),
  ),
})).tree;

test('agrees with the same computation done otherwise', () => {
  fc.assert(
    fc.property(expression, ([text, value]) => {
      expect(evaluate(text)).toEqual({ value: int(value) });
    }),
    { numRuns: 500 },
  );
});

test('any text has a value or an error with a column in it', () => {
  const words = fc.constantFrom(
    '1',
    '.5',
    '+',
    '-',
    '*',
    '**',
    '/',
    '//',
    '%',
    '(',
    ')',
    ',',
    'abs',
    'max',
    '$0',
    ' ',
    '#',
    '9e99',
  );
  fc.assert(
    fc.property(fc.array(words, { maxLength: 30 }), (parts) => {
      const text = parts.join('');
      const found = evaluate(text, [7]);
      if ('error' in found) expect(found.error.column).toBeLessThanOrEqual(text.length + 1);
      else expect(encode(found.value)).not.toContain('NaN');
    }),
  );
});

test('decimals are computed with exactly, and rounded once', () => {
  const units = fc.bigInt(-(10n ** 18n), 10n ** 18n);
  const places = fc.integer({ min: 0, max: 18 });
  const written = (n: bigint, scale: number): string => `(${n}e-${scale})`;
  fc.assert(
    fc.property(units, places, units, places, (x, m, y, n) => {
      const [left, right] = [written(x, m), written(y, n)];
      const scale = Math.max(m, n);
      const [a, b] = [x * 10n ** BigInt(scale - m), y * 10n ** BigInt(scale - n)];
      const near = (top: bigint, at: number): Value => float(Number(`${top}e-${at}`) + 0);
      expect(evaluate(`${left} + ${right}`)).toEqual({ value: near(a + b, scale) });
      expect(evaluate(`${left} * ${right}`)).toEqual({ value: near(x * y, m + n) });
      if (y === 0n) return;
      expect(evaluate(`${left} / ${right} * ${right}`)).toEqual({ value: near(x, m) });
    }),
    { numRuns: 500 },
  );
});
