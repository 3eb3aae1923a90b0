/** `planvm chat`: talks with a program of playbooks, which hears messages when it is idle. */

import type { CommandSpec } from '../command.ts';
import type { ExitCode } from '../exit.ts';
import { CliError } from '../failure.ts';
import { playbookOptions } from '../playbook/playbook-options.ts';
import { inputOptions } from '../program/inputs.ts';
import { type ProgramFlags, type RunOptions, readParts, runHere } from '../run/run-here.ts';
import { programOptions, runOptions, strictOption } from '../run/run-options.ts';

export const command: CommandSpec = {
  about:
    'Talk with a program of playbooks. What starts it is played first; then each message is held ' +
    'against the triggers, and answered by the agent where none is about it. Lines piped in are ' +
    'messages. The conversation is a run: it waits when you leave, and planvm resume or planvm ' +
    'answer goes on with it.',
  takes: [['<file>', 'The playbooks: FILE.playbook.md, or a skill in Markdown.']],
  options: [
    ...inputOptions,
    ...programOptions(),
    strictOption,
    ...playbookOptions(),
    ...runOptions(),
  ],
  examples: [
    ['planvm chat desk.playbook.md --model openai/gpt-5-mini', 'talk with it'],
    ["printf 'Hello\\nBye\\n' | planvm chat desk.playbook.md", 'two messages, then it waits'],
    ['planvm resume last', 'go on where you left'],
  ],
  act: chat,
};

async function chat(file: string, flags: ProgramFlags): Promise<ExitCode> {
  const opened: RunOptions['opened'] = ({ checked }) => {
    if (!checked.program) return;
    throw new CliError('PV6002', `${file} is no file of playbooks, and hears no messages`, {
      hint: `planvm run ${file} runs it; planvm repl talks without playbooks`,
    });
  };
  return await runHere({ ...(await readParts(file, flags)), idle: true }, flags, { opened });
}
