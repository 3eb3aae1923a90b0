/** Loops whose condition stands behind their block: `Repeat:`, its lines, and `Until $x is 3`. */
import type { SourceLine } from '../../source/tree.ts';
import { isBareHead } from '../../text/bare-heads.ts';

/** As one line each, `Do the following until $x is 3`, over the block. */
export function withEnds(lines: readonly SourceLine[]): readonly SourceLine[] {
  return lines.flatMap((line, at) => {
    const [before, next] = [lines[at - 1], lines[at + 1]];
    if (before && endOf(before, line) !== undefined) return [];
    const end = next && endOf(line, next);
    return [end === undefined ? line : { ...line, text: `Do the following ${end}` }];
  });
}

/** Undefined where a line is no end of the one before it. */
function endOf(head: SourceLine, line: SourceLine): string | undefined {
  const isOpen = head.children.length > 0 && begins.test(head.text);
  const [end] = ends.exec(line.text) ?? [];
  const isEnd = line.children.length === 0 && line.block === undefined;
  if (!isOpen || !isEnd || end === undefined || !isBareHead(end)) return undefined;
  return `${end[0]?.toLowerCase() ?? ''}${end.slice(1)}`;
}

const begins =
  /^\**(?:repeat|do|loop)(?:\s+(?:this|these|the following)(?:\s+(?:steps|lines))?)?\s*:?\**$/i;

const ends = /^(?:until|while|as long as)\s[^.:]*(?=[.:]?$)/i;
