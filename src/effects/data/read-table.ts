/** `read_table` and `parse_table`. */
import type { Arguments, AttemptContext, Handler } from '../../engine/handler.ts';
import { defined } from '../foreign-json.ts';
import { type SourceLimits, type SourceOptions, sourceAt } from './source.ts';
import { parseTableSpec, readTableSpec } from './specs.ts';
import { readTable, type TableFormat, type TableInput, type TablePart } from './table.ts';

export const readTableHandler = (options: SourceOptions): Handler => ({
  spec: readTableSpec,
  async perform(args, context) {
    const file = await sourceAt(String(args.source), options, context);
    const { name, url, fetchedAt, contentType: mediaType, bytes } = file;
    const input = { ...inputOf(args, options.limits), content: bytes, name, mediaType };
    const table = await readTable(input, context.signal, options.limits.memoryBytes);
    context.source({ url, title: name, fetchedAt });
    return { ...told(table, context), name, url };
  },
});

export const parseTableHandler = ({ limits }: Pick<SourceOptions, 'limits'>): Handler => ({
  spec: parseTableSpec,
  async perform(args, context) {
    const input = { ...inputOf(args, limits), content: String(args.text), name: 'the text' };
    return told(await readTable(input, context.signal, limits.memoryBytes), context);
  },
});

const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

function inputOf(
  args: Arguments,
  { rows: rowsMax }: SourceLimits,
): Omit<TableInput, 'content' | 'name'> {
  const { sheet } = args;
  return {
    format: textIn(args.format) as TableFormat | undefined,
    encoding: textIn(args.encoding),
    separator: textIn(args.separator),
    at: textIn(args.at),
    sheet: typeof sheet === 'number' ? sheet : textIn(sheet),
    headerRow: Number(args.header_row ?? 1),
    types: args.types !== false,
    offset: Number(args.offset ?? 0),
    limit: args.limit === undefined ? undefined : Number(args.limit),
    rowsMax,
  };
}

function told(table: TablePart, context: AttemptContext): Record<string, unknown> {
  for (const warning of table.warnings) context.warn(warning);
  const names = table.columns.map(({ name }) => name);
  const { total, format, sheet, sheets } = table;
  return defined({
    columns: names,
    types: Object.fromEntries(table.columns.map(({ name, type }) => [name, type])),
    rows: table.rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at]]))),
    ...{ total, format, sheet, sheets },
  });
}
