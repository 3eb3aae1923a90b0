/** Servers that a program brings along, looked for only where it is one that may have some. */
import { detect } from '../../dialects/index.ts';
import type { Workspace } from '../settings/workspace.ts';
import type { Source } from '../source.ts';
import type { AgentOptions } from './agent-servers.ts';

/** Throws as `withAgents` does. */
export async function withServersOf(
  source: Source,
  workspace: Workspace,
  options: AgentOptions,
): Promise<Workspace> {
  const { dialect } = workspace.settings;
  const found = detect(source.text, {
    ...(source.said === undefined && { file: source.file }),
    ...(dialect && { dialect: dialect.value }),
  });
  if (!('name' in found) || found.name !== 'playbook') return workspace;
  const { withAgents } = await import('./agent-servers.ts');
  return await withAgents(workspace, source, options);
}
