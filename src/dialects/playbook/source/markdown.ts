/**
 * Markdown as playbooks use it, line by line: headings, items of lists, fences, comments, rules and
 * text. Columns are those of the text as it is; a comment leaves blanks in its place.
 */

import { error, report as newReport, type Report, warn } from '../report.ts';
import { composed } from '../text/variables.ts';
import { importDepthMax, importedMax, importIn } from './import.ts';
import type { Place } from './tree.ts';

export type Line =
  | {
      readonly kind: 'heading';
      readonly level: number;
      readonly text: string;
      readonly raw: string;
      readonly place: Place;
    }
  | {
      readonly kind: 'item';
      readonly indent: number;
      /** How far in its text begins. */
      readonly inner: number;
      /** `-`, or the number of an item in an ordered list. */
      readonly marker: string;
      readonly text: string;
      readonly place: Place;
      readonly raw: string;
    }
  | ({ readonly kind: 'text'; readonly indent: number; readonly text: string } & Raw)
  | {
      readonly kind: 'fence';
      readonly indent: number;
      /** What stands behind the backticks: `tools`. */
      readonly word: string;
      readonly text: string;
      /** Of its first line of code. */
      readonly place: Place;
      readonly raw: string;
    }
  | { readonly kind: 'blank' }
  | { readonly kind: 'rule'; readonly text: string };

type Fence = Extract<Line, { readonly kind: 'fence' }>;

interface Raw {
  readonly raw: string;
  readonly place: Place;
}

export interface Markdown {
  readonly lines: readonly Line[];
  readonly report: Report;
}

const tabWidth = 4;

/** Lines from `first` (0 for the whole text) on. */
export function readMarkdown(text: string, first = 0): Markdown {
  const report = newReport();
  const texts = text.split(/\r\n|\r|\n/);
  const lines: Line[] = [];
  let comment: Place | undefined;
  for (let at = first; at < texts.length; at++) {
    const fence = comment === undefined ? fenceAt(texts, at) : undefined;
    if (fence) {
      lines.push(fence.line);
      if (!fence.isClosed) reportOpen(fence.line, at + 1, report);
      at = fence.end;
      continue;
    }
    const { shown, open } = withoutComments(composed(texts[at] ?? ''), comment !== undefined);
    comment = open === undefined ? undefined : (comment ?? { line: at + 1, column: open + 1 });
    const path = importIn(shown);
    if (path !== undefined) {
      const place = { line: at + 1, column: shown.indexOf('!') + 1 };
      error(report, 'notImported', place, `cannot import ${path}`, { hint: importHint });
      continue;
    }
    // A line that was a comment only is no blank line, which would end a paragraph.
    if (shown.trim() !== '' || (texts[at] ?? '').trim() === '') lines.push(lineOf(shown, at + 1));
  }
  if (comment) warn(report, 'openComment', comment, 'got <!--, want --> behind it');
  return { lines, report };
}

const importHint =
  'want a text in UTF-8 in the folder of this file or below, also where a link leads to it; its ' +
  'name does not begin with a dot, and it does not import this file; at most ' +
  `${importDepthMax} files deep, and ${importedMax} characters in all`;

/** A block that takes playbooks with it has made another program of the file. */
function reportOpen({ text }: Fence, line: number, to: Report): void {
  const message = 'got a block of code without an end, want ``` in a line of its own';
  const lost = text.split('\n').findIndex((one) => /^#{2,3}\s+\S/.test(one));
  if (lost < 0) warn(to, 'openFence', { line, column: 1 }, message);
  else {
    const hint = `the heading in line ${line + 1 + lost} and all behind it stand in the block`;
    error(to, 'openFence', { line, column: 1 }, message, { hint });
  }
}

function fenceAt(
  texts: readonly string[],
  at: number,
): { readonly line: Fence; readonly end: number; readonly isClosed: boolean } | undefined {
  const [, space = '', marks = '', word = ''] =
    /^(\s*)(?:[-*+]\s+)?(`{3,}|~{3,})\s*([^`]*)$/.exec(texts[at] ?? '') ?? [];
  if (marks === '') return undefined;
  const indent = widthOf(space);
  const isEnd = (text: string): boolean =>
    text.trim().startsWith(marks) && new RegExp(`^[${marks[0]}]+$`).test(text.trim());
  let end = at + 1;
  while (end < texts.length && !isEnd(texts[end] ?? '')) end += 1;
  const inside = texts.slice(at + 1, end).map((text) => withoutIndent(text, space.length));
  const raw = texts.slice(at, end + 1).join('\n');
  const place = { line: at + 2, column: space.length + 1 };
  const line: Fence = {
    ...{ kind: 'fence', indent, word: word.trim().toLowerCase() },
    ...{ text: inside.join('\n'), place, raw },
  };
  return { line, end, isClosed: end < texts.length };
}

function withoutIndent(text: string, width: number): string {
  const space = text.length - text.trimStart().length;
  return text.slice(Math.min(space, width));
}

/** The text with blanks for comments; `open` is where one begins that goes on in the next line. */
function withoutComments(
  text: string,
  isInside: boolean,
): { readonly shown: string; readonly open: number | undefined } {
  let shown = '';
  let at = 0;
  let open = isInside ? 0 : undefined;
  while (at < text.length) {
    if (open === undefined) {
      const start = text.indexOf('<!--', at);
      if (start < 0) return { shown: shown + text.slice(at), open: undefined };
      shown += text.slice(at, start);
      open = start;
      at = start;
    }
    const end = text.indexOf('-->', at);
    if (end < 0) return { shown, open };
    shown += ' '.repeat(end + 3 - at);
    at = end + 3;
    open = undefined;
  }
  return { shown, open };
}

const item = /^(\s*)([-*+]|\d{1,9}[.)])(\s+|$)(.*)$/;

function lineOf(raw: string, line: number): Line {
  const text = raw.trim();
  if (text === '') return { kind: 'blank' };
  const [, marks = '', title = ''] = /^\s{0,3}(#{1,6})(?:\s+(.*?))?(?:\s+#+)?\s*$/.exec(raw) ?? [];
  if (marks !== '') {
    const column = raw.indexOf('#') + marks.length + 2;
    const level = marks.length;
    return { kind: 'heading', level, text: title.trim(), raw, place: { line, column } };
  }
  if (/^\s{0,3}(={3,}|-{3,}|\*{3,}|_{3,}|(?:[-*_]\s+){2,}[-*_])\s*$/.test(raw)) {
    return { kind: 'rule', text };
  }
  const found = item.exec(raw);
  if (found) {
    const [, space = '', marker = '', gap = '', rest = ''] = found;
    const start = space.length + marker.length + gap.length;
    return {
      ...{ kind: 'item', indent: widthOf(space), inner: widthOf(space) + marker.length + 1 },
      ...{ marker: /\d/.test(marker) ? marker.slice(0, -1) : '-', text: rest.trim(), raw },
      place: { line, column: start + 1 },
    };
  }
  const space = raw.slice(0, raw.length - raw.trimStart().length);
  const place = { line, column: space.length + 1 };
  return { kind: 'text', indent: widthOf(space), text, raw, place };
}

function widthOf(space: string): number {
  let width = 0;
  for (const character of space) width += character === '\t' ? tabWidth - (width % tabWidth) : 1;
  return width;
}
