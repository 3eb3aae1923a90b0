/** What steps of an agent call. */
import type { CompiledAgent, CompiledPlaybook } from '../compiled/compiled.ts';

/** The playbook of the agent that is called so, by its name or its id. */
export const playbookOf = (
  { name, playbooks }: CompiledAgent,
  callee: string | undefined,
): CompiledPlaybook | undefined =>
  playbooks.find((one) => one.name === callee || `${name}.${one.name}` === callee);

/** Whether it is a playbook of the agent that a model plays. */
export function isPlaybook(agent: CompiledAgent, callee: string | undefined): boolean {
  const found = playbookOf(agent, callee);
  return found !== undefined && found.mode !== 'code';
}
