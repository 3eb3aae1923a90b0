/** A table out of the content of a file, however it is written. Runs apart: see `table.ts`. */
import { type EffectFailure, refusal } from '../../engine/handler.ts';
import { charsetIn, decodeText } from '../files/charset.ts';
import { isZip, kindOf, unknownKind } from '../files/kind.ts';
import { memberOf } from '../foreign-json.ts';
import { gridOfCsv } from './csv.ts';
import { type Grid, tableOf } from './grid.ts';
import { gridOfJson, gridOfLines } from './json-rows.ts';
import { gridOfMarkdown, isMarkdownTable } from './markdown.ts';
import { type Table, type TableFormat, type TableOptions, tableFormats } from './table.ts';

/** Throws `EffectFailure` PV4924, PV4930 to PV4933. */
export async function loadTable(
  content: Uint8Array | string,
  options: TableOptions,
): Promise<Table> {
  const format = options.format ?? formatOf(content, options);
  const grid = await gridOf(content, format, options);
  return { ...tableOf(grid, options), format };
}

async function gridOf(
  content: Uint8Array | string,
  format: TableFormat,
  options: TableOptions,
): Promise<Grid> {
  if (format === 'xlsx') {
    const { gridOfSheet } = await import('./sheet.ts');
    const bytes = typeof content === 'string' ? Buffer.from(content, 'latin1') : content;
    return await gridOfSheet(bytes, options);
  }
  const { text, notes } = textIn(content, options);
  const grid = await gridOfText(text, format, options);
  return { ...grid, warnings: [...notes, ...(grid.warnings ?? [])] };
}

async function gridOfText(
  text: string,
  format: Exclude<TableFormat, 'xlsx'>,
  options: TableOptions,
): Promise<Grid> {
  switch (format) {
    case 'csv':
      return await gridOfCsv(text, options.separator, options.name);
    case 'tsv':
      return await gridOfCsv(text, options.separator ?? '\t', options.name);
    case 'json':
      return gridOfJson(text, options.at, options.name);
    case 'ndjson':
      return gridOfLines(text, options.name);
    case 'markdown':
      return gridOfMarkdown(text, options.name);
  }
}

function textIn(
  content: Uint8Array | string,
  { name, encoding, mediaType }: TableOptions,
): { text: string; notes: string[] } {
  if (typeof content === 'string') return { text: content.replace(/^\ufeff/, ''), notes: [] };
  const { text, note } = decodeText(content, name, encoding ?? charsetIn(mediaType ?? ''));
  return { text, notes: note === undefined ? [] : [note] };
}

const noTable = (name: string, what: string, hint = 'save it as XLSX or CSV'): EffectFailure =>
  refusal('PV4933', `${name} is ${what}, want a table: ${tableFormats.join(', ')}`, { hint });

const byMediaType: readonly (readonly [RegExp, TableFormat])[] = [
  [/text\/csv/i, 'csv'],
  [/tab-separated-values/i, 'tsv'],
  [/text\/markdown/i, 'markdown'],
  [/ndjson|jsonl|json-seq|json-lines/i, 'ndjson'],
  [/json/i, 'json'],
  [/spreadsheetml/i, 'xlsx'],
];

const endings: Readonly<Record<string, TableFormat>> = {
  ...Object.fromEntries(tableFormats.map((format) => [format, format])),
  ...{ tab: 'tsv', md: 'markdown', jsonl: 'ndjson', txt: 'csv', xlsm: 'xlsx' },
};

function formatOf(
  content: Uint8Array | string,
  { name, mediaType = '' }: TableOptions,
): TableFormat {
  if (typeof content !== 'string') {
    if (isZip(content)) return 'xlsx';
    const kind = kindOf(content);
    if (kind.is === 'pdf') throw noTable(name, 'a PDF', 'parse_pdf reads it');
    if (kind.is === 'other' && kind.what !== unknownKind) throw noTable(name, kind.what);
  }
  const ending = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  const known =
    memberOf(endings, ending) ?? byMediaType.find(([type]) => type.test(mediaType))?.[1];
  if (known === 'xlsx') {
    throw refusal('PV4930', `${name} is no XLSX file: it is no ZIP archive`, {
      hint: 'save it again as XLSX',
    });
  }
  if (known !== undefined) return known;
  if (/html/i.test(mediaType) || /^html?$/.test(ending)) {
    throw noTable(name, 'a page', 'name the address of the file itself');
  }
  const start = Buffer.from(content.slice(0, 4096) as string, 'utf8')
    .toString('utf8')
    .trimStart();
  // The last line may be cut.
  const whole = content.length > 4096 ? start.slice(0, start.lastIndexOf('\n')) : start;
  if (isMarkdownTable(whole)) return 'markdown';
  if (start.startsWith('[')) return 'json';
  return start.startsWith('{') ? (/^\{[^\n]*\}\s*\n\s*\{/.test(start) ? 'ndjson' : 'json') : 'csv';
}
