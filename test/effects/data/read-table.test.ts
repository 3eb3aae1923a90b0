/** Tables of files and texts: as they should be, as they are, and as nobody should make them. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { loadTable } from '../../../src/effects/data/load-table.ts';
import { readTable, type TableOptions } from '../../../src/effects/data/table.ts';
import { startWebServer } from '../../support/web-server.ts';
import { xlsxBomb, xlsxFrom, xlsxOf } from '../../support/xlsx-file.ts';
import { DataFolder } from './tools.ts';

interface Parsed {
  readonly columns: string[];
  readonly types: Record<string, string>;
  readonly rows: Record<string, unknown>[];
  readonly warnings: readonly string[];
}

/** What `parse_table` does, without a thread for it. */
async function parse(text: string, more: Partial<TableOptions> = {}): Promise<Parsed> {
  const options = { name: 'the text', headerRow: 1, types: true, ...more };
  const { columns, rows, warnings } = await loadTable(text, options);
  const names = columns.map(({ name }) => name);
  return {
    columns: names,
    types: Object.fromEntries(columns.map(({ name, type }) => [name, type])),
    rows: rows.map((row) => Object.fromEntries(row.map((cell, at) => [names[at] ?? '', cell]))),
    warnings,
  };
}

test('of Markdown with other lines the first table is read, and the rest is said', async () => {
  const text = '# Ports\n\n| a |\n|---|\n| 1 |\n\nNext:\n\n| b |\n|---|\n| 2 |\n';
  const { rows, warnings } = await parse(text, { format: 'markdown' });
  expect(rows).toEqual([{ a: 1 }]);
  expect(warnings).toEqual(['the text has 2 tables, this is the first; 5 lines beside the table']);
  await expect(parse('no table', { format: 'markdown' })).rejects.toMatchObject({ code: 'PV4930' });
});

test('a row of Markdown that has but dashes is a row', async () => {
  const { rows, warnings } = await parse(
    '| a | b |\n|---|---|\n| 1 | 2 |\n| - | - |\n| 3 | 4 |\n',
    {},
  );
  expect(rows).toHaveLength(3);
  expect(warnings).toEqual([]);
});

