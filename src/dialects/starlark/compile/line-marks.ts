/**
 * Places of code that was taken from another text: a comment `#line 17 4 "x.playbook.md"` says that
 * the line below it is line 17 there, 4 columns further in here; `#line` that what follows is the
 * file's own again. Code with the line 0 was put around and has no place.
 */

export interface Place {
  readonly line: number;
  readonly column: number;
  /** The other text. */
  readonly file?: string;
}

/** Where a place of the text is said to be. */
export type Placing = (line: number, column: number) => Place;

export const mark = (file: string, line: number, columns: number): string =>
  `#line ${line} ${columns} ${JSON.stringify(file)}`;

export const markEnd = '#line';

interface Mark {
  readonly file: string;
  /** Where the mark stands, and the place of the line below it. */
  readonly at: number;
  readonly line: number;
  readonly columns: number;
}

/** Undefined where a text has no marks. */
export function placingIn(source: string): Placing | undefined {
  if (!source.includes(`${markEnd} `)) return undefined;
  const marks: (Mark | undefined)[] = [];
  let open: Mark | undefined;
  for (const [at, text] of source.split('\n').entries()) {
    marks[at + 1] = open;
    const [all, line, columns, file = '""'] =
      /^\s*#line(?: (\d+) (\d+) ("(?:[^"\\]|\\.)*"))?$/.exec(text) ?? [];
    if (all === undefined) continue;
    const place = { at: at + 1, line: Number(line), columns: Number(columns) };
    open = line === undefined ? undefined : { ...place, file: JSON.parse(file) };
  }
  return (line, column) => {
    const found = marks[line];
    if (!found) return { line, column };
    const { file, at, columns } = found;
    if (found.line === 0) return { line: 0, column: 0, file };
    return { line: found.line + line - at - 1, column: Math.max(1, column - columns), file };
  };
}
