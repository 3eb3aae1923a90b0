/** The thread that reads a table for `readTable`. */
import { refusal } from '../../engine/handler.ts';
import { serve } from '../apart/serve.ts';
import { loadTable } from './load-table.ts';
import { type TableInput, type TablePart, tableLimits } from './table.ts';

serve<TableInput>(async (input): Promise<TablePart> => {
  const table = await loadTable(input.content, input);
  const total = table.rows.length;
  const { offset, limit, rowsMax } = input;
  if (offset > total) {
    throw refusal('PV4934', `offset: got ${offset}, but the table has ${total} rows`);
  }
  const rows = table.rows.slice(offset, limit === undefined ? total : offset + limit);
  refuseTooMany(rows.length, table.columns.length, rowsMax);
  return { ...table, rows, total };
});

/** A part that nobody has asked for would be taken for the whole. */
function refuseTooMany(rows: number, columns: number, rowsMax: number): void {
  const cellsMax = rowsMax * tableLimits.cellsPerRow;
  const hint = "read a part by offset and limit, or ask for it: sql('SELECT …', {'t': PATH})";
  if (rows > rowsMax) {
    throw refusal('PV4931', `got ${rows} rows, want at most ${rowsMax} from one call`, { hint });
  }
  if (rows * columns > cellsMax) {
    const got = `${rows} rows of ${columns} cells`;
    throw refusal('PV4931', `got ${got}, want at most ${cellsMax} cells from one call`, { hint });
  }
}
