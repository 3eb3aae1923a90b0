/** SQL over tables: what it gives, what it refuses, and that nothing runs away with it. */
import { describe, expect, test } from 'vitest';
import { askTables } from '../../../src/effects/data/ask-tables.ts';
import { type SqlInput, tablesOf } from '../../../src/effects/data/sql.ts';
import { attempt } from '../../support/attempt.ts';
import { DataFolder } from './tools.ts';

const people = [
  { name: 'Ann', age: 41, id: 9007199254740993n },
  { name: 'Bob', age: null, id: 2 },
];

const rowsMax = 20_000;

/** What `sql` does, without a process for it. */
async function ask(
  query: string,
  tables: Readonly<Record<string, unknown>> = { people },
  parameters: SqlInput['parameters'] = [],
): Promise<unknown> {
  using box = new DataFolder();
  const limits = { fileBytes: 2 ** 20, rows: rowsMax, pages: 1, tables: 20, memoryBytes: 2 ** 28 };
  const fetch = (): Promise<never> => Promise.reject(new Error('nothing is fetched here'));
  const read = await tablesOf(tables, { folders: box.folders(), fetch, limits }, attempt());
  const input = { query, parameters, tables: read, rowsMax };
  return (await askTables(input)).rows;
}

test('as many tables as the set allows', async () => {
  using box = new DataFolder();
  const tables = { a: people, b: people, c: people };
  const query = 'SELECT count(*) AS n FROM a, b, c';
  expect(await box.call('sql', { query, tables })).toEqual([{ n: 8 }]);
  box.options = { tables: '2' };
  await expect(box.call('sql', { query, tables })).rejects.toMatchObject({
    message: 'tables: got 3 tables, want at most 2: planvm:data?tables= says',
  });
});

test('rows as dicts, whatever form the tables have', async () => {
  using box = new DataFolder({ 'age.csv': 'who,age\nAnn,41\nCy,7\n', 'big.tsv': 'i\n1\n2\n' });
  const read = await box.call('read_table', { source: 'age.csv' });
  const tables = {
    people,
    listed: { columns: ['who', 'Unit price'], rows: [['Ann', 1.5]] },
    shown: { headers: ['who'], rows: [['Ann']], text: 'Table: …' },
    read,
    file: 'big.tsv',
  };
  box.sources.length = 0;
  const query =
    'SELECT p.name, p.id, "Unit price" AS price, r.age + 1 AS next, ' +
    '(SELECT sum(i) FROM file) AS total FROM people p ' +
    'JOIN listed l ON l.who = p.name JOIN shown s USING (who) JOIN read r USING (who)';
  expect(await box.call('sql', { query, tables })).toEqual([
    { name: 'Ann', id: 9007199254740993n, price: 1.5, next: 42, total: 3 },
  ]);
  expect(box.sources.map(({ title }) => title)).toEqual([expect.stringMatching(/big\.tsv$/)]);
});

test.each<[string, string, SqlInput['parameters'] | undefined, unknown]>([
  ['no table', 'SELECT 1 + 1 AS two', undefined, [{ two: 2 }]],
  ['by place', 'SELECT name FROM people WHERE age > ?', [40], [{ name: 'Ann' }]],
  ['by name', 'SELECT name FROM people WHERE name = :who', { who: 'Bob' }, [{ name: 'Bob' }]],
  [
    'a value is no query',
    'SELECT ? AS x',
    ["'; DROP TABLE people"],
    [{ x: "'; DROP TABLE people" }],
  ],
  ['nothing found', 'SELECT * FROM people WHERE 0', undefined, []],
  ['names that come twice', 'SELECT 1 AS a, 2 AS A', undefined, [{ a: 1, 'A 2': 2 }]],
  ['big sums', 'SELECT max(id) + 1 AS x FROM people', undefined, [{ x: 9007199254740994n }]],
  ['with', 'WITH t AS (SELECT 3 AS x) SELECT x FROM t;  -- done', undefined, [{ x: 3 }]],
])('%s', async (_what, query, parameters, rows) => {
  expect(await ask(query, { people }, parameters)).toEqual(rows);
});

test('lists and dicts in cells are JSON', async () => {
  const rows = [{ tags: ['a', 'b'], ok: true, more: { x: 1 } }];
  const query = "SELECT tags ->> 1 AS tag, ok, more ->> 'x' AS x FROM t";
  expect(await ask(query, { t: rows })).toEqual([{ tag: 'b', ok: 1, x: 1 }]);
});

test('dicts of different members have the columns of all', async () => {
  expect(await ask('SELECT * FROM t', { t: [{ a: 1 }, { b: 2 }] })).toEqual([
    { a: 1, b: null },
    { a: null, b: 2 },
  ]);
});

