/** `Table`: a value, and its line of text. */
import { expect, test } from 'vitest';
import { tableHandler } from '../../../src/effects/table/table.ts';
import { attempt } from '../../support/attempt.ts';

const table = (headers: unknown, rows: unknown): Promise<unknown> =>
  tableHandler.perform({ headers, rows }, attempt());

test('headers, rows, and the line of text that they make', async () => {
  const rows = [
    ['2024-02-15', '22.5'],
    ['2024-02-16', 23.1],
  ];
  expect(await table(['Date', 'Temperature (°C)'], rows)).toEqual({
    headers: ['Date', 'Temperature (°C)'],
    rows,
    text: 'Table: headers=Date,Temperature (°C)|2024-02-15,22.5|2024-02-16,23.1',
  });
  expect(await table(['a'], [])).toMatchObject({ text: 'Table: headers=a' });
});

test('cells of any kind keep their value; what parts cells is marked in the text', async () => {
  const made = await table(
    ['a', 'b,c'],
    [
      [null, { x: [1, 2n ** 70n] }],
      ['p|q\\', 'two\nlines'],
    ],
  );
  expect(made).toMatchObject({
    rows: [
      [null, { x: [1, 2n ** 70n] }],
      ['p|q\\', 'two\nlines'],
    ],
    text: 'Table: headers=a,b\\,c|,{"x":[1\\,1180591620717411303424]}|p\\|q\\\\,two\\nlines',
  });
});

test('rows that do not fit their headers are refused', async () => {
  await expect(table(['a', 'b'], [[1, 2], [3]])).rejects.toMatchObject({
    ...{ code: 'PV4731', message: 'rows[1]: got 1 cells, want 2', hint: 'the headers are a, b' },
  });
  await expect(table([], [])).rejects.toMatchObject({ message: 'headers: got none' });
});
