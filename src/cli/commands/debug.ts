/** `planvm debug`: to and fro in what a run has done. */
import { join } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import { loadProgram } from '../../engine/load.ts';
import { readPast } from '../../engine/past/past.ts';
import { Debugger } from '../debug/debugger.ts';
import { prompt } from '../debug/prompt.ts';
import { type ExitCode, exit } from '../exit.ts';
import { acting, addExamples } from '../help.ts';
import { withJournal } from '../journal.ts';
import { load } from '../program.ts';
import { findRun } from '../run-ids.ts';
import { openWorkspace } from '../settings/workspace.ts';
import { say, styleOf } from '../view/output.ts';
import { oneLine } from '../view/text.ts';

interface Flags {
  readonly at?: string;
}

export function define(command: Command, end: (code: ExitCode) => void): void {
  const described = command
    .description(
      'Go through what a run has done, step by step and outcome by outcome, forward and back, ' +
        'with breakpoints, watches and expressions. Nothing is performed, nothing changes. ' +
        'Commands can come through a pipe.',
    )
    .argument('<run>', 'The beginning of a run id, or last.')
    .option('--at <place>', 'Begin at a step (4@2), an outcome (0#7), an event (event:12), or end.')
    .action(acting(end, (name: string, flags: Flags) => debug(name, flags)));
  addExamples(
    described,
    ['planvm debug last', 'from the start; help lists the commands'],
    ['planvm debug last --at end', 'where a failed run has failed; back goes to what led there'],
    ["printf 'break change total\\nc\\nvars\\n' | planvm debug last", 'by a script'],
  );
}

async function debug(name: string, { at = 'start' }: Flags): Promise<ExitCode> {
  const workspace = await openWorkspace();
  return await withJournal(workspace, async (journal) => {
    const { id, title, dialect, status } = findRun(journal, name);
    const past = readPast(journal.events(id));
    const loaded = loadProgram(id, past, load);
    const style = styleOf(process.stdout);
    const debugging = new Debugger({ journal, run: id, parts: { loaded, past, status }, style });
    say(`${styleOf(process.stderr).strong(`run ${id}`)}  ${oneLine(title)} (${dialect}) ${status}`);
    const began = await debugging.obey(`go ${at}`);
    const historyFile = join(workspace.home, 'debug-history');
    const isFine = await prompt({ debug: debugging, historyFile });
    return began && isFine ? exit.done : exit.failed;
  });
}