describe('text', () => {
  test('columns, types, rows, and where they are from', async () => {
    using box = new DataFolder({ 'a.csv': 'City,Pop\nParis,2102650\n"New York, NY",8335897\n' });
    expect(await box.call('read_table', { source: 'a.csv' })).toEqual({
      columns: ['City', 'Pop'],
      types: { City: 'text', Pop: 'int' },
      rows: [
        { City: 'Paris', Pop: 2102650 },
        { City: 'New York, NY', Pop: 8335897 },
      ],
      total: 2,
      format: 'csv',
      name: expect.stringMatching(/data\/a\.csv$/),
      url: pathToFileURL(join(box.data, 'a.csv')).href,
    });
    expect(box.sources).toMatchObject([{ url: pathToFileURL(join(box.data, 'a.csv')).href }]);
    expect(box.context.warnings).toEqual([]);
  });

  test.each<[string, string, unknown[]]>([
    ['semicolons', 'a;b\n1,5;x\n', [{ a: '1,5', b: 'x' }]],
    ['tabs', 'a\tb\n1\t2\n', [{ a: 1, b: 2 }]],
    ['a separator that is told', 'sep=|\na|b\n1|2', [{ a: 1, b: 2 }]],
    ['quotes and line ends within cells', 'a,b\r\n"1""2","x\ny"\r\n', [{ a: '1"2', b: 'x\ny' }]],
    ['old line ends', 'a,b\r1,2\r', [{ a: 1, b: 2 }]],
    [
      'Markdown',
      '| a | b |\n| --- | ---: |\n| x \\| y | 2 |\n|  | 3 |\n',
      [
        { a: 'x | y', b: 2 },
        { a: null, b: 3 },
      ],
    ],
    ['Markdown without outer bars', 'a | b\n-|-\nx<br>y | 2\n', [{ a: 'x\ny', b: 2 }]],
    ['blank lines', '\na\n\n1\n\n', [{ a: 1 }]],
    ['a header alone', 'a,b\n', []],
    ['nothing', '', []],
    ['a formula is text', 'a\n=CMD()\n@x\n', [{ a: '=CMD()' }, { a: '@x' }]],
    [
      'JSON of objects',
      '[{"a":1},{"b":[1]}]',
      [
        { a: 1, b: null },
        { a: null, b: [1] },
      ],
    ],
    ['JSON of lists', '[["a","b"],[1,2]]', [{ a: 1, b: 2 }]],
    ['JSON of values', '[1,"x"]', [{ value: 1 }, { value: 'x' }]],
    ['lines of JSON', '{"a":1}\n{"a":2}\n', [{ a: 1 }, { a: 2 }]],
    ['an odd name', '[{"__proto__":1,"a":2}]', [JSON.parse('{"__proto__":1,"a":2}')]],
  ])('%s', async (_what, text, rows) => {
    expect((await parse(text)).rows).toEqual(rows);
  });

  test.each<[string, string[], string, unknown[]]>([
    ['leading zeros', ['007', '8'], 'text', ['007', '8']],
    ['big integers', ['9007199254740993', '1'], 'int', [9007199254740993n, 1]],
    ['fractions', ['1', '2.50', '-3e2'], 'float', [1, 2.5, -300]],
    ['too many digits', ['0.12345678901234567', '1'], 'text', ['0.12345678901234567', '1']],
    ['thousands', ['1,234'], 'text', ['1,234']],
    ['signs and spaces', ['+1', ' 2'], 'text', ['+1', ' 2']],
    ['minus nothing', ['-0', '1'], 'float', [-0, 1]],
    ['truth', ['true', 'FALSE'], 'bool', [true, false]],
    ['days', ['2025-01-31', '2025-02-01'], 'text', ['2025-01-31', '2025-02-01']],
    ['gaps', ['1', '', '3'], 'int', [1, null, 3]],
    ['words for nothing', ['NA', '1'], 'text', ['NA', '1']],
    ['hexadecimal', ['0x10', '1'], 'text', ['0x10', '1']],
    ['infinity', ['1e999', '1'], 'text', ['1e999', '1']],
  ])('types: %s', async (_what, cells, type, values) => {
    const text = `i\ta\n${cells.map((cell, at) => `${at}\t${cell}`).join('\n')}`;
    const { rows, types } = await parse(text);
    expect(types).toMatchObject({ a: type });
    expect(rows.map((row) => row.a)).toEqual(values);
    const plain = await parse(text, { types: false });
    expect(plain.types).toMatchObject({ i: 'text' });
  });

  test('numbers of JSON keep their digits', async () => {
    const { rows } = await parse('[{"id": 12345678901234567890, "x": 0.5}]');
    expect(rows).toEqual([{ id: 12345678901234567890n, x: 0.5 }]);
  });

  test('headers: none, further below, twice the same, empty', async () => {
    expect((await parse('1,2\n3,4', { headerRow: 0 })).rows).toEqual([
      { 'column 1': 1, 'column 2': 2 },
      { 'column 1': 3, 'column 2': 4 },
    ]);
    expect((await parse('Report\n\na,b\n1,2', { headerRow: 2 })).rows).toEqual([{ a: 1, b: 2 }]);
    const { columns, warnings } = await parse('a,A,,a\n1,2,3,4');
    expect(columns).toEqual(['a', 'A 2', 'column 3', 'a 3']);
    expect(warnings[0]).toBe('two columns are called A: the second is A 2');
  });

  test('uneven rows are told, and nothing of them is lost', async () => {
    const { rows, warnings } = await parse('a,b\n1\n2,3\n4,5,6\n');
    expect(rows).toEqual([
      { a: 1, b: null, 'column 3': null },
      { a: 2, b: 3, 'column 3': null },
      { a: 4, b: 5, 'column 3': 6 },
    ]);
    expect(warnings).toEqual([
      'a row has fewer cells than the header, 2: the others are null (the first is row 1)',
      'a row has more cells than the header, 2: they have columns of their own (the first is row 3)',
    ]);
  });

  test('quotes within cells are kept, and told', async () => {
    const { rows, warnings } = await parse('a,b\n5" pipe,1\n');
    expect(rows).toEqual([{ a: '5" pipe', b: 1 }]);
    expect(warnings[0]).toContain('quotes stand within cells from line 2 on');
  });

  test('a part of the rows; the whole is counted', async () => {
    using box = new DataFolder();
    const text = `n\n${Array.from({ length: 10 }, (_, at) => at).join('\n')}`;
    expect(await box.call('parse_table', { text, offset: 7, limit: 2 })).toEqual({
      columns: ['n'],
      types: { n: 'int' },
      rows: [{ n: 7 }, { n: 8 }],
      total: 10,
      format: 'csv',
    });
    await expect(box.call('parse_table', { text, offset: 11 })).rejects.toMatchObject({
      code: 'PV4934',
      message: 'offset: got 11, but the table has 10 rows',
    });
  });

  test('a list within a document', async () => {
    const document = '{"result":{"items":[{"a":1}],"other":[]},"n":3}';
    expect((await parse(document, { at: 'result.items' })).rows).toEqual([{ a: 1 }]);
    await expect(parse(document, { at: 'result' })).rejects.toMatchObject({
      code: 'PV4930',
      hint: 'at names one of its lists: result.items, result.other',
    });
    await expect(parse(document, { at: 'result.itms' })).rejects.toMatchObject({
      code: 'PV4932',
      hint: 'there are items, other',
    });
    const only = await parse('{"data":[{"a":1}]}');
    expect(only).toMatchObject({
      rows: [{ a: 1 }],
      warnings: ['the text is one object: its list data was taken'],
    });
  });

  test.each<[string, string, Partial<TableOptions>, string, RegExp]>([
    [
      'an open quote',
      'a,b\n1,"2\n3,4',
      {},
      'PV4930',
      /^the text:\d+: a quoted cell is never closed/,
    ],
    ['broken JSON', '[{"a":1},', {}, 'PV4930', /no JSON/],
    ['broken lines', '{"a":1}\n{"a":', { format: 'ndjson' }, 'PV4930', /^the text:2: no JSON/],
    ['deep JSON', '['.repeat(200_000), {}, 'PV4930', /no JSON/],
    ['a mixture', '[{"a":1},2]', {}, 'PV4930', /a list of different things/],
    ['a value', '{"a":1}', {}, 'PV4930', /got object, want a list of rows/],
    ['a header beyond', 'a\n1', { headerRow: 9 }, 'PV4930', /there are 2 rows/],
    ['many columns', `a${',a'.repeat(3_000)}`, {}, 'PV4931', /3001 columns/],
  ])('%s', async (_what, text, more, code, message) => {
    await expect(parse(text, more)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
      answered: true,
      retryable: false,
    });
  });
});

