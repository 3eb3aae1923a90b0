/**
 * Heads over lists of lines, by their words: whether all of them are done, once or more often, and
 * when.
 */
import { anyCase, askVerb, personNoun, sayVerb, tellVerb } from './words.ts';

/** Of what stands under such a line, not all is done. */
export const choosing: RegExp = anyCase(
  '^(?:(?:choose|pick|select|do|try|use|say|perform)\\s+)?' +
    '(?:(?:only|exactly|either|any)\\s+)?' +
    '(?:one|either|any)\\s+of\\s+(?:these|those|them|the\\s+following)(?=\\b)|^either\\s*:$',
);

/** What `each` and `all` are about where that is the lines of a list: `All of the following`. */
const ofLines = '(?!\\s+(?:of\\s+)?(?:this|that|it|these|those|the\\s+following)(?=\\W|$))';

/** In the head of a list: its lines are done for each of several, or more than once. */
export const repeating: RegExp = anyCase(
  `(?:^|[\\s,(])(?:(?:each|every)${ofLines}|(?:for|through|over|with)\\s+all${ofLines}|` +
    'all\\s+(?:of\\s+)?(?:the\\s+)?(?:\\p{L}+\\s+)?(?:in\\s+)?\\$\\S+|' +
    'one (?:by one|at a time|after (?:the other|another))|in turn|over and over|again and again|' +
    '(?:repeated|continual|continuous|endless)ly|forever|twice|as long as|until|till|while|' +
    '\\S+\\s+(?:times|rounds|turns|iterations)|' +
    'for\\s+(?:(?:the|these|those|its|their)\\s+)?\\p{L}+s\\s+(?:in|of|on|from)\\s+\\S+)' +
    '(?=\\W|$)|' +
    '^(?:continue|keep|repeat|loop|iterate|cycle|per)(?=\\W)|' +
    '^(?:have|hold|lead|conduct)\\s+(?:an?\\s+)?(?:\\S+\\s+)?' +
    '(?:conversation|dialog(?:ue)?|interview)(?=\\W|$)',
);

/** What is done for each of the lines under it: `For each of these, ask how much it was`. */
export const overLines: RegExp = anyCase(
  '^for\\s+(?:each|every|all|any)(?:\\s+(?:one|of))*\\s+' +
    '(?:these|those|the\\s+following(?:\\s+\\w+)?)(?=\\s*(?:[,:]|$))',
);

/**
 * In such a head it may be one list of lines, or one of things: `Collect all details`, `Go through
 * the list`; or one thing that is done while another one goes on.
 */
export const perhapsRepeating: RegExp = anyCase(
  '^(?:before|after)\\s|^(?:go|work|walk|run|step|talk)\\s+through\\s+(?!all|each|every)|' +
    '(?<=\\S\\s)(?:while|as long as)\\s|' +
    `(?:^|(?<!(?:for|through|over|with))\\s)all(?!\\s+right)${ofLines}(?=\\s)`,
);

/** In the head of a list: when it is done, or whether. */
export const deciding: RegExp = anyCase(
  '(?:^|\\s)(?:(?:if|unless|when(?:ever)?|in case|depending on)(?=\\b)|' +
    '(?:as soon as|once|after|before)\\s+(?=\\S.*\\s(?:is|are|was|were|has|have|had)(?=\\b)))',
);

/**
 * A talk with each of several, `Greet each guest`, `Say "Hello" to every guest`, or one about each
 * of them: `Ask these questions one by one`.
 */
export const toEach: RegExp = new RegExp(
  String.raw`(?:${askVerb.source}|${sayVerb.source})\s+(?:to\s+)?(?:each|every)\s|` +
    String.raw`${tellVerb.source}\s+(?:each|every)\s+(?:${personNoun})(?!\p{XIDC})|` +
    String.raw`^\p{L}+\s+["“].*["”]\s+to\s+(?:each|every)\s|` +
    String.raw`(?:${askVerb.source}|${tellVerb.source}).*\s(?:one\s+(?:by\s+one|at\s+a\s+time|` +
    String.raw`after\s+(?:the\s+other|another))|in\s+turn|individually|separately)(?!\p{XIDC})`,
  'iu',
);
