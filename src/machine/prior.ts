/** What a state keeps of calls that others come after: see window/prerequisites.ts. */
import type { ToolSpec } from '../program/effect.ts';

/** The calls of one tool in one state: as much of them as anybody behind may ask for. */
export interface Prior {
  /** Place of the first that has succeeded. */
  ok: number | undefined;
  /** Of the first that has failed. */
  failed: { readonly seq: number; readonly message: string } | undefined;
  readonly open: Set<number>;
}

/** The tools whose calls matter to others. */
export const watchedTools = (tools: ReadonlyMap<string, ToolSpec>): ReadonlySet<string> =>
  new Set([...tools.values()].flatMap(({ after = [] }) => after));
