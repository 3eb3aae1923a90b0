/** Rows of a table as Markdown has it: cells between bars, a rule below the header. Pure. */
import { refusal } from '../../engine/handler.ts';
import type { Grid } from './grid.ts';

/** Whether a text is such a table and nothing else. */
export function isMarkdownTable(text: string): boolean {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  return lines.length > 1 && isRule(lines[1] ?? '') && lines.every((line) => line.includes('|'));
}

/** The first table of a text; says what is left out. Throws `EffectFailure` PV4930. */
export function gridOfMarkdown(text: string, name: string): Grid {
  const lines = text.split(/\r?\n/);
  const tables = tablesIn(lines);
  const [own] = tables;
  if (!own) {
    throw refusal('PV4930', `${name} has no table of Markdown`, {
      hint: 'a table has a line |---|---|',
    });
  }
  const around = lines.filter((line) => line.trim() !== '').length - own.length;
  const more = tables.length > 1 ? `${tables.length} tables, this is the first` : '';
  const others = around > 0 ? `${around} lines beside the table` : '';
  const left = [more, others].filter((part) => part !== '').join('; ');
  return {
    rows: own.filter((_, at) => at !== 1).map(cellsOf),
    untyped: true,
    ...(left !== '' && { warnings: [`${name} has ${left}`] }),
  };
}

/** A table goes on for as long as lines have bars; a row of it may look like a rule. */
function tablesIn(lines: readonly string[]): string[][] {
  const tables: string[][] = [];
  let open: string[] | undefined;
  for (const [at, line] of lines.entries()) {
    const header = lines[at - 1] ?? '';
    if (!line.includes('|')) open = undefined;
    else if (open) open.push(line);
    else if (isRule(line) && header.includes('|')) {
      open = [header, line];
      tables.push(open);
    }
  }
  return tables;
}

/** `| --- | :--: |`: at least one bar, and three dashes or fewer with colons. */
const isRule = (line: string): boolean =>
  line.includes('|') && /^\s*(?:\|\s*)?:?-+:?\s*(?:\|\s*:?-+:?\s*)*(?:\|\s*)?$/.test(line);

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
