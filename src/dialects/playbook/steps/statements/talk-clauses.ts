/**
 * When something is said or asked, where the line says so behind it: `Tell the user the price if
 * $n > 3`. The same words may be a part of what is said, as in `Tell the user what to do if it
 * rains`: where nobody can say what they are for, the line is for a model.
 */
import { type Conditional, conditionsBehind, isOfMessage } from '../../text/conditions-behind.ts';
import { hasOccasion } from '../../text/occasions.ts';
import { withoutQuotes } from '../../text/quotes.ts';
import { sentencesIn, splitAt } from '../../text/sentences.ts';
import { spanForm } from '../../text/spans.ts';
import { isDoingSo, isVerbPhrase } from '../../text/verb-phrases.ts';
import * as words from '../../text/words.ts';
import { isKept } from '../step-text.ts';

/** Whether the condition is for the message as a whole, and for nothing else. */
export function isForAll({ by, condition, message }: Conditional): boolean {
  const [, ...more] = splitAt(condition, /,\s+(?!(?:and|or)\b)|;\s+/gi);
  const bare = withoutQuotes(message);
  if (more.length > 0 || words.ifAny.test(condition) || words.furtherWord.test(bare)) return false;
  if (/^\s*,/.test(by)) return true;
  return !words.clauseWord.test(bare) && !isDirect(message) && !isOfTime(by, message);
}

/** Whether a talk says when it is in words that may as well be what is said. */
export const isUnsure = (text: string): boolean =>
  sentencesIn(text).some((one) => hasOccasion(one) || isUnsureIn(one));

const isUnsureIn = (sentence: string): boolean =>
  conditionsBehind(sentence).some((one) => {
    const { by, condition, message } = one;
    if (message === '') return false;
    // Who is told if it is late is told whether; who is so again, may be told the same.
    const isTold = isDirect(message) && !/\sagain$/i.test(message);
    if (isTold && !by.startsWith(',') && !eachWord.test(by) && !atMost.test(by)) return false;
    const isPart = isOfMessage(one);
    if (isPart && words.askVerb.test(sentence) && /\b(?:and|or)$/i.test(message)) return false;
    // What somebody is to do then, or what is to be so, is a part of what is said.
    return !isPart || /\b(?:if|unless|si)\b/i.test(by) || condition.includes('$');
  });

const atMost = /\b(?:at most|up to|no more than)\b/i;

/** Of whom or what there are several, whatever stands before it is for each. */
const eachWord = /(?:for|to|with)\s+(?:each|every|all)\s*$/i;

/** Whether something is done behind what is said or asked, which is no word of that. */
export function isWithDeeds(text: string): boolean {
  const [first = '', ...parts] = clausesIn(text);
  // Whoever is told to do something may be told to wait, too.
  const isToWait = words.clauseWord.test(withoutQuotes(first));
  return parts.some((part) => {
    const other = part.replace(words.otherwiseMark, '');
    if (other !== part && words.literalVerb.test(other)) return true;
    return words.deedForm.test(other) || (!isToWait && words.waitForm.test(other));
  });
}

/**
 * Whether something is done besides what is said or asked, which is no word of that: behind
 * `Ask the user for $name` it would have to wait for the answer, as `greet them by name`.
 */
export function isMoreThanTalk(text: string): boolean {
  const [sentence = '', ...others] = sentencesIn(text);
  const [first = '', ...parts] = splitAt(sentence, anyClauseMark);
  let isAsked = words.askVerb.test(first);
  if (parts.length > 0 && isDeedFirst(first)) return true;
  if (isAsked && (others.some(isLeaving) || parts.some(isDoingSo))) return true;
  if (infinitive.test(withoutQuotes(first)) && !(isAsked && whatToDo.test(first))) return false;
  for (const written of parts) {
    const part = written.replace(byAnswer, '');
    if (words.askVerb.test(part)) isAsked = true;
    else if (words.tellVerb.test(part) ? isAsked : isDeed(part) && !isKept(part)) return true;
  }
  return isAsked && others.some(isDeed);
}

/** `Check the stock and ask for $y`: more than to say so. */
const isDeedFirst = (first: string): boolean =>
  ![words.askVerb, words.tellVerb, presenting].some((form) => form.test(first)) && isDeed(first);

/** What somebody does by talking. */
const presenting = new RegExp(
  String.raw`^(?:(?:please|then|now)\s+)?(?:offer|list|present|read|confirm|suggest|propose|give|` +
    'introduce|mention|recommend|repeat|summari[sz]e|recap|let|invite|make|state|' +
    String.raw`clarify|point)(?!\p{L})`,
  'iu',
);

