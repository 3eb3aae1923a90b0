/** Files that models have written: the whole of them in a block of code, with words behind it. */
import { type Report, warn } from '../report.ts';
import { sectionOf } from '../text/sections.ts';

/** The text in the block, with every line where it was; the text itself where there is none. */
export function unwrapped(text: string, report: Report): string {
  const lines = text.split(/\r\n|\r|\n/);
  const start = lines.findIndex((line) => line.trim() !== '');
  const [fence] = /^(?:`{3,}|~{3,})(?=[\w-]*\s*$)/.exec(lines[start] ?? '') ?? [];
  const end = fence === undefined ? -1 : lines.findLastIndex((line) => line.trimEnd() === fence);
  if (end <= start || !isPlaybooks(lines.slice(start + 1, end))) return text;
  const behind = lines.findIndex((line, at) => at > end && line.trim() !== '');
  if (behind >= 0 && lines.slice(behind).some((line) => /^#{1,3}\s/.test(line))) return text;
  const hint = 'want the playbooks themselves, without a fence around them';
  warn(report, 'wrapped', { line: start + 1, column: 1 }, 'got a file in a block of code', {
    hint,
  });
  if (behind >= 0) {
    const message = `got ${JSON.stringify(lines[behind]?.trim())} behind it, which was left out`;
    warn(report, 'wrapped', { line: behind + 1, column: 1 }, message);
  }
  return lines.map((line, at) => (at > start && at < end ? line : '')).join('\n');
}

/** Whether lines have the headings of playbooks: in a skill they may be an example of anything. */
const isPlaybooks = (lines: readonly string[]): boolean =>
  lines.some((line) => /^## /.test(line)) &&
  lines.some((line) => {
    const [, heading] = /^### (.+)$/.exec(line) ?? [];
    return heading !== undefined && sectionOf(heading) !== undefined;
  });
