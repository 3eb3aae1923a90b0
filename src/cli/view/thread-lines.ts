/** Conversations at the terminal: what was said, and which there are. */
import type { Said, Thread } from '../../engine/journal/threads.ts';
import { count, withoutControls } from '../../text/words.ts';
import { ago, type Style, tableLines } from './output.ts';

/** Each message behind a line that says whose it is. */
export function messageLines(messages: readonly Said[], style: Style): string[] {
  return messages.flatMap((said, index) => [
    ...(index === 0 ? [] : ['']),
    `${style.strong(said.role)}${style.dim(aboutOf(said))}`,
    ...withoutControls(said.content).split('\n'),
  ]);
}

function aboutOf({ as, run, status }: Said): string {
  const parts = [as, status, run].filter((part) => part !== undefined);
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

export function threadRows(threads: readonly Thread[]): string[] {
  return tableLines(
    ['thread', 'mode', 'said', 'last', 'title'],
    threads.map(({ id, title, mode, messages, updatedAt }) => [
      ...[id, mode, count(messages.length, 'message'), ago(updatedAt), title],
    ]),
  );
}
