/** The table of limits. */
import { expect, test } from 'vitest';
import { limitNames, limits, limitTable } from '../../src/program/limits.ts';

test('flags are unique and every limit has a unit and two sentences', () => {
  const rows = Object.values(limitTable);
  expect(new Set(rows.map((row) => row.flag)).size).toBe(rows.length);
  expect(rows.filter((row) => row.unit === '')).toEqual([]);
  const sentences = rows.flatMap((row) => [row.about, row.reached]);
  expect(sentences.filter((text) => !/^[A-Z].*\.$/.test(text))).toEqual([]);
  expect(rows.filter((row) => !(row.default > 0))).toEqual([]);
});

test('limits are the defaults but for what is changed', () => {
  const changed = limits({ callDepth: 7 });
  expect(changed.callDepth).toBe(7);
  for (const name of limitNames) {
    if (name !== 'callDepth') expect(changed[name]).toBe(limitTable[name].default);
  }
});
