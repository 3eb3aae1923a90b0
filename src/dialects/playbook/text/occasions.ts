/** When something is done, in which case and how often, where a sentence says it in plain words. */
import { isInside } from './brackets.ts';
import { numbers } from './numbers.ts';
import { withoutQuotes } from './quotes.ts';
import { spanForm } from './spans.ts';
import { clauseWord } from './words.ts';

/** Whether a sentence does, in front of what is done or behind it: `On Mondays, …`, `… twice`. */
export const hasOccasion = (sentence: string): boolean =>
  leading.test(sentence) || isPlaced(sentence);

const partOfDay = '(?:morning|noon|afternoon|evening|night)';

const someTime =
  String.raw`(?:each|every)\s+\p{L}+|on\s+\p{L}*(?:days?|weekends?)|tomorrow|tonight|later|` +
  String.raw`(?:hourly|daily|weekly|monthly|yearly)|regularly|sometimes|from\s+time\s+to\s+time|` +
  String.raw`at\s+(?:noon|night|midnight|\d+)|by\s+(?!the\s+way)\p{L}+|during|until|till|` +
  String.raw`in\s+(?:spring|summer|autumn|winter|the\s+${partOfDay})`;

/** `For theft` is a case; `for the booking` says what for. */
const someCase =
  String.raw`for\s+(?:["“][^"”]*["”]|(?!(?:now|example|instance|the|an?|this|that|these|those|` +
  String.raw`my|our|your|his|her|its|their)(?!\p{XIDC}))\p{L}+)|` +
  String.raw`whatever|whichever|no\s+matter|in\s+(?:that|this|either|any|both|all)\s+cases?`;

/** When it is said, in front of it: `Once $x is set, …`, `Only if they agree, …`. */
const leading = new RegExp(
  String.raw`^(?:once(?!\s+(?:again|more))|as\s+soon\s+as|provid(?:ed|ing)|assuming|` +
    String.raw`supposing|in\s+the\s+event|(?:only|even)\s+(?:if|when|once)|were|had|` +
    String.raw`now\s+that|depending\s+on|(?:after|before)(?!\s+(?:that|this|all|any))|` +
    String.raw`${someTime}|${someCase})(?!\p{XIDC}).*,\s`,
  'iu',
);

/** Whether it says in which case, how often or when: `"b" otherwise`, `twice`, `in 5 minutes`. */
const isPlaced = (sentence: string): boolean =>
  [...sentence.matchAll(placing)].some(
    ({ index }) =>
      !isInside(sentence, index) && !clauseWord.test(withoutQuotes(sentence.slice(0, index))),
  );

const placing = new RegExp(
  String.raw`(?<!\p{XIDC}|\b(?:up to|at most|more than) )(?:otherwise|(?<=[,;] )else|if not|` +
    String.raw`twice|thrice|(?:\d+|${numbers.slice(2).join('|')}) times|` +
    String.raw`(?<=["”»],?\s)for\s+(?:each|every|all)|(?:tomorrow|daily|weekly)(?=\W*$)|` +
    String.raw`(?:each|every)\s+(?:${partOfDay}|\p{L}*day)|on\s+\p{L}+days|` +
    String.raw`(?:each|every|in|after)\s+${spanForm})(?!\p{XIDC})`,
  'giu',
);
