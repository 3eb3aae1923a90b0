/** `planvm chat`: talks with a program of playbooks, which hears messages when it is idle. */
import { type Command, Option } from '@commander-js/extra-typings';
import { journalPath } from '../../agent/port/workspace.ts';
import { openJournal } from '../../engine/journal/open-journal.ts';
import { type ExitCode, exit } from '../exit.ts';
import { CliError } from '../failure.ts';
import { acting, addExamples } from '../help.ts';
import { openProgram, type ProgramFlags } from '../open/open-program.ts';
import { addPlaybookOptions, type PlaybookFlags } from '../playbook/playbook-options.ts';
import { sayDiagnostics } from '../program/diagnostics.ts';
import { addProgramOptions, addRunOptions, addStrictOption, repeated } from '../run/run-options.ts';

interface Flags extends ProgramFlags, PlaybookFlags {}

export function define(command: Command, end: (code: ExitCode) => void): void {
  const about =
    'Talk with a program of playbooks. What starts it is played first; then each message is held ' +
    'against the triggers, and answered by the agent where none is about it. Lines piped in are ' +
    'messages. The conversation is a run: it waits when you leave, and planvm resume or planvm ' +
    'answer goes on with it.';
  const described = command
    .description(about)
    .argument('<file>', 'The playbooks: FILE.playbook.md, or a skill in Markdown.')
    .addOption(
      new Option('--input <name=value>', 'For a parameter of what starts.').argParser(repeated),
    )
    .addOption(new Option('--inputs <file>', 'The same: a JSON object.').argParser(repeated))
    .action(acting(end, (file: string, flags: Flags) => chat(file, flags)));
  addProgramOptions(described);
  addStrictOption(described);
  addPlaybookOptions(described);
  addRunOptions(described);
  addExamples(
    described,
    ['planvm chat desk.playbook.md --model openai/gpt-5-mini', 'talk with it'],
    ["printf 'Hello\\nBye\\n' | planvm chat desk.playbook.md", 'two messages, then it waits'],
    ['planvm resume last', 'go on where you left'],
  );
}

async function chat(file: string, flags: Flags): Promise<ExitCode> {
  const { checked, ...given } = await openProgram(file, flags);
  try {
    const { ok, program, diagnostics } = checked;
    if (!ok) {
      sayDiagnostics(diagnostics, given.source);
      return exit.invalid;
    }
    if (program) {
      throw new CliError('PV6002', `${file} is no file of playbooks, and hears no messages`, {
        hint: `planvm run ${file} runs it; planvm repl talks without playbooks`,
      });
    }
    const journal = openJournal(journalPath(given.workspace));
    try {
      const { runPlaybook } = await import('../playbook/run-playbook.ts');
      const run = { ...given, diagnostics, flags, sequential: false, journal, isDurable: true };
      return await runPlaybook({ ...run, idle: true });
    } finally {
      journal.close();
    }
  } finally {
    given.toolbox.close();
  }
}
