/** Servers of MCP for tests: those of the reference, and one that misbehaves. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { readServers } from '../../src/effects/mcp/config.ts';
import { McpConnection } from '../../src/effects/mcp/connection.ts';
import { serverHandler } from '../../src/effects/mcp/handlers.ts';
import { type Listing, readListing } from '../../src/effects/mcp/listing.ts';
import type { ServerPolicy } from '../../src/effects/mcp/policy.ts';
import { servedTools } from '../../src/effects/mcp/spec.ts';
import type { Handler } from '../../src/engine/handler.ts';
import { attempt } from './attempt.ts';
import { inOneFile } from './one-file.ts';
import { root } from './repo.ts';

export const reference = (name: string): string =>
  join(root, `node_modules/@modelcontextprotocol/server-${name}/dist/index.js`);

/** It is started some hundred times: without types to strip that takes a third. */
export const oddServer: string = await inOneFile(join(root, 'test/support/odd-mcp-server.ts'));

export interface Given {
  readonly name?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly policy?: ServerPolicy;
  readonly variables?: Readonly<Record<string, string>>;
}

/** A folder that goes with the test, after what was opened in it later. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'planvm-mcp-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A connection that ends with the test. */
export function connectTo(given: Given): McpConnection {
  const { name = 'odd', args = [oddServer], env = {}, url, headers = {}, policy = {} } = given;
  const member =
    url === undefined ? { command: process.execPath, args, env } : { type: 'http', url, headers };
  const file = JSON.stringify({ mcpServers: { [name]: member } });
  const [server] = readServers(file, '.mcp.json');
  if (!server) throw new Error('no server');
  const connection = new McpConnection({
    server,
    policy,
    env: { ...process.env, ...given.variables },
    folder: newFolder(),
    version: '0.0.0',
  });
  onTestFinished(async () => await connection.close());
  return connection;
}

export interface Tools {
  readonly listing: Listing;
  readonly connection: McpConnection;
  readonly handlers: ReadonlyMap<string, Handler>;
  call(name: string, args?: Record<string, unknown>): Promise<unknown>;
}

/** The tools of a server, as a run has them. */
export async function toolsOf(given: Given = {}): Promise<Tools> {
  const connection = connectTo(given);
  const { name = 'odd', policy = {} } = given;
  const listing = await connection.request(attempt(), (client) => readListing(client));
  const parts = { name, folder: newFolder(), connection: async () => connection };
  const served = servedTools(name, listing, policy);
  const handlers = new Map(served.map((one) => [one.tool, serverHandler(one, parts)]));
  return {
    listing,
    connection,
    handlers,
    async call(tool, args = {}) {
      const handler = handlers.get(tool);
      if (!handler) throw new Error(`no tool ${tool}`);
      return await handler.perform(args, attempt());
    },
  };
}
