/** Lines with several texts in quotes: one said after the other, one of them, or one a case. */
import { isInside } from './brackets.ts';
import { withoutQuotes } from './quotes.ts';
import { splitAt } from './sentences.ts';
import { caseValue, clauseWord, literalVerb, personWord, tellVerb } from './words.ts';

/** Whether a text is said, and another one behind that: `say "a" 2) say "b"`. */
export function isSaidTwice(text: string): boolean {
  const [first, ...more] = [...text.matchAll(saying)].filter(({ index }) => !isInside(text, index));
  // Somebody may be told to say them.
  return more.length > 0 && !clauseWord.test(withoutQuotes(text.slice(0, first?.index)));
}

const saying = new RegExp(literalVerb.source.replace('^', '(?<!\\p{XIDC})'), 'giu');

/** Whether one of several texts is said, which has to be chosen: `Say "a" if you can, or "b"`. */
export function saysOneOf(text: string): boolean {
  const at = text.indexOf('"');
  const [verb] = tellVerb.exec(text) ?? literalVerb.exec(text) ?? [];
  if (at < 0 || verb === undefined) return false;
  const before = text.slice(verb.length, at).replace(personWord, '');
  const behind = withoutQuotes(text.slice(at));
  return ofOne.test(before) ? /"".*""/s.test(behind) : ofAll.test(before) && either.test(behind);
}

const ofAll = /^(?:\s+(?:to|with|the|an?|my|our|your)(?=\s))*[\s:]*$/i;
const ofOne = /^(?:\s+(?:to|with|the))*\s+(?:either|(?:one|any)\s+of)[\s:]*$/i;
const either = /^"".*(?:(?<!\p{XIDC})or(?!\p{XIDC}).*|\s*[/|]\s*)""/isu;

/** Whether what is done has a value before something else, as a case: `F(1), "b", G(2)`. */
export function isOfCases(text: string): boolean {
  const [, ...parts] = splitAt(text, /,?\s+(?:and|or|but)\s+|[,;]\s+/gi);
  return parts.some((part, at) => {
    const next = parts[at + 1];
    if (leading.test(part)) return true;
    return alone.test(part) && next !== undefined && !alone.test(next);
  });
}

/** `if "b", …` behind `If $x is "a", …`: of what it is another value, nobody can say. */
export const isCaseAlone = (head: string): boolean => caseAlone.test(head);

const answer = '(?:true|false|yes|no|none|null|empty)';
const alone = new RegExp(`^(?:(?:if|when|case)\\s+)?${caseValue}$`, 'iu');
const caseAlone = new RegExp(
  String.raw`^(?:(?:otherwise|else)\s+)?(?:if|when|unless)\s+${caseValue}(?:\s*[,:]|\s+then\b)`,
  'iu',
);
const leading = new RegExp(
  String.raw`^(?:(?:if|when|case)\s+)?(?:(?:${caseValue}|${answer})\s*(?::|→|⇒|=>|->)\s*\S|` +
    String.raw`${caseValue}\s+(?:(?:say|reply)\s+"|return\s|(?:set|let)\s+\$|(?:(?:call|run)\s+)?` +
    String.raw`\p{Lu}\p{XIDC}*\())`,
  'iu',
);
