/**
 * Text behind an item that Markdown joins with it, though its author has begun a line: what stands
 * under a condition, and a statement behind a statement.
 */
import { quoteEnd } from '../text/quotes.ts';
import { conditionWord, elseWord, loopWord } from '../text/words.ts';

/** Whether text further in than `before` stands under that: `If $x:` and `Say "a"` below it. */
export const isUnder = (before: string): boolean =>
  before.endsWith(':') && [conditionWord, elseWord, loopWord].some((word) => word.test(before));

/** Whether `text` is a statement by itself behind `before`, which is one that is over. */
export const isBeside = (before: string, text: string): boolean =>
  statement.test(text) && statement.test(before) && !isUnfinished(before);

const statement = new RegExp(
  String.raw`^(?:(?:Say|Reply|Print|Display|Answer)\s*["“«(]|` +
    String.raw`(?:Ask|Tell|Greet|Thank|Inform)\s+(?:the\s+)?\p{L}|` +
    String.raw`Return(?:\s+(?:[$"'[{\d-]|true\b|false\b|the\s)|[.]?$)|` +
    String.raw`(?:Set|Let)\s+\$|\$\p{XIDC}+\s*[-+*/]?=(?!=)|\p{Lu}\p{XIDC}*(?:\.\p{XIDC}+)*\(|` +
    String.raw`(?:Call|Run)\s+\p{Lu}|Wait\s+for\s|(?:End|Exit)\s+(?:the\s+)?program|` +
    String.raw`Go\s+(?:back\s+)?to\s+step\s|(?:Break|Continue)[.]?$)`,
  'u',
);

/** What the next line has the rest of: an open quote or bracket, a comma, a word with an end. */
function isUnfinished(text: string): boolean {
  if (/(?:[,:;+=({[–—-]|\b(?:and|or|then|to|the|an?|of|in|for|with|that|if|unless))$/i.test(text))
    return true;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) {
    const end = quoteEnd(text, at);
    if (end === undefined) return true;
    at = end;
  }
  return text.split('(').length > text.split(')').length;
}
