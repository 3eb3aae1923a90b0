/**
 * A program taken apart at its statements, so that a model can rewrite one of them, or all from one
 * on. What stands around the program, and the comments in it, stay where they are.
 */
import type { Part, Parts, Replaced, Replacement } from '../dialect.ts';
import { readStatements } from './reader.ts';

export const stackParts: Parts = { of: partsOf, replace };

interface Region extends Part {
  readonly start: number;
  readonly end: number;
}

function partsOf(text: string): readonly Region[] {
  return readStatements(text).statements.map(({ start, end }, index) => ({
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
  const own = all.slice(repeatedIn(all, before));
  const [first] = own;
  if (!first) return { problem: `there is no statement in it in place of statement ${at}` };
  const start = before.length === 0 ? undefined : parts[0]?.text;
  if (start !== undefined && plain(first.text) === plain(start) && own.length > 1) {
    return { problem: `it begins with statement 1; those before ${at} stay as they are` };
  }
  const end = scope === 'step' ? part.end : last.end;
  const lines = own.map((one) => one.text).join('\n');
  return { text: `${text.slice(0, part.start)}${lines}${text.slice(end).trimEnd()}\n` };
}

/** How many of the statements repeat those that stay: all of these, or none. */
function repeatedIn(written: readonly Part[], before: readonly Part[]): number {
  const same = before.every((one, i) => plain(written[i]?.text ?? '') === plain(one.text));
  return same ? before.length : 0;
}

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim();
