/** What steps of an agent call. */
import type { CompiledAgent } from '../compiled/compiled.ts';

/** Whether it is a playbook of the agent that a model plays. */
export const isPlaybook = (
  { name, playbooks }: CompiledAgent,
  callee: string | undefined,
): boolean =>
  playbooks.some(
    (one) => one.mode !== 'code' && (one.name === callee || `${name}.${one.name}` === callee),
  );
