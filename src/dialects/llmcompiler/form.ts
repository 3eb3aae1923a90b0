/** What the two kinds of lists of actions want written in different ways: plans and transcripts. */
import type { Site } from '../../program/effect.ts';
import type { CallItem, TextItem } from './item.ts';
import { type Report, warn } from './report.ts';

export interface Form {
  /** An action and the end, as hints show them. */
  action(id: string, name: string): string;
  end(id: string): string;
  /** Which lines there are. */
  readonly lines: string;
  /** What to do with one in a text that is to be run. */
  readonly observation: string;
  /** What is said of an action or an end in the other form. */
  checkCall(to: Report, item: CallItem): void;
  /** Of a line that says an answer. */
  checkAnswer(to: Report, item: TextItem, nextId: string): void;
  /** Of a text without an end; `last` is its last place. */
  checkEndless(to: Report, last: Site, nextId: string): void;
}

const action = (id: string, name: string): string => `${id}. ${name}[…]`;
const end = (id: string): string => `${id}. join()`;

/** `1. tool[…]` and `2. join()`: a plan as a whole. */
export const planForm: Form = {
  action,
  end,
  observation: 'leave it out; --observations takes it for the result of its task',
  lines: 'a plan has lines Question:, Thought:, 1. tool[…], and join() at its end',
  checkCall(to, { kind, form, name, id: step, nameAt }) {
    if (kind === 'join' && name.toLowerCase() !== 'join') {
      warn(to, 'finishForm', nameAt, `got ${name}, want join`, {
        hint: `write ${end(step)}, or join("…") with the answer, as the last line of a plan`,
        step,
      });
    } else if (form === 'action') {
      const hint = `write ${kind === 'join' ? end(step) : action(step, name)}`;
      warn(to, 'actionForm', nameAt, 'got Action:, want the number of the action', { hint, step });
    }
  },
  checkAnswer(to, item, nextId) {
    const hint = `write ${end(nextId)}; the answer is made of the results`;
    warn(to, 'answerLine', item, 'got an answer, want join()', { hint });
  },
  checkEndless(to, last, nextId) {
    warn(to, 'noJoin', last, 'the plan does not end with join; it was added', {
      hint: `write ${end(nextId)} as its last line`,
    });
  },
};

/** A plan that a model writes for the machine to run at once: what it saw are no results. */
export const replyForm: Form = { ...planForm, observation: 'leave it out' };
