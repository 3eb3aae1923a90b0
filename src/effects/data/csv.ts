/** The rows of a table that is CSV: what programs write, also where its quotes are odd. */
import { refusal } from '../../engine/handler.ts';
import { csvRows } from '../csv.ts';
import { Malformed } from '../malformed.ts';
import type { Grid } from './grid.ts';

/** Throws `EffectFailure` PV4930 with the line. */
export function gridOfCsv(text: string, given: string | undefined, name: string): Grid {
  // The first line that some programs write for others to know the separator.
  const told = /^sep=(.)\r?\n/.exec(text);
  const body = told ? text.slice(told[0].length) : text;
  let odd: number | undefined;
  const onOddQuote = (line: number): void => {
    odd ??= line;
  };
  try {
    const rows = [...csvRows(body, { separator: given ?? told?.[1], onOddQuote })];
    const warning = `${name}: quotes stand within cells from line ${odd} on: they were kept`;
    return {
      rows: rows.map(({ cells }) => cells),
      untyped: true,
      ...(odd !== undefined && { warnings: [warning] }),
    };
  } catch (thrown) {
    if (!(thrown instanceof Malformed)) throw thrown;
    throw refusal('PV4930', `${name}:${thrown.line}: a quoted cell is never closed`, {
      hint: 'mend the file, or name its separator',
    });
  }
}
