/** `planvm run`: reads a program, checks it, runs it to its end. */
import { type Command, Option } from '@commander-js/extra-typings';
import { stringify } from '../../program/json.ts';
import { type ExitCode, exit } from '../exit.ts';
import { acting, addExamples } from '../help.ts';
import { type InputFlags, readInputs } from '../inputs.ts';
import { givenLimits } from '../limit-options.ts';
import { print } from '../output.ts';
import { checkSource, sayDiagnostics } from '../program.ts';
import { addProgramOptions, addRunOptions, type RunFlags, repeated } from '../run-options.ts';
import { invalidResult, runProgram } from '../run-program.ts';
import { limitsIn } from '../settings.ts';
import { readSource } from '../source.ts';
import { openToolbox } from '../toolbox.ts';
import { openWorkspace } from '../workspace.ts';

interface Flags extends RunFlags, InputFlags {
  readonly sequential?: true;
  readonly journal: boolean;
}

export function define(command: Command, end: (code: ExitCode) => void): void {
  const about =
    'Run a program. Its answer goes to stdout, everything else to stderr. Independent calls run ' +
    'side by side; every outcome is journaled, so that a run that was stopped or killed goes on ' +
    'with planvm resume.';
  const described = command
    .description(about)
    .argument('<file>', 'The program; - reads it from stdin.')
    .addOption(
      new Option('--input <name=value>', 'Input variable: JSON or text.').argParser(repeated),
    )
    .addOption(new Option('--inputs <file>', 'Input variables: a JSON object.').argParser(repeated))
    .option('--sequential', 'One effect at a time, in program order.')
    .option('--no-journal', 'Keep the journal in memory: nothing is left, nothing resumes.')
    .action(acting(end, (file: string, flags: Flags) => run(file, flags)));
  addProgramOptions(described);
  addRunOptions(described);
  addExamples(
    described,
    ['planvm run plan.json --model openai/gpt-5-mini', 'run a plan with a model'],
    ['planvm run plan.json --tools ./tools.ts --input city=Paris', 'with tools and an input'],
    ['cat plan.json | planvm run - --json', 'from stdin; the result as JSON'],
    ['planvm run plan.json --replay calls.ndjson', 'with recorded answers, without a network'],
  );
}

async function run(file: string, flags: Flags): Promise<ExitCode> {
  const workspace = await openWorkspace({ flags, limits: givenLimits(flags) });
  const inputs = readInputs(flags);
  const source = await readSource(file);
  const toolbox = await openToolbox(workspace, { record: flags.record });
  try {
    const limits = limitsIn(workspace.settings);
    const checked = checkSource(source, {
      dialect: workspace.settings.dialect?.value,
      specs: toolbox.specs,
      inputs: [...inputs.keys()],
      limits,
    });
    const { program, diagnostics, dialect } = checked;
    if (!program) {
      sayDiagnostics(diagnostics, source);
      const result = invalidResult(diagnostics);
      if (flags.events) print(stringify({ type: 'run.result', ...result }));
      else if (flags.json) print(stringify(result, 2));
      return exit.invalid;
    }
    return await runProgram({
      workspace,
      toolbox,
      source,
      program,
      dialect,
      diagnostics,
      inputs,
      flags,
      sequential: flags.sequential === true,
      kept: flags.journal,
    });
  } finally {
    toolbox.close();
  }
}
