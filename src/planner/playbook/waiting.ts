/** What a reply waits for, with the time that it names. */
import { secondsIn } from '../../dialects/playbook/times.ts';
import type { YieldPart } from './parts.ts';

/** A text is what is wrong: *got X, want Y*. */
export function waiting(part: YieldPart): YieldPart | string {
  const isTimed = part.for === 'timer' || part.for === 'user';
  const seconds = isTimed ? secondsIn(part.whom) : undefined;
  if (part.for === 'timer' && seconds === undefined) {
    const got = part.whom === '' ? 'nothing' : JSON.stringify(part.whom);
    return `got a timer for ${got}, want a time, such as {"yield":"timer 30 seconds"}`;
  }
  return seconds === undefined ? part : { ...part, seconds };
}
