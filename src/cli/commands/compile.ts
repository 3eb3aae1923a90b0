/**
 * `planvm compile`: the program as assembly, which `planvm run FILE.pvasm` accepts; playbooks as
 * numbered steps, which `planvm run FILE.pbasm` accepts.
 */

import { disassemble } from '../../dialects/assembly/disassembler.ts';
import type { CommandSpec } from '../command.ts';
import { type ExitCode, exit } from '../exit.ts';
import { type CompileFlags, compiled } from '../open/compiled.ts';
import { playbookOptions } from '../playbook/playbook-options.ts';
import { inputNameOption } from '../program/inputs.ts';
import { planOptions, programOptions } from '../run/run-options.ts';
import { printText } from '../view/output.ts';

export const command: CommandSpec = {
  about:
    'Print a program as assembly, in the form that planvm run FILE.pvasm accepts; playbooks as ' +
    'numbered steps, for FILE.pbasm. A ? marks steps that a model does.',
  takes: [['<file>', 'The program; - reads it from stdin.']],
  options: [
    inputNameOption,
    [
      '--ask',
      'Of playbooks: let the model propose steps, which are checked and written beside the file, ' +
        'as FILE.pbasm; that is used in its place until it changes.',
    ],
    ['--diff', 'Show the lines of playbooks, and beside them their steps.'],
    ['--force', 'With --ask, also replace a FILE.pbasm that a person has changed.'],
    ['--model <provider/model>', 'Who is asked.'],
    ...playbookOptions(['explain', 'inline']),
    ...programOptions(),
    ...planOptions(),
  ],
  examples: [
    ['planvm compile plan.json', 'what the machine executes'],
    ['planvm compile plan.json > plan.pvasm && planvm run plan.pvasm', 'run the assembly'],
    ['planvm compile trip.playbook.md', 'who does which line'],
    ['planvm compile trip.playbook.md --ask --diff', 'let a model propose steps; review them'],
  ],
  act: compile,
};

async function compile(file: string, flags: CompileFlags): Promise<ExitCode> {
  const found = await compiled(file, flags);
  if (found === undefined) return exit.invalid;
  printText(typeof found === 'string' ? found : disassemble(found));
  return exit.done;
}
