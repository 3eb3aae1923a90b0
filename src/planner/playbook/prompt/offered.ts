/** Which tools a model that follows playbooks is told of: each costs tokens in every request. */
import type { ToolSpec } from '../../../program/effect.ts';
import { toolNamesIn } from '../../../program/tool-names.ts';

/**
 * Those that somebody has given the run, and of those that every run has (`isBuiltIn`) the ones
 * whose name stands somewhere in the text of the playbooks.
 */
export function offeredTools(
  tools: ReadonlyMap<string, ToolSpec>,
  isBuiltIn: (name: string) => boolean,
  text: string,
): ReadonlyMap<string, ToolSpec> {
  const words = new Set(text.match(/[\p{L}_][\p{L}\p{N}_.]*[\p{L}\p{N}_]/gu));
  const meant = new Set(
    [...toolNamesIn(tools)].flatMap(([name, spec]) => (words.has(name) ? [spec.name] : [])),
  );
  return new Map([...tools].filter(([name]) => !isBuiltIn(name) || meant.has(name)));
}
