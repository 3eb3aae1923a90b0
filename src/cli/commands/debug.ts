/** `planvm debug`: to and fro in what a run has done, or through a run while it happens. */

import { statSync } from 'node:fs';
import type { HeldRun } from '../../agent/port/host.ts';
import { journalPath } from '../../agent/port/workspace.ts';
import { writtenIn } from '../../agent/record/asked.ts';
import { findRun } from '../../agent/record/find-run.ts';
import { runOpened, withProgram } from '../../agent/sessions.ts';
import { openJournal } from '../../engine/journal/open-journal.ts';
import type { RunResult } from '../../engine/result.ts';
import { oneLine } from '../../text/words.ts';
import { type CommandSpec, repeated } from '../command.ts';
import { goThrough, goThroughNew } from '../debug/go-through.ts';
import { type ExitCode, exit } from '../exit.ts';
import { CliError } from '../failure.ts';
import { playbookOptions } from '../playbook/playbook-options.ts';
import { inputOptions } from '../program/inputs.ts';
import { sayDiagnostics } from '../program/read-program.ts';
import { withJournal } from '../run/journal.ts';
import { orInvalid, type ProgramFlags, readParts } from '../run/run-here.ts';
import {
  modelOptions,
  peopleOptions,
  planOptions,
  programOptions,
  strictOption,
} from '../run/run-options.ts';
import { limitOptions } from '../settings/limit-options.ts';
import { openWorkspace } from '../settings/workspace.ts';
import { say, styleOf } from '../view/output.ts';
import { nextCommands } from '../view/result.ts';

interface Flags extends ProgramFlags {
  readonly at?: string;
  readonly break?: readonly string[];
}

export const command: CommandSpec = {
  about:
    'Go through what a run has done, step by step and outcome by outcome, forward and back, ' +
    'with breakpoints, watches and expressions: nothing is performed, nothing changes. ' +
    'Of a program, start a run and go through it ' +
    'while it happens: what it asks for begins when you come there. Commands can come ' +
    'through a pipe.',
  takes: [['<run>', 'The beginning of a run id, or last; or the file of a program.']],
  options: [
    ['--at <place>', 'Begin at a step (4@2), an outcome (0#7), an event (event:12), or end.'],
    [
      '--break <place>',
      'Stop before a step (Main:03, 4@2; Main:03 if $x > 15), or as break of help says; begin ' +
        'by going on to there. Can be repeated.',
      repeated,
    ],
    ...inputOptions,
    ...programOptions(),
    strictOption,
    ...planOptions(),
    ...modelOptions(),
    ...peopleOptions(),
    ...playbookOptions(),
    ...limitOptions(),
  ],
  examples: [
    ['planvm debug last', 'from the start; help lists the commands'],
    ['planvm debug last --at end', 'where a failed run has failed; back goes to what led there'],
    [
      'planvm debug desk.playbook.md --break \'Main:03 if $day == "Sunday"\'',
      'playbooks, line by line',
    ],
    ['planvm debug plan.json --tools ./tools.ts', 'a new run, a step at a time'],
    ["printf 'break change total\\nc\\nvars\\n' | planvm debug last", 'by a script'],
  ],
  act: debug,
};

async function debug(name: string, flags: Flags): Promise<ExitCode> {
  if (isFile(name)) return await debugFile(name, flags);
  const given = forPrograms.find((flag) => flags[flag] !== undefined);
  if (given !== undefined) {
    throw new CliError('PV6002', `--${given}: got the run ${name}, want the file of a program`, {
      hint: 'a run has what it was started with; planvm fork --set NAME=VALUE goes on with another',
    });
  }
  const workspace = await openWorkspace({ flags });
  return await withJournal(workspace, async (journal) => {
    const summary = findRun(journal, name);
    const { id, title } = summary;
    const head = styleOf(process.stderr).strong(`run ${id}`);
    say(`${head}  ${oneLine(title)} (${writtenIn(summary)})`);
    const isFine = await goThrough({ ...goingBy(flags, workspace), journal, run: id });
    return isFine ? exit.done : exit.failed;
  });
}

/** Ids have neither slashes nor endings. */
const isFile = (name: string): boolean =>
  statSync(name, { throwIfNoEntry: false })?.isFile() === true || /[/.]/.test(name);

/** What only a run that is started has a use for. */
const forPrograms = ['dialect', 'input', 'inputs'] as const;

async function debugFile(file: string, flags: Flags): Promise<ExitCode> {
  const parts = await readParts(file, flags);
  const act = withProgram(parts, async (program) => {
    sayDiagnostics(program.checked.diagnostics, program.source);
    const { workspace } = program;
    const journal = openJournal(journalPath(workspace));
    let isAllDone = false;
    const goThrough = async (held: HeldRun): Promise<RunResult> => {
      const { result, isFine } = await goThroughNew(held, goingBy(flags, workspace));
      isAllDone = isFine;
      return result;
    };
    try {
      const work = { ...parts, journal, isDurable: true };
      sayEnd((await runOpened(program, work, { goThrough })).result);
      return isAllDone ? exit.done : exit.failed;
    } finally {
      journal.close();
    }
  });
  return await orInvalid(act, flags);
}

const goingBy = ({ at = 'start', break: breaks }: Flags, { home }: { readonly home: string }) => ({
  ...{ home, at, breaks },
});

function sayEnd(result: RunResult): void {
  const style = styleOf(process.stderr);
  say(`${style.strong(`run ${result.run}`)}  ${result.status}`);
  for (const next of nextCommands(result)) say(style.dim(`  ${next}`));
}
