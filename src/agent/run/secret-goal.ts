/**
 * What is asked for, and given with it, goes to a model and into the journal with the first loop
 * that works on it: whoever starts one looks for secrets first.
 */
import type { Goal } from '../../planner/goal.ts';
import { encode } from '../../program/json.ts';
import type { Value } from '../../program/value.ts';
import type { Workspace } from '../port/workspace.ts';
import { refuseSecrets } from '../tools/toolbox.ts';

/** Throws `AgentError` PV6025. */
export function refuseSecretGoal(
  workspace: Workspace,
  { text, language = '', format = '' }: Goal,
  inputs: ReadonlyMap<string, Value>,
): void {
  refuseSecrets(workspace, 'the goal', [text, language, format].join('\n'));
  for (const [name, value] of inputs) refuseSecrets(workspace, `the input ${name}`, encode(value));
}
