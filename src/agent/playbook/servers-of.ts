/**
 * What a file of playbooks wants besides itself: MCP servers, which it may bring along, and modules
 * with functions, which only a person can give it. Looked for only where it is such a file.
 */
import type { Workspace } from '../port/workspace.ts';
import { dialectOf } from '../program/check.ts';
import type { Source } from '../program/source.ts';
import type { AgentOptions } from './agent-servers.ts';

/** Throws as `withAgents` does, and `AgentError` PV6907 for a module that nobody gives. */
export async function withServersOf(
  source: Source,
  workspace: Workspace,
  options: AgentOptions,
): Promise<Workspace> {
  if ((await dialectOf(source, workspace.settings.dialect)) !== 'playbook') return workspace;
  const { refuseModules, withAgents } = await import('./agent-servers.ts');
  refuseModules(source, workspace);
  return await withAgents(workspace, source, options);
}
