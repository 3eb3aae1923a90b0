/** Commands that say how what is typed is taken, and by whom it is answered. */
import type { ThreadMode } from '../../engine/journal/threads.ts';
import { say } from '../view/output.ts';
import type { Desk, ReplCommand } from './desk.ts';

const modes: Readonly<Record<ThreadMode, string>> = {
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

export const modeCommands: readonly ReplCommand[] = [
  mode('program', '[goal]', 'Answer by a program. Alone: everything from here on.', ['tool', 'p']),
  mode('direct', '[question]', 'Answer by one reply of the model. Alone: everything.', ['d']),
  mode('code', '[entry]', 'Run an entry of Starlark. Alone: everything from here on.', ['py']),
  {
    name: 'mode',
    takes: '[mode]',
    about: 'Say how what is typed is taken: program, direct or code.',
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
      say(desk.workspace.settings.system?.value ?? 'there is no system message');
    },
  },
];

function sayModels({ workspace: { settings } }: Desk): void {
  const { model, plannerModel, judgeModel } = settings;
  if (!model) say('no model is configured; /model provider/model names one');
  else say(`${model.value} (${model.origin})`);
  if (plannerModel) say(`${plannerModel.value} plans (${plannerModel.origin})`);
  if (judgeModel) say(`${judgeModel.value} judges (${judgeModel.origin})`);
}
