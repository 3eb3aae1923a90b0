/**
 * Fenced blocks of Markdown, by the rules of CommonMark: backticks or tildes, the closing fence at
 * least as long as the opening one. Models also fence inside list items and quotes, which indents
 * the block, and end a block by a tag behind its closing fence; both are read.
 */

export interface Fence {
  /** Offset of the line of the opening fence. */
  readonly openAt: number;
  /** What stands behind the opening fence: `python`. */
  readonly info: string;
  /** Offsets of the text between the fences. */
  readonly start: number;
  readonly end: number;
  /** Offset behind the line of the closing fence; of the end where there is none. */
  readonly closeAt: number;
  readonly isClosed: boolean;
  /** What stands before the opening fence in its line: spaces, a list mark or a quote mark. */
  readonly prefix: string;
}

const opening = /^((?:[ \t]|[-*+] |\d{1,9}[.)] |>)*)(`{3,}(?!.*`)|~{3,})(.*?)\r?$/;
const closing = /^(?:[ \t]|>)*(`{3,}|~{3,})[ \t]*(?:<\/?[\w-]+>[ \t]*)*\r?$/;

/** A longer line is not a fence. */
const lineMax = 500;

/** The fences of a text in their order; one that is not closed lasts to the end. */
export function fencesIn(text: string): Fence[] {
  const fences: Fence[] = [];
  let open: { at: number; start: number; mark: string; info: string; prefix: string } | undefined;
  for (let at = 0; at <= text.length; ) {
    const lineEnd = text.indexOf('\n', at);
    const end = lineEnd < 0 ? text.length : lineEnd;
    const line = end - at > lineMax ? '' : text.slice(at, end);
    if (open) {
      if (closes(line, open.mark)) {
        fences.push(fenceOf(open, at, Math.min(end + 1, text.length), true));
        open = undefined;
      }
    } else {
      const [, prefix = '', mark, info = ''] = opening.exec(line) ?? [];
      const start = Math.min(end + 1, text.length);
      if (mark !== undefined) open = { at, start, mark, info: info.trim(), prefix };
    }
    at = end + 1;
  }
  if (open) fences.push(fenceOf(open, text.length, text.length, false));
  return fences;
}

interface Opening {
  readonly at: number;
  readonly start: number;
  readonly info: string;
  readonly prefix: string;
}

const fenceOf = (open: Opening, end: number, closeAt: number, isClosed: boolean): Fence => {
  const { at: openAt, start, info, prefix } = open;
  return { openAt, info, start, end, closeAt, isClosed, prefix };
};

function closes(line: string, mark: string): boolean {
  const found = closing.exec(line)?.[1];
  return found !== undefined && found[0] === mark[0] && found.length >= mark.length;
}

/** The text of a fence, without what its lines are indented by. */
export function fencedText(text: string, { start, end, prefix }: Fence): string {
  const inside = text.slice(start, end);
  if (prefix === '') return inside;
  const isQuote = prefix.includes('>');
  const width = prefix.replaceAll('\t', '    ').length;
  const indent = new RegExp(isQuote ? `^(?:[ \\t]*> ?)+` : `^[ \\t]{1,${width}}`, 'gm');
  return inside.replace(indent, '');
}
