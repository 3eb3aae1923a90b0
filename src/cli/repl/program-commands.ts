/**
 * Commands about how goals are answered: the way, the model, the program that has run last, what is
 * done to those that will, and pages of the web as a part of the conversation.
 */
import { journalPath } from '../../agent/port/workspace.ts';
import { changedWords, compileThread } from '../../agent/thread/compile-thread.ts';
import { loadFiles } from '../../agent/tools/tool-files.ts';
import { asTools } from '../../agent/tools/toolbox.ts';
import type { Handler } from '../../engine/handler.ts';
import { openJournal } from '../../engine/journal/open-journal.ts';
import type { ThreadMode } from '../../engine/journal/threads.ts';
import { stringify } from '../../program/json.ts';
import { count } from '../../text/words.ts';
import { exit } from '../exit.ts';
import { terminalHost } from '../run/terminal-host.ts';
import { savedLine } from '../view/notice-lines.ts';
import { print, say } from '../view/output.ts';
import type { Desk, Look, ReplCommand } from './desk.ts';
import { edited, nothing } from './thread-commands.ts';
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
        runWritten(desk, { text: changed, dialect }, 'an edited program', true),
      );
      if (result?.status !== 'done') desk.fail();
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

const modes: Readonly<Record<ThreadMode, string>> = {
  auto: 'a model decides whether a goal is answered by a program or by one reply',
  program: 'goals are answered by programs',
  direct: 'questions are answered by one reply of a model',
  code: 'lines are entries of Starlark',
};

const mode = (
  name: ThreadMode,
  takes: string,
  about: string,
  aliases: readonly string[],
): ReplCommand => ({
  ...{ name, takes, about, aliases },
  async run(desk, rest) {
    if (rest !== '') return await desk.enter(rest, name);
    desk.setMode(name);
    say(modes[name]);
  },
});

/** `/step`, `/step off`: what is done with programs from here on. */
const look = (name: Look, about: string, words: string): ReplCommand => ({
  ...{ name, takes: '[on | off]', about },
  run(desk, rest) {
    if (!['', 'on', 'off'].includes(rest))
      return nothing(desk, `/${name}: got ${rest}, want on or off`);
    const isOn = rest === '' ? desk.flags[name] !== true : rest === 'on';
    if (isOn && !desk.isTyped) return nothing(desk, `/${name} wants somebody at a terminal`);
    desk.setLook({ [name]: isOn });
    say(isOn ? words : `${name} is off`);
  },
});

export const modeCommands: readonly ReplCommand[] = [
  mode('auto', '[goal]', 'Let a model decide between the next two. Alone: everything.', ['a']),
  mode('program', '[goal]', 'Answer by a program. Alone: everything from here on.', ['tool', 'p']),
  mode('direct', '[question]', 'Answer by one reply of the model. Alone: everything.', ['d']),
  mode('code', '[entry]', 'Run an entry of Starlark. Alone: everything from here on.', ['py']),
  look(
    'step',
    'Go through programs statement by statement, with the values that each gives.',
    'programs are gone through statement by statement; /step off ends that',
  ),
  look(
    'confirm',
    'See programs before they run, and say yes or no, or edit them.',
    'programs run after a yes, and can be edited before it; /confirm off ends that',
  ),
  {
    name: 'model',
    takes: '[provider/model]',
    about: 'Say which model answers, or take another one.',
    aliases: ['models'],
    async run(desk, rest) {
      if (rest !== '') await desk.configure({ model: rest });
      sayModels(desk);
    },
  },
  {
    name: 'system',
    takes: '[text]',
    about: 'Say what every conversation with the model begins with, or change it; - for nothing.',
    aliases: ['sysprompt'],
    async run(desk, rest) {
      if (rest !== '') await desk.configure({ system: rest === '-' ? null : rest });
      say(desk.workspace.settings.system ?? 'there is no system message');
    },
  },
];

function sayModels({ workspace: { settings, origins } }: Desk): void {
  const { model, plannerModel, judgeModel } = settings;
  if (!model) say('no model is configured; /model provider/model names one');
  else say(`${model} (${origins.model})`);
  if (plannerModel) say(`${plannerModel} plans (${origins.plannerModel})`);
  if (judgeModel) say(`${judgeModel} judges (${origins.judgeModel})`);
}

async function download(desk: Desk, url: string): Promise<void> {
  const { conversation, toolbox } = desk;
  const handlers = new Map([...(await webTools(desk)), ...toolbox.handlers]);
  const specs = new Map([...handlers].map(([name, { spec }]) => [name, spec]));
  const before = conversation.thread.messages;
  const text = `answer(download(url = ${JSON.stringify(url)}))\n`;
  const flags = { ...desk.flags, quiet: true as const, apart: true };
  const { workspace, entries } = desk;
  const tools = { ...toolbox, handlers, specs };
  const turning = { workspace, conversation, entries, flags, toolbox: tools };
  const result = await runWritten(turning, { text, dialect: 'starlark' }, `download ${url}`);
  if (result?.status !== 'done') {
    desk.fail();
    return;
  }
  const { answer } = result;
  const page = typeof answer === 'string' ? answer : stringify(answer);
  conversation.change({ messages: before });
  conversation.keep();
  conversation.say({
    ...{ role: 'user', content: `The page ${url}:\n\n${page}`, at: Date.now(), as: 'page' },
    run: result.run,
  });
  say(`${url}: ${count(page.length, 'character')} are part of the conversation`);
}

/** The tools of the web, also where the configuration has none of them. */
async function webTools({ workspace, toolbox }: Desk): Promise<ReadonlyMap<string, Handler>> {
  if (toolbox.handlers.has('download')) return new Map();
  const env = { ...workspace.env, PLANVM_HOME: workspace.home };
  const loaded = await loadFiles(['planvm:web'], env);
  const found = loaded.flatMap(({ spec, handler }) =>
    handler && spec.name === 'download' ? [[spec.name, handler] as const] : [],
  );
  return await asTools(new Map(found), workspace);
}
