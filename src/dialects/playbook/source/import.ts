/**
 * `!import path` in a line of its own: the text of another file, each line as far in as that one.
 * What is imported may import, relative to itself. The texts come from the caller; a line whose
 * file there is not, or that would import what imports it, stays, and reading says so.
 */

/** Files in files. */
export const importDepthMax = 10;

/** Characters of all that a file imports: files that import two each would be without end. */
export const importedMax = 1_000_000;

const directive = /^(\s*)!import\s+(?:"([^"]+)"|'([^']+)'|(\S+))\s*(?:#.*)?$/;

/** What a line is to import; undefined for any other line. */
export const importIn = (line: string): string | undefined => {
  const [, , double, single, plain] = directive.exec(line) ?? [];
  return double ?? single ?? plain;
};

/**
 * Gives the text of a path, as it is written in the file `from` (empty for the first one), and the
 * name by which that file is known from then on; undefined where it cannot be read.
 */
export type ReadImport = (
  path: string,
  from: string,
) => { readonly text: string; readonly file: string } | undefined;

export const withImports = (text: string, read: ReadImport): string =>
  expanded(text, { read, files: [''], indent: '', room: { left: importedMax } });

interface Importing {
  readonly read: ReadImport;
  /** The files around, outermost first. */
  readonly files: readonly string[];
  readonly indent: string;
  readonly room: { left: number };
}

const expanded = (text: string, to: Importing): string =>
  text
    .split('\n')
    .map((line) => imported(line, to) ?? (line === '' ? line : `${to.indent}${line}`))
    .join('\n');

function imported(line: string, to: Importing): string | undefined {
  const path = importIn(line);
  if (path === undefined || to.files.length > importDepthMax) return undefined;
  const found = to.read(path, to.files.at(-1) ?? '');
  if (!found || to.files.includes(found.file) || found.text.length > to.room.left) return undefined;
  to.room.left -= found.text.length;
  const space = line.slice(0, line.length - line.trimStart().length);
  const inner = { ...to, files: [...to.files, found.file], indent: to.indent + space };
  return expanded(found.text.replace(/\r\n?/g, '\n').replace(/\n$/, ''), inner);
}
