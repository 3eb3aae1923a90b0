/** Which tools a model that follows playbooks is told of: each costs tokens in every request. */
import type { ToolSpec } from '../../../program/effect.ts';
import { toolNamesIn } from '../../../program/tool-names.ts';

const name = String.raw`(?<![\p{L}\p{N}_.])[\p{L}_][\p{L}\p{N}_.]*`;
/** A call, a name in code font, or metadata: `tools: a, b`, perhaps with a line for each. */
const mention = new RegExp(
  `(${name})\\(|\`(${name})\`|^[ \\t]*tools:(.*(?:\\n[ \\t]*-.*)*)`,
  'gmu',
);

/**
 * Those that somebody has given the run. Of those that every run has (`isBuiltIn`) only the ones
 * that the text of the playbooks names as tools: a mere word of a sentence does not.
 */
export function offeredTools(
  tools: ReadonlyMap<string, ToolSpec>,
  isBuiltIn: (name: string) => boolean,
  text: string,
): ReadonlyMap<string, ToolSpec> {
  const words = new Set(
    [...text.matchAll(mention)].flatMap(([, call, code, list = '']) => [
      ...[call, code].filter((one) => one !== undefined),
      ...(list.match(new RegExp(name, 'gu')) ?? []),
    ]),
  );
  const named = [...toolNamesIn(tools)].filter(([one]) => words.has(one));
  const names = new Set(named.map(([, spec]) => spec.name));
  return new Map([...tools].filter(([one]) => !isBuiltIn(one) || names.has(one)));
}
