/** Packages that do not come along: missing in words that say what to install. */
import { expect, test } from 'vitest';
import { importOptional } from '../../src/effects/optional-package.ts';

test('what is there is imported', async () => {
  const { sep } = await importOptional<typeof import('node:path')>('path', 'node:path');
  expect(sep).toBe('/');
});

test.each([
  ['is not there', 'no-such-package-of-anybody', 'it is not installed'],
  ['cannot be loaded', 'data:text/javascript,throw new Error("cannot load")', 'cannot load'],
])('what %s is said with what to install', async (_, module, why) => {
  await expect(importOptional('unpdf', module)).rejects.toMatchObject({
    ...{ code: 'PV4900', message: `this needs the package unpdf: ${why}`, hint: 'npm i unpdf' },
    ...{ answered: true, mayHaveActed: false, retryable: false },
  });
});
