/** Commands that say how what is typed is taken, and by whom it is answered. */
import { localModel } from '../../effects/model/local.ts';
import type { ThreadMode } from '../../engine/journal/threads.ts';
import { say } from '../view/output.ts';
import type { Desk, Look, ReplCommand } from './desk.ts';
import { nothing } from './look-commands.ts';

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
  {
    name: 'mode',
    takes: '[mode]',
    about: `Say how what is typed is taken: ${Object.keys(modes).join(', ')}.`,
    run(desk, rest) {
      const found = Object.keys(modes).find((one): one is ThreadMode => one === rest);
      if (found) desk.setMode(found);
      else if (rest !== '') {
        say(`there is no mode ${rest}; the modes are ${Object.keys(modes).join(', ')}`);
        desk.fail();
        return;
      }
      const { mode: now } = desk.conversation.thread;
      say(`${now}: ${modes[now]}`);
    },
  },
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
    name: 'local',
    takes: '[model]',
    about:
      'Let a model on this machine answer: the named one of Ollama, or the first of the server ' +
      'at OPENAI_BASE_URL or OLLAMA_HOST.',
    async run(desk, rest) {
      const signal = AbortSignal.timeout(localServerMs);
      const found = rest === '' ? await localModel(desk.workspace.env, signal) : rest;
      await desk.configure({ model: found.includes('/') ? found : `ollama/${found}` });
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

/** How long a server on this machine may take to list its models, in milliseconds. */
const localServerMs = 5_000;

function sayModels({ workspace: { settings, origins } }: Desk): void {
  const { model, plannerModel, judgeModel } = settings;
  if (!model) say('no model is configured; /model provider/model names one');
  else say(`${model} (${origins.model})`);
  if (plannerModel) say(`${plannerModel} plans (${origins.plannerModel})`);
  if (judgeModel) say(`${judgeModel} judges (${origins.judgeModel})`);
}
