/** What is known of the tools of MCP servers without starting any: what they have listed before. */
import type { Listing } from '../../effects/mcp/listing.ts';
import { deniedTools, servedTools } from '../../effects/mcp/spec.ts';
import type { ToolSpec } from '../../program/effect.ts';
import type { ServerHere } from '../port/settings.ts';
import type { Workspace } from '../port/workspace.ts';
import { knownListing } from './mcp-servers.ts';
import { mcpScheme } from './tool-files.ts';

export interface KnownMcp {
  readonly specs: readonly ToolSpec[];
  /** Those that settings of servers keep from a run. */
  readonly denied: readonly ToolSpec[];
  /** Servers that were never listed. */
  readonly unread: readonly string[];
}

/** The tools of a server that a run may call here. */
export const servedHere = (
  { server, policy, agent }: ServerHere,
  listing: Listing,
): readonly ToolSpec[] =>
  servedTools(server.name, listing, policy, agent?.name).map(({ spec }) => spec);

export function knownMcp(workspace: Workspace): KnownMcp {
  const specs: ToolSpec[] = [];
  const denied: ToolSpec[] = [];
  const unread: string[] = [];
  for (const here of workspace.servers()) {
    const listing = knownListing(workspace, here);
    const { name } = here.server;
    if (listing) {
      specs.push(...servedHere(here, listing));
      denied.push(...deniedTools(name, listing, here.policy));
    } else unread.push(mcpScheme + name);
  }
  return { specs, denied, unread };
}
