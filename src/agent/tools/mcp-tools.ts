/** The tools of MCP servers, as other tools of a run are: by what their servers have listed. */

import type { McpConnection } from '../../effects/mcp/connection.ts';
import { serverHandler } from '../../effects/mcp/handlers.ts';
import type { Listing } from '../../effects/mcp/listing.ts';
import { variablesIn } from '../../effects/mcp/remote.ts';
import { deniedTools, servedTools } from '../../effects/mcp/spec.ts';
import type { ToolSpec } from '../../program/effect.ts';
import { oneLine } from '../../text/words.ts';
import { AgentError, describeError } from '../port/errors.ts';
import type { ServerHere } from '../port/settings.ts';
import type { Workspace } from '../port/workspace.ts';
import { connectionTo, knownListing, listedBy, partsFolder, refreshed } from './mcp-servers.ts';
import { type LoadedTool, mcpScheme } from './tool-files.ts';

export interface McpTools {
  readonly tools: readonly LoadedTool[];
  /** Those that settings of servers keep from a run. */
  readonly denied: readonly ToolSpec[];
  /** How many servers there are whose tools are not known. */
  readonly unlisted: number;
  close(): void;
}

/**
 * Lists those servers that are not listed yet, all at once, unless `lists` is false. One that
 * cannot be listed is said, and keeps nothing from going on that does without it; unless it is an
 * agent of the program. Throws `AgentError` PV6906 for such a one.
 */
export async function loadMcp(workspace: Workspace, lists = true): Promise<McpTools> {
  const servers = workspace.servers();
  const open: McpConnection[] = [];
  const close = (): void => {
    for (const connection of open) connection.close().catch(() => {});
  };
  const denied: ToolSpec[] = [];
  let unlisted = 0;
  const loaded = await Promise.all(
    servers.map(async (here): Promise<LoadedTool[]> => {
      const connection = opener(workspace, here, open);
      const listing = await listingOf(workspace, here, connection, lists);
      if (!listing) unlisted++;
      if (listing) denied.push(...deniedTools(here.server.name, listing, here.policy));
      return listing ? toolsOf(workspace, here, listing, connection) : [];
    }),
  ).catch((error: unknown) => {
    close();
    throw error;
  });
  return { tools: loaded.flat(), denied, unlisted, close };
}

type Connected = () => Promise<McpConnection>;

/** One connection for all calls, opened with the first of them. */
function opener(workspace: Workspace, here: ServerHere, open: McpConnection[]): Connected {
  let connection: Promise<McpConnection> | undefined;
  const connected = async (): Promise<McpConnection> => {
    const made = await connectionTo(workspace, here);
    open.push(made);
    return made;
  };
  return () => {
    connection ??= connected();
    return connection;
  };
}

async function listingOf(
  workspace: Workspace,
  here: ServerHere,
  connection: Connected,
  lists: boolean,
): Promise<Listing | undefined> {
  const { agent } = here;
  const known = knownListing(workspace, here);
  if (!agent) return known ?? (lists ? await listedNow(workspace, here) : undefined);
  // What it had no more when it was asked last, it may have again.
  const hasAll = known && agent.calls.every((name) => known.tools.some((one) => one.name === name));
  if (agent.contact === 'never' || (hasAll && agent.contact === 'later')) return known;
  try {
    return await listedBy(await connection(), workspace, here);
  } catch (thrown) {
    const { code, message, hint } = describeError(thrown);
    throw new AgentError('PV6906', `${agent.at}: agent ${agent.name}: ${code} ${message}`, {
      hint: code === 'PV4809' ? keyHint(here, hint) : downHint,
      cause: thrown,
    });
  }
}

const downHint =
  'see that it runs, and what stands under remote: or in .mcp.json; nothing was done';

/** It was reached, and takes no key that it was given. */
function keyHint({ server }: ServerHere, hint: string | undefined): string | undefined {
  const variables = variablesIn(server.transport);
  if (variables.length > 0) return `see what ${variables.join(', ')} holds; nothing was done`;
  // One of .mcp.json can be logged in at.
  if (/\.mcp\.json$/.test(server.file)) return hint;
  return 'write auth: below remote:, with type: bearer and env: NAME, the variable of the key';
}

/** A server that hangs must not keep for long what may not need it; `refresh` waits longer. */
const impatientMs = 8000;

async function listedNow(workspace: Workspace, here: ServerHere): Promise<Listing | undefined> {
  try {
    const listing = await refreshed(workspace, here, { startMs: impatientMs });
    for (const line of listing.left) {
      workspace.warn?.({ message: `${here.server.name}: left out: ${oneLine(line)}` });
    }
    return listing;
  } catch (thrown) {
    const { code, message, hint } = describeError(thrown);
    workspace.warn?.({
      code,
      message: `its tools are missing: ${oneLine(message)}`,
      ...(hint !== undefined && { hint }),
    });
    return undefined;
  }
}

function toolsOf(
  workspace: Workspace,
  here: ServerHere,
  listing: Listing,
  connection: Connected,
): LoadedTool[] {
  const { name } = here.server;
  const { policy } = here;
  const parts = { name, folder: partsFolder(workspace), connection };
  return servedTools(name, listing, policy, here.agent?.name).map((served) => ({
    spec: served.spec,
    handler: serverHandler(served, {
      ...parts,
      // A limit of the one tool is another than the server's.
      timeoutHint:
        policy.tools?.[served.tool]?.limits?.timeoutMs === undefined
          ? policy.timeoutHint
          : undefined,
    }),
    classed: true,
    file: mcpScheme + name,
  }));
}
