/** `calculate`: numbers out of text, and failures that say where the text is wrong. */
import { expect, test } from 'vitest';
import { calculateHandler } from '../../../src/effects/calculate/calculate.ts';
import { attempt } from '../../support/attempt.ts';

test.each<[unknown, unknown]>([
  ['6 * 7', 42],
  ['(3 + 4) * 2.5', 17.5],
  ['7 / 2', 3.5],
  ['0.1 + 0.2', 0.3],
  ['round(2/3, 2)', 0.67],
  ['2 ** 100', 2n ** 100n],
  [5, 5],
])('%j is %s', async (expression, result) => {
  expect(await calculateHandler.perform({ expression }, attempt())).toBe(result);
});

test.each([
  ['6 *', 'cannot compute "6 *", column 4: got the end, want a number'],
  ['1 / 0', 'cannot compute "1 / 0", column 3: '],
  ['process.exit()', 'cannot compute "process.exit()", column 8: '],
])('%j fails with its place', async (expression, message) => {
  await expect(calculateHandler.perform({ expression }, attempt())).rejects.toMatchObject({
    code: 'PV4205',
    answered: true,
    message: expect.stringContaining(message),
  });
});

test('numbers may be written as people write them: a warning says how they were read', async () => {
  const box = attempt();
  expect(await calculateHandler.perform({ expression: '8,848.86 m / 2' }, box)).toBe(4424.43);
  expect(box.warnings).toEqual(['"8,848.86 m" was read as 8848.86, without m']);
});

test('a sentence with one number in it is that number: a warning says which', async () => {
  const box = attempt();
  const expression = 'Mount Everest is 8,848.86 meters high';
  expect(await calculateHandler.perform({ expression }, box)).toBe(8848.86);
  expect(box.warnings).toEqual([`8848.86 was taken out of "${expression}", without meters`]);
  const several = { expression: `${expression}, or 29,031.7 feet` };
  await expect(calculateHandler.perform(several, attempt())).rejects.toMatchObject({
    message: expect.stringContaining(
      'it has several, 8,848.86 meters and 29,031.7 feet: write the one that is meant',
    ),
  });
});
