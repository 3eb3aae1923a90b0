/** Effects that nobody waits for any more. */
import type { State } from '../state.ts';

/**
 * Has an effect given up by whoever performs it. One whose outcome has arrived, and only waits to
 * take hold (arrivals.ts), is performed no more.
 */
export function callOff({ hub, outbox }: State, id: string): void {
  const isOver = hub.arrived.some(({ effect, part }) => effect === id && part === undefined);
  if (!isOver) outbox.cancels.push(id);
}
