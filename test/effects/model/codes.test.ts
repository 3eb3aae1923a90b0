/** The table of codes and the failures that carry them say the same. */
import { expect, test } from 'vitest';
import { codes } from '../../../src/effects/model/codes.ts';
import { sourcesUnder, textOf } from '../../support/repo.ts';

test('every code of the table is used, and every code used is in the table', () => {
  const sources = sourcesUnder('src/effects/model').filter((path) => !path.endsWith('/codes.ts'));
  const used = sources.flatMap((path) => textOf(path).match(/(?<=')PV\d{4}(?=')/g) ?? []);
  expect([...new Set(used)].sort()).toEqual(Object.keys(codes).sort());
});
