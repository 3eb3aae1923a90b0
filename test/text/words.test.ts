/** Text that people are shown, on one line or in columns, and quantities as they read them. */
import { describe, expect, test } from 'vitest';
import {
  clip,
  clipStart,
  columns,
  count,
  duration,
  oneLine,
  price,
  widthOf,
} from '../../src/text/words.ts';

describe('text', () => {
  test('is cut to a width in columns, from either end', () => {
    expect(clip('abcdef', 6)).toBe('abcdef');
    expect(clip('abcdef', 4)).toBe('abc…');
    expect(clipStart('abcdef', 4)).toBe('…def');
    expect(clip('日本語', 4)).toBe('日…');
    expect(widthOf(clip('日本語日本語', 7))).toBeLessThanOrEqual(7);
    expect(clip('abc', 0)).toBe('');
  });

  test('of several lines becomes one, without what a terminal would obey', () => {
    expect(oneLine(' a\n\tb \u001b[2J\u202ec ')).toBe('a b �[2J�c');
  });

  test('stands in columns', () => {
    expect(
      columns([
        ['a', 'bb', 'c'],
        ['日本', 'b', ''],
      ]),
    ).toEqual(['a     bb  c', '日本  b']);
  });
});

test.each([
  [0, '0ms'],
  [999.4, '999ms'],
  [1000, '1.0s'],
  [59_949, '59.9s'],
  [59_950, '1m 00s'],
  [125_000, '2m 05s'],
  [3_725_000, '1h 02m'],
])('%s milliseconds read %s', (ms, text) => {
  expect(duration(ms)).toBe(text);
});

test('counts and prices', () => {
  expect([count(1, 'effect'), count(0, 'effect'), count(1234567, 'effect')]).toEqual([
    '1 effect',
    '0 effects',
    '1 234 567 effects',
  ]);
  expect([0, 0.00123, 0.01, 12.345].map(price)).toEqual(['$0', '$0.0012', '$0.01', '$12.35']);
});
