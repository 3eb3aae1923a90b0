/**
 * Metadata: the front matter of a file, and what stands at the head of a description, either loose
 * (`public: true`) or as a block that `metadata:` begins and `---` may end.
 */

import { type Report, warn } from '../report.ts';
import { unescapeLine } from '../text/escape.ts';
import { isFilled } from '../text/variables.ts';
import { readYaml } from '../text/yaml.ts';
import type { Line } from './markdown.ts';
import type { Metadata, Place } from './tree.ts';

export interface Described {
  readonly metadata: Metadata;
  readonly description: string;
  readonly filledLines: readonly number[];
}

/** A line of a description, as it is written; a block of code is one, of several lines of text. */
export interface RawLine {
  readonly raw: string;
  /** Where it begins. */
  readonly place: Place;
}

const nowhere: Place = { line: 0, column: 0 };

export function rawOf(line: Line): RawLine {
  if (line.kind === 'blank') return { raw: '', place: nowhere };
  if (line.kind === 'rule') return { raw: line.text, place: nowhere };
  const { place, raw } = line;
  return { raw, place: line.kind === 'fence' ? { ...place, line: place.line - 1 } : place };
}

/** The lines of the file in which there are placeholders. */
export const filledLinesOf = (lines: readonly RawLine[]): number[] =>
  lines.flatMap(({ raw, place }) =>
    raw.split('\n').flatMap((text, at) => (isFilled(text) ? [place.line + at] : [])),
  );

export interface FrontMatter {
  readonly metadata: Metadata;
  /** How many lines it takes, with a line `#!` before it. */
  readonly lines: number;
}

export function frontMatter(text: string, report: Report): FrontMatter {
  const texts = text.split(/\r\n|\r|\n/);
  const shebang = texts[0]?.startsWith('#!') ? 1 : 0;
  let start = shebang;
  while (start < texts.length && texts[start]?.trim() === '') start += 1;
  const isOpen = texts[start]?.trim() === '---';
  const end = isOpen ? texts.findIndex((one, at) => at > start && isEnd(one)) : -1;
  if (end < 0) return { metadata: {}, lines: shebang };
  const { value, wrong } = readYaml(texts.slice(start + 1, end));
  for (const offset of wrong) said(report, { line: start + 2 + offset, column: 1 });
  return { metadata: value, lines: end + 1 };
}

const isEnd = (line: string): boolean => /^(---|\.\.\.)\s*$/.test(line);

const said = (report: Report, place: Place): void =>
  warn(report, 'badMetadata', place, 'want `key: value`, with spaces before what belongs to a key');

/** `key: value` as metadata have it; a sentence begins with a capital. */
const loose = /^[a-z][a-z0-9_-]*\s*:(\s|$)/;

/** Takes the metadata off the head of a description. */
export function describedBy(lines: readonly RawLine[], report: Report): Described {
  const start = lines.findIndex(({ raw }) => raw.trim() !== '');
  if (start < 0) return { metadata: {}, description: '', filledLines: [] };
  const isBlock = lines[start]?.raw.trim() === 'metadata:';
  const from = isBlock ? start + 1 : start;
  let end = from;
  while (end < lines.length && isOf(lines[end]?.raw ?? '', isBlock, end === from)) end += 1;
  const own = lines.slice(from, end);
  const { value, wrong } = readYaml(own.map(({ raw }) => raw));
  for (const offset of wrong) {
    const place = own[offset]?.place;
    if (place) said(report, place);
  }
  const rest = lines.slice(end);
  const behind = rest.findIndex(({ raw }) => raw.trim() !== '');
  const isRule = behind >= 0 && isRuleText(rest[behind]?.raw.trim() ?? '');
  const shown = shownOf(isRule ? rest.slice(behind + 1) : rest);
  const description = shown
    .map(({ raw }) => unescapeLine(raw))
    .join('\n')
    .trim();
  return { metadata: value, description, filledLines: filledLinesOf(shown) };
}

/** Whether a line belongs to metadata that have begun before it. */
function isOf(raw: string, isBlock: boolean, isFirst: boolean): boolean {
  const isIndented = /^\s+\S/.test(raw);
  if (isBlock) return isIndented || loose.test(raw);
  return loose.test(raw) || (isIndented && !isFirst) || (/^- /.test(raw) && !isFirst);
}

const isRuleText = (text: string): boolean => /^(-{3,}|={3,}|\*{3,}|_{3,})$/.test(text);

/** Whether a description begins like metadata, and has to be kept apart from them. */
export const isLikeMetadata = (description: string): boolean =>
  loose.test(description) || description.startsWith('metadata:') || isRuleText(description);

/** Without rules, and without what is empty before and behind it. */
function shownOf(lines: readonly RawLine[]): RawLine[] {
  const all = lines
    .map(({ raw, place }) => ({ raw: raw.trimEnd(), place }))
    .filter(({ raw }) => !isRuleText(raw));
  while (all[0]?.raw === '') all.shift();
  while (all.at(-1)?.raw === '') all.pop();
  return all;
}
