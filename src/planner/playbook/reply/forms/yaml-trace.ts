/** The trace as YAML, in which the first interpreters wrote it: a small part of the language. */
import type { Said } from '../said.ts';
import { isTrace, traceSaid } from './trace.ts';
import { readYaml } from './yaml.ts';

export const beginsYaml = (line: string): boolean =>
  /^(?:thread_id|trace|initial|status|prologue|stack)\s*:/.test(line);

export function yamlTrace(lines: readonly string[]): readonly Said[] {
  const read = readYaml(lines);
  if (!read.ok) return [{ is: 'wrong', text: `cannot read the YAML: ${read.problem}` }];
  if (isTrace(read.node)) return traceSaid(read.node);
  return [{ is: 'wrong', text: 'got YAML without a trace, want one operation a line, as JSON' }];
}
