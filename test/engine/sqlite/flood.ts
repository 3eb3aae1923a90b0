/**
 * Appends whose content follows from their numbers, so that a reader can tell whether each event
 * of an interrupted writer is the one it must be.
 */
import { createHash } from 'node:crypto';
import type { EventBody, Journal, Lease } from '../../../src/engine/journal/journal.ts';
import { settled, started } from '../events.ts';

/** Makes the next append and returns the number of its last event. */
export function appendNumber(journal: Journal, lease: Lease): number {
  const last = journal.find(lease.run)?.events ?? 0;
  const appended = journal.append(lease, floodEvents(last), { durable: last % 10 === 0 });
  return appended?.seq ?? last;
}

/** The two events of the append after event `last`; every third has a value of some kilobytes. */
export function floodEvents(last: number): EventBody[] {
  const digest = createHash('sha256').update(String(last)).digest('hex');
  const value = last % 3 === 0 ? digest.repeat(64 + (last % 512)) : digest;
  return [started(`0#${last}`), settled(`0#${last}`, value)];
}
