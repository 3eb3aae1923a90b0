/**
 * Commands about the conversation itself: what was said, its variables and functions, other
 * conversations, and files of them.
 */

import { newThread, newThreadId } from '../../agent/thread/conversation.ts';
import { findThread, savedThreads } from '../../agent/thread/thread-store.ts';
import {
  editableText,
  editedMessages,
  fileText,
  readThread,
} from '../../agent/thread/thread-text.ts';
import { signatureOf } from '../../dialects/signature.ts';
import { callable } from '../../dialects/starlark/resolve/tool-names.ts';
import { matchesTool } from '../../program/tool-names.ts';
import { clip, columns, count, grouped, oneLine, price } from '../../text/words.ts';
import { editText } from '../process/editor.ts';
import { readText, writeText } from '../process/files.ts';
import { print, say, styleOf } from '../view/output.ts';
import { messageLines, threadRows } from '../view/thread-lines.ts';
import { shownValue } from './code.ts';
import type { Desk, ReplCommand } from './desk.ts';

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
      writeText(rest, fileText(thread, rest), 'PV6707');
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
      const text = readText(rest, 'PV6706', '/thread ls lists the threads');
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
];

/** The terminal is the editor's. */
export const edited = async (desk: Desk, text: string, name: string): Promise<string> =>
  await desk.aside(async () => editText(text, name));

function sayThread({ conversation: { thread, isKept } }: Desk): void {
  const { id, title, messages, mode } = thread;
  const parts = [count(messages.length, 'message'), mode, isKept ? '' : 'not kept yet'];
  say(`${id} ${title} (${parts.filter((part) => part !== '').join(', ')})`);
}

export const lookCommands: readonly ReplCommand[] = [
  {
    name: 'messages',
    takes: '[n]',
    about: 'Show what was said, or the last n messages of it.',
    aliases: ['m'],
    run({ conversation }, rest) {
      const { messages } = conversation.thread;
      const shown = /^\d+$/.test(rest) ? messages.slice(-Number(rest)) : messages;
      if (shown.length === 0) say('nothing was said yet');
      for (const line of messageLines(shown, styleOf(process.stdout))) print(line);
    },
  },
  {
    name: 'vars',
    about: 'Show the variables, which later programs have as inputs.',
    aliases: ['globals', 'locals'],
    run({ entries }) {
      const rows = [...entries.variables].map(([name, value]) => [
        name,
        shownValue(value, entries),
      ]);
      if (rows.length === 0) say('no variables yet');
      for (const row of columns(rows)) print(row);
    },
  },
  {
    name: 'functions',
    about: 'Show the functions of this conversation, which later programs may call.',
    aliases: ['helpers'],
    run({ conversation }, rest) {
      const { definitions } = conversation.thread;
      const found = definitions.filter(({ name }) => rest === '' || name === rest);
      if (found.length === 0)
        say(rest === '' ? 'no functions yet' : `there is no function ${rest}`);
      if (rest !== '') for (const { text } of found) print(text);
      else for (const row of columns(found.map((one) => [one.signature, one.about]))) print(row);
    },
  },
  {
    name: 'tools',
    takes: '[filter]',
    about: 'Show the tools that programs may call, with their parameters.',
    aliases: ['agents'],
    run({ toolbox }, rest) {
      const found = [...callable(toolbox.specs)].filter(
        ([name, { description }]) =>
          rest === '' || matchesTool(rest, name) || `${name} ${description}`.includes(rest),
      );
      if (found.length === 0) say(`there is no tool like ${rest}`);
      const rows = found.map(([name, spec]) => [
        signatureOf(spec, name),
        clip(oneLine(spec.description), aboutColumns),
      ]);
      for (const row of columns(rows)) print(row);
    },
  },
  {
    name: 'cost',
    about: 'Say what the conversation has used: model calls, tokens, money.',
    aliases: ['usage'],
    run({ conversation }) {
      const { modelCalls, inputTokens, outputTokens, cost } = conversation.usage;
      const tokens = `${grouped(inputTokens)} tokens in, ${grouped(outputTokens)} out`;
      const money = cost === undefined ? 'price unknown' : price(cost);
      print([count(modelCalls, 'model call'), tokens, money].join(' · '));
    },
  },
  {
    name: 'show',
    about: 'Print the program that has run last.',
    aliases: ['ast', 'source'],
    run(desk) {
      const last = desk.conversation.lastProgram;
      if (!last) return nothing(desk, 'no program has run yet');
      say(styleOf(process.stderr).dim(`${last.program.dialect}, run ${last.run ?? ''}`));
      print(last.program.text.trimEnd());
    },
  },
];

const aboutColumns = 70;

export function nothing(desk: Desk, why: string): void {
  say(why);
  desk.fail();
}
