/** `planvm debug`: to and fro in what a run has done, or through a run while it happens. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, Option } from '@commander-js/extra-typings';
import type { Journal } from '../../engine/journal/journal.ts';
import { openJournal } from '../../engine/journal/open-journal.ts';
import { loadProgram } from '../../engine/load.ts';
import { readPast } from '../../engine/past/past.ts';
import { Turnstile } from '../../engine/perform/gate.ts';
import type { RunHandle } from '../../engine/run.ts';
import { Debugger } from '../debug/debugger.ts';
import { guardDebugged } from '../debug/guard.ts';
import { prompt } from '../debug/prompt.ts';
import { RunAhead } from '../debug/run-ahead.ts';
import { type ExitCode, exit } from '../exit.ts';
import { CliError } from '../failure.ts';
import { acting, addExamples } from '../help.ts';
import { withJournal } from '../journal.ts';
import { openProgram, type ProgramFlags } from '../open-program.ts';
import { load, sayDiagnostics } from '../program.ts';
import { findRun } from '../run-ids.ts';
import {
  addModelOptions,
  addPeopleOptions,
  addPlanOptions,
  addProgramOptions,
  addStrictOption,
  repeated,
} from '../run-options.ts';
import { startProgram } from '../run-program.ts';
import { addLimitOptions } from '../settings/limit-options.ts';
import { journalPath, openWorkspace, type Workspace } from '../settings/workspace.ts';
import { observe } from '../telemetry.ts';
import { say, styleOf } from '../view/output.ts';
import { nextCommands } from '../view/result.ts';
import { oneLine } from '../view/text.ts';

interface Flags extends ProgramFlags {
  readonly at?: string;
}

export function define(command: Command, end: (code: ExitCode) => void): void {
  const described = command
    .description(
      'Go through what a run has done, step by step and outcome by outcome, forward and back, ' +
        'with breakpoints, watches and expressions: nothing is performed, nothing changes. Of a ' +
        'program, start a run and go through it while it happens: what it asks for begins when ' +
        'you come there. Commands can come through a pipe.',
    )
    .argument('<run>', 'The beginning of a run id, or last; or the file of a program.')
    .option('--at <place>', 'Begin at a step (4@2), an outcome (0#7), an event (event:12), or end.')
    .addOption(
      new Option('--input <name=value>', 'Input variable: JSON or text.').argParser(repeated),
    )
    .addOption(new Option('--inputs <file>', 'Input variables: a JSON object.').argParser(repeated))
    .action(acting(end, (name: string, flags: Flags) => debug(name, flags)));
  addProgramOptions(described);
  addStrictOption(described);
  addPlanOptions(described);
  addModelOptions(described);
  addPeopleOptions(described);
  addLimitOptions(described);
  addExamples(
    described,
    ['planvm debug last', 'from the start; help lists the commands'],
    ['planvm debug last --at end', 'where a failed run has failed; back goes to what led there'],
    ['planvm debug plan.json --tools ./tools.ts', 'a new run, a step at a time'],
    ["printf 'break change total\\nc\\nvars\\n' | planvm debug last", 'by a script'],
  );
}

async function debug(name: string, flags: Flags): Promise<ExitCode> {
  if (isFile(name)) return await debugFile(name, flags);
  const given = forPrograms.find((flag) => flags[flag] !== undefined);
  if (given !== undefined) {
    throw new CliError('PV6002', `--${given}: got the run ${name}, want the file of a program`, {
      hint: 'a run has what it was started with; nothing of it is performed again',
    });
  }
  const workspace = await openWorkspace();
  return await withJournal(workspace, async (journal) => {
    const { id, title, dialect } = findRun(journal, name);
    say(`${styleOf(process.stderr).strong(`run ${id}`)}  ${oneLine(title)} (${dialect})`);
    return await goThrough({ workspace, journal, run: id }, flags);
  });
}

/** Ids have neither slashes nor endings. */
const isFile = (name: string): boolean =>
  statSync(name, { throwIfNoEntry: false })?.isFile() === true || /[/.]/.test(name);

/** What only a run that is started has a use for. */
const forPrograms = [
  ...(['tools', 'dialect', 'input', 'inputs'] as const),
  ...(['model', 'replay', 'record', 'approve', 'yes'] as const),
];

interface Place {
  readonly workspace: Workspace;
  readonly journal: Journal;
  readonly run: string;
  readonly ahead?: RunAhead;
}

async function goThrough(place: Place, { at = 'start' }: Flags): Promise<ExitCode> {
  const { workspace, journal, run, ahead } = place;
  const past = readPast(journal.events(run));
  const { status = 'running' } = journal.find(run) ?? {};
  const parts = { loaded: loadProgram(run, past, load), past, status };
  const style = styleOf(process.stdout);
  const debugging = new Debugger({ journal, run, parts, ahead, style });
  const began = await debugging.obey(`go ${at}`);
  const historyFile = join(workspace.home, 'debug-history');
  const isFine = await prompt({ debug: debugging, historyFile });
  return began && isFine ? exit.done : exit.failed;
}

async function debugFile(file: string, flags: Flags): Promise<ExitCode> {
  const { checked, ...given } = await openProgram(file, flags);
  const { workspace, toolbox, source } = given;
  const { program, diagnostics, dialect } = checked;
  sayDiagnostics(diagnostics, source);
  if (!program) {
    toolbox.close();
    return exit.invalid;
  }
  const journal = openJournal(journalPath(workspace));
  try {
    const gate = new Turnstile();
    const run = { ...given, program, diagnostics, dialect, flags, journal, sequential: false };
    const handle = startProgram(run, { gate });
    const unguard = toolbox.callsFunctions(program) ? guardDebugged(handle) : () => {};
    observe(handle, { title: source.title, dialect, resumed: false });
    const name = styleOf(process.stderr).strong(`run ${handle.id}`);
    say(`${name}  ${oneLine(source.title)} (${dialect}), begun: what it asks for waits for you`);
    const through = goThroughNew({ workspace, journal, handle, gate }, flags);
    return await through.finally(unguard);
  } finally {
    toolbox.close();
    journal.close();
  }
}

interface New {
  readonly workspace: Workspace;
  readonly journal: Journal;
  readonly handle: RunHandle;
  readonly gate: Turnstile;
}

/** Who leaves before its end suspends the run. */
async function goThroughNew(
  { workspace, journal, handle, gate }: New,
  flags: Flags,
): Promise<ExitCode> {
  const ahead = new RunAhead({ handle, journal, gate });
  try {
    return await goThrough({ workspace, journal, run: handle.id, ahead }, flags);
  } finally {
    if (!ahead.isOver) handle.cancel('interrupted');
    const result = await handle.result;
    const style = styleOf(process.stderr);
    say(`${style.strong(`run ${handle.id}`)}  ${result.status}`);
    for (const next of nextCommands(result)) say(style.dim(`  ${next}`));
  }
}
