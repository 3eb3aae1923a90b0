/** docs/reference/cli.md: every command in the words of its own help, exit codes, settings. */
import { stripVTControlCharacters } from 'node:util';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { commands } from '../../src/cli/commands.ts';
import { exit } from '../../src/cli/exit.ts';
import { rootCommand } from '../../src/cli/main.ts';
import {
  nameInFile,
  settingNames,
  type Values,
  variableOf,
} from '../../src/cli/settings/settings.ts';
import { block, code, table } from './markdown.ts';

const exits: Readonly<Record<keyof typeof exit, string>> = {
  done: 'Done.',
  failed: 'The run has failed, or the command has failed at its work.',
  usage: 'Wrong usage or configuration.',
  invalid: 'The program is invalid. Nothing was run.',
  waiting: 'The run waits for a person.',
  budget: 'A budget is used up. The run goes on with a larger one.',
  undecided: 'Nobody knows whether an effect happened, or the journal does not fit the program.',
  interrupted: 'Interrupted or cancelled. The run can be resumed.',
};

const settings: Readonly<Record<keyof Values, readonly [flag: string, about: string]>> = {
  model: [
    '--model',
    'The model, `provider/model`; `models.worker` is another name of it. `--replay FILE` is ' +
      '`replay/FILE`, for all roles.',
  ],
  plannerModel: ['--planner-model', 'Who writes and repairs programs, instead of `model`.'],
  judgeModel: ['--judge-model', 'Who judges answers, instead of `model`.'],
  agentModels: [
    '--agent-model',
    'Who follows single agents of [playbooks](../guide/playbooks.md#models): ' +
      '`{ "Desk": "openai/x" }`. The variable takes several, `Desk=openai/x,Desk.Main=openai/y`.',
  ],
  embeddings: ['', 'The embedding model of the knowledge base; without one, words are searched.'],
  tools: [
    '--tools',
    'Tools files and [tool sets](../guide/tools.md#tools-that-come-along). The variable takes several, with commas between.',
  ],
  dialect: ['--dialect', 'The dialect of programs; found out where absent.'],
  helpers: [
    '',
    'Modules whose [functions and classes](../guide/tools.md#functions-and-classes-as-they-are) are ' +
      'tools: `./mail.ts#Mail`. The variable takes several, with commas between.',
  ],
  route: [
    '--direct, --program',
    'Whether what is asked for wants a program: `auto` (a model decides), `program`, `direct`.',
  ],
  system: ['', 'The first message of every conversation with the model.'],
  temperature: ['', 'Temperature of model calls, 0 to 2.'],
  maxOutputTokens: ['', 'Most tokens of one reply.'],
  contextWindow: [
    '--context-window',
    'Tokens that models take at once, where that is not [known](../guide/long-texts.md); in files ' +
      'also by model, `{ "openai/x": 16384 }`.',
  ],
  fit: [
    '--fit',
    'What becomes of [values that are longer](../guide/long-texts.md): `auto`, `map`, `top` or `fail`.',
  ],
  unbound: [
    '--unbound',
    'What becomes of [arguments that cannot be found](../guide/binding.md): `ask`, `unresolved` or `fail`.',
  ],
  approve: [
    '--approve',
    'What is asked about before it is performed: `none`, `destructive`, `writes` or `all`.',
  ],
  yes: ['--yes', 'Tools that need no approval. The variable takes several, with commas between.'],
  redact: [
    '',
    'What else is secret: `variables` by name, `patterns` as regular expressions; `keep` for names ' +
      'that only look secret. In configuration files only.',
  ],
  prices: [
    '',
    'USD per million tokens by model, `{ "openai/x": { "input": 1, "output": 4 } }`, before those that ' +
      'planvm knows. In configuration files only.',
  ],
  playbooks: [
    '--strictness, --inline, …',
    'How [playbooks](../guide/playbooks.md#settings) are played: `{ "strictness": "enforce", "inline": 0 }`. ' +
      'The variable takes several, `strictness=enforce,inline=0`.',
  ],
  mcp: [
    '--no-mcp',
    'What is said of the [servers](../guide/mcp.md) of `.mcp.json`, by name; `false`: none of them is ' +
      'there. The variable can only be `off`.',
  ],
  otlp: [
    '--otlp',
    'Address of the collector that [spans and metrics](../guide/observing.md) go to.',
  ],
  toolLimits: [
    '--tool-limit',
    '[Limits of single tools](limits.md#limits-of-a-tool). The variable takes several, with commas ' +
      'between.',
  ],
  openapi: [
    '--openapi',
    '[Documents of OpenAPI](../guide/http-tools.md) that become tools: files or addresses, ' +
      '`name=FILE`. The variable takes several, with commas between; a file may say more of each.',
  ],
  http: ['', 'Tools that are [one request](../guide/http-tools.md), by name. In files only.'],
  toolsets: [
    '',
    '[Named sets](../guide/http-tools.md#what-a-run-may-call) of tools. In files only.',
  ],
  allow: [
    '--allow',
    'The tools that [may be called](../guide/http-tools.md#what-a-run-may-call), beside built-in ' +
      'ones. The variable takes several, with commas between.',
  ],
  deny: ['--deny', 'Tools that may not be called. What any place forbids is forbidden.'],
  pins: ['', 'Values of parameters that programs neither see nor change. In files only.'],
  toolOverrides: ['', 'What tools do, where they say it wrong: `effect`, … In files only.'],
  home: ['', 'The folder of journal and knowledge base; `.planvm` where absent.'],
  gcOlderThan: ['--older-than', 'Which runs `planvm gc` drops: those of this age, such as `30d`.'],
  gcKeep: ['--keep', 'How many of the newest runs `planvm gc` leaves in any case.'],
  gcMaxSize: ['--max-size', 'To which size `planvm gc` brings the journal down: `500MB`.'],
};

