/**
 * What is struck out, `~~Say "a"~~`, is not done, and neither is what stands under such a line. Its
 * place in the list stays, so that `Go to step 3` means the line that it is seen to be.
 */
import { type Report, warn } from '../report.ts';
import { flatLines, type SourceLine } from './tree.ts';

export const withoutStruck = (lines: readonly SourceLine[], report: Report): SourceLine[] =>
  lines.map((line) => {
    const text = compiled.test(line.text) ? line.text : left(line.text);
    const isWhole = text !== line.text && !/[\p{L}\p{N}$"]/u.test(text);
    if (text !== line.text) tell(line, isWhole, report);
    if (isWhole) return { text: '', children: [], place: line.place };
    return { ...line, text, children: withoutStruck(line.children, report) };
  });

function tell(line: SourceLine, isWhole: boolean, report: Report): void {
  const under = flatLines(line.children).length;
  const lines = under === 1 ? 'the line' : `the ${under} lines`;
  const more = isWhole && under > 0 ? `, nor ${lines} under it` : '';
  const message = `got text that is struck out: it is not done${more}`;
  const hint = 'take it out, or the ~~ around it';
  warn(report, 'struckText', line.place, message, { hint });
}

/** What it says otherwise; in quotes, and in backticks, the marks are what is said. */
const left = (text: string): string =>
  text.includes('~~')
    ? text.replace(pieces, (piece) => (piece.startsWith('~~') ? '' : piece)).trim()
    : text;

const pieces = /~~(?=[^\s~])(?:[^~]|~(?!~))*?~~(?!~)|"(?:\\.|[^"\\])*"|`[^`]*`/gs;

/** Steps, triggers and notes of compiled files have all that there is to them. */
const compiled = /^`?[TN]?\d+(?:\.\d+)*\s*:/;
