/**
 * `!import steps.md`: a line whose place the lines of another file take, as far in as it is. A
 * program with its files is one text, the others after the first; reading puts the lines where they
 * belong, and each keeps its place in its own file. What cannot be imported is an error.
 */
import { bundled, unbundle } from '../../bundled.ts';
import type { Place } from './tree.ts';

const importDepthMax = 10;

/** Characters of all that a file imports: files that import two each would be without end. */
const importedMax = 1_000_000;

export const importHint: string =
  'want a text in UTF-8 in the folder of this file or below, also where a link leads to it; its ' +
  'name does not begin with a dot, and it does not import this file; at most ' +
  `${importDepthMax} files deep, and ${importedMax} characters in all`;

const directive = /^(\s*)!import\s+(?:"([^"]+)"|(\S+))\s*(?:#.*)?$/;
const lineBreak = /\r\n|\r|\n/;

/** The path that a line is to import; undefined for any other line. */
export const importIn = (line: string): string | undefined => {
  const [, , quoted, plain] = directive.exec(line) ?? [];
  return quoted ?? plain;
};

/**
 * Returns the text of a path as it is written in a file of this name (empty for the first one);
 * undefined where it cannot be read.
 */
export type ReadImport = (path: string, from: string) => string | undefined;

/** A text with the files that it imports after it, as far as they can be read. */
export function withImports(text: string, read: ReadImport): string {
  const files = new Map<string, string>();
  const queue: (readonly [string, string])[] = [['', text]];
  let room = importedMax;
  for (let next = queue.pop(); next; next = queue.pop()) {
    const [from, whole] = next;
    for (const path of whole.split(lineBreak).flatMap((line) => importIn(line) ?? [])) {
      const name = nameOf(path, from);
      const inner = files.has(name) ? undefined : read(path, from);
      if (inner === undefined || inner.length > room) continue;
      room -= inner.length;
      files.set(name, inner);
      queue.push([name, inner]);
    }
  }
  return bundled(text, files);
}

/** What a path in a file is called from the folder of the first one: `sub/steps.md`. */
function nameOf(path: string, from: string): string {
  const parts: string[] = [];
  for (const part of [...from.split('/').slice(0, -1), ...path.split('/')]) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}

/** Lines as they are read, each with where it stands as it is written. */
export interface WrittenText {
  readonly texts: readonly string[];
  /** Of a line, from 0, and a column of it as it is read, from 1. */
  at(index: number, column: number): Place;
  /** Of a line, from 0, that is to import something: why that cannot be. */
  unimported(index: number): string;
}

interface WrittenLine {
  readonly text: string;
  readonly file: string;
  readonly line: number;
  /** How far in importing has put it. */
  readonly indent: number;
  readonly unimported: string;
}

/** The lines of a text, with those of the files after it in the places of their imports. */
export function writtenText(text: string): WrittenText {
  const { main, files } = text.includes('!import')
    ? unbundle(text)
    : { main: text, files: new Map<string, string>() };
  let room = importedMax;
  /** `around` are the files around, outermost first. */
  const linesOf = (whole: string, around: readonly string[], space: string): WrittenLine[] => {
    const file = around.at(-1) ?? '';
    return whole.split(lineBreak).flatMap((line, at) => {
      const path = importIn(line);
      const name = path === undefined ? '' : nameOf(path, file);
      const inner = files.get(name) ?? '';
      const unimported = path === undefined ? '' : whyNot(name, around, inner.length);
      if (path !== undefined && unimported === '') {
        room -= inner.length;
        const [, indent = ''] = directive.exec(line) ?? [];
        return linesOf(inner.replace(/\r?\n$/, ''), [...around, name], space + indent);
      }
      const indent = line === '' ? '' : space;
      return [{ text: indent + line, file, line: at + 1, indent: indent.length, unimported }];
    });
  };
  const whyNot = (name: string, around: readonly string[], size: number): string => {
    if (around.length > importDepthMax) return `it is more than ${importDepthMax} files deep`;
    if (around.includes(name)) return 'it imports this file itself';
    if (!files.has(name)) return 'there is no such text that may be read';
    return size > room ? `all imports are more than ${importedMax} characters` : '';
  };
  const lines = linesOf(main, [''], '');
  return {
    texts: lines.map((line) => line.text),
    at(index, column) {
      const { file = '', indent = 0, line = index + 1 } = lines[index] ?? {};
      return { line, column: column - indent, ...(file !== '' && { file }) };
    },
    unimported: (index) => lines[index]?.unimported ?? '',
  };
}
