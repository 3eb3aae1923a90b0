/**
 * `planvm compile`: the program as assembly, which `planvm run FILE.pvasm` accepts; playbooks as
 * numbered steps, which `planvm run FILE.pbasm` accepts.
 */
import { type Command, Option } from '@commander-js/extra-typings';
import { disassemble } from '../../dialects/assembly/disassembler.ts';
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
        'numbered steps, for FILE.pbasm. A ? marks steps that a model does.',
    )
    .argument('<file>', 'The program; - reads it from stdin.')
    .addOption(
      new Option('--input <name>', 'Input variable that the program may read.').argParser(repeated),
    )
    .option(
      '--ask',
      'Of playbooks: let the model propose steps, which are checked and written beside the file, ' +
        'as FILE.pbasm; that is used in its place until it changes.',
    )
    .option('--diff', 'Show the lines of playbooks, and beside them their steps.')
    .option('--force', 'With --ask, also replace a FILE.pbasm that a person has changed.')
    .option('--model <provider/model>', 'Who is asked.')
    .action(acting(end, (file: string, flags: CompileFlags) => compile(file, flags)));
  addPlaybookOptions(described, { only: ['explain', 'inline'] });
  addProgramOptions(described);
  addPlanOptions(described);
  addExamples(
    described,
    ['planvm compile plan.json', 'what the machine executes'],
    ['planvm compile plan.json > plan.pvasm && planvm run plan.pvasm', 'run the assembly'],
    ['planvm compile trip.playbook.md', 'who does which line'],
    ['planvm compile trip.playbook.md --ask --diff', 'let a model propose steps; review them'],
  );
}

async function compile(file: string, flags: CompileFlags): Promise<ExitCode> {
  const found = await compiled(file, flags);
  if (found === undefined) return exit.invalid;
  printText(typeof found === 'string' ? found : disassemble(found));
  return exit.done;
}
