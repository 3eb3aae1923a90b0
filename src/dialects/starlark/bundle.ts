/**
 * A program of several files is one text: the first file, then each file that is loaded, behind a
 * comment that names it. So what is checked, journaled and run again is always the whole program.
 */
import { plan } from './options.ts';
import { parse } from './parser.ts';
import type { Load } from './syntax.ts';

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

/** Puts the files that a text loads behind it, as far as `read` finds them. */
export function bundle(main: string, read: (name: string) => string | undefined): string {
  const files = new Map<string, string>();
  const queue = [main];
  for (let text = queue.pop(); text !== undefined; text = queue.pop()) {
    for (const { module } of loadsOf(text)) {
      if (files.has(module) || module.includes('"')) continue;
      const found = read(module);
      if (found === undefined) continue;
      files.set(module, found);
      queue.push(found);
    }
  }
  const parts = [...files].map(([name, text]) => `#: file "${name}"\n${ended(text)}`);
  return parts.length === 0 ? main : ended(main) + parts.join('');
}

const ended = (text: string): string => (text.endsWith('\n') || text === '' ? text : `${text}\n`);

function loadsOf(text: string): Load[] {
  if (!text.includes('load')) return [];
  const { file } = parse(text, plan);
  return (file?.body ?? []).filter((node) => node.kind === 'load');
}
