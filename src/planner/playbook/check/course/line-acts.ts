/** What a reply does, and which lines that may be of. Pure. */
import type { Step } from '../../../../dialects/playbook/compiled/compiled.ts';
import { isEnd, isHead } from '../../../../dialects/playbook/compiled/standing.ts';
import { declarationIn } from '../../../../dialects/playbook/text/declaration.ts';
import { untilIn } from '../../../../dialects/playbook/text/moments.ts';
import { writtenTerm } from '../../reply/forms/syntax.ts';
import { refsIn, type Term, writtenText } from '../../reply/term.ts';

export interface CallAct {
  readonly is: 'call';
  readonly callee: string;
  /** Whether a line calls the same with something else. */
  readonly isOtherAt: (step: Step) => boolean;
  /** Whether a line behind which the turn is has called the same. */
  readonly isMade: boolean;
}

export interface SayAct {
  readonly is: 'say';
  /** Whether a line has something else in quotes, or the same was said and this is not it. */
  readonly isOtherAt: (step: Step) => boolean;
  /** Whether it is just what a line has in quotes, as far as that is known. */
  readonly isQuotedAt: (step: Step) => boolean;
  /** The line that an earlier reply has said the same at, where that has it in quotes. */
  readonly quotedAt?: string | undefined;
  /** Whether this reply has said the same. */
  readonly isMade: boolean;
  /** Whether it goes to another agent than a line speaks to. */
  readonly isForOther: (step: Step) => boolean;
  readonly isQuestion: boolean;
}

export interface ReturnAct {
  readonly is: 'return';
  /** Whether it gives no value, as whoever comes to the end of the lines does. */
  readonly isNothing: boolean;
  /** Whether a line returns something else, as far as that is known. */
  readonly isOtherAt: (step: Step) => boolean;
}

export type Act =
  | CallAct
  | SayAct
  | { readonly is: 'set'; readonly name: string }
  | { readonly is: 'yield'; readonly for: string }
  | ReturnAct;

/** Whether a text that is said is a question. */
export const asksIn = (text: Term): boolean => (writtenText(text) ?? '').trim().endsWith('?');

/** A line at which anything may be done: what it means is the model's to find out. */
export const isOpen = ({ code, isAmbiguous }: Step): boolean =>
  code === 'EXE' || isAmbiguous === true;

/** Whether a line sets a variable, whose name has no dollar. */
export const setsNamed = ({ writes }: Pick<Step, 'writes'>, name: string): boolean =>
  writes.some((one) => one.replace('$', '') === name);

/** Whether a line says all that it does: nothing, or that a variable is what others come to. */
export const isSettled = (step: Step): boolean =>
  isHead(step) || isEnd(step) || isDeclaring(step) || isComputed(step);

/** Whether a line only says what values a variable has. */
export const isDeclaring = ({ code, isAmbiguous, text }: Step): boolean =>
  code === 'EXE' && !isAmbiguous && declarationIn(text) !== undefined;

const isComputed = (step: Step): boolean => computedBy(step) !== undefined;

/** What a line sets its variable to, where that is computed of others. */
export function computedBy(step: Step): Term | undefined {
  const { code, isAmbiguous, reads, value = '', writes } = step;
  if (code !== 'EXE' || isAmbiguous || writes.length !== 1) return undefined;
  const term = writtenTerm(value);
  // A word that is no variable may be one for what has still to be found out.
  const isSure = term && refsIn(term).every(({ to }) => to.sign || reads.includes(to.name));
  return isSure ? term : undefined;
}

/** A wait that goes on over several replies: "done when …"; until a time it is one. */
export const isLasting = ({ code, text, whom = '' }: Step): boolean =>
  code === 'YLD' && lasting.test(text) && !/^until \$/i.test(whom) && untilIn(whom) === undefined;

const lasting = /\bdone (?:when|after|if|once)\b|\buntil\b/i;

export function fits(
  step: Step,
  act: Act,
  sameCallee: (step: Step, callee: string) => boolean,
): boolean {
  switch (act.is) {
    case 'call':
      return sameCallee(step, act.callee);
    case 'say':
      if (act.isForOther(step)) return false;
      return step.say !== undefined || (step.code === 'QUE' && step.asks !== undefined);
    case 'set':
      return step.code === 'EXE' && setsNamed(step, act.name);
    case 'yield':
      return step.code === 'YLD' && (step.waits === act.for || isAlike(step.waits, act.for));
    case 'return':
      return step.code === 'RET' || (step.code === 'YLD' && step.waits === 'return');
  }
}

const isAlike = (waits: string | undefined, reason: string): boolean =>
  waits === 'meeting' && reason === 'agent';
