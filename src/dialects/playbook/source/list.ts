/** Nested lists: the lines of a section become items with items under them. */
import { error, type Report, warn } from '../report.ts';
import { unescapeComments, unescapeLine } from '../text/escape.ts';
import { lineText } from '../text/line-text.ts';
import type { Line } from './markdown.ts';
import type { Place, SourceLine } from './tree.ts';

interface Item {
  text: string;
  readonly children: Item[];
  readonly place: Place;
  readonly indent: number;
  /** Whether it is no item of a list: the next line of text is another one. */
  readonly isText?: boolean;
  /** Of an ordered list, as written: `2`, `2.1`. */
  readonly number?: string;
}

/** Levels of items under each other: what is deeper would be read as another program. */
const levelsMax = 20;

/** Of compiled steps, which may be deeper than their lines: `If $x: for each $y: …`. */
const compiledLevelsMax = 60;

const compiledForm = /^\d+(?:\.\d+)+\s*:\s*[A-Z]{3}\b/;

/**
 * Items by how far they are in. Text behind an item belongs to it; text without one is an item
 * itself, as in sections that are written as paragraphs.
 */
export function readList(lines: readonly Line[], report: Report): SourceLine[] {
  const top: Item[] = [];
  /** The items that what comes next may stand under, outermost first. */
  let open: Item[] = [];
  let isBehindBlank = false;
  let isTooDeep = false;
  /** Says so once; those that stay open are as many as may. */
  const tooDeep = (place: Place, all: readonly Item[], most = levelsMax): Item[] => {
    const message = `got an item more than ${most} levels deep, want at most ${most}`;
    const hint = 'put what stands under it into a playbook of its own, and call that';
    if (!isTooDeep) error(report, 'tooDeep', place, message, { hint });
    isTooDeep = true;
    return all.slice(0, most - 1);
  };
  for (const written of lines) {
    const line =
      numberedItem(written, open) ??
      letteredItem(written, open) ??
      otherwiseItem(written, open, isBehindBlank) ??
      written;
    if (line.kind === 'blank' || line.kind === 'rule' || line.kind === 'heading') {
      isBehindBlank = true;
      continue;
    }
    if (line.kind === 'item') {
      const left = open.find(({ indent }) => indent >= line.indent);
      open = open.filter(({ indent }) => indent < line.indent);
      if (left && !left.isText && left.indent !== line.indent && line.marker === '-') {
        reportOdd(line, left, open.at(-1), report);
      }
      const most = compiledForm.test(line.text) ? compiledLevelsMax : levelsMax;
      if (open.length >= most) open = tooDeep(line.place, open, most);
      const { indent, place, marker } = line;
      const number = marker === '-' ? {} : { number: marker };
      const made = { text: unescapeComments(line.text), children: [], place, indent, ...number };
      (open.at(-1)?.children ?? top).push(made);
      open.push(made);
    } else if (line.kind === 'fence') {
      const last = open.at(-1);
      if (last) last.text = [last.text, ...bareLines(line.text)].join('\n').trim();
    } else {
      const text = unescapeLine(line.text);
      const isRow = text.startsWith('|');
      const isApart = isBehindBlank && !isRow;
      const last = startsItem(line.text) ? undefined : ownerOf(open, line.indent, isApart);
      if (last && !last.isText) {
        last.text += `${isRow || (isBehindBlank && last.text !== '') ? '\n' : ' '}${text}`;
        last.text = last.text.trim();
      } else {
        const { place, indent } = line;
        const made = { text, children: [], place, indent, isText: true };
        // Lines without marks stand under each other by how far they are in, as items do.
        open = open.filter((item) => item.isText && item.indent < indent);
        if (open.length >= levelsMax) open = tooDeep(place, open);
        (open.at(-1)?.children ?? top).push(made);
        open.push(made);
      }
    }
    isBehindBlank = false;
  }
  return top.map(lineOf);
}

/** `2.1 Say hello`, or `2.1.`, stands under `2.`, however far it is in. */
function numberedItem(line: Line, open: readonly Item[]): Line | undefined {
  if (line.kind !== 'text') return undefined;
  const [mark = '', number = ''] = dottedNumber.exec(line.text) ?? [];
  const outer = open.findLast((one) => one.number && number.startsWith(`${one.number}.`));
  return outer && itemAt(line, Math.max(line.indent, outer.indent + 1), number, mark);
}

/** `a. Say hello`, `ii) …`: items to people, though not to Markdown; the first is `a` or `i`. */
function letteredItem(line: Line, open: readonly Item[]): Line | undefined {
  if (line.kind !== 'text') return undefined;
  const [mark = '', letter = ''] = /^([a-z]|[ivx]{1,5})[.)]\s+(?=\S)/.exec(line.text) ?? [];
  const isFirst = letter === 'a' || letter === 'i';
  const isNext = open.some(({ number = '' }) => /^[a-z]/.test(number));
  return letter !== '' && (isFirst || isNext) ? itemAt(line, line.indent, letter, mark) : undefined;
}

/** `Otherwise:` right behind an item, less far in than its text, stands beside its condition. */
function otherwiseItem(
  line: Line,
  open: readonly Item[],
  isBehindBlank: boolean,
): Line | undefined {
  const isLazy = line.kind === 'text' && !isBehindBlank && !open.at(-1)?.isText;
  if (!isLazy || !elseLine.test(line.text)) return undefined;
  const head = open.findLast(({ indent, children }) => indent < line.indent && children.length > 0);
  return head && itemAt(line, head.indent, head.number ?? '-', '');
}

const elseLine = /^\**(?:otherwise|else|sinon)\**\s*:?\**$/i;

/** The text behind a mark as an item. */
function itemAt(line: TextLine, indent: number, marker: string, mark: string): Line {
  const { raw, places, place } = line;
  return {
    ...{ kind: 'item', indent, inner: indent, marker, text: line.text.slice(mark.length) },
    ...{ raw, places, place: { ...place, column: place.column + mark.length } },
  };
}

type TextLine = Extract<Line, { readonly kind: 'text' }>;

const dottedNumber = /^(\d{1,3}(?:\.\d{1,3})+)(?:[.):]\s+|\s+(?=[\p{Lu}$"]|\p{XIDC}+\())/u;

/** A line less far in than those before it, but further than what they stand under. */
function reportOdd(
  { indent, place }: Line & { kind: 'item' },
  left: Item,
  outer: Item | undefined,
  report: Report,
): void {
  const wanted = [...(outer ? [outer.indent] : []), left.indent].join(' or ');
  const hint = outer
    ? `it was taken to stand under ${lineText(outer.place)}, beside ${lineText(left.place)}`
    : `it was taken to stand beside ${lineText(left.place)}`;
  warn(report, 'oddIndent', place, `got an indent of ${indent}, want ${wanted}`, { hint });
}

/** Lines of compiled playbooks, which used to be no lists: `01:QUE …`, `N1 …`. */
const startsItem = (text: string): boolean =>
  /^`?(?:T?\d+(?:\.\d+)*\s*:\s*[A-Za-z]{3}\b|N\d+\b)/.test(text);

/** The lines of a block of code within an item, which keeps no blanks. */
const bareLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** The item that text goes on with: behind a blank line only one that it is further in than. */
function ownerOf(open: readonly Item[], indent: number, isBehindBlank: boolean): Item | undefined {
  if (!isBehindBlank) return open.at(-1);
  return open.findLast((item) => item.indent < indent);
}

const lineOf = ({ text, children, place }: Item): SourceLine => ({
  text,
  children: children.map(lineOf),
  place,
});
