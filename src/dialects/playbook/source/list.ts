/** Nested lists: the lines of a section become items with items under them. */
import { error, type Report, warn } from '../report.ts';
import { escapeLine, unescapeComments, unescapeLine } from './escape.ts';
import type { Fence, MarkdownLine } from './markdown.ts';
import { lineText, type Place, type SourceLine } from './tree.ts';

interface Item {
  text: string;
  block?: string;
  readonly children: Item[];
  readonly place: Place;
  readonly indent: number;
  /** Whether it has no mark: the next line of text is another item. */
  readonly isText: boolean;
}

/** Levels of items under each other. */
const levelsMax = 20;

/**
 * Items by how far they are in. Text after an item belongs to it; text without one is an item
 * itself, as in sections that are written as paragraphs.
 */
export function readList(lines: readonly MarkdownLine[], report: Report): SourceLine[] {
  const top: Item[] = [];
  /** The items that the next line may stand under, outermost first. */
  let open: Item[] = [];
  let isAfterBlank = false;
  let hasTooDeep = false;
  const add = (around: Item[], item: Item): void => {
    if (around.length >= levelsMax && !hasTooDeep) {
      const message = `got an item more than ${levelsMax} levels deep, want at most ${levelsMax}`;
      const hint = 'put what stands under it into a playbook of its own, and call that';
      error(report, 'tooDeep', item.place, message, { hint });
      hasTooDeep = true;
    }
    const outer = around.slice(0, levelsMax - 1);
    (outer.at(-1)?.children ?? top).push(item);
    open = [...outer, item];
  };
  for (const line of lines) {
    if (line.kind === 'item') {
      const { indent, place } = line;
      const around = open.filter((item) => item.indent < indent);
      const beside = open[around.length];
      if (beside && !beside.isText && beside.indent !== indent) {
        const message = `got an indent of ${indent}, want ${beside.indent}`;
        const hint = `it was taken to stand beside ${lineText(beside.place)}`;
        warn(report, 'oddIndent', place, message, { hint });
      }
      const text = unescapeComments(line.text);
      add(around, { text, children: [], place, indent, isText: false });
    } else if (line.kind === 'fence') {
      const item = open.findLast(({ indent }) => indent < line.indent) ?? open.at(-1);
      if (item) {
        // Not joined: a text that grows by another is not copied each time.
        item.block =
          item.block === undefined ? blockText(line) : `${item.block}\n${blockText(line)}`;
        open = open.slice(0, open.indexOf(item) + 1);
      } else {
        const message = 'got a block of code before the first item of its section: it was left out';
        const hint = 'a block that a line is about stands under it, further in';
        warn(report, 'strayBlock', line.place, message, { hint });
      }
    } else if (line.kind === 'text') {
      const { indent, place } = line;
      const text = unescapeLine(line.text);
      // After a blank line text goes on with an item that it is further in than.
      const item = isAfterBlank ? open.findLast((one) => one.indent < indent) : open.at(-1);
      if (item?.block !== undefined) {
        item.block += `${isAfterBlank ? '\n\n' : '\n'}${escapeLine(text)}`;
      } else if (item && !item.isText) {
        item.text += `${item.text === '' ? '' : isAfterBlank ? '\n' : ' '}${text}`;
      } else {
        const around = open.filter((one) => one.isText && one.indent < indent);
        add(around, { text, children: [], place, indent, isText: true });
      }
    }
    isAfterBlank = line.kind === 'blank' || line.kind === 'rule' || line.kind === 'heading';
  }
  return top.filter(hasContent).map(lineOf);
}

const blockText = ({ marks, text, word }: Fence): string =>
  [`${marks}${word}`, ...(text === '' ? [] : [text]), marks].join('\n');

/** Whether there is a word in an item or under it. */
const hasContent = ({ block, children, text }: Item): boolean =>
  text !== '' || block !== undefined || children.some(hasContent);

const lineOf = ({ text, block, children, place }: Item): SourceLine => ({
  ...{ text, children: children.filter(hasContent).map(lineOf), place },
  ...(block !== undefined && { block }),
});