/** In front of what is done, or asked, by the answer: `and if so send it`. */
const byAnswer =
  /^(?:if|when)\s+(?:so|not|yes|(?:they|he|she)\s+(?:do|does|agrees?|wants?))\s+(?=\p{L})/iu;

const isDeed = (part: string): boolean =>
  isLeaving(part) ||
  (!words.talkManner.test(part) &&
    (isVerbPhrase(part) ||
      [assuming, words.callWord, words.waitWord].some((form) => form.test(part))));

/** `or use 3`, `assume $n`. */
const assuming = /^(?:use|take|assume|suppose)\s+[$\d]/i;

const isLeaving = (part: string): boolean => words.goingForm.test(part) || endsProgram.test(part);

const endsProgram = /(?:end|exit|quit|stop|terminate)\s+(?:the\s+)?program\W*$/i;

/** `to sit down and relax their arms`: what somebody is told to do. */
const infinitive = /\bto\s+(?!(?:the|an?|my|your|our|their|his|her)\b)\p{Ll}/u;

/** What is asked so is for who asks: `what to change`, and not for who is asked. */
const whatToDo = /\b(?:what|which|whether|how|where|when|whom?)\s+(?:\p{L}+\s+)?to\s/iu;

const anyClauseMark = /,?\s+(?:and(?:\s+then)?|&|or|then)\s+|[,;]\s+(?:then\s+)?/gi;

/** The same behind a thought, which has words of any kind, but for what is done then. */
export const isThoughtWithDeeds = (text: string): boolean =>
  isWithDeeds(text) ||
  sentencesIn(text).flatMap((one) => splitAt(one, /,?\s+(?:and\s+)?then\s+/gi)).length > 1;

/** Whether a wait or a note has more behind it than says what it is about. */
export function isWaitWithDeeds(text: string): boolean {
  const [first = '', ...sentences] = sentencesIn(text);
  const [, ...parts] = splitAt(first.replace(spans, 'so long'), clauseMark);
  return sentences.some((one) => !going.test(one)) || parts.some((part) => !ofWait.test(part));
}

const spans = new RegExp(spanForm, 'giu');

/** `Wait 5 minutes, then go on`. */
const going =
  /^(?:(?:just|only|simply)\s+)?(?:continue|go on|proceed|carry on|move on)(?!\p{L})[^,;$]*$/iu;

/** More of whom or how long: `for the user, up to an hour`, `and the clerk`. */
const ofWait = new RegExp(
  `${going.source}|^(?:(?:or|but|and)\\s+)?(?:for|until|till|up to|within|no|at|in|on|by|` +
    `as long as|however long)\\s|^(?:the|an?|their|his|her|its|my|your|our)\\s|^so long|^\\$`,
  'iu',
);

const clausesIn = (text: string): string[] =>
  sentencesIn(text).flatMap((one) => splitAt(one, clauseMark));

/** Between clauses, `, and then`. */
export const clauseMark: RegExp = /,?\s+and(?:\s+then)?\s+|[,;]\s+(?:then\s+)?|\s+then\s+/gi;

/** `Ask the user` of `Ask the user if they agree`: a question, or what is told. */
export const isDirect = (message: string): boolean => direct.test(message) && !isGreeting(message);

const direct = new RegExp(
  String.raw`^\p{L}+(?:\s+(?:to|with))?(?:\s+(?:the|an?|our|my|your))?` +
    String.raw`(?:\s+(?!(?:for|about|of)\b)(?:\$?\p{XIDC}+|\p{Lu}\p{XIDC}*\s+\p{XIDC}+))?` +
    String.raw`(?:\s+(?:know|again|back))?$`,
  'u',
);

/** Whose message is whole with whom it is for. */
export const isGreeting = (message: string): boolean => greeting.test(message);

const greeting = new RegExp(
  String.raw`^(?:(?:greet|welcome|thank|apologi[sz]e|congratulate)(?!\p{L})|` +
    String.raw`(?:say|wish)\s+(?!to\b)|\p{L}+\s+(?:again|anew|once\s+more)$)`,
  'iu',
);

/** `the day when it arrives` says which day. */
const isOfTime = (by: string, message: string): boolean =>
  /when/i.test(by) && /\b(?:dates?|days?|times?|hours?|moments?|weeks?|years?)$/i.test(message);
