/**
 * Metadata: the front matter of a file; and lines of a description, `public: true` or a block after
 * `metadata:`. They stand at its head, and those that can be nothing else also below its text.
 */
import { readYaml } from '../../../text/yaml-text.ts';
import { error, type Report, warn } from '../report.ts';
import { unescapeLine } from './escape.ts';
import { sectionOf } from './heading.ts';
import type { WrittenText } from './import.ts';
import type { MarkdownLine } from './markdown.ts';
import type { Metadata, Place } from './tree.ts';

interface RawLine {
  readonly raw: string;
  readonly place: Place;
}

const isEnd = (line: string): boolean => /^(?:---|\.\.\.)\s*$/.test(line);

const isSection = (line: string): boolean =>
  /^###\s/.test(line) && sectionOf(line.slice(3)) !== undefined;

/** The front matter, and how many lines it takes, with a line `#!` before it. */
export function frontMatter(
  source: WrittenText,
  report: Report,
): { readonly metadata: Metadata; readonly lines: number } {
  const { texts } = source;
  const shebang = texts[0]?.startsWith('#!') ? 1 : 0;
  const start = texts.findIndex((text, at) => at >= shebang && text.trim() !== '');
  if (texts[start]?.trim() !== '---') return { metadata: {}, lines: shebang };
  // A rule after the first playbook does not end what stands before that.
  const end = texts.findIndex((text, at) => at > start && (isEnd(text) || isSection(text)));
  if (!isEnd(texts[end] ?? '')) return { metadata: {}, lines: shebang };
  const lines = texts.slice(start + 1, end).map((raw, at): RawLine => {
    return { raw, place: source.at(start + 1 + at, 1) };
  });
  return { metadata: metadataIn(lines, report), lines: end + 1 };
}

/** What cannot be read is reported, and left out as far as it is not text. */
function metadataIn(lines: readonly RawLine[], report: Report): Metadata {
  const { value, problems } = readYaml(lines.map(({ raw }) => raw));
  for (const { column, line, message } of problems) {
    const place = lines[line - 1]?.place ?? { line: 0, column: 1 };
    warn(report, 'badMetadata', { ...place, column: place.column + column - 1 }, message);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  if (value !== null && lines[0]) {
    warn(report, 'badMetadata', lines[0].place, 'got no map, want `key: value` in each line');
  }
  return {};
}

/** `key: value` as metadata have it; a sentence begins with a capital. */
const loose = /^[a-z][a-z0-9_-]*\s*:(?:\s|$)/;

/** Not a sentence wherever it stands: a key of playbooks with a value that it takes. */
const certain = new RegExp(
  '^(?:(?:public|export|hidden|meeting|cli_entry):\\s*(?:true|false|yes|no)|' +
    'execution_mode:\\s*(?:playbook|react|raw)|retrigger:\\s*edge|priority:\\s*-?\\d+|' +
    'model:\\s*\\S+|delivery_channel:\\s*\\w+|(?:required|optional)_attendees:\\s*\\[.*\\]|' +
    '(?:remote|metadata|required_attendees|optional_attendees):)\\s*$',
);

const isRule = (text: string): boolean => /^(?:-{3,}|={3,}|\*{3,}|_{3,})$/.test(text);

/** Whether a description begins like metadata, and has to be kept apart from them. */
export const isLikeMetadata = (description: string): boolean =>
  loose.test(description) || isRule(description);

/** Takes the metadata out of a description. */
export function describedBy(
  lines: readonly MarkdownLine[],
  report: Report,
): { readonly metadata: Metadata; readonly description: string } {
  const taken: RawLine[] = [];
  const text: string[] = [];
  /** Whether metadata go on here: at the head, or below a line of them. */
  let isOpen = true;
  let hasBegun = false;
  /** How far in the lines of a block `metadata:` are; -1 until one of them is read. */
  let margin = 0;
  for (const { kind, place, raw } of lines) {
    const isHead = text.length === 0;
    if (kind === 'blank' || kind === 'rule') {
      isOpen = isOpen && !hasBegun;
      if (kind === 'blank' && !isHead) text.push('');
      continue;
    }
    const isInner = isOpen && hasBegun && (/^\s+\S/.test(raw) || /^- /.test(raw));
    const isKey = loose.test(raw) && isOpen && (isHead || hasBegun);
    if (kind !== 'fence' && (isInner || isKey || certain.test(raw))) {
      const indent = raw.length - raw.trimStart().length;
      if (indent === 0 || margin < 0) margin = indent;
      if (raw.trim() === 'metadata:') margin = -1;
      else taken.push({ raw: raw.slice(Math.min(margin, indent)), place: { ...place, column: 1 } });
      isOpen = hasBegun = true;
      continue;
    }
    isOpen = false;
    text.push(...raw.split('\n').map((one) => unescapeLine(one.trimEnd())));
    if (kind !== 'text' || !/^remote\s*:/.test(raw)) continue;
    const message = `got ${raw.trim()}, which is read as description`;
    error(report, 'badMetadata', place, message, { hint: 'write type, transport and url below' });
  }
  return { metadata: metadataIn(taken, report), description: text.join('\n').trim() };
}
