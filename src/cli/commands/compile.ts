/**
 * `planvm compile`: the program as assembly, which `planvm run FILE.pvasm` accepts; playbooks as
 * numbered steps, which `planvm run FILE.pbasm` accepts.
 */
import { type Command, Option } from '@commander-js/extra-typings';
import { disassemble } from '../../program/disassembler.ts';
import { type ExitCode, exit } from '../exit.ts';
import { acting, addExamples } from '../help.ts';
import { type CompileFlags, compiled } from '../open/compiled.ts';
import { addPlaybookOptions } from '../playbook/playbook-options.ts';
import { addPlanOptions, addProgramOptions, repeated } from '../run/run-options.ts';
import { printText } from '../view/output.ts';

export function define(command: Command, end: (code: ExitCode) => void): void {
  const described = command
    .description(
      'Print a program as assembly, in the form that planvm run FILE.pvasm accepts; playbooks as ' +
        'numbered steps, for FILE.pbasm. A ? marks steps that only a model understands.',
    )
    .argument('<file>', 'The program; - reads it from stdin.')
    .addOption(
      new Option('--input <name>', 'Input variable that the program may read.').argParser(repeated),
    )
    .option('--ask', 'Let the model say what those steps mean; what it says is checked, and kept.')
    .option('--model <provider/model>', 'Who is asked.')
    .action(acting(end, (file: string, flags: CompileFlags) => compile(file, flags)));
  addPlaybookOptions(described, { only: ['explain', 'inline', 'settleAgain'] });
  addProgramOptions(described);
  addPlanOptions(described);
  addExamples(
    described,
    ['planvm compile plan.json', 'what the machine executes'],
    ['planvm compile plan.json > plan.pvasm && planvm run plan.pvasm', 'run the assembly'],
    ['planvm compile trip.playbook.md > trip.pbasm', 'the steps that a model follows'],
    ['planvm compile trip.playbook.md --ask > trip.pbasm', 'with no step left open'],
  );
}

async function compile(file: string, flags: CompileFlags): Promise<ExitCode> {
  const found = await compiled(file, flags);
  if (found === undefined) return exit.invalid;
  printText(typeof found === 'string' ? found : disassemble(found));
  return exit.done;
}
