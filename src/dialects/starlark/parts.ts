/**
 * A program taken apart at its statements outside of functions, each with the comment above it, so
 * that a model can rewrite one of them, or all from one on. Files that it loads stay as they are.
 */
import { unpackPosition } from '../../program/program.ts';
import { unbundle } from '../bundled.ts';
import type { Part, Parts, Replaced, Replacement } from '../dialect.ts';
import { plan } from './parse/options.ts';
import { parse } from './parse/parser.ts';

export const statementParts: Parts = { of: partsOf, replace };

interface Region extends Part {
  /** Lines of the text, from 0: the first one, and the one behind the last. */
  readonly start: number;
  readonly end: number;
}

function partsOf(text: string): readonly Region[] {
  const { main } = unbundle(text);
  const { file } = parse(main, plan);
  const lines = main.split('\n');
  const found = (file?.body ?? []).map(({ at }) => unpackPosition(at).line - 1);
  // Statements that share a line are one step.
  const firsts = found.filter((line, i) => line !== found[i - 1]);
  const starts = firsts.map((line) => withComment(lines, line));
  return firsts.map((line, i) => {
    const start = starts[i] ?? line;
    const end = starts[i + 1] ?? lines.length;
    const own = lines.slice(start, end).join('\n').trimEnd();
    return { label: String(line + 1), text: own, line: start + 1, start, end };
  });
}

/** The first line of the comment that ends right above a line. */
function withComment(lines: readonly string[], line: number): number {
  let start = line;
  while (start > 0 && lines[start - 1]?.trimStart().startsWith('#')) start--;
  return start;
}

function replace(text: string, { at, scope, written }: Replacement): Replaced {
  const parts = partsOf(text);
  const [first] = parts;
  const part = parts.find(({ label }) => label === at);
  if (!first || !part) return { problem: `there is no statement in line ${at}` };
  const { main } = unbundle(text);
  const lines = main.split('\n');
  const head = lines.slice(0, part.start);
  const own = withoutHead(written, head.join('\n')).trim();
  if (own === '') return { problem: `there is nothing in it in place of line ${at}` };
  if (part !== first && partsOf(own)[0]?.text === first.text) {
    return { problem: `it begins with line ${first.label}; lines before ${at} stay as they are` };
  }
  const tail = scope === 'step' ? lines.slice(part.end) : [];
  const changed = [...placed(head, own, Number(at) - 1), ...tail].join('\n').trimEnd();
  return { text: `${changed}\n${text.slice(main.length)}` };
}

/**
 * The lines that stay and, behind them, what was written, with its first statement in line `at`,
 * from 0: so that it is the same step as before. A comment above it for which there is no room
 * comes behind it.
 */
function placed(head: readonly string[], own: string, at: number): readonly string[] {
  const kept = head.join('\n').trimEnd();
  const before = kept === '' ? [] : kept.split('\n');
  const lines = own.split('\n');
  const [first] = partsOf(own);
  const comment = first ? lines.slice(0, Number(first.label) - 1) : [];
  const rest = lines.slice(comment.length);
  const room = at - before.length;
  if (comment.length <= room) {
    const gap = Array.from({ length: room - comment.length }, () => '');
    return [...before, ...gap, ...comment, ...rest];
  }
  const end = (first?.end ?? lines.length) - comment.length;
  const gap = Array.from({ length: room }, () => '');
  return [...before, ...gap, ...rest.slice(0, end), ...comment, '', ...rest.slice(end)];
}

/** What a model has written behind the lines that stay, where it has repeated them. */
function withoutHead(written: string, head: string): string {
  const [text, kept] = [written.trimStart(), head.trim()];
  const rest = text.slice(kept.length);
  return kept !== '' && text.startsWith(kept) && /^\s*(\n|$)/.test(rest) ? rest : text;
}
