/** Which part of a text is to be read: all of it, or what stands in the fence with the program. */
import { statementIn } from './cursor.ts';

export interface Region {
  readonly start: number;
  readonly end: number;
}

export interface Fences {
  readonly region: Region;
  /** Where further fences with statements begin. */
  readonly others: readonly number[];
}

const fenceLine = /^[ \t]*(?:```|~~~)/;

/** The longest fence with a statement in it; all of the text where no fence has one. */
export function fencesIn(text: string): Fences {
  const found: Region[] = [];
  let open: number | undefined;
  let hasStatement = false;
  for (let at = 0; at <= text.length; ) {
    const line = text.indexOf('\n', at);
    const end = line < 0 ? text.length : line;
    const isFence = fenceLine.test(text.slice(at, Math.min(end, at + fenceHeadMax)));
    if (isFence && open !== undefined) {
      if (hasStatement) found.push({ start: open, end: at });
      open = undefined;
    } else if (isFence) {
      open = Math.min(end + 1, text.length);
      hasStatement = false;
    } else if (open !== undefined && !hasStatement) {
      hasStatement = statementIn(text, at) !== undefined;
    }
    at = end + 1;
  }
  // A fence that is not closed lasts to the end.
  if (open !== undefined && hasStatement) found.push({ start: open, end: text.length });
  const [first, ...rest] = found;
  if (!first) return { region: { start: 0, end: text.length }, others: [] };
  let region = first;
  for (const one of rest) if (one.end - one.start > region.end - region.start) region = one;
  return { region, others: found.filter((one) => one !== region).map(({ start }) => start) };
}

const fenceHeadMax = 200;