describe('files', () => {
  test('a hundred thousand rows: a part of them, never the whole', async () => {
    const text = `a,b\n${'1,x\n'.repeat(100_000)}`;
    using box = new DataFolder({ 'big.csv': text });
    await expect(box.call('read_table', { source: 'big.csv' })).rejects.toMatchObject({
      code: 'PV4931',
      message: 'got 100000 rows, want at most 20000 from one call',
      hint: expect.stringContaining('sql('),
    });
    const part = await box.call('read_table', { source: 'big.csv', offset: 99_999 });
    expect(part).toMatchObject({ total: 100_000, rows: [{ a: 1, b: 'x' }] });
  });

  test('encodings: told, marked, guessed', async () => {
    using box = new DataFolder({
      'latin.csv': Buffer.from('stadt\nK\xf6ln\n', 'latin1'),
      'wide.csv': Buffer.from('\ufeffstadt\nKöln\n', 'utf16le'),
      'dos.csv': Buffer.from('stadt\nK\x94ln\n', 'latin1'),
      'nul.csv': Buffer.from('a,b\n1,\0\n'),
    });
    const read = (source: string, encoding?: string): Promise<unknown> =>
      box.call('read_table', { source, ...(encoding !== undefined && { encoding }) });
    const rows = [{ stadt: 'Köln' }];
    expect(await read('wide.csv')).toMatchObject({ rows });
    expect(await read('dos.csv', 'ibm866')).not.toMatchObject({ rows });
    expect(await read('latin.csv')).toMatchObject({ rows });
    expect(box.context.warnings[0]).toContain('it was read as windows-1252');
    await expect(read('nul.csv')).rejects.toMatchObject({ code: 'PV4924' });
  });

  test('over HTTP, by its media type, where that is allowed', async () => {
    await using server = await startWebServer(() => ({
      headers: { 'content-type': 'text/csv; charset=latin1' },
      body: Buffer.from('a\n\xe9\n', 'latin1'),
    }));
    using box = new DataFolder();
    const source = new URL('/data?x=1', server.url).href;
    expect(await box.call('read_table', { source })).toMatchObject({
      rows: [{ a: 'é' }],
      name: 'data',
      url: source,
    });
    expect(box.sources).toEqual([{ url: source, title: 'data', fetchedAt: expect.any(Number) }]);
    box.private = 'none';
    await expect(box.call('read_table', { source })).rejects.toMatchObject({ code: 'PV4741' });
  });

  test.each<[string, string, number, string]>([
    ['a page', 'text/html', 200, 'PV4933'],
    ['a refusal', 'text/csv', 403, 'PV4747'],
    ['a fault', 'text/csv', 500, 'PV4702'],
  ])('over HTTP: %s', async (_what, type, status, code) => {
    await using server = await startWebServer(() => ({
      status,
      headers: { 'content-type': type },
      body: 'a,b',
    }));
    using box = new DataFolder();
    const source = new URL('/x', server.url).href;
    await expect(box.call('read_table', { source })).rejects.toMatchObject({ code });
  });

  test.each<[string, string, string]>([
    ['../secret.txt', 'PV4920', 'leads'],
    ['ftp://x/a.csv', 'PV4933', 'want a path or an address of http or https'],
    ['a.pdf', 'PV4933', 'is a PDF, want a table'],
    ['a.xlsx', 'PV4930', 'it is no ZIP archive'],
  ])('%s is refused', async (source, code) => {
    using box = new DataFolder({ 'a.pdf': '%PDF-1.4', 'a.xlsx': 'a,b' });
    await expect(box.call('read_table', { source })).rejects.toMatchObject({ code });
  });
});

