/**
 * The command line: reads the arguments, runs one command, returns the exit code.
 * Results go to stdout, everything else to stderr.
 */
import { readFileSync } from 'node:fs';
import { Command, CommanderError } from '@commander-js/extra-typings';

/** Runs `planvm` with the arguments that follow its name and resolves to the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const program = new Command('planvm')
    .description('One virtual machine for the programs that language models write.')
    .version(version())
    .exitOverride();
  try {
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? 0 : 2;
  }
}

function version(): string {
  const file = new URL('../../package.json', import.meta.url);
  const manifest: { version: string } = JSON.parse(readFileSync(file, 'utf8'));
  return manifest.version;
}
