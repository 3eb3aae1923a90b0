/** What performs the tools of a server. */
import {
  type Arguments,
  type AttemptContext,
  type Handler,
  refusal,
} from '../../engine/handler.ts';
import type { McpConnection } from './connection.ts';
import { callValue, promptValue, type ResultParts, resourceValue } from './result.ts';
import type { ServedTool } from './spec.ts';

export interface ServerParts {
  /** As its file names it. */
  readonly name: string;
  /** Where large parts of results are put. */
  readonly folder: string;
  /** Opened with the first call. */
  readonly connection: () => Promise<McpConnection>;
  readonly timeoutHint?: string | undefined;
}

export function serverHandler({ spec, tool, kind }: ServedTool, parts: ServerParts): Handler {
  const { name, folder, connection, timeoutHint } = parts;
  return {
    spec,
    timeoutHint,
    async perform(args, context) {
      const server = await connection();
      const resulting: ResultParts = { tool: spec.name, folder, context };
      const value = await performOne(kind, tool, args, server, context, resulting);
      context.source({ url: `mcp:${name}/${tool}`, fetchedAt: Date.now() });
      return value;
    },
  };
}

async function performOne(
  kind: ServedTool['kind'],
  tool: string,
  args: Arguments,
  server: McpConnection,
  context: AttemptContext,
  parts: ResultParts,
): Promise<unknown> {
  switch (kind) {
    case 'tool': {
      const given = plain(args, parts.tool);
      const result = await server.request(context, (client, options) =>
        client.callTool({ name: tool, arguments: given }, options),
      );
      return callValue(result, parts);
    }
    case 'resource': {
      const uri = String(args.uri);
      const result = await server.request(context, (client, options) =>
        client.readResource({ uri }, { ...options, cacheMode: 'bypass' }),
      );
      return resourceValue(result, parts);
    }
    case 'prompt': {
      const params = { name: String(args.name), arguments: textsOf(args.arguments) };
      const result = await server.request(context, (client, options) =>
        client.getPrompt(params, options),
      );
      return promptValue(result, parts);
    }
  }
}

/** JSON of the protocol has no integers beyond 2^53, no infinity and no NaN. */
function plain(args: Arguments, tool: string): Record<string, unknown> {
  const walk = (data: unknown): unknown => {
    if (typeof data === 'bigint' || (typeof data === 'number' && !Number.isFinite(data))) {
      const what = typeof data === 'bigint' ? `the integer ${data}` : `the number ${data}`;
      throw refusal('PV4001', `wrong arguments for ${tool}: got ${what}`, {
        hint: 'an MCP server takes finite numbers, and integers up to 2^53; give it a text',
      });
    }
    if (Array.isArray(data)) return data.map(walk);
    if (typeof data !== 'object' || data === null) return data;
    return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, walk(value)]));
  };
  return walk(args) as Record<string, unknown>;
}

const textsOf = (given: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(typeof given === 'object' && given !== null ? given : {}).map(
      ([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)],
    ),
  );
