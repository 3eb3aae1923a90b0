/** Lists of actions in the replies of models. */
import { type Fence, fencedText, fencesIn } from '../../text/fences.ts';
import { answerOf } from '../../text/model-text.ts';
import { readItems } from './reader.ts';

/** The fence with most tasks in it, where fences have the tasks; else all of the answer. */
export function findActions(reply: string): string | undefined {
  const answer = answerOf(reply);
  const fences = fencesIn(answer);
  const counted = fences.map((fence) => {
    const text = fencedText(answer, fence);
    return { text, count: tasksIn(text) };
  });
  const best = counted.toSorted((a, b) => b.count - a.count)[0];
  if (best && best.count > 0 && best.count >= tasksIn(outside(answer, fences))) {
    return best.text;
  }
  return tasksIn(answer) > 0 ? `${answer}\n` : undefined;
}

function outside(text: string, fences: readonly Fence[]): string {
  const starts = [0, ...fences.map(({ closeAt }) => closeAt)];
  return starts.map((from, i) => text.slice(from, fences[i]?.openAt)).join('');
}

const tasksIn = (text: string): number =>
  readItems(text).filter(({ kind }) => kind === 'task' || kind === 'join').length;
