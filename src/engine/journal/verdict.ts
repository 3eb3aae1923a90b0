/**
 * Verdicts on answers: an opinion of a model or a person, kept with the run that has answered. It
 * is appended behind the run's end and changes neither its status nor its result.
 */
import type { Judgement } from '../../program/judgement.ts';

export interface Verdict {
  readonly accept: boolean;
  /** Absent in older journals: a rejected answer is one whose program is to be rewritten. */
  readonly outcome?: Judgement | undefined;
  /** The answer as it should be, where that can be said from what is known. */
  readonly rewritten?: string | undefined;
  readonly reason: string;
  /** What to do otherwise; empty where there is nothing to say. */
  readonly suggestion: string;
  /** Who says so: a model's name, a person. */
  readonly by: string;
}

export interface AnswerVerdict extends Verdict {
  /** Which of the run's answers, from 0. */
  readonly answer: number;
}
