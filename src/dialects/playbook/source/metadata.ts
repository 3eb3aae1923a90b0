/**
 * Metadata: the front matter of a file, and what stands at the head of a description, either loose
 * (`public: true`) or as a block that `metadata:` begins and `---` may end.
 */
import type { Json } from '../../../program/json.ts';
import type { JsonNode } from '../../../program/json-node.ts';
import { readYaml } from '../../../program/yaml-text.ts';
import { type Report, warn } from '../report.ts';
import { unescapeLine } from '../text/escape.ts';
import { sectionOf } from '../text/sections.ts';
import { isFilled } from '../text/variables.ts';
import type { Written } from './import.ts';
import type { Line } from './markdown.ts';
import type { Metadata, Place } from './tree.ts';

export interface Described {
  readonly metadata: Metadata;
  readonly description: string;
  readonly filledLines: readonly Place[];
}

/** A line of a description, as it is written; a block of code is one, of several lines of text. */
export interface RawLine {
  readonly raw: string;
  /** Where each line of text begins. */
  readonly places: readonly Place[];
}

const nowhere: Place = { line: 0, column: 0 };

export function rawOf(line: Line): RawLine {
  if (line.kind === 'blank') return { raw: '', places: [nowhere] };
  if (line.kind === 'rule') return { raw: line.text, places: [nowhere] };
  return { raw: line.raw, places: line.places };
}

/** The lines of text that are in it, each with where it begins. */
const textLines = ({ raw, places }: RawLine): (readonly [string, Place])[] =>
  raw.split('\n').map((text, at) => [text, places[at] ?? nowhere]);

/** Where the lines begin in which there are placeholders. */
export const filledLinesOf = (lines: readonly RawLine[]): Place[] =>
  lines.flatMap(textLines).flatMap(([text, place]) => (isFilled(text) ? [place] : []));

/** Placeholders that can be nothing else, `{$day}` and `{F(1)}`, each with where it stands. */
export const placeholdersIn = (lines: readonly RawLine[]): (readonly [string, Place])[] =>
  lines
    .filter(({ raw }) => !/^\s*(?:```|~~~)/.test(raw))
    .flatMap(textLines)
    .flatMap(([text, place]) => {
      const bare = text.replace(/`[^`]*`/g, (code) => ' '.repeat(code.length));
      const found = [...bare.matchAll(/\{(?:\$\p{XIDC}[^{}]*|\p{XIDC}+\([^{}]*\))\}/gu)];
      return found.map(({ 0: one, index }) => {
        return [one, { ...place, column: place.column + index }] as const;
      });
    });

export interface FrontMatter {
  readonly metadata: Metadata;
  /** How many lines it takes, with a line `#!` before it. */
  readonly lines: number;
  /** Whether it is not closed: what stands in it is text, then, and that has been said. */
  readonly isOpen?: true;
}

export function frontMatter(source: Written, report: Report): FrontMatter {
  const { texts } = source;
  const shebang = texts[0]?.startsWith('#!') ? 1 : 0;
  let start = shebang;
  while (start < texts.length && texts[start]?.trim() === '') start += 1;
  const isOpen = texts[start]?.trim() === '---';
  // A rule behind the first playbook is no end of what stands before that.
  const stop = texts.findIndex((one, at) => at > start && (isEnd(one) || isSection(one)));
  const isEnded = isEnd(texts[stop] ?? '');
  if (isOpen && !isEnded && /^\w+\s*:(?:\s|$)/.test(texts[start + 1] ?? '')) {
    const message = 'got front matter that is not closed: nothing of it is read';
    const hint = 'write a line --- behind its last line, before the first heading';
    warn(report, 'openFrontMatter', source.at(start, 1), message, { hint });
    return { metadata: {}, lines: shebang, isOpen };
  }
  if (!isOpen || !isEnded) return { metadata: {}, lines: shebang };
  const end = stop;
  const own = texts.slice(start + 1, end).map((raw, at): RawLine => {
    return { raw, places: [source.at(start + 1 + at, 1)] };
  });
  return { metadata: metadataIn(own, report), lines: end + 1 };
}

