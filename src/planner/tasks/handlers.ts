/** The effects of the loops over tasks by name, for each loop those that it has. */
import { EffectFailure, type Handler } from '../../engine/handler.ts';
import { joinHandler } from './join.ts';
import { nextActionHandler } from './next-action.ts';
import { planTasksHandler } from './plan-tasks.ts';
import { giveSpec, giveUpSpec } from './specs.ts';
import type { TaskLoopOptions } from './task-loops.ts';

export function taskLoopHandlers(options: TaskLoopOptions): Map<string, Handler> {
  const handlers =
    options.loop === 'react'
      ? [nextActionHandler(options), giveUpHandler]
      : [planTasksHandler(options), joinHandler(options), giveHandler, giveUpHandler];
  return new Map(handlers.map((handler) => [handler.spec.name, handler]));
}

// What the loops need besides models: a value made of results, and an end that says why.

const giveHandler: Handler = {
  spec: giveSpec,
  perform: async ({ value }) => value,
};

interface Ending {
  readonly code: string;
  readonly hint: string;
}

const endings: Readonly<Record<string, Ending>> = {
  plan: { code: 'PV7202', hint: 'say more precisely what is wanted, or choose another model' },
  replan: { code: 'PV7203', hint: 'raise the setting rounds for more plans, or revise the goal' },
  task: { code: 'PV7204', hint: 'let a model join what there is: it answers with that' },
  repeats: { code: 'PV7205', hint: 'say what is missing in the goal, or choose another model' },
  rounds: { code: 'PV7206', hint: 'raise the setting rounds for more replies' },
};

const giveUpHandler: Handler = {
  spec: giveUpSpec,
  async perform({ over, why }) {
    const { code, hint } = endings[String(over)] ?? { code: 'PV7202', hint: '' };
    throw new EffectFailure(code, String(why), { hint, answered: true });
  },
};
