/** Which tools a model that follows playbooks is told of: each costs tokens in every request. */
import type { ToolSpec } from '../../../program/effect.ts';
import { namedTools } from '../../told.ts';

/**
 * Those that somebody has given the run, and of those that every run has (`isBuiltIn`) the ones
 * whose name stands somewhere in the text of the playbooks.
 */
export function offeredTools(
  tools: ReadonlyMap<string, ToolSpec>,
  isBuiltIn: (name: string) => boolean,
  text: string,
): ReadonlyMap<string, ToolSpec> {
  const named = namedTools(tools, text);
  return new Map([...tools].filter(([name]) => !isBuiltIn(name) || named.has(name)));
}
