/** A program of several files as one text: the first file, then each other behind its name. */

export interface Bundle {
  readonly main: string;
  /** The text of each file by the name it is loaded by. */
  readonly files: ReadonlyMap<string, string>;
}

const mark = /^#: file "([^"\n]+)"\n/m;

/** Lines of the first file stay where they are. */
export function unbundle(text: string): Bundle {
  const [main = '', ...rest] = text.split(mark);
  const files = new Map<string, string>();
  for (let i = 0; i < rest.length; i += 2) files.set(rest[i] ?? '', rest[i + 1] ?? '');
  return { main, files };
}

/** Names that hold what ends a name cannot be told from it, and are left out. */
export function bundled(main: string, files: ReadonlyMap<string, string>): string {
  const parts = [...files]
    .filter(([name]) => !/["\n]/.test(name))
    .map(([name, text]) => `#: file "${name}"\n${ended(text)}`);
  return parts.length === 0 ? main : ended(main) + parts.join('');
}

const ended = (text: string): string => (text.endsWith('\n') || text === '' ? text : `${text}\n`);
