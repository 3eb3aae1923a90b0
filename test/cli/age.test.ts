/** Times and sizes as people give them. */
import { expect, test } from 'vitest';
import { readBytes, showBytes } from '../../src/agent/settings/quantity.ts';
import { readAge, readMoment } from '../../src/cli/settings/age.ts';

test.each([
  ['90s', 90_000],
  ['45m', 2_700_000],
  ['45 min', 2_700_000],
  ['12h', 43_200_000],
  ['1.5d', 129_600_000],
  ['2W', 1_209_600_000],
  ['30', undefined],
  ['d', undefined],
  ['-3d', undefined],
  ['3 years', undefined],
  ['', undefined],
])('an age of %s', (text, want) => {
  expect(readAge(text)).toBe(want);
});

const now = Date.UTC(2026, 10, 21, 12);

test.each([
  ['2d', now - 172_800_000],
  ['2026-03-31T12:30Z', Date.UTC(2026, 2, 31, 12, 30)],
  ['2026-03-31 12:30:15+02:00', Date.UTC(2026, 2, 31, 10, 30, 15)],
  ['2026-03-31', new Date(2026, 2, 31).getTime()],
  ['2026-03-31T12:30', new Date(2026, 2, 31, 12, 30).getTime()],
  ['2026-13-31', undefined],
  ['2026', undefined],
  ['31.3.2026', undefined],
  ['yesterday', undefined],
])('a moment: %s', (text, want) => {
  expect(readMoment(text, now)).toBe(want);
});

test.each([
  ['0', 0],
  ['123', 123],
  ['1.5KB', 1500],
  ['4 MiB', 4_194_304],
  ['2gb', 2e9],
  ['1XB', undefined],
  ['-1', undefined],
  ['MB', undefined],
])('a size of %s', (text, want) => {
  expect(readBytes(text)).toBe(want);
});

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.0 KB'],
  [9949, '9.9 KB'],
  [12_345, '12 KB'],
  [999_600, '1.0 MB'],
  [3.2e9, '3.2 GB'],
  [5e15, '5000 TB'],
])('%d bytes are shown', (bytes, want) => {
  expect(showBytes(bytes)).toBe(want);
});
