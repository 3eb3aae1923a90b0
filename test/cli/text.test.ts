/** Quantities as people write and read them, and text for one line of a terminal. */
import { describe, expect, test } from 'vitest';
import { BadQuantity, readLimit, showLimit } from '../../src/cli/settings/quantity.ts';
import {
  clip,
  clipStart,
  columns,
  count,
  duration,
  oneLine,
  price,
} from '../../src/cli/view/text.ts';
import { widthOf } from '../../src/dialects/code-frame.ts';
import { type LimitName, limitNames, limitTable } from '../../src/program/limits.ts';

describe('limits', () => {
  test.each<[LimitName, string | number, number]>([
    ['sourceBytes', '500', 500],
    ['sourceBytes', '4MB', 4e6],
    ['sourceBytes', '4 MiB', 4 * 2 ** 20],
    ['valueBytes', '1.5k', 1500],
    ['wallMs', '30s', 30_000],
    ['wallMs', '2.5m', 150_000],
    ['timeoutMs', '1h', 3_600_000],
    ['timeoutMs', 250, 250],
    ['timeoutMs', 'none', Infinity],
    ['tokens', '200k', 200_000],
    ['tokens', '1_000_000', 1_000_000],
    ['tokens', 'unlimited', Infinity],
    ['tokens', 0, 0],
    ['instructions', '1e6', 1_000_000],
    ['cost', '0.50', 0.5],
    ['cost', '$2', 2],
  ])('%s of %s is %s', (name, given, value) => {
    expect(readLimit(name, given)).toBe(value);
  });

  test.each<[LimitName, string, string]>([
    ['tokens', '-1', 'a whole number of tokens, or none'],
    ['tokens', '1.5', 'a whole number of tokens'],
    ['tokens', '3 apples', 'a whole number of tokens'],
    ['tokens', '', 'a whole number of tokens'],
    ['wallMs', '5x', 'milliseconds, or 30s'],
    ['cost', 'cheap', 'USD, such as 0.50'],
    ['attempts', '0', 'a whole number of attempts from 1'],
    ['attempts', 'none', 'a whole number of attempts from 1'],
    ['valueBytes', 'none', 'bytes, or 500KB'],
    ['concurrency', '1.2.3', 'a whole number of effects from 1'],
  ])('%s of %s is refused with the form it wants', (name, given, want) => {
    expect(() => readLimit(name, given)).toThrow(BadQuantity);
    expect(() => readLimit(name, given)).toThrow(`got ${given}, want ${want}`);
  });

  test.each(limitNames)('the default of %s reads back as it is shown', (name) => {
    const { default: value } = limitTable[name];
    const text = showLimit(name, value);
    expect(text === 'none' ? value : readLimit(name, text)).toBe(value);
  });
});

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
