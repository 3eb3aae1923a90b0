/** `planvm run`: reads a program, checks it, runs it to its end. */

import type { OpenProgram } from '../../agent/open-program.ts';
import type { CommandSpec } from '../command.ts';
import type { ExitCode } from '../exit.ts';
import { CliError } from '../failure.ts';
import { playbookOptions } from '../playbook/playbook-options.ts';
import { inputOptions } from '../program/inputs.ts';
import { sayEstimate } from '../run/report-end.ts';
import { type ProgramFlags, type RunOptions, readParts, runHere } from '../run/run-here.ts';
import {
  nameOptions,
  planOptions,
  programOptions,
  runOptions,
  strictOption,
} from '../run/run-options.ts';
import { limitOptions } from '../settings/limit-options.ts';

interface Flags extends ProgramFlags {
  readonly journal: boolean;
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
  act: run,
};

async function run(file: string, flags: Flags): Promise<ExitCode> {
  const parts = await readParts(file, flags);
  const opened: RunOptions['opened'] = async (given) => {
    if (given.checked.program) await sayEstimate(given, flags);
    else if (parts.repairs > 0) {
      throw new CliError('PV6002', '--repair: no model writes playbooks anew', {
        hint: `change ${file}; planvm fork goes on from a line of a run that has failed`,
      });
    }
  };
  const startup = async (given: OpenProgram): Promise<string | undefined> => {
    const { pipedInto } = await import('../playbook/piped.ts');
    return await pipedInto(given);
  };
  return await runHere({ ...parts, startup }, flags, { isKept: flags.journal, opened });
}
