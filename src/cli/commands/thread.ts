/** `planvm thread`: conversations of `planvm repl`, kept beside the runs. */
import { compileThread } from '../../agent/thread/compile-thread.ts';
import { usageIn } from '../../agent/thread/conversation.ts';
import { findThread, savedThreads, withThreads } from '../../agent/thread/thread-store.ts';
import type { Thread } from '../../engine/journal/threads.ts';
import { stringify } from '../../program/json.ts';
import { type CommandSpec, json, quiet } from '../command.ts';
import { type ExitCode, exit } from '../exit.ts';
import { correctionsOption } from '../planning/goal-options.ts';
import { modelOptions, type RunFlags, toolOptions } from '../run/run-options.ts';
import { workWithTools } from '../run/work-here.ts';
import { limitOptions } from '../settings/limit-options.ts';
import { openWorkspace } from '../settings/workspace.ts';
import { savedLine } from '../view/notice-lines.ts';
import { present, print, say, styleOf } from '../view/output.ts';
import { messageLines, threadRows } from '../view/thread-lines.ts';

interface Flags {
  readonly json?: true;
}

const thread = ['<thread>', 'The beginning of its id, or last.'] as const;

export const command: CommandSpec = {
  about: 'List, show, compile and delete conversations; planvm repl --thread ID goes on with one.',
  examples: [
    ['planvm thread', 'list the conversations'],
    ['planvm thread show last', 'what was said in the latest'],
  ],
  parts: {
    ls: {
      isDefault: true,
      about: 'List the conversations; the one last gone on with comes first (the default).',
      options: [json('Print a JSON list.')],
      examples: [['planvm thread ls --json', 'for other programs']],
      act: listThreads,
    },
    show: {
      about: 'Print what was said in a conversation, and what it has used.',
      takes: [thread],
      options: [json('Print all of it: messages, programs, functions, variables.')],
      examples: [['planvm thread show t12ab', 'one conversation']],
      act: showThread,
    },
    delete: {
      about: 'Delete a conversation; its runs stay.',
      takes: [thread],
      examples: [['planvm thread delete t12ab', 'forget it; its runs stay']],
      act: removeThread,
    },
    compile: {
      about:
        'Let a model make one program of those of a conversation: what the user gave becomes ' +
        'inputs, what is taken for granted becomes guards. It is checked and saved as a plan ' +
        'that planvm run @name runs; where a guard fails, the goal is planned again.',
      takes: [thread],
      options: [
        ['--name <name>', 'What the plan is called. Default: words of the title.'],
        ['--goal <text>', 'What it is for. Default: the goals of the conversation.'],
        correctionsOption('How often the model may correct it.'),
        quiet('Only the program.'),
        json('Print the saved plan.'),
        ...toolOptions(),
        ...modelOptions(),
        ...limitOptions(),
      ],
      examples: [['planvm thread compile last --name tides', 'planvm run @tides runs it']],
      act: compileOne,
    },
  },
};

interface CompileFlags extends RunFlags {
  readonly name?: string;
  readonly goal?: string;
  readonly corrections?: number;
}

async function compileOne(given: string, flags: CompileFlags): Promise<ExitCode> {
  const workspace = await openWorkspace({ flags });
  const thread = findThread(savedThreads(workspace), given);
  return await workWithTools({ workspace, flags }, async (work) => {
    const plan = await compileThread({ ...flags, ...work, thread });
    print(flags.json ? stringify(plan, 2) : plan.text.trimEnd());
    if (!flags.quiet) say(savedLine(plan));
    return exit.done;
  });
}

async function listThreads({ json }: Flags): Promise<ExitCode> {
  const threads = savedThreads(await openWorkspace());
  if (threads.length === 0 && !json) say('no conversations yet; planvm repl begins one');
  else present(json, threads.map(summaryOf), () => threadRows(threads));
  return exit.done;
}

const summaryOf = (thread: Thread): Record<string, unknown> => {
  const { id, title, mode, model = null, createdAt, updatedAt, messages } = thread;
  const said = messages.length;
  return { id, title, mode, model, createdAt, updatedAt, messages: said, usage: usageIn(thread) };
};

async function showThread(name: string, { json }: Flags): Promise<ExitCode> {
  const thread = findThread(savedThreads(await openWorkspace()), name);
  const { id, title, messages } = thread;
  const style = styleOf(process.stdout);
  const head = `${style.strong(id)}  ${title}`;
  present(json, thread, () => [head, '', ...messageLines(messages, style)]);
  return exit.done;
}

async function removeThread(name: string): Promise<ExitCode> {
  const workspace = await openWorkspace();
  const { id } = findThread(savedThreads(workspace), name);
  withThreads(workspace, (threads) => threads.remove(id));
  say(`thread ${id} is deleted; its runs stay`);
  return exit.done;
}
