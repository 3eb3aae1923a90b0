/** Commands about the conversation itself: others, its messages, files of it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { reasonOf } from '../../agent/port/reason.ts';
import { newThread, newThreadId } from '../../agent/thread/conversation.ts';
import { findThread, savedThreads } from '../../agent/thread/thread-store.ts';
import { count } from '../../text/words.ts';
import { CliError } from '../failure.ts';
import { editText } from '../process/editor.ts';
import { threadRows } from '../threads/thread-rows.ts';
import { editableText, editedMessages, markdownOf, readThread } from '../threads/thread-text.ts';
import { print, say } from '../view/output.ts';
import type { Desk, ReplCommand } from './desk.ts';
import { nothing } from './look-commands.ts';

export const threadCommands: readonly ReplCommand[] = [
  {
    name: 'thread',
    takes: '[id | new | ls | title …]',
    about: 'Say which conversation this is, go on with another, begin one, name this one.',
    aliases: ['threads'],
    async run(desk, rest) {
      const [word = '', ...more] = rest.split(/\s+/);
      if (word === '') sayThread(desk);
      else if (word === 'ls')
        for (const row of threadRows(savedThreads(desk.workspace))) print(row);
      else if (word === 'new') await desk.turnTo(newThread(desk.conversation.thread.mode));
      else if (word === 'title') {
        desk.conversation.change({ title: more.join(' ') });
        desk.conversation.keep();
        sayThread(desk);
      } else await desk.turnTo(findThread(savedThreads(desk.workspace), word));
    },
  },
  {
    name: 'save',
    takes: '[file]',
    about: 'Write the conversation into a file, .json or .md; alone: keep it among the threads.',
    run(desk, rest) {
      const { conversation } = desk;
      if (rest === '') {
        conversation.keep();
        say(`kept as thread ${conversation.thread.id}`);
        return;
      }
      const { thread } = conversation;
      const isText = rest.endsWith('.md');
      const text = isText ? markdownOf(thread) : `${JSON.stringify(thread, null, 2)}\n`;
      try {
        writeFileSync(rest, text, { mode: 0o600 });
      } catch (cause) {
        throw new CliError('PV6707', `cannot write ${rest}: ${reasonOf(cause)}`, { cause });
      }
      say(`${rest} has ${count(thread.messages.length, 'message')}`);
    },
  },
  {
    name: 'load',
    takes: '<file | thread>',
    about: 'Go on with a thread, or with a copy of the one in a file that /save has written.',
    async run(desk, rest) {
      if (rest === '')
        return nothing(desk, '/load wants a file or a thread; /thread ls lists them');
      const threads = savedThreads(desk.workspace);
      if (threads.some(({ id }) => id.startsWith(rest)) || rest === 'last') {
        return await desk.turnTo(findThread(threads, rest));
      }
      let text: string;
      try {
        text = readFileSync(rest, 'utf8');
      } catch (cause) {
        throw new CliError('PV6706', `cannot read ${rest}: ${reasonOf(cause)}`, {
          hint: '/thread ls lists the threads',
          cause,
        });
      }
      await desk.turnTo({ ...readThread(text, rest), id: newThreadId(), version: 0 });
      desk.conversation.keep();
    },
  },
  {
    name: 'clear',
    about: 'Forget what was said; functions and variables stay.',
    aliases: ['new'],
    run({ conversation }) {
      const { length } = conversation.thread.messages;
      conversation.change({ messages: [] });
      say(`${count(length, 'message')} forgotten`);
    },
  },
  {
    name: 'last',
    about: 'Forget all but the last question and what came of it.',
    run({ conversation }) {
      const { messages } = conversation.thread;
      const from = messages.findLastIndex(({ role }) => role === 'user');
      if (from > 0) conversation.change({ messages: messages.slice(from) });
      say(`${count(Math.max(0, from), 'message')} forgotten`);
    },
  },
  {
    name: 'edit',
    about: 'Change what was said in your editor; what is left out is forgotten.',
    async run(desk) {
      const { messages } = desk.conversation.thread;
      if (messages.length === 0) return nothing(desk, 'nothing was said yet');
      const text = await edited(desk, editableText(messages), 'messages.md');
      const changed = editedMessages(text, messages);
      desk.conversation.change({ messages: changed });
      say(`${count(changed.length, 'message')} kept`);
    },
  },
  {
    name: 'edit_last',
    about: 'Change the last answer in your editor: later turns take it for what was said.',
    async run(desk) {
      const { messages } = desk.conversation.thread;
      const index = messages.findLastIndex(({ role }) => role === 'assistant');
      const last = messages[index];
      if (!last) return nothing(desk, 'there is no answer yet');
      const content = (await edited(desk, last.content, 'answer.md')).trim();
      if (content === '') return nothing(desk, 'it stays as it is: nothing was left of it');
      desk.conversation.change({ messages: messages.with(index, { ...last, content }) });
    },
  },
];

/** The terminal is the editor's. */
export const edited = async (desk: Desk, text: string, name: string): Promise<string> =>
  await desk.aside(async () => editText(text, name));

function sayThread({ conversation: { thread, isKept } }: Desk): void {
  const { id, title, messages, mode } = thread;
  const parts = [count(messages.length, 'message'), mode, isKept ? '' : 'not kept yet'];
  say(`${id} ${title} (${parts.filter((part) => part !== '').join(', ')})`);
}
