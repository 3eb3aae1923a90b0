/** The messages of a run's history; of a fork, its own and those of its base that come before. */
import type { RunEvent } from '../journal/journal.ts';

export type Said = Extract<RunEvent, { type: 'message.emitted' }>;

export function messagesIn(events: readonly RunEvent[]): Said[] {
  const said: Said[] = [];
  for (const event of events) {
    if (event.type === 'message.emitted') said.push(event);
    else if (event.type === 'run.forked') said.length = event.point?.messages ?? 0;
  }
  return said;
}
