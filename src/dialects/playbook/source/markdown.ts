/**
 * Markdown as playbooks use it, line by line: headings, items of lists, fences, comments, rules and
 * text. Columns are those of the text as it is; a comment leaves blanks in its place.
 */
import { error, report as newReport, type Report, warn } from '../report.ts';
import { isClosing } from '../text/blocks.ts';
import { lineText } from '../text/line-text.ts';
import { composed } from '../text/variables.ts';
import { importDepthMax, importedMax, importIn, type Written, written } from './import.ts';
import type { CodeBreak, Place } from './tree.ts';

export type Line =
  | ({
      readonly kind: 'heading';
      readonly level: number;
      readonly text: string;
    } & Raw)
  | ({
      readonly kind: 'item';
      readonly indent: number;
      /** How far in its text begins. */
      readonly inner: number;
      /** `-`, or the number of an item in an ordered list. */
      readonly marker: string;
      readonly text: string;
    } & Raw)
  | ({ readonly kind: 'text'; readonly indent: number; readonly text: string } & Raw)
  | ({
      readonly kind: 'fence';
      readonly indent: number;
      /** What stands in its line before it: `- $x = ```json`. */
      readonly head?: Line;
      readonly marks: string;
      /** What stands behind the backticks: `tools`. */
      readonly word: string;
      readonly text: string;
      /** As blocks of code have them. */
      readonly breaks: readonly CodeBreak[];
    } & Raw)
  | { readonly kind: 'blank' }
  | { readonly kind: 'rule'; readonly text: string };

type Fence = Extract<Line, { readonly kind: 'fence' }>;

interface Raw {
  readonly raw: string;
  /** Of its text; of a block of code, of its first line of code. */
  readonly place: Place;
  /** Where each of the lines of `raw` begins. */
  readonly places: readonly Place[];
}

export interface Markdown {
  readonly lines: readonly Line[];
  readonly report: Report;
}

const tabWidth = 4;

/** Lines from `first` (0 for the whole text) on. */
export function readMarkdown(text: string | Written, first = 0): Markdown {
  const report = newReport();
  const source = typeof text === 'string' ? written(text) : text;
  const { texts } = source;
  const lines: Line[] = [];
  let comment: Place | undefined;
  for (let at = first; at < texts.length; at++) {
    const fence = comment === undefined ? fenceAt(source, at) : undefined;
    if (fence) {
      lines.push(fence.line);
      if (!fence.isClosed) reportOpen(fence.line, report);
      at = fence.end;
      continue;
    }
    const { shown, open } = withoutComments(composed(texts[at] ?? ''), comment !== undefined);
    comment = open === undefined ? undefined : (comment ?? source.at(at, open + 1));
    const path = importIn(shown);
    if (path !== undefined) {
      const place = source.at(at, shown.indexOf('!') + 1);
      const message = `cannot import ${path}: ${source.unimported(at)}`;
      error(report, 'notImported', place, message, { hint: importHint });
      continue;
    }
    // A line that was a comment only is no blank line, which would end a paragraph.
    if (shown.trim() !== '' || (texts[at] ?? '').trim() === '')
      lines.push(lineOf(shown, (column) => source.at(at, column)));
  }
  if (comment) reportComment(comment, source, report);
  return { lines, report };
}

const importHint =
  'want a text in UTF-8 in the folder of this file or below, also where a link leads to it; its ' +
  'name does not begin with a dot, and it does not import this file; at most ' +
  `${importDepthMax} files deep, and ${importedMax} characters in all`;

