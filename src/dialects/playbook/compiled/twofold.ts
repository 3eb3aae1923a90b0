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

/** As written, each once: what its lines set or ask for, and its parameters. */
export function setIn({
  lines,
  parameters,
}: Pick<LinkedPlaybook, 'lines' | 'parameters'>): readonly string[] {
  const set = [...lines.values()].flatMap(({ step: { asks = [], writes } }) => [
    ...writes,
    ...asks,
  ]);
  return unique([...parameters.map(writtenName), ...set]);
}

/**
 * Without the dollar. Where `$x` is only read, it may well be the `x` that there is, as in
 * `Return "{$day}"` of `## Main(day)`.
 */
export function twofoldIn(playbook: Pick<LinkedPlaybook, 'lines' | 'parameters'>): string[] {
  const set = setIn(playbook);
  return namedIn(playbook).filter((name) => set.includes(`$${name}`));
}
