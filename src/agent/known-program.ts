/** A text with the tools that are known without running anything: enough to check it. */
import { withServersOf } from './playbook/servers-of.ts';
import type { Workspace } from './port/workspace.ts';
import type { Source } from './program/source.ts';
import { withUsedPlans } from './program/used-plans.ts';
import { knownTools } from './tools/known-tools.ts';

export interface KnownProgram extends Awaited<ReturnType<typeof knownTools>> {
  readonly source: Source;
  readonly workspace: Workspace;
}

/** `imports`: whether modules of tools are imported, which is running them. */
export async function knownProgram(
  text: Source,
  own: Workspace,
  imports = false,
): Promise<KnownProgram> {
  const source = await withUsedPlans(text, own);
  const workspace = await withServersOf(source, own, { contact: 'never' });
  return { source, workspace, ...(await knownTools(workspace, { imports })) };
}
