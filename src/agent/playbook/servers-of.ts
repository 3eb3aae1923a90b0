/**
 * What a file of playbooks wants besides itself: MCP servers, which it may bring along, and modules
 * with functions, which only a person can give it. Looked for only where it is such a file.
 */
import { detect } from '../../dialects/index.ts';
import { playbook } from '../../dialects/playbook/index.ts';
import type { Workspace } from '../port/workspace.ts';
import type { Source } from '../program/source.ts';
import type { AgentOptions } from './agent-servers.ts';
import { loadReaderOf } from './load-reader.ts';

/** Throws as `withAgents` does, and `AgentError` PV6907 for a module that nobody gives. */
export async function withServersOf(
  source: Source,
  workspace: Workspace,
  options: AgentOptions,
): Promise<Workspace> {
  const { dialect } = workspace.settings;
  const found = detect(source.text, {
    ...(source.said === undefined && { file: source.file }),
    ...(dialect && { dialect: dialect }),
  });
  if (!('name' in found) || found.name !== playbook.name) return workspace;
  await loadReaderOf(found.name);
  if (/^\s*["']?tools["']?\s*:/m.test(source.text)) {
    const { refuseModules } = await import('./named-modules.ts');
    refuseModules(source, workspace);
  }
  const { withAgents } = await import('./agent-servers.ts');
  return await withAgents(workspace, source, options);
}
