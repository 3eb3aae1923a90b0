/** `planvm fork`: a new run that begins as another one did, and differs from a step on. */

import { basename, resolve } from 'node:path';
import { Option } from '@commander-js/extra-typings';
import type { Host } from '../../agent/port/host.ts';
import type { Workspace } from '../../agent/port/workspace.ts';
import { dialectOf } from '../../agent/program/check.ts';
import { withStep } from '../../agent/program/with-step.ts';
import { isPlaying, isTalk } from '../../agent/record/asked.ts';
import { load } from '../../agent/record/load.ts';
import { asRun } from '../../agent/resume/as-run.ts';
import { refuseInner } from '../../agent/resume/inner.ts';
import { type ForkCall, type PlannedFork, planFork } from '../../agent/resume/planned-fork.ts';
import { fileOf } from '../../agent/settings/kept-settings.ts';
import { allowedNames } from '../../dialects/playbook/manner.ts';
import type { ForkPreview } from '../../engine/fork/fork-preview.ts';
import type { Journal, RunSummary } from '../../engine/journal/journal.ts';
import { loadProgram } from '../../engine/load.ts';
import type { Past } from '../../engine/past/past.ts';
import { readPast } from '../../engine/past/read-past.ts';
import type { Allowed } from '../../planner/playbook/ends.ts';
import type { CommandSpec } from '../command.ts';
import { type ExitCode, exit } from '../exit.ts';
import { CliError } from '../failure.ts';
import { playbookOptions } from '../playbook/playbook-options.ts';
import { talker } from '../playbook/talker.ts';
import { confirmed } from '../process/terminal-person.ts';
import { readProgram } from '../program/read-program.ts';
import { assigned, type EditFlags, editOf, replaced } from '../run/fork-flags.ts';
import { withRun } from '../run/journal.ts';
import { orInvalid } from '../run/run-here.ts';
import { type RunFlags, runOptions, toolOptions } from '../run/run-options.ts';
import { workHere } from '../run/work-here.ts';
import { givenLimits } from '../settings/limit-options.ts';
import { aloudFor } from '../view/aloud.ts';
import { forkLines } from '../view/notice-lines.ts';
import { present, say, styleOf } from '../view/output.ts';
import { ourName } from '../view/result.ts';

interface Flags extends RunFlags, Allowed, EditFlags {
  readonly program?: string;
  readonly editStep?: string;
  readonly dialect?: string;
  readonly preview?: true;
  readonly run: boolean;
  readonly force?: true;
}

export const command: CommandSpec = {
  about:
    'Make a new run that begins as another one did and differs from a step on: in a variable, ' +
    'an outcome, the program or the model. What it asks for as the other run did is answered ' +
    'from the journal; only the rest is performed. The other run stays as it is.',
  takes: [['<run>', 'The beginning of a run id, or last.']],
  options: [
    ['--at <step>', 'The step, or an effect of it; the start where absent.'],
    ['--set <name=value>', 'A variable as the step begins: JSON or text.', assigned],
    [
      '--outcome <effect=value>',
      'What counts in place of the outcome of an effect: 0#3=JSON, or 0#3=error:TEXT.',
      replaced,
    ],
    new Option('--edit-step <file>', 'What to put in place of the step; - is stdin.').conflicts(
      'program',
    ),
    ['--program <file>', 'Another program; steps before the one that is named must agree.'],
    ['--dialect <name>', 'What that program is written in.'],
    [
      '--fresh <what>',
      'Perform anew, from the step on, although there are outcomes.',
      ['models', 'all'],
    ],
    ['--note <text>', 'Why, for planvm tree.'],
    ['--preview', 'Say what would be performed, and make nothing.'],
    ['--no-run', 'Make the fork without running it; planvm resume does.'],
    ['--force', 'Perform writes again, or do without them, without a question.'],
    ...toolOptions(),
    ...runOptions(),
    ...playbookOptions(['agentModel', ...allowedNames]),
  ],
  examples: [
    ['planvm fork last --at 4 --set city=Rome', 'step 4 and what comes then, with another value'],
    ['planvm fork last --outcome \'0#3={"found": []}\'', 'what if the tool had answered this'],
    ['planvm fork r0abc --at 4 --edit-step step.json', 'with another instruction as step 4'],
    ['planvm fork last --at 2 --model openai/gpt-5', 'with another model from step 2 on'],
    ['planvm fork last --program mended.json --preview', 'see what would be performed'],
  ],
  act: fork,
};

