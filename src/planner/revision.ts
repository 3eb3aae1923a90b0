/**
 * A change of a program that has run, as the control loop `loops/revise.star` is given it: plain
 * data, kept with the loop's run, so that another process can go on with it.
 */
import { z } from 'zod';
import { type Goal, readGoal, type Variable } from './goal.ts';
import { asItIs, readData } from './loop-data.ts';
import { type MadeCall, madeCall } from './made-call.ts';

/** What is written anew: one step, that and all behind it, or the whole program. */
export type Scope = 'step' | 'rest' | 'plan';

export interface Revision {
  readonly goal: Goal;
  readonly dialect: string;
  readonly program: string;
  /** The step to go back to, by the label of a part; absent: to the beginning. */
  readonly at?: string;
  /** What may be written anew; of several, the model chooses one. */
  readonly scopes: readonly Scope[];
  /** How far each step has come, by its label; a step that is not in here has not run. */
  readonly states: Readonly<Record<string, StepState>>;
  /** Before the step, with all outcomes of calls before it; of a whole program, where it ended. */
  readonly variables: readonly Variable[];
  /** Of the function in which the run failed. */
  readonly locals?: readonly Variable[];
  /** What ended the run, as a person was shown it. */
  readonly error?: string;
  /** What is wanted, in words. */
  readonly suggestion?: string;
  /** The last calls that the run has made, in order. */
  readonly calls?: readonly MadeCall[];
  /** It has failed so often that something very different is wanted, be it in words. */
  readonly isLast?: true;
  /** What has been done to the world in steps that may be written anew, and stays done. */
  readonly writes: readonly Write[];
  /** Programs that are not to be written again: those that failed, the one to be changed. */
  readonly refused: readonly string[];
  /** In short, for transcripts that are written by hand. */
  readonly about: string;
}

export type StepState = 'done' | 'failed' | 'begun';

/** A call that has done something to the world. */
export type Write = Omit<MadeCall, 'outcome'>;

const variable = z.object({
  ...{ name: z.string(), type: z.string(), text: z.string() },
  isCut: z.literal(true).exactOptional(),
});

const shape = z.object({
  goal: z.unknown().transform(readGoal),
  dialect: z.string(),
  program: z.string(),
  at: z.string().exactOptional(),
  scopes: z.array(z.enum(['step', 'rest', 'plan'])).min(1),
  states: z.record(z.string(), z.enum(['done', 'failed', 'begun'])),
  variables: z.array(variable),
  locals: z.array(variable).exactOptional(),
  error: z.string().exactOptional(),
  suggestion: z.string().exactOptional(),
  calls: z.array(madeCall).exactOptional(),
  isLast: z.literal(true).exactOptional(),
  writes: z.array(z.object({ step: z.string(), tool: z.string(), request: z.string() })),
  refused: z.array(z.string()),
  about: z.string(),
});

/** A revision as it comes back out of a run's variables. Throws `EffectFailure` PV7006. */
export function readRevision(data: unknown): Revision {
  return readData(shape, data, 'a task', asItIs('task'));
}
