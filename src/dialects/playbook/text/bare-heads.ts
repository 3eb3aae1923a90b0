/**
 * Heads with nothing behind them: whether their words are a condition and no more. Of `If the user
 * is rude end the chat` nobody can say where the condition ends.
 */
import { callIn } from './calls.ts';
import { loopHead } from './loop-heads.ts';
import { splitAt } from './sentences.ts';
import { anyCase, conditionWord, elseCondition, elseWord, wholeHead } from './words.ts';

/** `If $x is 3`, `When the guest agrees`, `Otherwise`, `For each $x in $list`. */
export function isBareHead(head: string): boolean {
  if (eachWord.test(head)) return isBareLoop(head);
  const word = [elseCondition, conditionWord, loopWord].flatMap((form) => form.exec(head) ?? []);
  const [first] = word;
  if (first === undefined) return head.replace(elseWord, '').trim() === '';
  const condition = head
    .slice(first.length)
    .replace(/^\s*not\b/i, '')
    .trim();
  return splitAt(condition, /,?\s+(?:and|or|et|ou)\s+/gi).every(isBareCondition);
}

/**
 * Whether what stands behind a comma, over a block, belongs to the head all the same: `$x is a, b
 * or c`, `there is a problem, such as a delay`, `then do the following`.
 */
export const isOfHead = (head: string, rest: string): boolean =>
  !isBareHead(head) ||
  wholeHead.test(`if ${rest}`) ||
  goingOn.test(rest) ||
  /\b(?:one|any|all|none) of\b|\b(?:either|neither|between)\b/i.test(head);

const goingOn = new RegExp(
  String.raw`\b(?:or|ou)\b|^(?:such as|like|e\.g|i\.e|for example|including|namely|that is|wh\w+|` +
    String.raw`but|except|unless|while|as long as)(?!\p{L})|` +
    String.raw`^(?:(?:then|so|please|now|alors)[\s,:]*)*` +
    '(?:do|perform|execute|follow|carry out)?' +
    String.raw`(?:\s*(?:this|that|so|these|as follows|the|following|steps|lines|below))*[\s:]*$`,
  'iu',
);

const loopWord = anyCase("^(?:(?:while|until|as long as)(?=\\s)|tant qu[e']|jusqu'à ce qu[e'])");

const eachWord = anyCase(
  '^(?:for|pour)\\s+(?:each|every|all|any|chaque|tou[ts]e?s?)\\s+([\\s\\S]+)$',
);

/** `For each order of the day`. */
const isBareLoop = (head: string): boolean => {
  const [, of = ''] = eachWord.exec(head) ?? [];
  return wholeHead.test(head) || loopHead(head).over !== undefined || isThing(wordsIn(of));
};

function isBareCondition(text: string): boolean {
  const bare = text.replace(/^\s*not\s+/i, '');
  if (callIn(bare) !== undefined || wholeHead.test(`if ${bare}`)) return true;
  const words = wordsIn(bare);
  const at = words.findIndex((word) => verb.test(word));
  const isLinked = at > 0 && isThing(words.slice(0, at)) && isThing(words.slice(at + 1));
  return words.length === 1 || isLinked || isSaid(words);
}

/** Empty for what has brackets. */
const wordsIn = (text: string): readonly string[] =>
  /[(){}]/.test(text) ? [] : (text.match(/"[^"]*"|'[^']*'|[^\s"']+/g) ?? []);

/** `it rains`, `nobody answers`, `the guest asks for the bill`, `the guest wants a refund`. */
function isSaid(words: readonly string[]): boolean {
  const own = determiner.test(words[0] ?? '') ? words.slice(1) : words;
  const [subject = '', says, next, ...rest] = own;
  if (says === undefined || noSubject.test(subject)) return false;
  if (next === undefined) return true;
  return (determiner.test(next) || preposition.test(next)) && isThing(rest);
}

/** One word, with what belongs to it: `not yet late`, `at least 3`, `in the list of orders`. */
function isThing(words: readonly string[]): boolean {
  for (let at = 0; at < words.length; ) {
    while (at < words.length - 1 && filler.test(words[at] ?? '')) at += 1;
    at += 1;
    if (at >= words.length) return true;
    while (particle.test(words[at] ?? '')) at += 1;
    if (!preposition.test(words[at] ?? '')) return false;
    at += 1;
  }
  return false;
}

const determiners =
  'the|an?|my|your|our|their|his|her|its|this|that|these|those|all|any|each|every|both|no|le|la|' +
  'les|une?|des|ce|cette|ces';
const particles = 'not|already|still|yet|now|very|too|so|more|less|least|most|been?|being|pas|plus';
const prepositions = 'in|on|at|of|for|from|to|by|with|about|before|after|over|under|than|dans|de';

const oneOf = (words: string): RegExp => new RegExp(`^(?:${words})$`, 'i');
const determiner = oneOf(determiners);
const particle = oneOf(particles);
const preposition = oneOf(prepositions);
/** Words that stand before a thing. */
export const filler: RegExp = oneOf(`${determiners}|${particles}|${prepositions}`);
const noSubject = oneOf('necessary|possible|needed|required|asked|applicable|so|not');
const verb = new RegExp(
  '^(?:(?:is|are|was|were|has|have|had|does|do|did|can|could|will|would|should|must|may|est|' +
    "sont|a|ont)(?:n['’]t)?|cannot|can['’]t|won['’]t)$",
  'i',
);
