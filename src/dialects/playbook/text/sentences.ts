/** Lines of several sentences, as people write them: where one ends and the next begins. */
import { isInside } from './brackets.ts';

/** Behind these a full stop ends no sentence. */
const shortened =
  String.raw`(?<!\b(?:\p{Lu}|Mr|Mrs|Ms|Dr|Prof|St|No|vs|etc|approx|` +
  String.raw`e\.g|i\.e|Mme|p\.ex)\.)`;

/** Words that begin a sentence also where no capital does. */
const opening = '(?:then|otherwise|else|if|unless|when|sinon|si)\\b';

const ending = new RegExp(
  String.raw`(?<=[.!?]["”»']?)${shortened}\s+(?=[\p{Lu}\p{Lo}$"“«]|${opening})|;\s+`,
  'gu',
);

/** The sentences of a text, without the marks between them. */
export const sentencesIn = (text: string): string[] => splitAt(text, ending);

/** The parts of a text between what `marks` finds, all of them, outside of quotes and brackets. */
export function splitAt(text: string, marks: RegExp): string[] {
  const parts: string[] = [];
  let start = 0;
  for (const { index, 0: mark } of text.matchAll(marks)) {
    if (isInside(text, index)) continue;
    parts.push(text.slice(start, index).trim());
    start = index + mark.length;
  }
  return [...parts, text.slice(start).trim()].filter((part) => part !== '');
}
