/**
 * Markdown as playbooks use it, line by line: headings, items of lists, fences, comments, rules and
 * text. Columns are those of the text as it is; a comment leaves blanks in its place.
 */
import { error, type Report, warn } from '../report.ts';
import { importHint, importIn, type WrittenText } from './import.ts';
import { type CodeBlock, lineText, type Place } from './tree.ts';

interface Written {
  readonly raw: string;
  /** Of its text; of a block of code, of its first line of code. */
  readonly place: Place;
}

export interface Heading extends Written {
  readonly kind: 'heading';
  readonly level: number;
  readonly text: string;
}

export interface Fence extends Written {
  readonly kind: 'fence';
  readonly indent: number;
  readonly marks: string;
  /** The word after the marks: `tools`. */
  readonly word: string;
  readonly text: string;
  readonly breaks: NonNullable<CodeBlock['breaks']>;
}

export type MarkdownLine =
  | Heading
  | Fence
  | ({ readonly kind: 'item' | 'text'; readonly indent: number; readonly text: string } & Written)
  | ({ readonly kind: 'blank' | 'rule' } & Written);

const tabWidth = 4;

/** Lines from `first` (0 for the whole text) on. */
export function readMarkdown(source: WrittenText, first: number, report: Report): MarkdownLine[] {
  const { texts } = source;
  const lines: MarkdownLine[] = [];
  /** Where the comment begins that is open: a line, from 0, and a column, from 1. */
  let comment: { readonly line: number; readonly column: number } | undefined;
  for (let at = first; at < texts.length; at++) {
    const text = texts[at] ?? '';
    const fence = comment ? undefined : fenceAt(source, at, report);
    if (fence) {
      lines.push(fence.line);
      at = fence.end;
      continue;
    }
    const { shown, open } = withoutComments(text, comment !== undefined);
    comment = open === undefined ? undefined : (comment ?? { line: at, column: open + 1 });
    const path = importIn(shown);
    if (path !== undefined) {
      const message = `cannot import ${path}: ${source.unimported(at)}`;
      const place = source.at(at, shown.indexOf('!') + 1);
      error(report, 'notImported', place, message, { hint: importHint });
      // A line that was only a comment is not a blank line, which would end a paragraph.
    } else if (shown.trim() !== '' || text.trim() === '') {
      lines.push(lineOf(shown, (column) => source.at(at, column)));
    }
  }
  if (comment) {
    const { column, line } = comment;
    const message = 'got a comment without an end, want -->';
    reportOpen(report, 'openComment', message, source, line, column);
  }
  return lines;
}

/** One that takes playbooks with it has made another program of the file: that is an error. */
function reportOpen(
  report: Report,
  code: 'openFence' | 'openComment',
  message: string,
  { at, texts }: WrittenText,
  line: number,
  column: number,
): void {
  const lost = texts.findIndex((text, index) => index > line && /^#{2,3}\s+\S/.test(text));
  const hint = lost < 0 ? undefined : `the heading in ${lineText(at(lost, 1))} stands in it`;
  (lost < 0 ? warn : error)(report, code, at(line, column), message, { hint });
}

const fenceForm = /^(\s*)(`{3,}|~{3,})([^`]*)$/;

function fenceAt(source: WrittenText, at: number, report: Report) {
  const { texts } = source;
  const [, space, marks = '', word = ''] = fenceForm.exec(texts[at] ?? '') ?? [];
  if (space === undefined) return undefined;
  const isEnd = (text: string): boolean => {
    const bare = text.trim();
    return bare.startsWith(marks) && bare === marks.charAt(0).repeat(bare.length);
  };
  let end = at + 1;
  while (end < texts.length && !isEnd(texts[end] ?? '')) end += 1;
  const width = space.length;
  const inside = texts
    .slice(at + 1, end)
    .map((text) => text.slice(Math.min(text.length - text.trimStart().length, width)));
  const places = inside.map((_, line) => source.at(at + 1 + line, width + 1));
  const own = source.at(at, width + 1);
  const line: Fence = {
    ...{ kind: 'fence', indent: widthOf(space), marks, word: word.trim().toLowerCase() },
    ...{ text: inside.join('\n'), place: places[0] ?? { ...own, line: own.line + 1 } },
    ...{ breaks: breaksIn(places), raw: texts.slice(at, end + 1).join('\n') },
  };
  if (end >= texts.length) {
    const message = 'got a block of code without an end, want ``` in a line of its own';
    reportOpen(report, 'openFence', message, source, at, width + 1);
  }
  return { line, end };
}

/** Where a line does not follow the one before it in its file. */
const breaksIn = (places: readonly Place[]): Fence['breaks'] =>
  places.flatMap((place, at) => {
    const last = places[at - 1];
    const isNext = last && place.line === last.line + 1 && place.column === last.column;
    return !last || (isNext && place.file === last.file) ? [] : [{ at, place }];
  });

/** The text with blanks for comments; `open` is where one begins that goes on in the next line. */
function withoutComments(text: string, isInside: boolean) {
  const begin = isInside ? '<!--' : '';
  let open: number | undefined;
  const shown = (begin + text).replace(/<!--.*?(?:-->|$)/gs, (comment, at: number) => {
    if (!comment.endsWith('-->')) open = Math.max(0, at - begin.length);
    return ' '.repeat(comment.length);
  });
  return { shown: shown.slice(begin.length), open };
}

/** `##Main` is a heading, too; `#main` may be a word that something is found by. */
const heading = /^\s{0,3}(#{1,6})(?:(\s+(?!\s)|(?=\p{Lu}))(.*))?$/u;
const item = /^(\s*)((?:[-*+•–]|\d{1,9}[.)])(?:\s+(?!\s)|$))(.*)$/u;
const rule = /^\s{0,3}(?:={3,}|-{3,}|\*{3,}|_{3,})\s*$/;

function lineOf(raw: string, at: (column: number) => Place): MarkdownLine {
  const text = raw.trim();
  if (text === '') return { kind: 'blank', raw: '', place: at(1) };
  if (rule.test(raw)) return { kind: 'rule', raw: text, place: at(1) };
  const [, marks = '', gap = '', title = ''] = heading.exec(raw) ?? [];
  if (marks !== '') {
    const place = at(raw.indexOf('#') + marks.length + gap.length + 1);
    const bare = title.replace(/\s#+\s*$/, '').replace(/\*\*/g, '');
    return { kind: 'heading', level: marks.length, text: bare.trim(), raw, place };
  }
  const [, space = raw.slice(0, raw.length - raw.trimStart().length), mark = '', rest = text] =
    item.exec(raw) ?? [];
  const place = at(space.length + mark.length + 1);
  const kind = mark === '' ? 'text' : 'item';
  return { kind, indent: widthOf(space), text: rest.trim(), raw, place };
}

function widthOf(space: string): number {
  let width = 0;
  for (const character of space) width += character === '\t' ? tabWidth - (width % tabWidth) : 1;
  return width;
}
