/**
 * Conditions behind what is said, waited for or set: `… if it rains`. The same words may be a part
 * of that, as in `what to do if it rains`.
 */
import { isInside } from './brackets.ts';
import { withoutQuotes } from './quotes.ts';
import * as words from './words.ts';

/** What is done, and the words behind it that say when. */
export interface Conditional {
  readonly message: string;
  /** `, if `, with what stands around it. */
  readonly by: string;
  readonly condition: string;
}

/** All of a text; what stands in brackets is one where these begin with it. */
export const conditionsBehind = (text: string): Conditional[] =>
  [...text.matchAll(words.talkClause)].flatMap(({ 0: by, index }) => {
    const conditional = {
      ...{ message: text.slice(0, index), by },
      condition: text.slice(index + by.length),
    };
    const isOne = by.startsWith('(') || !isInside(text, index);
    return isOne && !words.ifAny.test(conditional.condition) ? [conditional] : [];
  });

/** Whether the condition may be a part of what stands before it. */
export const isOfMessage = ({ message }: Conditional): boolean =>
  words.clauseWord.test(withoutQuotes(message));
