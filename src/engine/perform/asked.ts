/**
 * Questions that a tool asks while it is performed. The attempt is over when nobody has answered
 * yet; the question is journaled with its effect, and the next attempt has the answer.
 */
import { stringify } from '../../program/json.ts';
import type { Question } from '../handler.ts';
import type { EventBody } from '../journal/journal.ts';
import type { GivenAnswer } from '../past/past-effect.ts';
import type { Job } from './job.ts';

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
