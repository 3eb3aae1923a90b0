/**
 * The command line: reads the arguments, loads the one command they name, runs it, gives the exit
 * code. Results go to stdout, everything else to stderr.
 */
import { Command, CommanderError } from '@commander-js/extra-typings';
import { nearest } from '../program/diagnostic.ts';
import { version } from '../telemetry/version.ts';
import { define } from './command.ts';
import { type CommandEntry, commands } from './commands.ts';
import { type ExitCode, exit } from './exit.ts';
import { CliError, reportFailure } from './failure.ts';
import { addCommonOptions, styleHelp } from './help.ts';
import { catchStrays, closeAll } from './process/stray.ts';
import { closeTelemetry } from './process/telemetry.ts';
import { terminalPorts } from './run/ports.ts';
import { usePorts } from './settings/workspace.ts';
import { drain, openOutput } from './view/output.ts';

/** Runs `planvm` with the arguments that follow its name and resolves to the exit code. */
export async function main(args: readonly string[]): Promise<ExitCode> {
  usePorts(terminalPorts);
  openOutput();
  const own = args.slice(0, args.includes('--') ? args.indexOf('--') : args.length);
  // Through the environment, so that it holds for libraries and for the processes of tools too.
  if (own.includes('--no-color')) process.env.NO_COLOR = '1';
  const report: Report = (error) =>
    reportFailure(error, {
      verbose: own.includes('--verbose'),
      json: own.includes('--json'),
      events: own.includes('--events'),
    });
  catchStrays((error) => process.exit(report(error)));
  const code = await perform(args, report);
  await closeAll();
  await closeTelemetry();
  await drain();
  return code;
}

type Report = (error: unknown) => ExitCode;

async function perform(args: readonly string[], report: Report): Promise<ExitCode> {
  let ended: ExitCode = exit.done;
  const root = await rootCommand(neededFor(args), (code) => {
    ended = code;
  });
  try {
    if (args[0] === 'help') requireCommand(args[1]);
    await root.parseAsync(args, { from: 'user' });
    return ended;
  } catch (error) {
    if (!(error instanceof CommanderError)) return report(error);
    // Help and version have been printed; `planvm` alone prints help and is a usage error.
    if (error.exitCode === 0 || error.code === 'commander.help') {
      return error.exitCode === 0 ? exit.done : exit.usage;
    }
    return report(usageError(error, args));
  }
}

/**
 * The whole command line. Only the commands that `wanted` names are loaded; the others are there
 * with their names, so that help lists them and a slip finds its neighbour.
 */
export async function rootCommand(
  wanted: (entry: CommandEntry) => boolean,
  end: (code: ExitCode) => void,
): Promise<Command> {
  const root = new Command('planvm')
    .description('One virtual machine for the programs that language models write.')
    .version(version(), '--version', 'Print the version.')
    .exitOverride()
    .configureOutput({ outputError: () => {} })
    .showSuggestionAfterError()
    .helpOption('-h, --help', 'Show help.')
    .helpCommand('help [command]', 'Shows help for a command.');
  styleHelp(root);
  for (const entry of commands) {
    const command = root.command(entry.name, { hidden: entry.hidden }).summary(entry.about);
    command.description(entry.about);
    if (!wanted(entry)) continue;
    define(command, (await entry.load()).command, end);
    addCommonOptions(command);
  }
  return root;
}

/** Whether the arguments call a command or ask for help on it. */
function namedIn(args: readonly string[]): (entry: CommandEntry) => boolean {
  const words = args.filter((arg) => !arg.startsWith('-'));
  const name = words[0] === 'help' ? words[1] : words[0];
  return (entry) => entry.name === name;
}

/** What has to be loaded: the command that is called, and to complete one that one as well. */
function neededFor(args: readonly string[]): (entry: CommandEntry) => boolean {
  const called = namedIn(args);
  if (args[0] !== 'complete') return called;
  const completed = namedIn(args.slice(args.indexOf('--') + 1));
  return (entry) => called(entry) || completed(entry);
}

/** `planvm help NAME` of a command that does not exist: commander would show the whole help. */
function requireCommand(name: string | undefined): void {
  const names = commands.map((entry) => entry.name);
  if (name === undefined || name.startsWith('-') || names.includes(name)) return;
  const near = nearest(name, names);
  throw new CliError('PV6001', `unknown command '${name}'`, {
    hint: near === undefined ? 'see planvm --help' : `did you mean ${near}?`,
  });
}

/** A value that an option does not take, as it is said everywhere else: *got X, want Y*. */
function plainly(message: string): string {
  const [, where = '', given = '', why = ''] =
    /^(.+?) (?:argument|value) '(.*?)' is invalid[^.]*\. (.*)$/.exec(message) ?? [];
  if (why === '') return message;
  const want = why.replace(/^Allowed choices are /, `got ${given}, want one of `);
  const option = /'(--[\w-]+)/.exec(where)?.[1];
  return option === undefined ? want : `${option}: ${want}`;
}

/** What commander says, in the form of every other error. */
function usageError(error: CommanderError, args: readonly string[]): CliError {
  const [first = '', ...rest] = error.message.replace(/^error: /, '').split('\n');
  const meant = /Did you mean (.+)\?\)/.exec(rest.join(' '))?.[1];
  const named = commands.find(namedIn(args))?.name;
  const help = named === undefined ? 'planvm --help' : `planvm ${named} --help`;
  const hint = meant === undefined ? `see ${help}` : `did you mean ${meant}?`;
  const code = error.code === 'commander.invalidArgument' ? 'PV6002' : 'PV6001';
  return new CliError(code, plainly(first.replace(/\.$/, '')), { hint });
}
