/** Which answers are right, by the published rule and by the corrected one. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Label } from '../../src/bench/dataset.ts';
import { floatOf, onlyNumberIn } from '../../src/bench/numbers.ts';
import { score } from '../../src/bench/score.ts';
import { readExpression } from '../../src/bench/twenty-four.ts';

const text = (label: string): Label => ({ kind: 'text', text: label });
const four = (...numbers: number[]): Label => ({ kind: 'twenty-four', numbers });

/** `+` right, `-` wrong: first by the published rule, then by the corrected one. */
const verdict = (answer: string, label: Label): string => {
  const { published, corrected } = score(answer, label);
  return (published ? '+' : '-') + (corrected ? '+' : '-');
};

test.each([
  // Texts.
  ['The Matrix', 'Matrix', '++'],
  ['the matrix.', 'The Matrix', '++'],
  ['Matrix Reloaded', 'The Matrix', '--'],
  ['It is The Matrix', 'The Matrix', '--'],
  ['Amélie', 'Amelie', '-+'],
  ['Schindler’s List', "Schindler's List", '-+'],
  ['', 'Amelie', '--'],
  ['A', 'The', '++'],
  ['an apple a day', 'apple day', '++'],
  ['theatre', 'atre', '--'],
  // Numbers.
  ['100', '100', '++'],
  ['109.9', '100', '++'],
  // In floating point, 100 * 1.1 is a little more than 110.
  ['110', '100', '+-'],
  ['111', '100', '--'],
  ['90', '100', '--'],
  ['91', '100', '++'],
  [' 1e2 ', '100', '++'],
  ['1,234', '1234', '-+'],
  ['1 234', '1234', '-+'],
  ['1234 km', '1234', '-+'],
  ['about 1.2 million people', '1200000', '-+'],
  ['$1,200.50', '1200.5', '-+'],
  ['12%', '12', '-+'],
  ['-5', '-5', '-+'],
  ['−5 °C', '-5', '-+'],
  ['5', '-5', '--'],
  ['0', '0', '-+'],
  ['0.0 m', '0', '-+'],
  ['0.1', '0', '--'],
  ['no number', '7', '--'],
  ['between 90 and 100', '95', '--'],
  ['7 or 7', '7', '-+'],
  ['nan', '7', '--'],
  ['1,250', '1,234', '-+'],
  ['8 Mile', '8 Mile', '++'],
  ['8 Miles', '8 Mile', '--'],
  ['12', '12 Angry Men', '--'],
  // Yes and no.
  ['yes', 'yes', '++'],
  ['No.', 'no', '++'],
  ['Yes, both are in France.', 'yes', '-+'],
  ['true', 'yes', '-+'],
  ['false', 'no', '-+'],
  ['No, they are not', 'yes', '--'],
  ['Both are', 'yes', '--'],
  ['Nothing', 'no', '--'],
])('%j for %j: %s', (answer, label, expected) => {
  expect(verdict(answer, text(label))).toBe(expected);
});

test.each([
  ['(10 - 4) * (13 - 9)', four(4, 9, 10, 13), '++'],
  ['Answer: (10 - 4) * (13 - 9) = 24', four(4, 9, 10, 13), '++'],
  ['8 / (3 - 8 / 3)', four(3, 3, 8, 8), '++'],
  ['(10 − 4) × (13 − 9)', four(4, 9, 10, 13), '-+'],
  ['The expression is: (10-4)*(13-9).', four(4, 9, 10, 13), '-+'],
  ['$(10-4) \\times (13-9) = 24$', four(4, 9, 10, 13), '-+'],
  ['13 - 9 = 4\n10 - 4 = 6\n4 * 6 = 24', four(4, 9, 10, 13), '--'],
  ['(10 - 4) * 4', four(4, 9, 10, 13), '--'],
  ['(10 - 4) * (13 - 9) + 0', four(4, 9, 10, 13), '--'],
  ['(10 - 4) * (13 - 9', four(4, 9, 10, 13), '--'],
  ['4 + 9 + 10 + 13', four(4, 9, 10, 13), '--'],
  ['1 / (1 - 1) + 24 - 24', four(1, 1, 1, 24), '--'],
  ['24', four(4, 9, 10, 13), '--'],
  ['', four(4, 9, 10, 13), '--'],
])('%j for 24: %s', (answer, label, expected) => {
  expect(verdict(answer, label)).toBe(expected);
});

describe('what numbers are', () => {
  test.each([
    ['1', 1],
    ['+1_000.5', 1000.5],
    ['.5', 0.5],
    ['5.', 5],
    ['-inf', -Infinity],
    ['1,000', undefined],
    ['1 000', undefined],
    ['0x10', undefined],
    ['', undefined],
    ['_1', undefined],
  ])('%j as a float is %s', (given, value) => expect(floatOf(given)).toBe(value));

  test.each([
    ['H2O', undefined],
    ['1990-2000', undefined],
    ['COVID-19', 19],
    ['in 1990', 1990],
    ['-273.15 °C', -273.15],
    ['(-3)', -3],
    ['It is -3.', -3],
    ['a loss of -$1,200.50 in all', -1200.5],
    ['2024-02-15', undefined],
    ['3 - 3', 3],
    ['328.', 328],
    ['in 1889 330 m', undefined],
    ['1.2e3 m', 1200],
    ['3 billion', 3e9],
    ['1,5', undefined],
    ['12,345,678', 12_345_678],
  ])('the only number in %j is %s', (given, value) => expect(onlyNumberIn(given)).toBe(value));

  test('any number is found again, whatever unit stands behind it', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -1e12, max: 1e12 }),
        fc.constantFrom('', ' km', '%'),
        (n, unit) => {
          expect(onlyNumberIn(`${n}${unit}`)).toBe(n === 0 ? 0 : n);
          expect(onlyNumberIn(`${n.toLocaleString('en-US')}${unit}`)).toBe(n === 0 ? 0 : n);
        },
      ),
    );
  });
});

test('expressions are computed, and nothing else is read', () => {
  expect(readExpression('1/3 + 1/3 + 1/3')?.value).toBeCloseTo(1, 12);
  expect(readExpression('24 + 1 / (1 / (1 - 1))')?.value).toBe(Number.NaN);
  expect(readExpression('2 - -3')?.value).toBe(5);
  expect(readExpression('6 / (3 - 3)')).toEqual({ numbers: [6, 3, 3], value: Number.NaN });
  for (const wrong of ['', '()', '2 +', '2 3', '2 ** 3', 'process.exit()', '((((', '2;3']) {
    expect(readExpression(wrong)).toBe(undefined);
  }
  expect(readExpression('('.repeat(1e5))).toBe(undefined);
});