/** One that takes playbooks with it has made another program of the file, too. */
function reportComment(place: Place, { at, texts }: Written, to: Report): void {
  const message = 'got <!--, want --> behind it';
  const first = texts.findIndex((_, index) => isSame(at(index, 1), place));
  const lost = texts.findIndex((text, index) => index > first && /^#{2,3}\s+\S/.test(text));
  if (lost < 0) warn(to, 'openComment', place, message);
  else {
    const hint = `the heading in ${lineText(at(lost, 1))} and all behind it stand in the comment`;
    error(to, 'openComment', place, message, { hint });
  }
}

const isSame = (one: Place, other: Place): boolean =>
  one.line === other.line && one.file === other.file;

/** A block that takes playbooks with it has made another program of the file. */
function reportOpen({ places, text }: Fence, to: Report): void {
  const message = 'got a block of code without an end, want ``` in a line of its own';
  const lost = text.split('\n').findIndex((one) => /^#{2,3}\s+\S/.test(one));
  const [place = { line: 0, column: 0 }] = places;
  if (lost < 0) warn(to, 'openFence', place, message);
  else {
    const heading = lineText(places[lost + 1] ?? place);
    const hint = `the heading in ${heading} and all behind it stand in the block`;
    error(to, 'openFence', place, message, { hint });
  }
}

function fenceAt(
  source: Written,
  at: number,
): { readonly line: Fence; readonly end: number; readonly isClosed: boolean } | undefined {
  const { texts } = source;
  const found = openingAt(texts, at);
  if (!found) return undefined;
  const { before, marks, word } = found;
  let end = at + 1;
  while (end < texts.length && !isClosing(texts[end] ?? '', marks)) end += 1;
  const lines = texts.slice(at + 1, end);
  const isAlone = before.trim() === '';
  const head = isAlone ? undefined : lineOf(before.trimEnd(), (column) => source.at(at, column));
  const indent = head?.kind === 'item' ? head.inner : widthOf(before);
  const width = isAlone ? before.length : Math.min(indent, ...lines.flatMap(spaceBefore));
  const inside = lines.map((text) => withoutIndent(text, width));
  const own = texts.slice(at, end + 1);
  const places = own.map((_, line) => source.at(at + line, 1));
  const code = inside.map((_, line) => source.at(at + 1 + line, width + 1));
  const [first = source.at(at, 1)] = places;
  const place = code[0] ?? { ...first, line: first.line + 1, column: width + 1 };
  const line: Fence = {
    ...{ kind: 'fence', indent, marks, word: word.trim().toLowerCase() },
    ...(head && { head }),
    ...{ text: inside.join('\n'), place, places, breaks: breaksIn(code) },
    raw: own.join('\n'),
  };
  return { line, end, isClosed: end < texts.length };
}

interface Opening {
  readonly before: string;
  readonly marks: string;
  readonly word: string;
}

/**
 * Where a fence begins in a line: alone, as an item, or behind the words of one, as Markdown does
 * not have it, where it is closed before the next heading.
 */
function openingAt(texts: readonly string[], at: number): Opening | undefined {
  const text = texts[at] ?? '';
  const [, before, marks = '', word = ''] = fence.exec(text) ?? behindWords.exec(text) ?? [];
  if (before === undefined) return undefined;
  if (fence.test(text)) return { before, marks, word };
  const rest = texts.slice(at + 1);
  const end = rest.findIndex((one) => one.trim().startsWith(marks) || /^#{1,3}\s/.test(one));
  const isClosed = isClosing(rest[end] ?? '', marks);
  return isClosed ? { before, marks, word } : undefined;
}

const fence = /^(\s*(?:(?:[-*+]|\d{1,9}[.)])\s+)?)(`{3,}|~{3,})\s*([^`]*)$/;
const behindWords = /^([^`]*[^`\s]\s+)(`{3,})([\w+.-]*)\s*$/;

/** How far in a line is, where something stands in it. */
const spaceBefore = (text: string): number[] =>
  text.trim() === '' ? [] : [text.length - text.trimStart().length];

/** Where a line is not the next one of the same file. */
const breaksIn = (places: readonly Place[]): CodeBreak[] =>
  places.flatMap((place, at) => {
    const last = places[at - 1];
    if (!last) return [];
    const { file, line, column } = last;
    const isNext = place.file === file && place.line === line + 1 && place.column === column;
    return isNext ? [] : [{ at, place }];
  });

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

/** Also with the marks of other programs, `•` and `–`, and `-Say "hi"`, which lacks a blank. */
const item =
  /^(\s*)([-*+•‣◦▪·–—]|\d{1,9}[.)])(\s+|$|(?<=^\s*(?:-|\d{1,9}[.)]))(?=[\p{Lu}$"]))(.*)$/u;

/** `##Main` is one, too; `#main` may be a word that something is found by. */
const heading = /^\s{0,3}(#{1,6})(?:(\s+|(?=\p{Lu}))(.*?))?(?:\s+#+)?\s*$/u;

/** What only shows a heading off: `## **Main** *desk*`. */
const emphasis = /(?<![\p{XIDC}*_])(\*{1,3}|_{1,3})(?=[^\s*_])([^*`]*?[^\s*_])\1(?![\p{XIDC}*_])/gu;

function lineOf(raw: string, at: (column: number) => Place): Line {
  const text = raw.trim();
  const places = [at(1)];
  if (text === '') return { kind: 'blank' };
  const [, marks = '', gap = '', title = ''] = heading.exec(raw) ?? [];
  if (marks !== '') {
    const column = raw.indexOf('#') + marks.length + gap.length + 1;
    const level = marks.length;
    const plain = title.trim().replace(emphasis, '$2');
    return { kind: 'heading', level, text: plain, raw, place: at(column), places };
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
      ...{ place: at(start + 1), places },
    };
  }
  const space = raw.slice(0, raw.length - raw.trimStart().length);
  return { kind: 'text', indent: widthOf(space), text, raw, place: at(space.length + 1), places };
}

function widthOf(space: string): number {
  let width = 0;
  for (const character of space) width += character === '\t' ? tabWidth - (width % tabWidth) : 1;
  return width;
}
