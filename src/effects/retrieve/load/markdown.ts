/**
 * Markdown and plain text: sections by heading, sections into pieces. A piece is part of the file
 * as it stands, so that what is cited can be found in it.
 */
import type { Chunk, Content } from '../content.ts';
import { pieces } from './pieces.ts';

interface Section {
  /** From the outermost heading to the section's own. */
  readonly headings: readonly string[];
  readonly start: number;
  readonly end: number;
  /** Whether it holds more than its heading. */
  readonly hasBody: boolean;
}

export function loadMarkdown(text: string): Content {
  const lines = new Lines(text);
  const front = frontMatter(lines);
  const sections = sectionsOf(lines, front.lines);
  const chunks = sections
    // The heading of a section without a text of its own stands in the paths of those inside it.
    .filter((section, index) => section.hasBody || !isInside(sections[index + 1], section))
    .flatMap((section) => chunksOf(lines, section));
  const [first] = sections.filter(({ headings }) => headings.length > 0);
  const title = front.metadata.title ?? first?.headings[0] ?? '';
  return { title, metadata: front.metadata, chunks, facts: [] };
}

export function loadText(text: string): Content {
  const whole: Section = { headings: [], start: 0, end: text.length, hasBody: true };
  return { title: '', metadata: {}, chunks: chunksOf(new Lines(text), whole), facts: [] };
}

function chunksOf(lines: Lines, { headings, start, end }: Section): Chunk[] {
  const heading = headings.join(' > ');
  return pieces(lines.text, start, end).map((piece) => ({
    heading,
    text: lines.text.slice(piece.start, piece.end),
    lines: [lines.numberAt(piece.start), lines.numberAt(piece.end - 1)],
  }));
}

const isInside = (inner: Section | undefined, outer: Section): boolean =>
  inner !== undefined &&
  inner.headings.length > outer.headings.length &&
  outer.headings.every((heading, index) => inner.headings[index] === heading);

function sectionsOf(lines: Lines, firstLine: number): Section[] {
  const sections: Section[] = [];
  let open: { heading: string; level: number }[] = [];
  let start = lines.startOf(firstLine);
  let hasBody = false;
  const close = (end: number): void => {
    const headings = open.map(({ heading }) => heading);
    if (lines.text.slice(start, end).trim() !== '')
      sections.push({ headings, start, end, hasBody });
    start = end;
    hasBody = false;
  };
  let fence: string | undefined;
  for (let index = firstLine; index < lines.count; index++) {
    const line = lines.line(index);
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark && (fence === undefined || closes(line, mark, fence))) {
      fence = fence === undefined ? mark : undefined;
    }
    const heading = fence === undefined && !mark ? headingAt(lines, index) : undefined;
    if (!heading) {
      hasBody ||= line.trim() !== '';
      continue;
    }
    close(lines.startOf(index));
    open = [...open.filter(({ level }) => level < heading.level), heading];
    index += heading.lines - 1;
  }
  close(lines.text.length);
  return sections;
}

const closes = (line: string, mark: string, fence: string): boolean =>
  mark[0] === fence[0] && mark.length >= fence.length && line.trim() === mark;

interface Heading {
  readonly heading: string;
  readonly level: number;
  readonly lines: number;
}

/** `# Heading`, or a line of text that is underlined. */
function headingAt(lines: Lines, index: number): Heading | undefined {
  const line = lines.line(index);
  const [, marks, text = ''] = /^ {0,3}(#{1,6})(?![^ \t])(.*)$/.exec(line) ?? [];
  if (marks) {
    const heading = text.trim().replace(/(?:^|(?<![ \t])[ \t]+)#+$/, '');
    return { heading: plain(heading), level: marks.length, lines: 1 };
  }
  const under = /^ {0,3}(=+|-{2,})[ \t]*$/.exec(lines.line(index + 1))?.[1];
  const isText = /^ {0,3}[^\s>#|*+-]/.test(line) && lines.line(index - 1).trim() === '';
  if (!under || !isText) return undefined;
  return { heading: plain(line), level: under.startsWith('=') ? 1 : 2, lines: 2 };
}

/** A heading without the marks of emphasis, code and links. */
const plain = (text: string): string =>
  text
    .replace(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replace(/[*_]{1,3}([^\s*_](?:[^*_]*[^\s*_])?)[*_]{1,3}/g, '$1')
    .replaceAll('`', '')
    .trim();

/** `key: value` lines between two rules at the start; lists are joined, the rest is text. */
function frontMatter(lines: Lines): { metadata: Record<string, string>; lines: number } {
  if (lines.line(0).trimEnd() !== '---') return { metadata: {}, lines: 0 };
  let last = 1;
  while (last < lines.count && !/^(---|\.\.\.)\s*$/.test(lines.line(last))) last++;
  if (last >= lines.count) return { metadata: {}, lines: 0 };
  const pairs = new Map<string, string[]>();
  let key = '';
  for (let index = 1; index < last; index++) {
    const line = lines.line(index);
    const [, name, value] = /^([\p{L}\p{N}_-]+):(?:\s+(.*))?$/u.exec(line) ?? [];
    if (name !== undefined) key = name;
    const values = name === undefined ? [line.replace(/^\s*(-\s+)?/, '')] : [listed(value ?? '')];
    const known = pairs.get(key) ?? [];
    known.push(...values.map(unquoted));
    pairs.set(key, known);
  }
  const joined = [...pairs].map(([name, values]) => [name, values.filter(Boolean).join(', ')]);
  return { metadata: Object.fromEntries(joined), lines: last + 1 };
}

const listed = (value: string): string => /^\[(.*)\]$/.exec(value.trim())?.[1] ?? value.trim();

const unquoted = (value: string): string =>
  /^(["'])(.*)\1$/.exec(value.trim())?.[2] ?? value.trim();

/** A text and where its lines begin; lines count from 0 here. */
class Lines {
  readonly text: string;
  readonly #starts: number[] = [0];

  constructor(text: string) {
    this.text = text;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
      this.#starts.push(at + 1);
    }
  }

  get count(): number {
    return this.#starts.length;
  }

  startOf(index: number): number {
    return this.#starts[index] ?? this.text.length;
  }

  /** The text of a line without its end; empty beyond the text. */
  line(index: number): string {
    return this.text.slice(this.startOf(index), this.startOf(index + 1)).replace(/\n$/, '');
  }

  /** The number, from 1, of the line in which an offset lies. */
  numberAt(offset: number): number {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.startOf(middle) <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  }
}
