/** Which part of a text is to be read: all of it, or what stands in the fence with the program. */
import { fencesIn as allFences } from '../../text/fences.ts';
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

/** The longest fence with a statement in it; all of the text where no fence has one. */
export function fencesIn(text: string): Fences {
  const [first, ...rest] = allFences(text).filter((fence) => hasStatement(text, fence));
  if (!first) return { region: { start: 0, end: text.length }, others: [] };
  let region = first;
  for (const one of rest) if (one.end - one.start > region.end - region.start) region = one;
  const others = [first, ...rest].filter((one) => one !== region).map(({ start }) => start);
  return { region: { start: region.start, end: region.end }, others };
}

function hasStatement(text: string, { start, end }: Region): boolean {
  for (let at = start; at < end; ) {
    if (statementIn(text, at) !== undefined) return true;
    const line = text.indexOf('\n', at);
    at = line < 0 ? end : line + 1;
  }
  return false;
}
