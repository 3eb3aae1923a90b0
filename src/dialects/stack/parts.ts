/**
 * A program taken apart at its statements, so that a model can rewrite one of them, or all from one
 * on. What stands around the program, and the comments in it, stay where they are.
 */
import { unbundle } from '../bundled.ts';
import type { Part, Parts, Replaced, Replacement } from '../dialect.ts';
import { readStatements } from './reader.ts';

export const stackParts: Parts = { of: partsOf, replace };

interface Region extends Part {
  readonly start: number;
  readonly end: number;
}

function partsOf(text: string): readonly Region[] {
  // The programs that it uses stand behind it, and stay as they are.
  return readStatements(unbundle(text).main).statements.map(({ start, end }, index) => ({
    ...{ label: String(index + 1), text: text.slice(start, end), start, end },
  }));
}

function replace(text: string, { at, scope, written }: Replacement): Replaced {
  const parts = partsOf(text);
  const index = parts.findIndex(({ label }) => label === at);
  const part = parts[index];
  const last = parts.at(-1);
  if (!part || !last) return { problem: `there is no statement ${at}` };
  const all = partsOf(written);
  const before = parts.slice(0, index);
  const repeated = repeatedIn(all, before);
  // A single statement may well be the same as the first one; two or more are the beginning.
  if (repeated > 1 && repeated < before.length) {
    return { problem: `it begins with statement 1; those before ${at} stay as they are` };
  }
  const own = repeated === before.length ? all.slice(repeated) : all;
  if (own.length === 0) {
    return { problem: `there is no statement in it in place of statement ${at}` };
  }
  const end = scope === 'step' ? part.end : last.end;
  const lines = own.map((one) => one.text).join('\n');
  return { text: `${text.slice(0, part.start)}${lines}${text.slice(end).trimEnd()}\n` };
}

/** How many statements at the beginning repeat those that stay. */
function repeatedIn(written: readonly Part[], before: readonly Part[]): number {
  const other = before.findIndex((one, i) => plain(written[i]?.text ?? '') !== plain(one.text));
  return other < 0 ? before.length : other;
}

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim();
