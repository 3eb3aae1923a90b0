/**
 * The MCP servers of a workspace: what they offer as far as that is known, and connections to them,
 * which are opened when they are first needed.
 */
import { join } from 'node:path';
import { toLearnMore } from '../../effects/mcp/config.ts';
import type { McpConnection } from '../../effects/mcp/connection.ts';
import {
  keepListing,
  keptListing,
  type Listing,
  listingPath,
  readListing,
} from '../../effects/mcp/listing.ts';
import { redacted } from '../../effects/redaction.ts';
import { EffectFailure } from '../../engine/handler.ts';
import { loneAttempt } from '../../engine/lone-attempt.ts';
import { version } from '../../telemetry/version.ts';
import { oneLine } from '../../text/words.ts';
import type { ServerHere } from '../port/settings.ts';
import type { Workspace } from '../port/workspace.ts';
import { redactionIn } from './redaction.ts';

const folderOf = ({ home }: Pick<Workspace, 'home'>): string => join(home, 'mcp');

/** What a server is known to offer, without asking it. */
export const knownListing = (workspace: Workspace, { server }: ServerHere): Listing | undefined =>
  keptListing(listingPath(folderOf(workspace), server));

/** Where large parts of what servers return are put. */
export const partsFolder = (workspace: Workspace): string => join(folderOf(workspace), 'parts');

export interface ConnectionOptions {
  /** Hears what the server writes to its log. */
  wrote?(line: string): void;
  /** How long the server may take to start, where no setting says so. */
  readonly startMs?: number;
}

/** A server may repeat a key that it was given in what it says of its tools. */
const withoutSecrets = (listing: Listing, workspace: Workspace): Listing =>
  redacted(listing, redactionIn(workspace).redact);

/** A connection of its own, which ends with the process at the latest. */
export async function connectionTo(
  workspace: Workspace,
  here: ServerHere,
  { wrote, startMs }: ConnectionOptions = {},
): Promise<McpConnection> {
  const { McpConnection } = await import('../../effects/mcp/connection.ts');
  const { loginFor } = await import('../../effects/mcp/login.ts');
  const { server, policy, folder } = here;
  const folderOfLogins = workspace.loginFolder ?? join(folderOf(workspace), 'logins');
  const login = loginFor({ server, env: workspace.env, folder: folderOfLogins });
  const path = listingPath(folderOf(workspace), server);
  const connection = new McpConnection({
    server,
    policy: startMs === undefined ? policy : { startMs, ...policy },
    env: workspace.env,
    folder,
    version: version(),
    valueBytes: workspace.settings.limits.valueBytes,
    login,
    heard: (line) => wrote?.(`${server.name}: ${oneLine(line)}`),
    // The next program is written and checked with what it has now.
    changed: (client) => {
      readListing(client).then(
        (listing) => keepListing(path, withoutSecrets(listing, workspace)),
        () => {},
      );
    },
  });
  workspace.atEnd?.(() => connection.close());
  return connection;
}

/** Asks a server what it offers, and keeps that. Throws `EffectFailure`. */
export async function refreshed(
  workspace: Workspace,
  here: ServerHere,
  options: ConnectionOptions = {},
): Promise<Listing> {
  const connection = await connectionTo(workspace, here, options);
  try {
    return await listedBy(connection, workspace, here);
  } finally {
    await connection.close();
  }
}

/** The same by a connection that goes on. */
export async function listedBy(
  connection: McpConnection,
  workspace: Workspace,
  { server }: ServerHere,
): Promise<Listing> {
  try {
    const timeoutMs = listMs;
    const signal = AbortSignal.timeout(timeoutMs);
    const attempt = loneAttempt({ signal, timeoutMs });
    const said = await connection.request(attempt, (client) => readListing(client, signal));
    const listing = withoutSecrets(said, workspace);
    keepListing(listingPath(folderOf(workspace), server), listing);
    return listing;
  } catch (thrown) {
    if (thrown instanceof EffectFailure) throw thrown;
    const { name } = server;
    throw new EffectFailure('PV4803', `MCP server ${name}: it did not say what it offers`, {
      hint: toLearnMore(server),
      cause: thrown,
    });
  }
}

/** How long a server may take to start and to say what it offers. */
const listMs = 60_000;
