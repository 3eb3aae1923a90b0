/** The commands as they are defined, with nothing behind them: for what only parses command lines. */
import { CommanderError, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { rootCommand } from '../../src/cli/main.ts';

/** The whole command line; its actions do nothing and its help is not printed. */
export async function definitions(): Promise<CommandUnknownOpts> {
  const root = await rootCommand(
    () => true,
    () => {},
  );
  for (const command of withDescendants(root)) {
    command.configureOutput({ writeOut: () => {}, writeErr: () => {} });
    if (command.commands.length === 0) command.action(() => {});
  }
  return root;
}

export const withDescendants = (command: CommandUnknownOpts): CommandUnknownOpts[] => [
  command,
  ...command.commands.flatMap(withDescendants),
];

/** What is wrong with the words that follow `planvm`; undefined for nothing. */
export async function problemWith(words: readonly string[]): Promise<string | undefined> {
  try {
    await (await definitions()).parseAsync(words, { from: 'user' });
    return undefined;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? undefined : error.message;
  }
}