async function fork(name: string, flags: Flags): Promise<ExitCode> {
  const act = async (base: RunSummary, journal: Journal, own: Workspace): Promise<ExitCode> => {
    refuseInner(base);
    const changing = { journal, workspace: own, changes: true };
    return await asRun(base, changing, async (tools) => {
      const past = readPast(journal.events(base.id));
      const program = await programIn(base, past, flags);
      const edit = editOf({ ...flags, note: noteOf(flags) }, program, past.effects);
      const file = flags.program === undefined ? undefined : resolve(flags.program);
      const aloud = aloudFor(flags);
      const saying: Host['saying'] = (piece) => aloud?.piece(piece);
      const place = { ...tools, journal, isDurable: true, base, edit, program, file };
      const limits = givenLimits(flags);
      const more = { limits, allowed: flags, ...(aloud && { saying }) };
      const planned = await planFork({ ...place, ...more });
      if (!(await isAgreed(planned, edit, flags))) return exit.interrupted;
      if (flags.preview) return exit.done;
      if (!flags.run) return made(planned.make(), base, flags);
      const { person, close } = talker(flags, isTalk(base));
      const here = { workspace: tools.workspace, journal, flags, aloud, person };
      return await workHere(here, async ({ host, report }) => {
        const end = await planned.run(host);
        const code = report(end);
        if (!flags.quiet) sayNext(base.id, end.result.run);
        return code;
      }).finally(close);
    });
  };
  return await orInvalid(withRun(name, act, { flags }), flags);
}

/** Shows what it would perform, and asks about what a person does not expect. */
async function isAgreed(
  { preview }: PlannedFork,
  edit: ForkCall['edit'],
  flags: Flags,
): Promise<boolean> {
  if (flags.preview) {
    present(flags.json, preview, () => forkLines(preview, styleOf(process.stdout)));
    return true;
  }
  if (!flags.quiet) for (const line of forkLines(preview, styleOf(process.stderr))) say(line);
  if (!isGrave(preview, edit) || (await confirmed('Go on?', flags.force === true))) return true;
  say('no fork was made');
  return false;
}

/** Whether the world may be changed in a way that a person does not expect. */
function isGrave({ performed, vanished }: ForkPreview, { perform }: ForkCall['edit']): boolean {
  return (
    perform === 'all' ||
    vanished.length > 0 ||
    performed.some((one) => one.again && one.class === 'write')
  );
}

function made(id: string, base: RunSummary, flags: Flags): ExitCode {
  present(flags.json, { run: id, base: base.id }, () => [id]);
  if (!flags.quiet) say(styleOf(process.stderr).dim(`  ${ourName} resume ${id}`));
  return exit.done;
}

function sayNext(base: string, id: string): void {
  const style = styleOf(process.stderr);
  for (const command of [`diff ${base} ${id}`, `tree ${base}`]) {
    say(style.dim(`  ${ourName} ${command}`));
  }
}

/**
 * The program that the fork is to have, where it is another one. Throws `CliError` PV6002 for
 * playbooks, of which a run has what they were woven into.
 */
async function programIn(base: RunSummary, past: Past, flags: Flags): Promise<ForkCall['program']> {
  const { program: file, editStep } = flags;
  if (file !== undefined) {
    const source = await readProgram(file);
    const dialect = await dialectOf(source, flags.dialect);
    if (dialect === 'playbook') throw otherPlaybooks(file);
    return { source, dialect };
  }
  if (editStep === undefined) return undefined;
  if (isPlaying(base)) throw otherPlaybooks(editStep, base);
  const loaded = loadProgram(base.id, past, load);
  const written = await readProgram(editStep);
  const source = { ...written, text: withStep(loaded, flags.at, written) };
  return { source, dialect: loaded.source.dialect };
}

function noteOf({ note, editStep, program }: Flags): string | undefined {
  const file = editStep ?? program;
  return note ?? (file === undefined || file === '-' ? undefined : basename(file));
}

const otherPlaybooks = (got: string, base?: RunSummary): CliError =>
  new CliError('PV6002', `got ${got}: a fork cannot have other playbooks`, {
    hint: `${ourName} run ${base ? fileOf(base) : got} plays them; --at and --set change this run`,
  });
