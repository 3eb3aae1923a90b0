/** Columns with names that every object of JavaScript inherits are columns like others. */
import { expect, test } from 'vitest';
import { typeNamed } from '../../../src/effects/bind/wanted-type.ts';
import { DataFolder } from './tools.ts';

const names = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'];
const first = Object.fromEntries(names.map((name, index) => [name, index]));
const asJson = JSON.stringify(first);
const nothing = Object.fromEntries(names.map((name) => [name, null]));

interface Read {
  readonly columns: readonly string[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

test.each([
  ['a.json', `[${asJson}, {"a": 1}]`],
  ['a.ndjson', `${asJson}\n{"a": 1}\n`],
  ['a.csv', `${names.join(',')},a\n0,1,2,3,4,\n,,,,,1\n`],
  ['a.constructor', `${names.join(',')},a\n0,1,2,3,4,\n,,,,,1\n`],
])('of %s', async (file, text) => {
  using box = new DataFolder({ [file]: text });
  const { rows } = (await box.call('read_table', { source: file })) as Read;
  expect(rows.map((row) => Object.entries(row))).toEqual([
    [...Object.entries(first), ['a', null]],
    [...Object.entries(nothing), ['a', 1]],
  ]);
});

test('of the tables that a program has', async () => {
  using box = new DataFolder();
  const query = 'SELECT "__proto__", "constructor", a FROM t';
  const tables = { t: [first, { a: 1 }] };
  const rows = (await box.call('sql', { query, tables })) as Read['rows'];
  expect(rows.map((row) => Object.entries(row))).toEqual([
    [
      ['__proto__', 1],
      ['constructor', 0],
      ['a', null],
    ],
    [
      ['__proto__', null],
      ['constructor', null],
      ['a', 1],
    ],
  ]);
});

test.each(names)('%s is no type of a value', (name) => {
  expect(() => typeNamed(name)).toThrow(/got the type .*, want one of/);
});
