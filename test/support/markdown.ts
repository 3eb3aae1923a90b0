/** The fenced blocks of a Markdown document, as the tests of documents see them. */

export interface Block {
  /** What stands behind the opening fence: `json`, `sh`, or nothing. */
  readonly language: string;
  /** The file that the comment before it names. */
  readonly source: string | undefined;
  readonly text: string;
  /** Line of the opening fence, from 1. */
  readonly line: number;
}

/** Blocks in their order. A comment belongs to a block when only empty lines lie between. */
export function blocksOf(document: string): Block[] {
  const blocks: Block[] = [];
  const lines = document.split('\n');
  let source: string | undefined;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const fence = /^(```+)(\w*)$/.exec(line);
    if (!fence) {
      if (line.trim() !== '') source = /^<!-- (\S+) -->$/.exec(line)?.[1];
      continue;
    }
    const end = lines.indexOf(fence[1] ?? '', at + 1);
    if (end < 0) throw new Error(`line ${at + 1}: the block is never closed`);
    const text = lines.slice(at + 1, end).join('\n');
    blocks.push({ language: fence[2] ?? '', source, text, line: at + 1 });
    source = undefined;
    at = end;
  }
  return blocks;
}

/** What stands between backticks outside of blocks, with its line. */
export function codeSpansOf(document: string): { readonly text: string; readonly line: number }[] {
  let inside = false;
  return document.split('\n').flatMap((text, index) => {
    if (/^```/.test(text)) inside = !inside;
    if (inside) return [];
    const spans = [...text.matchAll(/`([^`]+)`/g)];
    return spans.map(([, span = '']) => ({ text: span, line: index + 1 }));
  });
}
