/** `planvm import`: takes in runs that `planvm export` wrote. */

import { InvalidArgumentError } from '@commander-js/extra-typings';
import { journalPath } from '../../agent/port/workspace.ts';
import { importedSettings } from '../../agent/record/imported.ts';
import { importRuns, readExport } from '../../engine/journal/import.ts';
import { openJournal } from '../../engine/journal/open-journal.ts';
import { stringify } from '../../program/json.ts';
import { type CommandSpec, json } from '../command.ts';
import { type ExitCode, exit } from '../exit.ts';
import { readText } from '../process/files.ts';
import { openWorkspace } from '../settings/workspace.ts';
import { print, say } from '../view/output.ts';

interface Flags {
  readonly as?: string;
  readonly json?: true;
}

export const command: CommandSpec = {
  about:
    'Take in runs from a file of planvm export, or from a page that it wrote. They can be ' +
    'shown, forked and resumed as those that were started here.',
  takes: [['<file>', 'The file, or - for stdin.']],
  options: [
    ['--as <id>', 'Another id for the run, where the journal has it already.', runName],
    json('Print { imported }.'),
  ],
  examples: [
    ['planvm import r0abc.json', 'a run from another folder or machine'],
    ['planvm import run.html --as copy', 'from a page, under another id'],
  ],
  act: importFile,
};

/** Ids stand in commands and in names of files. */
function runName(given: string): string {
  if (/^[A-Za-z0-9][\w-]{0,63}$/.test(given) && given !== 'last') return given;
  throw new InvalidArgumentError(`got ${given}, want up to 64 letters, digits, - and _`);
}

async function importFile(file: string, { as, json }: Flags): Promise<ExitCode> {
  const text = await textOf(file);
  // Read whole before a journal is made for it.
  const runs = readExport(text, file === '-' ? 'stdin' : file);
  const journal = openJournal(journalPath(await openWorkspace()));
  try {
    const imported = importRuns(journal, runs, as, importedSettings);
    if (json) print(stringify({ imported }, 2));
    else for (const id of imported) print(id);
    say(`look at it: planvm show ${imported[0] ?? ''}`);
    return exit.done;
  } finally {
    journal.close();
  }
}

async function textOf(file: string): Promise<string> {
  if (file !== '-') return readText(file);
  const { text } = await import('node:stream/consumers');
  return await text(process.stdin);
}
