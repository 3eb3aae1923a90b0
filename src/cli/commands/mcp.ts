/** `planvm mcp`: planvm as a server of MCP, and the servers whose tools programs may call here. */
import { type Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import type { ExitCode } from '../exit.ts';
import { acting, addExamples } from '../help.ts';
import type { ServeFlags } from '../mcp/serve.ts';
import {
  listPrompts,
  listResources,
  listServers,
  refreshServers,
  type ServersFlags,
} from '../mcp/servers.ts';

export function define(command: Command, end: (code: ExitCode) => void): void {
  command.description(
    'Serve MCP: clients check, run, ask, resume and show programs, and call each saved plan as ' +
      'a tool. And the other way round: the servers of .mcp.json, whose tools programs call as ' +
      'SERVER.TOOL.',
  );
  defineServe(command, end);
  const json = (): Option => new Option('--json', 'Print a JSON list.').helpGroup('Output:');
  const list = command
    .command('ls')
    .description('List the servers and how much they offer; starts none.')
    .addOption(json())
    .action(acting(end, (flags: ServersFlags) => listServers(flags)));
  const refresh = command
    .command('refresh')
    .description('Start servers and ask them what they offer now.')
    .argument('[servers...]', 'Their names; all of them where there is none.')
    .addOption(json())
    .action(acting(end, (names: string[], flags: ServersFlags) => refreshServers(names, flags)));
  const resources = command
    .command('resources')
    .description('List what can be read with SERVER.read_resource.')
    .argument('[servers...]', 'Names of servers.')
    .addOption(json())
    .action(acting(end, (names: string[], flags: ServersFlags) => listResources(names, flags)));
  const prompts = command
    .command('prompts')
    .description('List what can be had with SERVER.get_prompt.')
    .argument('[servers...]', 'Names of servers.')
    .addOption(json())
    .action(acting(end, (names: string[], flags: ServersFlags) => listPrompts(names, flags)));
  defineLogin(command, end);
  addExamples(
    command,
    ['planvm mcp', 'serve over stdio: the command that a client is given'],
    ['planvm mcp serve --http', 'serve at http://127.0.0.1:4114/mcp'],
    ['planvm mcp ls', 'the servers of .mcp.json'],
    ['planvm mcp refresh', 'ask them anew what they offer'],
    ['planvm tools show filesystem.read_text_file', 'one of their tools'],
  );
  addExamples(list, ['planvm mcp ls --json', 'with everything that is known of them']);
  addExamples(refresh, ['planvm mcp refresh github --verbose', 'and see what it says']);
  addExamples(resources, ['planvm mcp resources memory', 'the resources of one server']);
  addExamples(prompts, ['planvm mcp prompts --json', 'the prompts of all']);
}

function defineServe(command: Command, end: (code: ExitCode) => void): void {
  const serving = command
    .command('serve', { isDefault: true })
    .description('Serve planvm to a client of MCP, over stdio or by HTTP (the default).')
    .option('--http', 'At an address, by streamable HTTP; the address is printed.')
    .option('--host <name>', 'Where to listen: 127.0.0.1. Others want PLANVM_MCP_TOKEN.')
    .addOption(new Option('--port <number>', 'The port: 4114; 0 for any.').argParser(portOf))
    .action(
      acting(end, async (flags: ServeFlags) => {
        const { serve } = await import('../mcp/serve.ts');
        return await serve(flags);
      }),
    );
  addExamples(
    serving,
    ['planvm mcp serve', 'the same as planvm mcp'],
    ['PLANVM_MCP_TOKEN=… planvm mcp serve --http --host 0.0.0.0', 'for other machines, too'],
  );
}

function defineLogin(command: Command, end: (code: ExitCode) => void): void {
  const loggingIn = command
    .command('login')
    .description('Log in at a server that wants OAuth: prints the address to open in a browser.')
    .argument('<server>', 'Its name.')
    .action(
      acting(end, async (name: string, flags: ServersFlags) => {
        const { login } = await import('../mcp/login.ts');
        return await login(name, flags);
      }),
    );
  const loggingOut = command
    .command('logout')
    .description('Forget the login at a server.')
    .argument('<server>', 'Its name.')
    .action(
      acting(end, async (name: string) => {
        const { logout } = await import('../mcp/login.ts');
        return await logout(name);
      }),
    );
  addExamples(loggingIn, ['planvm mcp login tickets', 'once; runs renew it']);
  addExamples(loggingOut, ['planvm mcp logout tickets', 'here; the server may list it still']);
}

function portOf(given: string): number {
  const port = Number(given);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new InvalidArgumentError('want a number from 0 to 65535.');
}
