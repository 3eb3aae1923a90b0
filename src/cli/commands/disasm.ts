/** `planvm disasm`: the code of a program or of a run, each step under its source. */

import { existsSync } from 'node:fs';
import { findRun } from '../../agent/record/find-run.ts';
import { load } from '../../agent/record/load.ts';
import { disassemble } from '../../dialects/assembly/disassembler.ts';
import { loadProgram } from '../../engine/load.ts';
import { readPast } from '../../engine/past/read-past.ts';
import type { Program } from '../../program/program.ts';
import { withoutControls } from '../../text/words.ts';
import type { CommandSpec } from '../command.ts';
import { type ExitCode, exit } from '../exit.ts';
import { type CompileFlags, compiled } from '../open/compiled.ts';
import { inputNameOption } from '../program/inputs.ts';
import { withJournal } from '../run/journal.ts';
import { planOptions, programOptions } from '../run/run-options.ts';
import { openWorkspace } from '../settings/workspace.ts';
import { printText } from '../view/output.ts';

export const command: CommandSpec = {
  about: 'Print the code of a program, or of a run as it was loaded, beside its source.',
  takes: [['<file or run>', 'A program, - for stdin, the beginning of a run id, or last.']],
  options: [inputNameOption, ...programOptions(), ...planOptions()],
  examples: [
    ['planvm disasm plan.json', 'the code of each step'],
    ['planvm disasm last', 'the code of the latest run'],
  ],
  act: disasm,
};

async function disasm(name: string, flags: CompileFlags): Promise<ExitCode> {
  const isFile = name === '-' || existsSync(name) || /[./\\]/.test(name);
  const program = isFile ? await compiled(name, flags) : await programOf(name);
  if (!program) return exit.invalid;
  // What a loop interprets has no code of its own.
  if (typeof program === 'string') {
    printText(program);
    return exit.done;
  }
  printText(withSource(disassemble(program), program));
  return exit.done;
}

async function programOf(name: string): Promise<Program> {
  return await withJournal(await openWorkspace(), (journal) => {
    const { id } = findRun(journal, name);
    return loadProgram(id, readPast(journal.events(id)), load).program;
  });
}

/** The source of each step as comments in front of its code, instead of in its declaration. */
function withSource(listing: string, { steps }: Program): string {
  const lines = listing.split('\n').flatMap((line) => {
    if (line.startsWith('.step')) return [line.replace(/ source "(?:[^"\\]|\\.)*"/, '')];
    const index = /^ {2}\d+ {2}STEP (\d+)/.exec(line)?.[1];
    const source = index === undefined ? undefined : steps[Number(index)]?.source;
    if (source === undefined) return [line];
    const text = withoutControls(source).split('\n');
    return [...text.map((part) => `  ;   ${part.trimEnd()}`), line];
  });
  return lines.join('\n');
}