const inFilesOnly: ReadonlySet<string> = new Set([
  ...['redact', 'prices', 'http', 'toolsets', 'pins', 'toolOverrides'],
]);

export async function cliPage(): Promise<string> {
  const root = await rootCommand(
    () => true,
    () => {},
  );
  const hidden = new Set(commands.filter((entry) => entry.hidden).map(({ name }) => name));
  const shown = root.commands.filter((command) => !hidden.has(command.name()));
  const sections = shown.flatMap((command) => [section(command), ...command.commands.map(section)]);
  return `# Command line

Generated from the definitions of the commands in \`src/cli/\` by \`npm run reference\`.

The result goes to stdout, all else to stderr. \`-\` in place of a file is stdin.

${block('text', helpOf(root))}
## Exit codes

${table(
  ['code', 'meaning'],
  Object.entries(exit).map(([name, number]) => [String(number), exits[name as keyof typeof exit]]),
)}
## Settings

The first that says something decides: the option, the variable in the environment, the variable in
\`.env\`, the nearest \`planvm.config.ts\` or \`planvm.config.json\` up to the root of the repository,
\`$XDG_CONFIG_HOME/planvm/config.json\`, the default. In a configuration file the names are those of
the first column, and \`limits\` holds [limits](limits.md) by name. \`planvm doctor\` says where each
setting comes from. Keys are variables of their providers and stand in no configuration file.

${table(
  ['name', 'option', 'variable', 'what it sets'],
  settingNames.map((name) => {
    const [flag, about] = settings[name];
    const variable = inFilesOnly.has(name) ? '' : code(variableOf(name));
    return [code(nameInFile(name)), flag && code(flag), variable, about];
  }),
)}${sections.join('')}`;
}

function section(command: CommandUnknownOpts): string {
  return `\n## ${pathOf(command)}\n\n${block('text', helpOf(command))}`;
}

const pathOf = (command: CommandUnknownOpts): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();

/** The help as a person reads it, always of one width and without colour. */
function helpOf(command: CommandUnknownOpts): string {
  let text = '';
  command.configureHelp({ helpWidth: 98 }).configureOutput({
    writeOut: (piece) => {
      text += piece;
    },
  });
  command.outputHelp();
  return stripVTControlCharacters(text);
}
