/** Rows as text, and back again. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatTableHandler } from '../../../src/effects/data/format-table.ts';
import { loadTable } from '../../../src/effects/data/load-table.ts';
import { attempt } from '../../support/attempt.ts';

const format = async (table: unknown, more: object = {}): Promise<string> =>
  String(await formatTableHandler.perform({ table, ...more }, attempt()));

test.each<[string, unknown, object, string]>([
  [
    'dicts',
    [
      { a: 1, b: 'x,"y"\n' },
      { a: null, b: true },
    ],
    {},
    'a,b\n1,"x,""y""\n"\n,true\n',
  ],
  ['columns and rows', { columns: ['a'], rows: [['x\ty']] }, { format: 'tsv' }, 'a\n"x\ty"\n'],
  [
    'what is not flat',
    [{ a: [1, { b: 9007199254740993n }] }],
    {},
    'a\n"[1,{""b"":9007199254740993}]"\n',
  ],
  ['one empty cell', [{ a: null }], {}, 'a\n""\n'],
  [
    'Markdown',
    [{ a: 'x|y', b: '1\n2' }],
    { format: 'markdown' },
    '| a | b |\n| --- | --- |\n| x\\|y | 1<br>2 |\n',
  ],
])('%s', async (_what, table, more, text) => {
  expect(await format(table, more)).toBe(text);
});

test('what is no table', async () => {
  await expect(format({ a: 1 })).rejects.toMatchObject({
    code: 'PV4943',
    message: 'table: got a dict without rows, want a list of dicts, or a dict of columns and rows',
  });
});

test('any texts come back as they went', async () => {
  const cell = fc.string({ unit: fc.constantFrom(...'ab1 ,;\t"\n\'|=é') });
  const table = fc.integer({ min: 1, max: 4 }).chain((width) =>
    fc.array(fc.array(cell, { minLength: width, maxLength: width }), {
      minLength: 1,
      maxLength: 5,
    }),
  );
  const property = fc.asyncProperty(table, fc.constantFrom('csv', 'tsv'), async (rows, form) => {
    const columns = (rows[0] ?? []).map((_, at) => `c${at}`);
    const text = await format({ columns, rows }, { format: form });
    const separator = form === 'csv' ? ',' : '\t';
    const options = { name: 'x', headerRow: 1, types: false, format: form, separator } as const;
    const read = await loadTable(text, options);
    const want = rows.map((row) => row.map((one) => (one.trim() === '' ? null : one)));
    expect(read.rows).toEqual(want);
  });
  await fc.assert(property, { numRuns: 200 });
});
