/**
 * `!import steps.md`: a line of its own whose place the lines of another file take, as far in as it
 * is. A program with its files is one text, the others behind the first; reading puts the lines
 * where they belong, and each keeps its place in its own file. What cannot be imported stays, and
 * is an error where it stands.
 */
import { bundled, unbundle } from '../../bundled.ts';
import type { Place } from './tree.ts';

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
 * Gives the text of a path as it is written in a file of this name (empty for the first one);
 * undefined where it cannot be read.
 */
export type ReadImport = (path: string, from: string) => string | undefined;

/** A text with the files that it imports behind it, as far as they can be read. */
export function withImports(text: string, read: ReadImport): string {
  const files = new Map<string, string>();
  const queue: (readonly [string, string])[] = [['', text]];
  let left = importedMax;
  for (let next = queue.pop(); next; next = queue.pop()) {
    const [from, whole] = next;
    for (const path of whole.split(lineBreak).flatMap((line) => importIn(line) ?? [])) {
      const name = nameOf(path, from);
      if (files.has(name)) continue;
      const found = read(path, from);
      if (found === undefined || found.length > left) continue;
      left -= found.length;
      files.set(name, found);
      queue.push([name, found]);
    }
  }
  return bundled(text, files);
}

const lineBreak = /\r\n|\r|\n/;

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
export interface Written {
  readonly texts: readonly string[];
  /** Of a line, from 0, and a column of it as it is read, from 1. */
  at(index: number, column: number): Place;
}

interface WrittenLine {
  readonly text: string;
  readonly file: string;
  readonly line: number;
  /** How far in importing has put it. */
  readonly indent: number;
}

/** The lines of a text, with those of the files behind it in the places of their imports. */
export function written(text: string): Written {
  const { main, files } = text.includes('!import')
    ? unbundle(text)
    : { main: text, files: new Map<string, string>() };
  const lines = expanded(main, { files, around: [''], indent: '', room: { left: importedMax } });
  return {
    texts: lines.map((one) => one.text),
    at(index, column) {
      const { file = '', indent = 0, line = index + 1 } = lines[index] ?? {};
      return { line, column: column - indent, ...(file !== '' && { file }) };
    },
  };
}

interface Expanding {
  readonly files: ReadonlyMap<string, string>;
  /** The files around, outermost first. */
  readonly around: readonly string[];
  readonly indent: string;
  readonly room: { left: number };
}

function expanded(text: string, to: Expanding): WrittenLine[] {
  const file = to.around.at(-1) ?? '';
  return text.split(lineBreak).flatMap((line, at) => {
    const inner = imported(line, file, to);
    if (inner) return inner;
    const indent = line === '' ? '' : to.indent;
    return [{ text: `${indent}${line}`, file, line: at + 1, indent: indent.length }];
  });
}

function imported(line: string, from: string, to: Expanding): WrittenLine[] | undefined {
  const path = importIn(line);
  if (path === undefined || to.around.length > importDepthMax) return undefined;
  const name = nameOf(path, from);
  const found = to.files.get(name);
  if (found === undefined || to.around.includes(name) || found.length > to.room.left) {
    return undefined;
  }
  to.room.left -= found.length;
  const space = line.slice(0, line.length - line.trimStart().length);
  const inner = { ...to, around: [...to.around, name], indent: to.indent + space };
  return expanded(found.replace(/\r?\n$/, ''), inner);
}
