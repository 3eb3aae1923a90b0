/** Events that a run of playbooks is told of, as `{"event": "paid"}`: they are nobody's answer. */
import type { Journal } from '../../engine/journal/journal.ts';
import { toJson } from '../../program/json.ts';
import { readStrictJson } from '../../text/json-text.ts';
import { playedText } from './seen-source.ts';

interface At {
  readonly journal: Journal;
  readonly run: string;
}

/** Whether an answer tells a run of one: whatever that asks, and whomever, hears of it. */
export function isEventFor({ journal, run }: At, answer: unknown): boolean {
  const value = typeof answer === 'string' ? readStrictJson(answer) : undefined;
  const { event } = Object(value === undefined ? answer : toJson(value));
  const found = journal.find(run);
  return typeof event === 'string' && found !== undefined && playedText(found) !== undefined;
}