test.each<[string, string, string, string]>([
  ['a table', 'SELECT * FROM pepole', 'no such table: pepole', 'did you mean people? '],
  ['a column', 'SELECT p.agee FROM people p', 'no such column: p.agee', 'did you mean age? '],
  ['words', 'SELEC 1', 'near "SELEC": syntax error', ''],
  ['nothing at all', ' -- nothing', 'contains no statements', ''],
])('what is wrong is named: %s', async (_what, query, message, hint) => {
  await expect(ask(query)).rejects.toMatchObject({
    code: 'PV4940',
    message: expect.stringContaining(message),
    hint: `${hint}there is people(name, age, id)`,
    answered: true,
    retryable: false,
  });
});

test.each<[string, SqlInput['parameters'], string]>([
  ['SELECT ?, ?', [1], 'parameters: got a list of 1, want 2, one for each ? of the query'],
  ['SELECT ?', [1, 2], 'parameters: got a list of 2, want 1, one for each ? of the query'],
  ['SELECT ?3', [1], 'parameters: got a list of 1, want 3, one for each ? of the query'],
  ['SELECT :a', [1], 'parameters: got a list of 1, want a dict: the query has :a'],
  ['SELECT :a', { b: 1 }, 'parameters: got none for :a, want one'],
  [
    `SELECT '?' AS "?" -- ?`,
    [1],
    'parameters: got a list of 1, want 0, one for each ? of the query',
  ],
])('parameters of %s', async (query, parameters, message) => {
  await expect(ask(query, {}, parameters)).rejects.toMatchObject({ code: 'PV4940', message });
});

test.each([
  'UPDATE people SET age = 1',
  'DELETE FROM people',
  'DROP TABLE people',
  'CREATE TABLE x (y)',
  "ATTACH '/tmp/planvm-test.db' AS other",
  "VACUUM INTO '/tmp/planvm-test.db'",
  'PRAGMA database_list',
  'SELECT * FROM pragma_database_list',
  "SELECT load_extension('x')",
  "INSERT INTO people VALUES ('x', 1, 2) RETURNING *",
  'BEGIN',
  'SELECT 1; DROP TABLE people',
  'SELECT 1; SELECT 2',
])('%s is refused', async (query) => {
  await expect(ask(query)).rejects.toMatchObject({
    code: expect.stringMatching(query.includes('load_extension') ? /PV494[01]/ : /PV4941/),
    mayHaveActed: false,
  });
});

test.each<[string, unknown, string]>([
  ['a number', 5, 'tables.t: got number, want a list of dicts'],
  ['null', null, 'tables.t: got null'],
  ['a dict', { a: 1 }, 'tables.t: got a dict without rows'],
  ['lists without columns', [[1]], 'tables.t: got lists without columns'],
  [
    'uneven lists',
    { columns: ['a'], rows: [[1], [1, 2]] },
    'tables.t.rows[1]: got 2 cells, want 1',
  ],
  ['a mixture', [{ a: 1 }, 2], 'tables.t[1]: got number, want a dict'],
  ['nothing', [], 'tables.t: got no column'],
])('as a table: %s', async (_what, table, message) => {
  await expect(ask('SELECT 1', { t: table })).rejects.toMatchObject({
    code: 'PV4943',
    message: expect.stringContaining(message),
  });
});

test('odd names are quoted, names that are one are told', async () => {
  const odd = [{ 'a "b" c': 1, 'x; DROP TABLE y': 2 }];
  expect(await ask('SELECT * FROM "t 1"', { 't 1': odd })).toEqual(odd);
  await expect(ask('SELECT 1', { t: odd, T: odd })).rejects.toMatchObject({
    message: 'tables: got t and T, which are one name in SQL',
  });
  const many = Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`t${at}`, people]));
  await expect(ask('SELECT 1', many)).rejects.toMatchObject({ code: 'PV4943' });
});

describe('limits', () => {
  const endless = 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c)';

  test.each<[string, string, string]>([
    ['rows', `${endless} SELECT x FROM c`, `more than ${rowsMax} rows`],
    ['bytes', `${endless} SELECT printf('%.*c', 999999, 'x') FROM c`, 'bytes'],
  ])('%s of a result', async (_what, query, message) => {
    await expect(ask(query)).rejects.toMatchObject({
      code: 'PV4942',
      message: expect.stringContaining(message),
    });
  });

  test('a query without an end ends with its call', async () => {
    using box = new DataFolder();
    const { result, context } = box.start('sql', { query: `${endless} SELECT count(*) FROM c` });
    // Another query has come and gone meanwhile.
    await box.call('sql', { query: 'SELECT 1' });
    context.abort(new Error('time is over'));
    await expect(result).rejects.toThrow('time is over');
  });

  test('a hundred thousand rows of a file are asked, not returned', async () => {
    using box = new DataFolder({ 'big.csv': `a,b\n${'1,x\n'.repeat(100_000)}` });
    expect(
      await box.call('sql', {
        query: 'SELECT sum(a) AS total, count(DISTINCT b) AS kinds FROM t',
        tables: { t: 'big.csv' },
      }),
    ).toEqual([{ total: 100_000, kinds: 1 }]);
  });
});
