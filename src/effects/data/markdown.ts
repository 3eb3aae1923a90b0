/** Rows of a table as Markdown has it: cells between bars, a rule below the header. Pure. */
import { failed } from './failure.ts';
import type { Grid } from './grid.ts';

/** Whether a text is such a table and nothing else. */
export function isMarkdownTable(text: string): boolean {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  return lines.length > 1 && isRule(lines[1] ?? '') && lines.every((line) => line.includes('|'));
}

/** The first table of a text; says what is left out. Throws `EffectFailure` PV4930. */
export function gridOfMarkdown(text: string, name: string): Grid {
  const lines = text.split(/\r?\n/);
  const starts = lines.flatMap((line, at) =>
    isRule(line) && (lines[at - 1] ?? '').includes('|') ? [at - 1] : [],
  );
  const [start] = starts;
  if (start === undefined) {
    throw failed('PV4930', `${name} has no table of Markdown`, 'a table has a line |---|---|');
  }
  const end = lines.findIndex((line, at) => at > start && !line.includes('|'));
  const own = lines.slice(start, end < 0 ? undefined : end);
  const around = lines.filter((line) => line.trim() !== '').length - own.length;
  const tables = starts.length > 1 ? `${starts.length} tables, this is the first` : '';
  const others = around > 0 ? `${around} lines beside the table` : '';
  const left = [tables, others].filter((part) => part !== '').join('; ');
  return {
    rows: own.filter((_, at) => at !== 1).map(cellsOf),
    untyped: true,
    ...(left !== '' && { warnings: [`${name} has ${left}`] }),
  };
}

/** `| --- | :--: |`: at least one bar, and three dashes or fewer with colons. */
const isRule = (line: string): boolean =>
  line.includes('|') && /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/.test(line);

/** A bar behind a backslash belongs to its cell. */
function cellsOf(line: string): string[] {
  const inner = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '');
  return inner.split(/(?<!\\)\|/).map((cell) =>
    cell
      .trim()
      .replace(/\\([\\|])/g, '$1')
      .replace(/<br\s*\/?>/gi, '\n'),
  );
}
