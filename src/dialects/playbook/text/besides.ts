/** What a line does besides what it is about: before it, behind it, or in its place. */
import { isInside } from './brackets.ts';
import { withoutQuotes } from './quotes.ts';
import { anyCase, clauseWord } from './words.ts';

/**
 * Whether a line that says, asks, waits or returns names a deed that stands before it, behind it,
 * or in its place: `before returning $x`, `instead of asking`, `or end the program`. What somebody
 * is told to do is no deed: `Tell the user to call before leaving`.
 */
export const hasBesides = (text: string): boolean =>
  [...text.matchAll(noWait)].some(({ index }) => !isInside(text, index)) ||
  [...text.matchAll(besides)].some(
    ({ index }) => !isInside(text, index) && !clauseWord.test(withoutQuotes(text.slice(0, index))),
  );

/** A question that is not waited for, whatever is asked. */
const noWait =
  /\bwithout\s+(?:waiting|an answer)\b|[,;]\s+(?:(?:but|and)\s+)?(?:do\s+not|don['’]t)\s+wait\b/gi;

/** Words that end as gerunds do, and who goes on does nothing else. */
const noDeed =
  '(?:\\w*thing|morning|evening|meeting|building|wedding|during|spring|string|ring|king|' +
  '(?:continu|proceed|start|beginn|(?:go|mov|carry)ing\\s+o)\\w*)\\b';

const besides = new RegExp(
  anyCase(
    `\\b(?:before|after|instead\\s+of|rather\\s+than)\\s+(?!${noDeed})\\w+ing\\b|` +
      '\\bwithout\\s+(?:say|ask|tell|call|return|stopp)ing\\b|' +
      "\\b(?:do\\s+not|don['’]t|never)\\s+wait\\b|\\bbut\\s+only\\s+(?:after|once|when|if)\\b|" +
      '\\bor\\s+(?:else\\s+)?(?:return\\s+[$"\\d]|(?:wait|ask|call)\\s+\\w|say\\s+["“«]|' +
      '(?:end|exit|quit|stop)\\s+(?:the\\s+)?program)',
  ).source,
  'giu',
);
