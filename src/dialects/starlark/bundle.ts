/**
 * A program of several files is one text: the first file, then each file that is loaded, behind a
 * comment that names it. So what is checked, journaled and run again is always the whole program.
 */
import { bundled } from '../bundled.ts';
import { plan } from './parse/options.ts';
import { parse } from './parse/parser.ts';

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
  return bundled(main, files);
}

function loadedIn(text: string): string[] {
  if (!text.includes('load')) return [];
  const { file } = parse(text, plan);
  return (file?.body ?? []).flatMap((node) => (node.kind === 'load' ? [node.module] : []));
}
