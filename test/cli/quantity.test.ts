/** Quantities as people write and read them. */
import { describe, expect, test } from 'vitest';
import { BadQuantity, readLimit, showLimit } from '../../src/agent/settings/quantity.ts';
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
