/** Texts of days and times, as formats of JSON Schema have them. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatWanted, heldFormats } from '../../src/program/formats.ts';

const fits: Readonly<Record<string, readonly string[]>> = {
  date: ['2024-02-29', '2000-02-29', '1999-12-31', '0001-01-01'],
  'date-time': [
    ...['2024-02-29T10:00:00Z', '2024-02-29t10:00:00.25+02:00', '2016-12-31T23:59:60Z'],
    ...['2024-02-29', '2024-02-29 10:00', '2024-02-29T10:00:00-0730'],
  ],
  time: ['00:00:00Z', '23:59', '10:00:00.5+01:00'],
};

const misfits: Readonly<Record<string, readonly string[]>> = {
  date: [
    ...['2023-02-29', '1900-02-29', '2024-13-01', '2024-00-10', '2024-04-31', '2024-04-00'],
    ...['2024-2-3', '24-02-03', '2024-02-03T10:00:00Z', ' 2024-02-03', 'tomorrow', ''],
  ],
  'date-time': ['2023-02-29T10:00:00Z', '2024-02-29T24:00:00Z', '2024-02-29T10:60:00Z', '10:00'],
  time: ['24:00:00', '10', '10:00:61', '2024-02-29'],
};

describe.each(Object.keys(heldFormats))('%s', (format) => {
  test.each(fits[format] ?? [])('%s', (text) => {
    expect(formatWanted(format, text)).toBeUndefined();
  });

  test.each(misfits[format] ?? [])('not %j', (text) => {
    expect(formatWanted(format, text)).toMatch(/^a (day|moment|time of day)/);
    expect(heldFormats[format]?.(text)).toBe(false);
  });
});

test('the days that there are', () => {
  const parts = fc.tuple(fc.nat(9999), fc.nat(14), fc.nat(33));
  fc.assert(
    fc.property(parts, ([year, month, day]) => {
      const text = [year, month, day].map((part, i) => String(part).padStart(i ? 2 : 4, '0'));
      const at = new Date(`${text.join('-')}T00:00:00Z`);
      const isDay = !Number.isNaN(at.getTime()) && at.getUTCDate() === day;
      expect(formatWanted('date', text.join('-')) === undefined).toBe(isDay);
    }),
  );
});

test('any other format is a note', () => {
  for (const format of ['email', 'uri', 'int32', undefined, 3]) {
    expect(formatWanted(format, 'no such thing')).toBeUndefined();
  }
});
