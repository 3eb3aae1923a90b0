/** The loops over tasks, by the dialects that their models write. */
import type { Model } from '../../effects/model/model.ts';
import type { ToolSpec } from '../../program/effect.ts';
import type { PromptLanguage } from './languages.ts';

export const taskLoops = ['llmcompiler', 'react'] as const;

export type TaskLoop = (typeof taskLoops)[number];

/** What the effects of such a loop are made of. */
export interface TaskLoopOptions {
  readonly loop: TaskLoop;
  readonly language: PromptLanguage;
  /** What tasks may call. */
  readonly tools: ReadonlyMap<string, ToolSpec>;
  /** In place of examples that are made of the schemas of the tools. */
  readonly examples?: string | undefined;
  /** Of `react`: whether tools are called in the provider's own form, where it has one. */
  readonly native: boolean;
  /** Asked for when an effect is first performed. */
  readonly model: () => Model;
}

export const isTaskLoop = (name: string): name is TaskLoop => taskLoops.some((one) => one === name);
