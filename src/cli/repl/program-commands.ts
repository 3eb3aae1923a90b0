/** Commands about programs: the one that has run last, and what is done to those that will. */

import { journalPath } from '../../agent/port/workspace.ts';
import { changedWords, compileThread } from '../../agent/thread/compile-thread.ts';
import { openJournal } from '../../engine/journal/open-journal.ts';
import { exit } from '../exit.ts';
import { terminalHost } from '../run/terminal-host.ts';
import { savedLine } from '../view/notice-lines.ts';
import { print, say } from '../view/output.ts';
import type { ReplCommand } from './desk.ts';
import { download } from './download.ts';
import { nothing } from './look-commands.ts';
import { edited } from './thread-commands.ts';
import { runWritten } from './turn.ts';

export const programCommands: readonly ReplCommand[] = [
  {
    name: 'edit_program',
    about: 'Change the program that has run last in your editor, and run it.',
    aliases: ['edit_ast'],
    async run(desk) {
      const last = desk.conversation.lastProgram;
      if (!last) return nothing(desk, 'no program has run yet');
      const { text, dialect } = last.program;
      const name = dialect === 'starlark' ? 'program.star' : 'program.txt';
      const changed = await edited(desk, text, name);
      if (changed.trim() === '') return nothing(desk, 'nothing is run: the editor was left empty');
      desk.conversation.say({
        ...{ role: 'user', content: changedWords },
        ...{ at: Date.now(), as: 'program' },
      });
      const result = await desk.aside(() =>
        runWritten(desk, { text: changed, dialect }, { title: 'an edited program', steps: true }),
      );
      if (result?.status !== 'done') desk.fail();
    },
  },
  {
    name: 'retry',
    about: 'Ask the last question again.',
    aliases: ['again'],
    async run(desk) {
      const { messages } = desk.conversation.thread;
      const index = messages.findLastIndex(({ role, as }) => role === 'user' && isAsked(as));
      const last = messages[index];
      if (!last) return nothing(desk, 'nothing was asked yet');
      desk.conversation.change({ messages: messages.slice(0, index) });
      await desk.enter(last.content, last.as === 'page' || !last.as ? 'program' : last.as);
    },
  },
  {
    name: 'compile',
    takes: '[name]',
    about: 'Make one program of this conversation, with inputs and guards, and save it.',
    aliases: ['c'],
    async run(desk, rest) {
      const { workspace, toolbox, conversation, flags } = desk;
      const { thread } = conversation;
      const host = terminalHost({ flags, report: () => exit.failed });
      const work = { workspace, toolbox, isDurable: true, host };
      const call = { ...work, thread, ...(rest !== '' && { name: rest }) };
      const plan = await desk.aside(async () => {
        const journal = openJournal(journalPath(workspace));
        try {
          return await compileThread({ ...call, journal });
        } finally {
          journal.close();
        }
      });
      print(plan.text.trimEnd());
      say(savedLine(plan));
    },
  },
  {
    name: 'download',
    takes: '<url>',
    about: 'Fetch a page, a PDF file or another text into the conversation.',
    aliases: ['url'],
    async run(desk, rest) {
      if (rest === '') return nothing(desk, '/download wants an address');
      await desk.aside(() => download(desk, rest));
    },
  },
];

const isAsked = (as: string | undefined): boolean =>
  as === 'auto' || as === 'program' || as === 'direct';
