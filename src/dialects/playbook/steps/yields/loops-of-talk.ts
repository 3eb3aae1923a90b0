/**
 * Loops behind a question, whose rounds begin with a wait: whether they look at the answer first,
 * or it is what the first of these waits is for.
 */
import type { SaidText } from '../../compiled/compiled.ts';

/** A value without words: `0`, `$turns + 1`. */
export const plainValue: RegExp =
  /^(?:\$\p{XIDC}+|\d+|"[^"]*"|'[^']*'|true|false|none|and|or|not|[-+*/%<>=!()[\]{},.\s])*$/iu;

const whileWord = /^(?:while|as long as|tant qu[e'’])\s*/i;
const negation = /\b(?:not|no|never|nobody|nothing|pas)\b|n['’]t\b/i;

/**
 * Whether a loop goes on for what has been answered: `While they want to hear more`. That a talk
 * goes on is so before anybody has answered what it is to be about.
 */
export function isForAnswer(head: string, question: SaidText | undefined): boolean {
  const condition = head.replace(whileWord, '');
  if (condition === head || negation.test(condition) || plainValue.test(condition)) return false;
  return !(isTalk.test(condition) && question !== undefined && asksForWhat(question));
}

/** `the conversation is ongoing`, `they want to talk`, with nothing said of what about. */
const isTalk = new RegExp(
  String.raw`(?<!\p{L})(?:(?:conversation|chat|talk|discussion|dialog(?:ue)?)\s+` +
    String.raw`(?:is\s+(?:ongoing|going on|active|open)|goes\s+on|continues|lasts)|` +
    String.raw`(?:wants?|wishe?s?|(?:would\s+)?likes?)\s+to\s+(?:keep\s+(?:on\s+)?)?` +
    String.raw`(?:go(?:ing)?\s+on|talk(?:ing)?|chat(?:ting)?|` +
    String.raw`continue(?:\s+(?:talking|chatting))?)` +
    String.raw`(?:\s+(?:the|this)\s+(?:conversation|chat|talk|discussion))?|` +
    String.raw`(?:is|are)\s+(?:talking|chatting)|ha(?:s|ve)\s+(?:more\s+)?questions)$`,
  'iu',
);

/** Whether it asks for more than a yes. */
function asksForWhat({ text, isLiteral }: SaidText): boolean {
  if (!isLiteral) return !ofYes.test(text) && isOpen.test(text);
  const [, asked = ''] = /(?:^|[.!?,;:–—])\s*([^.!?,;:–—]*)\?\W*$/.exec(text) ?? [];
  return beginsOpen.test(asked);
}

const openWord = '(?:what|which|who|whom|whose|where|when|why|how)';
const isOpen = new RegExp(String.raw`\b(?:${openWord}|ask\b.*\bfor)\b`, 'is');
const beginsOpen = new RegExp(
  String.raw`^(?:(?:and|so|then|now|well|about|in|on|at|for|to|with)\s+)*` +
    String.raw`${openWord}\b(?!\s+(?:about|not|don['’]t)\b)`,
  'i',
);
const ofYes =
  /\b(?:whether|if|yes|no|consent|permission|leave|ready|willing|confirm\w*|agree\w*|approv\w*)\b/i;
