/**
 * A line of source with a mark under the place that is meant: as wide as a terminal, with tabs and
 * wide characters in step, and without control characters, since the text is a model's.
 */
import { clean, widthOf } from '../text/words.ts';

export interface Frame {
  /** Line number, right-aligned, and the bar. */
  readonly gutter: string;
  readonly text: string;
  /** As wide as the gutter, with the bar only. */
  readonly blank: string;
  readonly mark: string;
}

/** Characters of a source line that are shown, the marks for what was cut off included. */
const widthMax = 96;
/** Of these, how many stand before the place where a line is cut on both sides. */
const before = 40;

/** Undefined where there is no such line. Line and column count from 1. */
export function frameAt(lines: readonly string[], line: number, column: number): Frame | undefined {
  const raw = lines[line - 1]?.replace(/\r$/, '');
  if (raw === undefined || line < 1) return undefined;
  const at = Math.min(Math.max(column, 1) - 1, raw.length);
  const from =
    raw.length <= widthMax ? 0 : Math.max(0, Math.min(at - before, raw.length - widthMax));
  const to = Math.min(raw.length, from + widthMax);
  const shown = clean(raw.slice(from, to));
  const [left, right] = [from > 0 ? '…' : '', to < raw.length ? '…' : ''];
  const extent = Math.min(extentAt(raw, at), to - at);
  const number = String(line).padStart(4);
  return {
    gutter: `${number} |`,
    text: `${left}${shown}${right}`,
    blank: `${' '.repeat(number.length)} |`,
    mark:
      blanks(left + shown.slice(0, at - from)) +
      '^'.repeat(widthOf(shown.slice(at - from, at - from + extent)) || 1),
  };
}

/** How much of the line the place covers: a string, a word, a number, or one character. */
function extentAt(line: string, at: number): number {
  const rest = line.slice(at);
  const found = /^"(?:[^"\\]|\\.)*"|^'(?:[^'\\]|\\.)*'|^-?[\p{L}\p{N}_$][\p{L}\p{N}_$.-]*/u.exec(
    rest,
  );
  return found ? found[0].length : 1;
}

/** Space as wide as a text; its tabs stay tabs, so that they reach as far. */
function blanks(text: string): string {
  let space = '';
  for (const character of text) space += character === '\t' ? '\t' : ' '.repeat(widthOf(character));
  return space;
}
