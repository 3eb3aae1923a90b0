/** Lists of actions in the replies of models. */
import { answerOf } from '../../program/model-text.ts';
import { readItems } from './reader.ts';

const fenced = /^[ \t]*(?:```|~~~)[^\n`~]*\n([\s\S]*?)(?:^[ \t]*(?:```|~~~)[ \t]*$|(?![\s\S]))/gm;

/** The fence with most tasks in it, where fences have the tasks; else all of the answer. */
export function findActions(reply: string): string | undefined {
  const answer = answerOf(reply);
  const inFences = [...answer.matchAll(fenced)].map(([, text = '']) => text);
  const counted = inFences.map((text) => ({ text, count: tasksIn(text) }));
  const best = counted.toSorted((a, b) => b.count - a.count)[0];
  if (best && best.count > 0 && best.count >= tasksIn(answer.replaceAll(fenced, ''))) {
    return best.text;
  }
  return tasksIn(answer) > 0 ? `${answer}\n` : undefined;
}

const tasksIn = (text: string): number =>
  readItems(text).filter(({ kind }) => kind === 'task' || kind === 'join').length;
