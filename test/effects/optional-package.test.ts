/** Packages that do not come along: missing in words that say what to install. */
import { expect, test } from 'vitest';
import { importOptional } from '../../src/effects/optional-package.ts';

test('what is there is imported', async () => {
  const { sep } = await importOptional('path', () => import('node:path'));
  expect(sep).toBe('/');
});

test.each([
  ['ERR_MODULE_NOT_FOUND', 'this needs the package unpdf: it is not installed'],
  ['ERR_DLOPEN_FAILED', 'this needs the package unpdf: cannot load'],
])('%s', async (code, message) => {
  const load = (): Promise<never> =>
    Promise.reject(Object.assign(new Error('cannot load'), { code }));
  await expect(importOptional('unpdf', load)).rejects.toMatchObject({
    ...{ code: 'PV4900', message, hint: 'npm i unpdf' },
    ...{ answered: true, mayHaveActed: false, retryable: false },
  });
});
