/** An MCP server, as the settings of an agent have it. */
import type { McpServer } from '../../effects/mcp/config.ts';
import type { ServerPolicy } from '../../effects/mcp/policy.ts';

export const mcpFileName = '.mcp.json';

export interface ServerHere {
  readonly server: McpServer;
  readonly policy: ServerPolicy;
  /** The folder of the file that names it. */
  readonly folder: string;
  /** Keys that stand in the file itself, by where they stand. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Where it is an agent of the program. */
  readonly agent?: ServerAgent;
}

export interface ServerAgent {
  /** By which the program calls its tools, whatever the server is called. */
  readonly name: string;
  /** Where the program says so: `desk.playbook.md:12`. */
  readonly at: string;
  /** When it is spoken to: before the run starts, when a tool of it is called, or never. */
  readonly contact: 'now' | 'later' | 'never';
  /** Tools of it that the program names. */
  readonly calls: readonly string[];
}
