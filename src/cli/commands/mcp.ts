/** `planvm mcp`: planvm as a server of MCP, and the servers whose tools programs may call here. */
import { InvalidArgumentError } from '@commander-js/extra-typings';
import { type CommandSpec, json } from '../command.ts';
import type { ServeFlags } from '../mcp/serve.ts';
import { listServers, refreshServers, type ServersFlags } from '../mcp/servers.ts';

const servers = ['[servers...]', 'Names of servers; all of them where there is none.'] as const;

export const command: CommandSpec = {
  about:
    'Serve MCP: clients check, run, ask, resume and show programs, and call each saved plan as ' +
    'a tool. And the other way round: the servers of .mcp.json, whose tools programs call as ' +
    'SERVER.TOOL.',
  examples: [
    ['planvm mcp', 'serve over stdio: the command that a client is given'],
    ['planvm mcp serve --http', 'serve at http://127.0.0.1:4114/mcp'],
    ['planvm mcp ls', 'the servers of .mcp.json'],
    ['planvm mcp refresh', 'ask them anew what they offer'],
    ['planvm tools show filesystem.read_text_file', 'one of their tools'],
  ],
  parts: {
    serve: {
      isDefault: true,
      about: 'Serve planvm to a client of MCP, over stdio or by HTTP (the default).',
      options: [
        ['--http', 'At an address, by streamable HTTP; the address is printed.'],
        ['--host <name>', 'Where to listen: 127.0.0.1. Others want PLANVM_MCP_TOKEN.'],
        ['--port <number>', 'The port: 4114; 0 for any.', portOf],
      ],
      examples: [
        ['planvm mcp serve', 'the same as planvm mcp'],
        ['PLANVM_MCP_TOKEN=… planvm mcp serve --http --host 0.0.0.0', 'for other machines, too'],
      ],
      act: async (flags: ServeFlags) => (await import('../mcp/serve.ts')).serve(flags),
    },
    ls: {
      about: 'List the servers and how much they offer, or what those that are named offer.',
      takes: [servers],
      options: [json('Print a JSON list.')],
      examples: [
        ['planvm mcp ls memory', 'the tools, resources and prompts of one'],
        ['planvm mcp ls --json', 'with everything that is known of them'],
      ],
      act: listServers,
    },
    refresh: {
      about: 'Start servers and ask them what they offer now.',
      takes: [servers],
      options: [json('Print a JSON list.')],
      examples: [['planvm mcp refresh github --verbose', 'and see what it says']],
      act: refreshServers,
    },
    login: {
      about: 'Log in at a server that wants OAuth: prints the address to open in a browser.',
      takes: [['<server>', 'Its name.']],
      examples: [['planvm mcp login tickets', 'once; runs renew it']],
      act: async (name: string, flags: ServersFlags) =>
        (await import('../mcp/login.ts')).login(name, flags),
    },
    logout: {
      about: 'Forget the login at a server.',
      takes: [['<server>', 'Its name.']],
      examples: [['planvm mcp logout tickets', 'here; the server may list it still']],
      act: async (name: string) => (await import('../mcp/login.ts')).logout(name),
    },
  },
};

function portOf(given: string): number {
  const port = Number(given);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new InvalidArgumentError('want a number from 0 to 65535');
}
