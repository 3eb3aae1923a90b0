/** `planvm compile`: the program as assembly; playbooks as steps, which `planvm run` accepts. */

import { existsSync } from 'node:fs';
import { load } from '../../agent/record/load.ts';
import { disassemble } from '../../analysis/disassembler.ts';
import { loadProgram } from '../../engine/load.ts';
import { readPast } from '../../engine/past/read-past.ts';
import type { Program } from '../../program/program.ts';
import type { CommandSpec } from '../command.ts';
import { type ExitCode, exit } from '../exit.ts';
import { playbookOptions } from '../playbook/playbook-options.ts';
import { type CompileFlags, compiled } from '../program/compiled.ts';
import { inputNameOption } from '../program/inputs.ts';
import { withRun } from '../run/journal.ts';
import { planOptions, programOptions } from '../run/run-options.ts';
import { printText } from '../view/output.ts';

export const command: CommandSpec = {
  about:
    'Print a program as assembly: what the machine executes. Playbooks are printed as numbered ' +
    'steps, which planvm run FILE.pbasm accepts; a ? marks steps that a model does.',
  takes: [['<file or run>', 'A program, - for stdin, the beginning of a run id, or last.']],
  options: [
    inputNameOption,
    [
      '--ask',
      'Of playbooks: let the model propose steps, which are checked and written beside the file, ' +
        'as FILE.pbasm; that is used in its place until it changes.',
    ],
    ['--diff', 'Show the lines of playbooks, and beside each the steps that stand for it.'],
    ['--force', 'With --ask, also replace a FILE.pbasm that a person has changed.'],
    ['--model <provider/model>', 'Who is asked.'],
    ...playbookOptions(['explain', 'inline']),
    ...programOptions(),
    ...planOptions(),
  ],
  examples: [
    ['planvm compile plan.json', 'what the machine executes'],
    ['planvm compile trip.playbook.md', 'who does which line'],
    ['planvm compile trip.playbook.md --ask --diff', 'let a model propose steps; review them'],
    ['planvm compile last', 'the code of the latest run'],
  ],
  act: compile,
};

async function compile(name: string, flags: CompileFlags): Promise<ExitCode> {
  const isFile = name === '-' || existsSync(name) || /[./\\]/.test(name);
  const program = isFile ? await compiled(name, flags) : await programOf(name);
  if (program === undefined) return exit.invalid;
  // What a loop interprets has no code of its own.
  printText(typeof program === 'string' ? program : disassemble(program));
  return exit.done;
}

const programOf = async (name: string): Promise<Program> =>
  await withRun(
    name,
    ({ id }, journal) => loadProgram(id, readPast(journal.events(id)), load).program,
  );
