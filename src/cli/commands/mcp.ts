/** `planvm mcp`: the servers whose tools programs may call here. */
import { type Command, Option } from '@commander-js/extra-typings';
import type { ExitCode } from '../exit.ts';
import { acting, addExamples } from '../help.ts';
import {
  listPrompts,
  listResources,
  listServers,
  refreshServers,
  type ServersFlags,
} from '../mcp/servers.ts';

export function define(command: Command, end: (code: ExitCode) => void): void {
  command.description(
    'MCP servers: those of .mcp.json, whose tools programs call as SERVER.TOOL. A server is ' +
      'started when one of its tools is called; what it offers is known from the last time.',
  );
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
  addExamples(
    command,
    ['planvm mcp ls', 'the servers of .mcp.json'],
    ['planvm mcp refresh', 'ask them anew what they offer'],
    ['planvm tools show filesystem.read_text_file', 'one of their tools'],
  );
  addExamples(list, ['planvm mcp ls --json', 'with everything that is known of them']);
  addExamples(refresh, ['planvm mcp refresh github --verbose', 'and see what it says']);
  addExamples(resources, ['planvm mcp resources memory', 'the resources of one server']);
  addExamples(prompts, ['planvm mcp prompts --json', 'the prompts of all']);
}
