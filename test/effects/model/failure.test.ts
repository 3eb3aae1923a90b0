/** How long a provider asks to wait, in every way that providers say it. */
import { expect, test } from 'vitest';
import { retryAfterMs } from '../../../src/effects/model/failure.ts';

const noon = Date.parse('2026-11-21T12:00:00Z');

test.each([
  ['seconds', { 'retry-after': '20' }, 20_000],
  ['parts of seconds', { 'retry-after': '0.5' }, 500],
  ['milliseconds, which are more exact', { 'retry-after': '1', 'retry-after-ms': '350' }, 350],
  ['a date', { 'retry-after': 'Sat, 21 Nov 2026 12:00:30 GMT' }, 30_000],
  ['a date that has passed', { 'retry-after': 'Sat, 21 Nov 2026 11:00:00 GMT' }, 0],
  ['nothing', {}, undefined],
  ['nonsense', { 'retry-after': 'soon', 'retry-after-ms': 'later' }, undefined],
  ['a time before now', { 'retry-after-ms': '-5' }, undefined],
])('%s', (_name, responseHeaders, expected) => {
  expect(retryAfterMs({ responseHeaders }, noon)).toBe(expected);
});

test('the details of an error of Google', () => {
  const responseBody = '{"error":{"details":[{"@type":"RetryInfo","retryDelay":"13.5s"}]}}';
  expect(retryAfterMs({ responseBody }, noon)).toBe(13_500);
});
