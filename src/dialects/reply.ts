/** Programs in the replies of models, for dialects whose programs are lines of text. */
import { answerOf } from '../program/model-text.ts';

/**
 * What a model marks as its program: the longest fence of its last answer, where it wrote several
 * to explain them. Without a fence, the answer as it is if a line of it looks like code.
 */
export function programInReply(reply: string, code: RegExp): string | undefined {
  const answer = answerOf(reply);
  const fences = [...answer.matchAll(fenced)].map(([, text = '']) => text);
  const longest = fences.toSorted((a, b) => b.length - a.length)[0];
  if (longest !== undefined) return longest.replace(/(?<!\s)\s+$/, '\n');
  return code.test(answer) ? `${answer}\n` : undefined;
}

/** An unclosed fence lasts to the end. */
const fenced = /^[ \t]*(?:```|~~~)[^\n`~]*\n([\s\S]*?)(?:^[ \t]*(?:```|~~~)[ \t]*$|(?![\s\S]))/gm;
