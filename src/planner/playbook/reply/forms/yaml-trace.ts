/**
 * YAML, a small part of the language: the trace as the first interpreters wrote it, and operations
 * as the items of a list, each read when the next one begins.
 */
import { readYaml, type YamlProblem } from '../../../../program/yaml-text.ts';
import type { Said } from '../said.ts';
import { operationsIn } from './json-operations.ts';
import { isTrace, traceSaid } from './trace.ts';

export const beginsYaml = (line: string): boolean =>
  /^(?:thread_id|trace|initial|status|prologue|stack)\s*:/.test(line);

export function yamlTrace(lines: readonly string[]): readonly Said[] {
  const { node, problems } = readYaml(lines);
  if (problems.length > 0) return [unread(problems)];
  if (isTrace(node)) return traceSaid(node);
  return [{ is: 'wrong', text: 'got YAML without a trace, want one operation a line, as JSON' }];
}

/** `- say: Which day?`; what is no more than noted may be prose. */
export const beginsItem = (line: string): boolean =>
  /^-\s+["']?(?:step|set|call|queue|say|ask|yield|yld|return|show|exit)["']?:(?:\s|$)/.test(line);

/** What stands further in, or is empty, belongs to the item before it. */
export const isInItem = (line: string): boolean => /^(?:\s|$)/.test(line);

export function yamlItem(lines: readonly string[]): readonly Said[] {
  const { node, problems } = readYaml(lines);
  return problems.length > 0 ? [unread(problems)] : operationsIn(node);
}

function unread(problems: readonly YamlProblem[]): Said {
  const [first = '', ...more] = problems.map(({ line, message }) => `line ${line}: ${message}`);
  const rest = more.length === 0 ? '' : `, and ${more.length} more`;
  return { is: 'wrong', text: `cannot read the YAML: ${first}${rest}` };
}
