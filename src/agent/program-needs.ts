/**
 * What a program needs beside its text, by its dialect: the saved plans that it uses, the MCP
 * servers that it names, a model that joins the results of its tasks.
 */
import type { AgentOptions } from './playbook/agent-servers.ts';
import type { Workspace } from './port/workspace.ts';
import { dialectOf } from './program/check.ts';
import type { Source } from './program/source.ts';
import { withUsedPlans } from './program/used-plans.ts';

export interface NeedsOptions extends AgentOptions {
  /** False: no model joins the results of a plan of tasks. */
  readonly joins?: boolean | undefined;
}

/** The text with the plans that it uses, and the workspace with the servers that it names. */
export interface ProgramWithNeeds {
  readonly source: Source;
  readonly workspace: Workspace;
  /** Whether a model joins the results of its tasks. */
  readonly joins: boolean;
}

/** Throws as `withUsedPlans` and `withAgents` do. */
export async function withNeeds(
  text: Source,
  own: Workspace,
  options: NeedsOptions,
): Promise<ProgramWithNeeds> {
  const { settings, models } = own;
  const dialect = await dialectOf(text, settings.dialect);
  const source = dialect === 'stack' ? await withUsedPlans(text, own) : text;
  const hasModel = settings.model !== undefined || models?.worker !== undefined;
  const joins = options.joins !== false && dialect === 'llmcompiler' && hasModel;
  if (dialect !== 'playbook') return { source, workspace: own, joins };
  const { withAgents } = await import('./playbook/agent-servers.ts');
  return { source, workspace: await withAgents(own, source, options), joins };
}
