/**
 * Whether what stands behind `Set $x to` or `Return` is a value and nothing else. What begins as
 * one that is written down and goes on in words, as `3 if they do not` and `"a". Never change it`,
 * is not understood as a whole, and neither is what is a value only where something holds.
 */
import { hasBesides } from './besides.ts';
import { bracketEnd, isInside, unquoted } from './brackets.ts';
import { conditionsBehind, isOfMessage } from './conditions-behind.ts';
import { readFilling } from './filling.ts';
import { sentencesIn, splitAt } from './sentences.ts';
import { unitForm } from './spans.ts';
import { assignmentIn } from './variables.ts';
import { isDeedWord, isForSomebody, isVerbPhrase } from './verb-phrases.ts';
import * as words from './words.ts';

export function isWholeValue(value: string): boolean {
  if (isWritten(value)) return !isEitherText(value);
  if (isPerhaps(value) || hasBesides(value) || assignmentIn(value) !== undefined) return false;
  const [, ...more] = splitAt(value, connective);
  if (more.some(isVerbPhrase) || isMore(value)) return false;
  if (literal.test(value)) return hasOther(value) || areValues(value);
  return !variable.test(value) || (sentencesIn(value).length === 1 && !/\?(?:\s|$)/.test(value));
}

/** `"good" or "bad"`: as code always the first one, in words either. */
function isEitherText(value: string): boolean {
  const parts = splitAt(value, /\s+or\s+/gi);
  return parts.length > 1 && parts.every((part) => unquoted(part) !== undefined);
}

const connective = /,?\s+(?:and|or|then)\s+|[,;]\s+/gi;

/** Whether something is done behind it: `the price, then order bread`, `the price. Pay Ben.` */
const isMore = (value: string): boolean =>
  [...value.matchAll(thenWord)].some(
    ({ 1: word = '', index }) => isDeedWord(word) && !isInside(value, index),
  ) || sentencesIn(value).slice(1).some(isForSomebody);

const thenWord = /\bthen\s+(\p{L}+)/giu;

/** What can be read without its words: an expression, data, `3 minutes`, `5 %`, `2026-12-24`. */
function isWritten(value: string): boolean {
  const read = readFilling(value);
  if (read && ('filling' in read || read.problem !== 'is no expression')) return true;
  return measure.test(value) || unquoted(value) !== undefined || isData(value);
}

const isData = (value: string): boolean =>
  /^[[{(]/.test(value) && bracketEnd(value, 0) === value.length - 1;

const measure = new RegExp(
  String.raw`^[-+]?\d[\d.,:/-]*\s*` +
    String.raw`(?:${unitForm}|[^\p{L}\p{N}\s.,;:?!()"'/-]{1,3}\p{L}?|\p{L}{1,2})?$`,
  'iu',
);

const literal = /^(?:[-+]?\d|["'])|^(?:true|false|none|null)\b/i;
const variable = /^\$/;

/** Whether it says what it is otherwise; `$a or else $b` is `$a or $b`. */
function hasOther(value: string): boolean {
  const { index } = words.anyElse.exec(value) ?? {};
  return index !== undefined && !isInside(value, index) && !/\bor\s+$/i.test(value.slice(0, index));
}

/** `"a", "b" or "c"`. */
const areValues = (value: string): boolean => splitAt(value, connective).every(isWritten);

/** Whether it is the value only if something holds, `the day if $x`, or where nothing else does. */
function isPerhaps(value: string): boolean {
  const clauses = conditionsBehind(value).filter(
    (one) => !/when/i.test(one.by) && !isOfMessage(one),
  );
  return clauses.length > 0 !== hasOther(value);
}
