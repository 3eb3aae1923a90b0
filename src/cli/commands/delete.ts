/** `planvm delete`: takes runs away, and brings them back until they are swept. */
import { findAmong, findRun } from '../../agent/record/find-run.ts';
import { refuseInner } from '../../agent/resume/inner.ts';
import {
  type Journal,
  type RemovedRun,
  RunOwned,
  type RunSummary,
} from '../../engine/journal/journal.ts';
import { stringify } from '../../program/json.ts';
import { clip, count, oneLine } from '../../text/words.ts';
import { type CommandSpec, json } from '../command.ts';
import { type ExitCode, exit } from '../exit.ts';
import { CliError } from '../failure.ts';
import { confirmed } from '../process/terminal-person.ts';
import { withJournal } from '../run/journal.ts';
import { openWorkspace } from '../settings/workspace.ts';
import { print, say } from '../view/output.ts';

interface Flags {
  readonly undo?: true;
  readonly yes?: true;
  readonly json?: true;
}

export const command: CommandSpec = {
  about: 'Delete runs. What forks share with them stays; until planvm gc they can be restored.',
  takes: [['<runs...>', 'Beginnings of run ids, or last.']],
  options: [
    ['--undo', 'Restore runs that were deleted.'],
    ['-y, --yes', 'Ask nothing.'],
    json('Print { deleted } or { restored }.'),
  ],
  examples: [
    ['planvm delete last', 'the latest run'],
    ['planvm delete r0abc r0abd --yes', 'two runs, without a question'],
    ['planvm delete --undo last', 'bring back what was deleted last'],
  ],
  act: async (names: string[], flags: Flags) =>
    withJournal(await openWorkspace(), (journal) =>
      flags.undo ? restore(journal, names, flags) : remove(journal, names, flags),
    ),
};

async function remove(journal: Journal, names: string[], flags: Flags): Promise<ExitCode> {
  const runs = new Map<string, RunSummary>();
  for (const name of names) {
    const run = findRun(journal, name);
    refuseInner(run);
    runs.set(run.id, run);
  }
  // All or none: what a process has is refused before anything is gone.
  const busy = [...runs.values()].find(({ owned }) => owned);
  if (busy) throw isBusy(busy.id);
  const listed = [...runs.values()].map((run) => `  ${run.id} ${run.status} ${titleOf(run)}`);
  if (!(await confirmed(`Delete ${count(runs.size, 'run')}?`, flags.yes === true, listed))) {
    say('nothing was deleted');
    return exit.interrupted;
  }
  for (const id of runs.keys()) {
    try {
      journal.remove(id);
    } catch (error) {
      throw error instanceof RunOwned ? isBusy(id) : error;
    }
  }
  const deleted = [...runs.keys()];
  if (flags.json) print(stringify({ deleted }, 2));
  else {
    say(`deleted ${deleted.join(', ')}`);
    say(`undo: planvm delete --undo ${deleted.join(' ')}\nfor good: planvm gc`);
  }
  return exit.done;
}

function restore(journal: Journal, names: string[], flags: Flags): ExitCode {
  const removed: RemovedRun[] = journal.removed();
  const found = names.map((name) => findAmong(removed, name, 'deleted run'));
  const restored = [...new Set(found.map(({ id }) => id))];
  for (const id of restored) journal.restore(id);
  if (flags.json) print(stringify({ restored }, 2));
  else say(`restored ${restored.join(', ')}`);
  return exit.done;
}

const titleOf = ({ title }: RunSummary): string => clip(oneLine(title), 60);

const isBusy = (run: string): CliError =>
  new CliError('PV6030', `run ${run} is running, want one that has stopped; nothing was deleted`, {
    hint: `stop it first: planvm cancel ${run}`,
  });
