/** Conversations as a list shows them. */
import type { Thread } from '../../engine/journal/threads.ts';
import { columns, count, duration } from '../../text/words.ts';
import { styleOf } from '../view/output.ts';

export function threadRows(threads: readonly Thread[]): string[] {
  const rows = threads.map(({ id, title, mode, messages, updatedAt }) => [
    ...[id, mode, count(messages.length, 'message')],
    `${duration(Math.max(0, Date.now() - updatedAt))} ago`,
    title,
  ]);
  const [head = '', ...lines] = columns([['thread', 'mode', 'said', 'last', 'title'], ...rows]);
  return [styleOf(process.stdout).dim(head), ...lines];
}
