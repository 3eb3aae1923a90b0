/** How sure a text is to be a program on a stack, and where one is in the reply of a model. */
import { answerOf } from '../../text/model-text.ts';
import { headAt, statementIn } from './cursor.ts';
import { fencesIn } from './fences.ts';
import { isStatementName } from './syntax.ts';

/** Lines that are looked at: a program shows what it is in its first ones. */
const linesMax = 400;

/** What no other dialect writes at the beginning of a line. */
const own: ReadonlySet<string> = new Set([
  ...['function_call', 'foreach', 'dataframe', 'uncertain_or_error', 'stack_pop', 'stack'],
]);

/** What only a program in Starlark has. */
const other = /^\s*(?:def |for .+:|if .+:|[A-Za-z_][\w, ]*\s*=(?!=))/;

export function detectStack(text: string): number {
  // JSON may hold anything in its texts.
  if (/^\s*[[{]/.test(text.slice(0, 1000))) return 0;
  const { statements, isOwn, isOther } = look(text);
  if (statements === 0) return 0;
  if (isOther) return 0.2;
  return isOwn ? 0.9 : 0.3;
}

function look(text: string) {
  const seen = { statements: 0, isOwn: false, isOther: false };
  let from = 0;
  for (let i = 0; i < linesMax && from <= text.length; i++) {
    const line = text.indexOf('\n', from);
    const end = line < 0 ? text.length : line;
    const start = statementIn(text, from);
    const name = start === undefined || start > end ? undefined : headAt(text, start);
    const words = text.slice(from, Math.min(end, from + wordsMax));
    if (name !== undefined && isStatementName(name)) {
      seen.statements++;
      seen.isOwn ||= own.has(name) || /\bstack(?:_pop)?\(/.test(words);
    } else if (other.test(words)) seen.isOther = true;
    from = end + 1;
  }
  return seen;
}

const wordsMax = 500;

/** The fence with the program, where a fence has it; else all of the answer. */
export function findStack(reply: string): string | undefined {
  const answer = answerOf(reply);
  const { region } = fencesIn(answer);
  const text = answer.slice(region.start, region.end);
  return detectStack(text) > 0 ? `${text.trimEnd()}\n` : undefined;
}
