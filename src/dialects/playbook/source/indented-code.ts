/** Blocks of code without marks: behind a blank line, four blanks further in than the text. */
import type { Line } from './markdown.ts';
import type { Place } from './tree.ts';

const codeIndent = 4;

export function withIndentedCode(lines: readonly Line[]): Line[] {
  const made: Line[] = [];
  let inner: number | undefined;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at];
    if (!line) continue;
    if (line.kind === 'item') inner = line.inner;
    const isBehindBlank = lines[at - 1]?.kind === 'blank';
    const isCode = inner !== undefined && isBehindBlank && isCodeLine(line, inner + codeIndent);
    if (!isCode || inner === undefined) {
      made.push(line);
      continue;
    }
    const end = endOf(lines, at, inner + codeIndent);
    made.push(blockOf(lines.slice(at, end), inner));
    at = end - 1;
  }
  return made;
}

/** What begins as an item is one, however far it is in. */
const isCodeLine = (line: Line, least: number): boolean =>
  line.kind === 'text' && line.indent >= least && !line.text.startsWith('|');

function endOf(lines: readonly Line[], from: number, least: number): number {
  let end = from;
  for (let at = from; at < lines.length; at++) {
    const line = lines[at];
    if (line?.kind === 'blank') continue;
    const isIn = (line?.kind === 'text' || line?.kind === 'item') && line.indent >= least;
    if (!isIn) break;
    end = at + 1;
  }
  return end;
}

function blockOf(lines: readonly Line[], inner: number): Line {
  const raws = lines.map((line) => ('raw' in line ? line.raw : ''));
  const [first = ''] = raws;
  const margin = first.slice(0, first.length - first.trimStart().length);
  const text = raws.map((raw) => (raw.startsWith(margin) ? raw.slice(margin.length) : raw.trim()));
  const places = lines.map((line): Place => ('place' in line ? line.place : nowhere));
  const [place = nowhere] = places;
  return {
    ...{ kind: 'fence', indent: inner, marks: '```', word: '', text: text.join('\n') },
    ...{ raw: raws.join('\n'), place, places, breaks: [] },
  };
}

const nowhere: Place = { line: 0, column: 0 };
