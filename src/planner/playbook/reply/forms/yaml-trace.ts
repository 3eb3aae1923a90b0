/** The trace as YAML, in which the first interpreters wrote it: a small part of the language. */
import { readYaml } from '../../../../program/yaml-text.ts';
import type { Said } from '../said.ts';
import { isTrace, traceSaid } from './trace.ts';

export const beginsYaml = (line: string): boolean =>
  /^(?:thread_id|trace|initial|status|prologue|stack)\s*:/.test(line);

export function yamlTrace(lines: readonly string[]): readonly Said[] {
  const { node, problems } = readYaml(lines);
  const [first, ...more] = problems.map(({ line, message }) => `line ${line}: ${message}`);
  if (first !== undefined) {
    const rest = more.length === 0 ? '' : `, and ${more.length} more`;
    return [{ is: 'wrong', text: `cannot read the YAML: ${first}${rest}` }];
  }
  if (isTrace(node)) return traceSaid(node);
  return [{ is: 'wrong', text: 'got YAML without a trace, want one operation a line, as JSON' }];
}
