/**
 * Rows of a sheet of an XLSX workbook: what its cells hold, of formulas the result that was saved.
 * Nothing is computed, no macro, link or picture is looked at.
 */
import { refusal } from '../../engine/handler.ts';
import { thrownMessage } from '../../program/diagnostic.ts';
import type { Grid } from './grid.ts';
import { type Cell, type TableOptions, tableLimits } from './table.ts';
import { unpackedBytes } from './zip.ts';

/** Throws `EffectFailure` PV4930 to PV4932. */
export async function gridOfSheet(
  bytes: Uint8Array,
  { sheet, name }: Pick<TableOptions, 'sheet' | 'name'>,
): Promise<Grid> {
  refuseBomb(bytes, name);
  const sheets = await sheetsIn(bytes, name);
  const names = sheets.map((one) => one.sheet);
  const found =
    typeof sheet === 'string'
      ? (sheets.find((one) => one.sheet === sheet) ??
        sheets.find((one) => one.sheet.trim().toLowerCase() === sheet.trim().toLowerCase()))
      : sheets[(sheet ?? 1) - 1];
  if (!found) {
    const want = sheet === undefined ? 'a sheet' : `sheet ${sheet}`;
    throw refusal('PV4932', `${name} has no ${want}`, {
      hint: `its sheets are ${names.join(', ')}`,
    });
  }
  const rows = found.data.map((row) => row.map(cellOf));
  return { rows, untyped: false, sheet: found.sheet, sheets: names };
}

async function sheetsIn(
  bytes: Uint8Array,
  name: string,
): Promise<readonly { sheet: string; data: readonly (readonly unknown[])[] }[]> {
  const { default: read } = await import('read-excel-file/node');
  try {
    return await read(Buffer.from(bytes), { trim: false });
  } catch (thrown) {
    if (thrown instanceof RangeError) throw thrown;
    throw refusal('PV4930', `${name} is a broken workbook: ${thrownMessage(thrown).slice(0, 200)}`);
  }
}

/** What the archive itself says; one that lies meets the limit of memory. */
function refuseBomb(bytes: Uint8Array, name: string): void {
  const unpacked = unpackedBytes(bytes);
  if (unpacked === undefined) {
    throw refusal('PV4930', `${name} is a broken workbook: its archive has no list of contents`);
  }
  if (unpacked > tableLimits.unpackedBytes) {
    const most = tableLimits.unpackedBytes;
    throw refusal('PV4931', `${name} would unpack to ${unpacked} bytes, want at most ${most}`);
  }
}

/** Dates as ISO texts, without a time where there is none: days have no time zone. */
function cellOf(cell: unknown): Cell {
  if (cell instanceof Date) {
    if (Number.isNaN(cell.getTime())) return null;
    return cell
      .toISOString()
      .replace(/T00:00:00\.000Z$|\.000Z$/, '')
      .replace(/Z$/, '');
  }
  return cell === '' ? null : cell;
}
