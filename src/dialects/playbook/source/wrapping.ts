/** Files that models have written: the whole of them in a block of code, with words behind it. */
import { type Report, warn } from '../report.ts';
import { sectionOf } from '../text/sections.ts';
import type { Written } from './import.ts';

/** The text in the block, with every line where it was; the text itself where there is none. */
export function unwrapped(source: Written, report: Report): Written {
  const lines = source.texts;
  const start = lines.findIndex((line) => line.trim() !== '');
  const [fence] = /^(?:`{3,}|~{3,})(?=[\w-]*\s*$)/.exec(lines[start] ?? '') ?? [];
  const end = fence === undefined ? -1 : lines.findLastIndex((line) => line.trimEnd() === fence);
  if (end <= start || !isPlaybooks(lines.slice(start + 1, end))) return source;
  const behind = lines.findIndex((line, at) => at > end && line.trim() !== '');
  if (behind >= 0 && lines.slice(behind).some((line) => /^#{1,3}\s/.test(line))) return source;
  const hint = 'want the playbooks themselves, without a fence around them';
  warn(report, 'wrapped', source.at(start, 1), 'got a file in a block of code', {
    hint,
  });
  if (behind >= 0) {
    const message = `got ${JSON.stringify(lines[behind]?.trim())} behind it, which was left out`;
    warn(report, 'wrapped', source.at(behind, 1), message);
  }
  const texts = lines.map((line, at) => (at > start && at < end ? line : ''));
  return { ...source, texts };
}

/** Whether lines have the headings of playbooks: in a skill they may be an example of anything. */
const isPlaybooks = (lines: readonly string[]): boolean =>
  lines.some((line) => /^## /.test(line)) &&
  lines.some((line) => {
    const [, heading] = /^### (.+)$/.exec(line) ?? [];
    return heading !== undefined && sectionOf(heading) !== undefined;
  });
