/**
 * A program of several files is one text: the first file, then each file that is loaded, behind a
 * comment that names it. So what is checked, journaled and run again is always the whole program.
 */
import { plan } from './parse/options.ts';
import { parse } from './parse/parser.ts';

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

/** Finds the text of a file; undefined where there is none. */
export type ReadFile = (name: string) => string | undefined;

/** Puts the files that a text loads behind it, as far as `read` finds them. */
export const bundle = (main: string, read: ReadFile): string => bundleBy(loadedIn, main, read);

/** The same for a dialect with words of its own for other files: `namesIn` finds their names. */
export function bundleBy(
  namesIn: (text: string) => readonly string[],
  main: string,
  read: ReadFile,
): string {
  const files = new Map<string, string>();
  const queue = [main];
  for (let text = queue.pop(); text !== undefined; text = queue.pop()) {
    for (const name of namesIn(text)) {
      if (files.has(name) || /["\n]/.test(name)) continue;
      const found = read(name);
      if (found === undefined) continue;
      files.set(name, found);
      queue.push(found);
    }
  }
  const parts = [...files].map(([name, text]) => `#: file "${name}"\n${ended(text)}`);
  return parts.length === 0 ? main : ended(main) + parts.join('');
}

const ended = (text: string): string => (text.endsWith('\n') || text === '' ? text : `${text}\n`);

function loadedIn(text: string): string[] {
  if (!text.includes('load')) return [];
  const { file } = parse(text, plan);
  return (file?.body ?? []).flatMap((node) => (node.kind === 'load' ? [node.module] : []));
}
