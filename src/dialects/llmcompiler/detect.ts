/** Whether and where there is a list of actions in a text, and of which of the two forms it is. */
import { type Fence, fencedText, fencesIn } from '../../text/fences.ts';
import { answerOf } from '../../text/model-text.ts';
import type { CallItem, Item } from './item.ts';
import { readItems } from './reader.ts';

/** How sure a text is to be one. */
export interface Detected {
  readonly plan: number;
  readonly transcript: number;
}

const none: Detected = { plan: 0, transcript: 0 };

/** A list of actions shows what it is in its first lines, and at their beginnings. */
const linesMax = 400;
const lineMax = 300;

export function detectActions(text: string): Detected {
  // JSON may hold anything in its texts.
  if (/^\s*(?:```\w*\s*)?[[{]/.test(text.slice(0, 1000))) return none;
  const lines = text.split('\n', linesMax).map((line) => line.slice(0, lineMax));
  const items = readItems(lines.join('\n')).filter(
    ({ kind }) => kind !== 'comment' && kind !== 'diagnostic',
  );
  const hasMarks = items.some(({ kind }) => marks.has(kind)) || /<END_OF_PLAN>/i.test(text);
  const calls = items.filter(isCall);
  if (calls.length === 0) return hasMarks ? { plan: 0.1, transcript: 0 } : none;
  // What stands between lines of another language may be a list of actions in a text.
  const isFirst = items[0] === calls[0];
  const sure = hasMarks ? 0.95 : isFirst ? 0.8 : 0.3;
  const isPlan = calls.some(({ form }) => form === 'numbered' || form === 'assigned');
  return isPlan || /^\s*Action ID:|<END_OF_PLAN>/im.test(text)
    ? { plan: sure, transcript: sure / 4 }
    : { plan: sure / 4, transcript: sure };
}

const marks: ReadonlySet<string> = new Set(['question', 'thought', 'observation', 'answer', 'end']);

const isCall = (item: Item): item is CallItem => item.kind === 'task' || item.kind === 'join';

/** In a model's reply: the fence with most tasks in it, where fences have them; else all of it. */
export function findActions(reply: string): string | undefined {
  const answer = answerOf(reply);
  const fences = fencesIn(answer);
  const texts = fences.map((fence) => fencedText(answer, fence));
  const [best] = texts.toSorted((a, b) => callsIn(b) - callsIn(a));
  const most = best === undefined ? 0 : callsIn(best);
  if (most > 0 && most >= callsIn(outside(answer, fences))) return best;
  return callsIn(answer) > 0 ? `${answer}\n` : undefined;
}

function outside(text: string, fences: readonly Fence[]): string {
  const starts = [0, ...fences.map(({ closeAt }) => closeAt)];
  return starts.map((from, i) => text.slice(from, fences[i]?.openAt)).join('');
}

const callsIn = (text: string): number => readItems(text).filter(isCall).length;
