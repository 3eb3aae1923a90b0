/** `planvm complete -- WORDS…`: what may stand in the place of the last word, for a shell. */
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Complete, RootCommand } from '@bomb.sh/tab';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { journalPath } from '../../agent/port/workspace.ts';
import { openJournal } from '../../engine/journal/open-journal.ts';
import type { CommandSpec } from '../command.ts';
import { type ExitCode, exit } from '../exit.ts';
import { openWorkspace } from '../settings/workspace.ts';

type Candidate = readonly [value: string, about: string];

/** Commander calls an action with its command last, which leads to all others. */
export const command: CommandSpec = {
  about: 'Answer a shell that completes a command.',
  takes: [['[words...]', 'The words so far; the last one is completed.']],
  examples: [
    ['planvm complete -- sh', 'commands that begin with sh'],
    ["planvm complete -- show ''", 'run ids'],
  ],
  act: (words: string[], _flags: object, own: CommandUnknownOpts) => complete(words, own.parent),
};

async function complete(words: string[], root: CommandUnknownOpts | null): Promise<ExitCode> {
  const offered = new RootCommand();
  for (const command of root?.commands ?? []) await offer(offered, command, command.name(), words);
  // Writes to stdout itself.
  offered.parse([...words]);
  return exit.done;
}

/** `words`: the last one is being completed. */
async function offer(
  offered: RootCommand,
  command: CommandUnknownOpts,
  path: string,
  words: readonly string[],
): Promise<void> {
  if (path === 'complete') return;
  const own = offered.command(path, command.summary() || command.description());
  // Of all others nothing is asked for.
  const isMeant = path === words.slice(0, path.split(' ').length).join(' ');
  const candidates = async (name: string, choices: readonly string[] = []) =>
    handler(isMeant ? [...choices.map(plain), ...(await found(name, words))] : []);
  for (const argument of command.registeredArguments) {
    const complete = await candidates(argument.name(), argument.argChoices);
    own.argument(argument.name(), complete, argument.variadic);
  }
  for (const option of command.options) {
    const name = option.long?.slice(2);
    if (name === undefined) continue;
    if (!option.required && !option.optional) own.option(name, option.description);
    else own.option(name, option.description, await candidates(name, option.argChoices));
  }
  for (const part of command.commands) await offer(offered, part, `${path} ${part.name()}`, words);
}

const plain = (value: string): Candidate => [value, ''];

const handler =
  (candidates: readonly Candidate[]) =>
  (complete: Complete): void => {
    for (const [value, about] of candidates) complete(value, about);
  };

const runNames: ReadonlySet<string> = new Set(['file or run', 'run', 'runs', 'other']);
const fileNames: ReadonlySet<string> = new Set([
  ...['file or run', 'file', 'edit-step', 'program', 'paths', 'tools', 'openapi', 'inputs'],
  ...['record', 'replay', 'dataset', 'out'],
]);

/** What an argument or the value of an option may be, by its name: run ids and files. */
async function found(name: string, words: readonly string[]): Promise<readonly Candidate[]> {
  const runs = runNames.has(name) ? await runIds() : [];
  return fileNames.has(name) ? [...runs, ...files(words)] : runs;
}

const runsMax = 50;

async function runIds(): Promise<readonly Candidate[]> {
  const last: Candidate = ['last', 'the latest run'];
  try {
    const path = journalPath(await openWorkspace({ execute: false }));
    if (!existsSync(path)) return [last];
    const journal = openJournal(path);
    try {
      const runs = journal.list({ limit: runsMax });
      return [last, ...runs.map(({ id, status, title }): Candidate => [id, `${status} ${title}`])];
    } finally {
      journal.close();
    }
  } catch {
    // A configuration or a journal that cannot be read: a shell shows no errors.
    return [last];
  }
}

/** The entries of the folder that a word begins to name. */
function files(words: readonly string[]): readonly Candidate[] {
  const word = words.at(-1) ?? '';
  const folder = word.endsWith('/') ? word : dirname(word);
  const prefix = word.includes('/') ? folder : '';
  try {
    return readdirSync(folder === '' ? '.' : folder, { withFileTypes: true })
      .filter(({ name }) => !name.startsWith('.') && name !== 'node_modules')
      .map(
        (entry): Candidate => [
          join(prefix, entry.name) + (entry.isDirectory() ? '/' : ''),
          entry.isDirectory() ? 'folder' : '',
        ],
      );
  } catch {
    // There is no such folder: nothing completes the word.
    return [];
  }
}
