/**
 * `planvm run`: reads a program, checks it, runs it to its end. What plans, repairs and takes saved
 * plans is loaded where it is asked for: most runs do with much less.
 */

import type { Workspace } from '../../agent/port/workspace.ts';
import { invalidResult } from '../../agent/record/warnings.ts';
import { type ProgramRun, runProgram } from '../../agent/run/run-program.ts';
import { RunExists } from '../../engine/run-name.ts';
import { stringify } from '../../program/json.ts';
import { flagged } from '../advice.ts';
import type { CommandSpec } from '../command.ts';
import { type ExitCode, exit } from '../exit.ts';
import { CliError } from '../failure.ts';
import {
  type OpenProgram,
  type OpenSaved,
  openProgram,
  type ProgramFlags,
} from '../open/open-program.ts';
import { type PlaybookFlags, playbookOptions } from '../playbook/playbook-options.ts';
import type { PlayHere } from '../playbook/run-playbook.ts';
import { inputOptions } from '../program/inputs.ts';
import { sayDiagnostics } from '../program/read-program.ts';
import { namesIn, sayEstimate } from '../run/report-end.ts';
import {
  nameOptions,
  planOptions,
  programOptions,
  runOptions,
  strictOption,
} from '../run/run-options.ts';
import { type WorkHere, workHere } from '../run/work-here.ts';
import { givenLimits, limitOptions } from '../settings/limit-options.ts';
import { print } from '../view/output.ts';

interface Flags extends ProgramFlags, PlaybookFlags {
  readonly sequential?: true;
  readonly journal: boolean;
  /** False: a guard that does not hold is a failure like any other. */
  readonly replan?: boolean;
}

export const command: CommandSpec = {
  about:
    'Run a program. Its answer goes to stdout, everything else to stderr. Independent calls run ' +
    'side by side; every outcome is journaled, so that a run that was stopped or killed goes on ' +
    'with planvm resume.',
  takes: [['<file>', 'The program; - reads it from stdin, @name takes a saved plan.']],
  options: [
    ...inputOptions,
    [
      '--goal <text>',
      'What the program is for: models that repair it or shorten long values are told.',
    ],
    ['--sequential', 'One effect at a time, in program order.'],
    ['--no-replan', 'Of a saved plan, fail where a guard of it does not hold.'],
    ['--no-journal', 'Keep the journal in memory: nothing is left, nothing resumes.'],
    ...programOptions(),
    strictOption,
    ...planOptions(),
    ...playbookOptions(),
    ...nameOptions(),
    ...runOptions(),
    ...limitOptions(['repairs'], 0),
  ],
  examples: [
    ['planvm run plan.json --model openai/gpt-5-mini', 'run a plan with a model'],
    ['planvm run plan.json --tools ./tools.ts --input city=Paris', 'with tools and an input'],
    ['cat plan.json | planvm run - --json', 'from stdin; the result as JSON'],
    ['planvm run plan.json --replay calls.ndjson', 'with recorded answers, without a network'],
    ['planvm run plan.llmcompiler --no-join', 'a plan of tasks: all results by id, no model'],
    ['planvm run desk.playbook.md --model openai/gpt-5-mini', 'playbooks: a model follows them'],
    ['planvm run @tides --input topic=moons', 'a saved plan by its name'],
    ['planvm run plan.json --id ticket-42', 'start it once; said again, it is the same run'],
    ['planvm run plan.json --repair 2', 'where it fails, let the model repair it, twice at most'],
  ],
  act: runOnce,
};

/** Where another process, or an earlier one, has begun the run of this id, it is that run. */
async function runOnce(file: string, flags: Flags): Promise<ExitCode> {
  try {
    return await run(file, flags);
  } catch (error) {
    if (!(error instanceof RunExists)) throw error;
    const { takeUpNamed } = await import('../run/named-run.ts');
    return await takeUpNamed(error.existing, flags);
  }
}

async function run(file: string, flags: Flags): Promise<ExitCode> {
  const opened = await open(file, flags);
  const { checked, ...given } = opened;
  try {
    const { ok, program, diagnostics } = checked;
    if (ok && !program) return await runInterpreted({ ...given, ...checked, flags });
    if (program) return await runChecked({ ...given, ...checked, program, flags });
    sayDiagnostics(diagnostics, given.source);
    const result = invalidResult(diagnostics.map(flagged));
    if (flags.events) print(stringify({ type: 'run.result', ...result }));
    else if (flags.json) print(stringify(result, 2));
    return exit.invalid;
  } finally {
    given.toolbox.close();
  }
}

/** What a loop interprets. */
async function runInterpreted(
  given: Omit<PlayHere, 'sequential'> & { readonly flags: Flags },
): Promise<ExitCode> {
  const { flags, source } = given;
  if (givenLimits(flags).repairs) {
    throw new CliError('PV6002', '--repair: no model writes playbooks anew', {
      hint: `change ${source.file}; planvm fork goes on from a line of a run that has failed`,
    });
  }
  const { runPlaybook } = await import('../playbook/run-playbook.ts');
  const sequential = flags.sequential === true;
  return await runPlaybook({ ...given, isKept: flags.journal, sequential });
}

async function open(file: string, flags: Flags): Promise<OpenProgram & Partial<OpenSaved>> {
  if (!file.startsWith('@')) return await openProgram(file, flags);
  const { openSaved } = await import('../open/open-program.ts');
  return await openSaved(file.slice(1), flags);
}

/** Only with a program that can run is there anything to keep. */
async function runChecked(
  given: Omit<ProgramRun, keyof WorkHere | 'sequential'> &
    Partial<OpenSaved> & { readonly workspace: Workspace; readonly flags: Flags },
): Promise<ExitCode> {
  const { workspace, flags, source, program, diagnostics, dialect, plan } = given;
  return await workHere({ workspace, flags, isKept: flags.journal }, async (work) => {
    const repairs = givenLimits(flags).repairs ?? 0;
    const sequential = flags.sequential === true;
    const pursuit = { ...given, ...work, names: namesIn(workspace, flags), sequential };
    await sayEstimate(pursuit, flags);
    if (plan) {
      const { runSaved } = await import('../../agent/goal/saved-run.ts');
      const replan = flags.replan !== false;
      return work.report(await runSaved({ ...pursuit, plan, repairs, replan }));
    }
    if (repairs === 0) return work.report({ result: await runProgram(pursuit), ...source });
    const text = flags.goal ?? `Do what the program ${source.title} was written for.`;
    const checked = { program, diagnostics, dialect };
    const asked = { goal: { text }, corrections: 2, repairs, refused: [], sequential };
    const { begin } = await import('../../agent/goal/course.ts');
    const { pursue } = await import('../../agent/goal/pursuit.ts');
    return work.report(await pursue(pursuit, { ...begin(asked), next: 'run', source, checked }));
  });
}
