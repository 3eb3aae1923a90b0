/** Names that lines have for two variables: `x`, of the call, and `$x`, of the agent. */
import { unique, writtenName } from '../text/variables.ts';
import type { LinkedPlaybook } from './linked.ts';

/** As written, each once: all that the lines of a playbook name, and its parameters. */
export function namedIn({
  lines,
  parameters,
}: Pick<LinkedPlaybook, 'lines' | 'parameters'>): readonly string[] {
  const named = [...lines.values()].flatMap(({ step: { asks = [], reads, writes } }) => [
    ...[...writes, ...reads, ...asks],
  ]);
  return unique([...parameters.map(writtenName), ...named]);
}

/** Without the dollar. */
export function twofoldIn(playbook: Pick<LinkedPlaybook, 'lines' | 'parameters'>): string[] {
  const names = namedIn(playbook);
  return names.filter((name) => names.includes(`$${name}`));
}
