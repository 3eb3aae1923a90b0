/** Nested lists: the lines of a section become items with items under them. */
import { error, type Report, warn } from '../report.ts';
import { fenced } from '../text/blocks.ts';
import { escapeLine, unescapeComments, unescapeLine } from '../text/escape.ts';
import { lineText } from '../text/line-text.ts';
import { withIndentedCode } from './indented-code.ts';
import type { Line } from './markdown.ts';
import { isBeside, isUnder } from './own-lines.ts';
import { withTable } from './table.ts';
import type { Place, SourceLine } from './tree.ts';

interface Item {
  text: string;
  block?: string;
  readonly children: Item[];
  readonly place: Place;
  readonly indent: number;
  /** Whether it is no item of a list: the next line of text is another one. */
  readonly isText?: boolean;
  /** Whether it has no mark of its own: it stands as far in as what goes on with the one before. */
  readonly isOwn?: boolean;
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
  const reading = new Reading(report);
  for (const line of withIndentedCode(withTable(lines))) reading.take(line);
  return reading.end();
}

class Reading {
  readonly #report: Report;
  readonly #top: Item[] = [];
  /** The items that what comes next may stand under, outermost first. */
  #open: Item[] = [];
  readonly #strays: Place[] = [];
  #isBehindBlank = false;
  #isBehindFence = false;
  #isTooDeep = false;

  constructor(report: Report) {
    this.#report = report;
  }

  end(): SourceLine[] {
    const isAll = this.#top.length === 0;
    for (const place of this.#strays) {
      const message = 'got a block of code before the first item of its section: it was left out';
      const hint = 'items stand outside of blocks; a block that one is about stands under it';
      (isAll ? error : warn)(this.#report, 'strayBlock', place, message, { hint });
    }
    return this.#top.map(lineOf);
  }

  take(written: Line): void {
    const open = this.#open;
    const line =
      numberedItem(written, open) ??
      letteredItem(written, open) ??
      otherwiseItem(written, open, this.#isBehindBlank) ??
      written;
    if (line.kind === 'blank' || line.kind === 'rule' || line.kind === 'heading') {
      this.#isBehindBlank = true;
      return;
    }
    if (line.kind === 'item') this.#item(line);
    else if (line.kind === 'fence') this.#fence(line);
    else this.#text(line);
    this.#isBehindBlank = false;
    this.#isBehindFence = line.kind === 'fence';
  }

  #item(line: Line & { readonly kind: 'item' }): void {
    const left = this.#open.find(({ indent }) => indent >= line.indent);
    const open = this.#open.filter(({ indent }) => indent < line.indent);
    if (left && !left.isText && left.indent !== line.indent && line.marker === '-') {
      reportOdd(line, left, open.at(-1), this.#report);
    }
    const most = compiledForm.test(line.text) ? compiledLevelsMax : levelsMax;
    const { indent, place, marker } = line;
    const number = marker === '-' ? {} : { number: marker };
    const text = unescapeComments(line.text);
    this.#under(open, { text, children: [], place, indent, ...number }, most);
  }

  /** Goes on with the item before it, less far in than that with one around; with none is lost. */
  #fence(line: Line & { readonly kind: 'fence' }): void {
    if (line.head) this.take(line.head);
    const own = ownerOf(this.#open, line.indent, true) ?? this.#open.at(-1);
    if (!own) {
      this.#strays.push(line.places[0] ?? line.place);
      return;
    }
    own.block = joined(own.block, fenced(line.marks, line.word, line.text), '\n');
    this.#open = this.#open.slice(0, this.#open.indexOf(own) + 1);
  }

  #text(line: TextLine): void {
    const text = unescapeLine(line.text);
    const isRow = text.startsWith('|');
    const isApart = (this.#isBehindBlank && !isRow) || this.#isBehindFence;
    const last = startsItem(line.text) ? undefined : ownerOf(this.#open, line.indent, isApart);
    const isParagraph = this.#isBehindBlank && last?.text !== '';
    if (last?.block !== undefined) {
      last.block = joined(last.block, escapeLine(text), this.#isBehindBlank ? '\n\n' : '\n');
    } else if (last && !last.isText) {
      if (!isParagraph && this.#own(line, text, last)) return;
      last.text = joined(last.text, text, isRow || isParagraph ? '\n' : ' ').trim();
    } else {
      const { place, indent } = line;
      // Lines without marks stand under each other by how far they are in, as items do.
      const open = this.#open.filter((item) => item.isText && item.indent < indent);
      this.#under(open, { text, children: [], place, indent, isText: true });
    }
  }

  /** Takes what is a line by itself though it has no mark; false for what `last` goes on with. */
  #own({ indent, place }: TextLine, text: string, last: Item): boolean {
    const isFurther = indent > last.indent - (last.isOwn ? 1 : 0);
    const isInner = isFurther && isUnder(last.text) && last.children.length === 0;
    if (!isInner && !isBeside(last.text, text)) return false;
    const at = this.#open.indexOf(last) + (isInner ? 1 : 0);
    // What is less far in stands where items that far in do.
    const around = isFurther
      ? this.#open.slice(0, at)
      : this.#open.filter((item) => item.indent < indent);
    this.#under(around, { text, children: [], place, indent, isOwn: true });
    return true;
  }

  #under(open: readonly Item[], made: Item, most = levelsMax): void {
    const around = open.length < most ? open : this.#tooDeep(made.place, open, most);
    (around.at(-1)?.children ?? this.#top).push(made);
    this.#open = [...around, made];
  }

  /** Says so once; those that stay open are as many as may. */
  #tooDeep(place: Place, open: readonly Item[], most: number): readonly Item[] {
    const message = `got an item more than ${most} levels deep, want at most ${most}`;
    const hint = 'put what stands under it into a playbook of its own, and call that';
    if (!this.#isTooDeep) error(this.#report, 'tooDeep', place, message, { hint });
    this.#isTooDeep = true;
    return open.slice(0, most - 1);
  }
}

const joined = (before: string | undefined, more: string, by: string): string =>
  before === undefined ? more : `${before}${by}${more}`;

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

/** The item that text goes on with: behind a blank line only one that it is further in than. */
function ownerOf(open: readonly Item[], indent: number, isBehindBlank: boolean): Item | undefined {
  if (!isBehindBlank) return open.at(-1);
  return open.findLast((item) => item.indent < indent);
}

const lineOf = ({ text, block, children, place }: Item): SourceLine => ({
  ...{ text, children: children.map(lineOf), place },
  ...(block === undefined ? {} : { block }),
});
