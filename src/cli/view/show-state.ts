/** What `show --at` and `show --diff` print: states of a run at places of its past. */

import { load } from '../../agent/record/load.ts';
import { sourceSeen } from '../../agent/record/seen-source.ts';
import { stateSeen } from '../../agent/record/seen-state.ts';
import { writtenIn } from '../../agent/record/written-in.ts';
import type { Journal, RunSummary } from '../../engine/journal/journal.ts';
import { stateAt } from '../../engine/past/time.ts';
import { diffStates } from '../../engine/views/state-diff.ts';
import { stateView } from '../../engine/views/state-view.ts';
import { stringify } from '../../program/json.ts';
import { oneLine } from '../../text/words.ts';
import { CliError } from '../failure.ts';
import { print, say, styleOf } from './output.ts';
import { ourName } from './result.ts';
import { diffLines, stateLines } from './state-text.ts';

interface Flags {
  readonly json?: true;
  readonly at?: string;
  readonly diff?: readonly string[];
}

export function showState(journal: Journal, summary: RunSummary, flags: Flags): void {
  if (flags.diff) printDiff(journal, summary, flags.diff, flags);
  else printState(journal, summary, flags.at ?? 'end', flags);
}

function printState(journal: Journal, summary: RunSummary, at: string, flags: Flags): void {
  const state = stateSeen(stateAt({ journal, run: summary.id, load, at }));
  const view = stateView(state, at);
  if (flags.json) {
    print(stringify(view, 2));
    return;
  }
  const style = styleOf(process.stdout);
  print(`${style.strong(`run ${summary.id}`)}  ${oneLine(summary.title)} (${writtenIn(summary)})`);
  const { source, program } = state.loaded;
  for (const line of stateLines(view, sourceSeen(summary, program, source.text), style)) {
    print(line);
  }
  say(styleOf(process.stderr).dim(`  ${ourName} debug ${summary.id} --at ${at}`));
}

function printDiff(
  journal: Journal,
  { id }: RunSummary,
  places: readonly string[],
  flags: Flags,
): void {
  const [from, to, ...more] = places;
  if (from === undefined || to === undefined || more.length > 0) {
    throw new CliError('PV6002', `--diff: got ${places.length} places, want two`, {
      hint: `such as: ${ourName} show ${id} --diff 2 end`,
    });
  }
  const at = (place: string) => stateSeen(stateAt({ journal, run: id, load, at: place }));
  const diff = diffStates([at(from), at(to)], [from, to]);
  if (flags.json) print(stringify(diff, 2));
  else for (const line of diffLines(diff, styleOf(process.stdout))) print(line);
}
