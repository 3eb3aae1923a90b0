/** The effects of the loops over tasks by name, for each loop those that it has. */
import type { Model } from '../../effects/model/model.ts';
import type { Handler } from '../../engine/handler.ts';
import type { ToolSpec } from '../../program/effect.ts';
import { giveHandler, giveUpHandler } from './give.ts';
import { joinHandler } from './join.ts';
import type { PromptLanguage } from './languages.ts';
import { nextActionHandler } from './next-action.ts';
import { planTasksHandler } from './plan-tasks.ts';
import type { TaskLoop } from './task-loops.ts';

export interface TaskLoopOptions {
  readonly loop: TaskLoop;
  readonly language: PromptLanguage;
  /** What tasks may call. */
  readonly tools: ReadonlyMap<string, ToolSpec>;
  /** In place of examples that are made of the schemas of the tools. */
  readonly examples?: string | undefined;
  /** Of `react`: whether tools are called in the provider's own form. */
  readonly native: boolean;
  readonly model: () => Model;
}

export function taskLoopHandlers(options: TaskLoopOptions): Map<string, Handler> {
  const handlers =
    options.loop === 'react'
      ? [nextActionHandler(options), giveUpHandler]
      : [planTasksHandler(options), joinHandler(options), giveHandler, giveUpHandler];
  return new Map(handlers.map((handler) => [handler.spec.name, handler]));
}