describe('workbooks', () => {
  const read = async (
    file: Uint8Array,
    more: Readonly<Record<string, unknown>> = {},
  ): Promise<unknown> => {
    using box = new DataFolder({ 'a.xlsx': file });
    return await box.call('read_table', { source: 'a.xlsx', ...more });
  };

  test('cells of every kind; of formulas what was saved', async () => {
    const file = xlsxOf({
      People: [
        ['Name', 'Age', 'Member', 'Since', 'Next', 'Zip'],
        [
          ...['Ann &amp; Bob', 41.5, true],
          { xml: '<v>45658</v>', attributes: 's="1"' },
          { xml: '<f>1+1</f><v>2</v>' },
          '007',
        ],
        ['', 3, '', '', { xml: '<f>HYPERLINK("http://x")</f>' }, ''],
      ],
    });
    expect(await read(file)).toMatchObject({
      sheet: 'People',
      sheets: ['People'],
      types: {
        Name: 'text',
        Age: 'float',
        Member: 'bool',
        Since: 'text',
        Next: 'int',
        Zip: 'text',
      },
      rows: [
        { Name: 'Ann & Bob', Age: 41.5, Member: true, Since: '2025-01-01', Next: 2, Zip: '007' },
        { Name: null, Age: 3, Member: null, Since: null, Next: null, Zip: null },
      ],
    });
  });

  test('sheets by name and number', async () => {
    const file = xlsxOf({ One: [['a'], [1]], Two: [['b'], [2]] });
    expect(await read(file, { sheet: 'two' })).toMatchObject({ rows: [{ b: 2 }], sheet: 'Two' });
    expect(await read(file, { sheet: 2 })).toMatchObject({ rows: [{ b: 2 }] });
    for (const sheet of ['Three', 3, 0]) {
      await expect(read(file, { sheet })).rejects.toMatchObject({
        code: 'PV4932',
        hint: 'its sheets are One, Two',
      });
    }
  });

  test('broken ones', async () => {
    const file = xlsxOf({ One: [['a'], [1]] });
    const files = [
      file.slice(0, file.length / 2),
      Buffer.concat([file.slice(0, 60), Buffer.alloc(40, 7), file.slice(100)]),
      xlsxFrom(['a'], ['<worksheet><sheetData><row><c']),
      Buffer.from('504b0304aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'hex'),
    ];
    for (const one of files) {
      const result = await read(one).catch((thrown: unknown) => thrown);
      expect(result).toMatchObject({ code: 'PV4930', retryable: false });
    }
  });

  test('a bomb is known by what it says of itself', async () => {
    await expect(read(xlsxBomb(1_000, 300 * 2 ** 20))).rejects.toMatchObject({
      code: 'PV4931',
      message: expect.stringContaining('would unpack to'),
    });
  });

  test.each([
    ['one that lies is broken', 100, 'PV4930'],
    ['one that does not meets the limit of memory', undefined, 'PV4901'],
  ])('%s', async (_what, lie, code) => {
    const content = xlsxBomb(160 * 2 ** 20, lie);
    const options = {
      name: 'a.xlsx',
      headerRow: 1,
      types: true,
      offset: 0,
      limit: undefined,
      rowsMax: 9,
    };
    const { signal } = new AbortController();
    const reading = readTable({ content, ...options }, signal, 80 * 2 ** 20);
    await expect(reading).rejects.toMatchObject({ code });
  });
});
