/** What happens within an effect: runs of its own, questions of its tool. */
import { stringify } from '../../program/json.ts';
import type { Budget, Refusal } from '../budget.ts';
import {
  type AttemptContext,
  EffectFailure,
  type InnerRun,
  type Question,
  type RunAbout,
} from '../handler.ts';
import type { EventBody } from '../journal/journal.ts';
import type { GivenAnswer } from '../past/past-effect.ts';
import type { Met } from '../spent.ts';
import type { Job } from './job.ts';

export interface Within {
  readonly job: Job;
  readonly context: AttemptContext;
  /** That of the run which has the effect. */
  readonly budget: Budget;
}

/**
 * The budget that a run within it has found used up: once others have ended, less may be set aside
 * for them, so that it goes on; alone it has to stop.
 */
export const stillMet = ({ met }: Job, running: number): Met | undefined =>
  met && (met.alone || running > 0) ? met.what : undefined;

/** See `inner-run.ts`. */
export interface InnerRuns {
  run(within: Within, run: InnerRun): Promise<unknown>;
  /** What the journal has of the run around them, for one of its effects. */
  about(run: string, effect: string): RunAbout;
}

/** A run within an effect has met a budget of a run around it: that one has to stop, or to wait. */
export class LimitMet extends EffectFailure {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    const { limit } = refusal.met;
    super('PV5101', `the run has used up a budget (${limit})`, { answered: true });
    this.refusal = refusal;
  }
}

// Questions that a tool asks while it is performed. The attempt is over when nobody has answered
// yet; the question is journaled with its effect, and the next attempt has the answer.

/** The part of a question that is data: what the journal has of it, and what tells it by. */
export const questionText = (question: Question): string => {
  const { text, choices, schema, approval, decides } = question;
  return stringify({ text, choices, schema, approval, decides });
};

/** The same read back. What an answer has to be is for the tool to say, when it is given it. */
export function questionIn(kept: string): Question {
  const data: Omit<Question, 'check'> = JSON.parse(kept);
  return { ...data, check: () => undefined };
}

export function asked({ request, attempts }: Job, question: Question): EventBody {
  const { id: effect, tool } = request;
  return { type: 'effect.asked', effect, tool, attempts, question: questionText(question) };
}

export function answered({ request }: Job, { value }: GivenAnswer, by: string): EventBody {
  const { id: effect, tool } = request;
  return { type: 'effect.answered', effect, tool, value, by };
}
