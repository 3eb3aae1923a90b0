/** Rows of a text whose cells stand between separators: CSV as it occurs, RFC 4180 and beyond. */

import type { CsvError } from 'csv-parse/sync';
import { type EffectFailure, refusal } from '../../engine/handler.ts';
import type { Grid } from './grid.ts';

/** Throws `EffectFailure` PV4930 with the line. */
export async function gridOfCsv(
  text: string,
  given: string | undefined,
  name: string,
): Promise<Grid> {
  const { parse, CsvError: Broken } = await import('csv-parse/sync');
  // The first line that some programs write for others to know the separator.
  const told = /^sep=(.)\r?\n/.exec(text);
  const body = told ? text.slice(told[0].length) : text;
  const delimiter = given ?? told?.[1] ?? separatorOf(body);
  const read = (isLax: boolean): string[][] =>
    parse(body, {
      ...{ delimiter, relax_column_count: true, skip_empty_lines: true },
      ...(isLax && { relax_quotes: true }),
    });
  try {
    return { rows: read(false), untyped: true };
  } catch (thrown) {
    if (!(thrown instanceof Broken)) throw thrown;
    if (!misplaced.has(thrown.code)) throw broken(thrown, name);
    try {
      const rows = read(true);
      const where = `line ${String(thrown.lines ?? '?')}`;
      const warning = `${name}: quotes stand within cells from ${where} on: they were kept`;
      return { rows, untyped: true, warnings: [warning] };
    } catch {
      throw broken(thrown, name);
    }
  }
}

/** Quotes where none may be, which can be taken for letters. */
const misplaced: ReadonlySet<string> = new Set([
  'CSV_INVALID_CLOSING_QUOTE',
  'CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE',
  'INVALID_OPENING_QUOTE',
]);

function broken(error: CsvError, name: string): EffectFailure {
  const what =
    error.code === 'CSV_QUOTE_NOT_CLOSED'
      ? 'a quoted cell is never closed'
      : error.message.slice(0, 200);
  const line = typeof error.lines === 'number' ? `${name}:${error.lines}` : name;
  return refusal('PV4930', `${line}: ${what}`, { hint: 'mend the file, or name its separator' });
}

const separators = [',', ';', '\t', '|'] as const;

/** The one that parts most lines of the beginning into as many cells, outside of quotes. */
function separatorOf(text: string): string {
  const lines = text
    .slice(0, 65_536)
    .replace(/"(?:[^"]|"")*"/g, '')
    .split(/\r\n?|\n/)
    .filter((line) => line.trim() !== '')
    .slice(0, 20);
  let best: { sign: string; score: number } = { sign: ',', score: 0 };
  for (const sign of separators) {
    const counts = lines.map((line) => line.split(sign).length - 1);
    const first = counts[0] ?? 0;
    const alike = counts.filter((count) => count === first).length;
    const score = first === 0 ? 0 : (alike / lines.length) * 100 + Math.min(first, 50) / 100;
    if (score > best.score) best = { sign, score };
  }
  return best.sign;
}