/** What cannot be read is said, and left out as far as it is no text. */
function metadataIn(own: readonly RawLine[], report: Report): Metadata {
  const lines = own.flatMap(textLines);
  const { node, problems } = readYaml(lines.map(([text]) => text));
  for (const { column, line, message } of problems) {
    const [, place = nowhere] = lines[line - 1] ?? [];
    warn(report, 'badMetadata', { ...place, column: place.column + column - 1 }, message);
  }
  const value = jsonOf(node);
  const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
  const [first] = lines;
  if (isMap || value === null || !first) return isMap ? value : {};
  warn(report, 'badMetadata', first[1], 'got no map, want `key: value` in each line');
  return {};
}

/** Numbers with more digits than a number of JSON keeps stay as they are written. */
function jsonOf(node: JsonNode): Json {
  if (node.kind === 'array') return node.items.map(jsonOf);
  if (node.kind === 'object') {
    return Object.fromEntries(node.members.map(({ key, value }) => [key, jsonOf(value)]));
  }
  return typeof node.value === 'bigint' ? String(node.value) : node.value;
}

const isSection = (line: string): boolean =>
  /^###\s/.test(line) && sectionOf(line.slice(3).trim()) !== undefined;

const isEnd = (line: string): boolean => /^(---|\.\.\.)\s*$/.test(line);

/** `key: value` as metadata have it; a sentence begins with a capital. */
const loose = /^[a-z][a-z0-9_-]*\s*:(\s|$)/;

/** What no sentence is: a key of playbooks with a value that it has. */
const late = new RegExp(
  '^(?:(?:public|export|hidden|meeting|cli_entry):\\s*(?:true|false|yes|no)|' +
    'execution_mode:\\s*(?:playbook|react|raw)|retrigger:\\s*edge|priority:\\s*-?\\d+|' +
    '(?:required|optional)_attendees:\\s*\\[.*\\])\\s*$',
);

/** Takes the metadata off the head of a description. */
export function describedBy(lines: readonly RawLine[], report: Report): Described {
  const start = lines.findIndex(({ raw }) => raw.trim() !== '');
  if (start < 0) return { metadata: {}, description: '', filledLines: [] };
  const isBlock = lines[start]?.raw.trim() === 'metadata:';
  const from = isBlock ? start + 1 : start;
  let end = from;
  while (end < lines.length && isOf(lines[end]?.raw ?? '', isBlock, end === from)) end += 1;
  const own = lines.slice(from, end);
  const metadata = metadataIn(own, report);
  const rest = lines.slice(end);
  const behind = rest.findIndex(({ raw }) => raw.trim() !== '');
  const isRule = behind >= 0 && isRuleText(rest[behind]?.raw.trim() ?? '');
  const shown = shownOf(isRule ? rest.slice(behind + 1) : rest);
  for (const { raw, places } of shown) {
    if (!late.test(raw)) continue;
    const message = `got ${raw.trim()} behind text: it is read as description`;
    const hint = 'metadata stand right below the heading, before all text';
    warn(report, 'ignoredMetadata', places[0] ?? nowhere, message, { hint });
  }
  const description = shown
    .map(({ raw }) => unescapeLine(raw))
    .join('\n')
    .trim();
  return { metadata, description, filledLines: filledLinesOf(shown) };
}

/** Whether a line looks like one of front matter. */
export const isLikeFront = (raw: string): boolean => /^(?:\w[\w-]*\s*:|\s|-|#\s)/.test(raw);

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
    // A block of code has several lines; what is compiled has each by itself.
    .map(({ raw, places }) => ({ raw: raw.replace(/[^\S\n]+$/gm, ''), places }))
    .filter(({ raw }) => !isRuleText(raw));
  while (all[0]?.raw === '') all.shift();
  while (all.at(-1)?.raw === '') all.pop();
  return all;
}
