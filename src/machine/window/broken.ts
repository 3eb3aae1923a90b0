/**
 * Where a stream fails (W5): where the part is missing that the program wants, not where it was
 * called. What the line has issued until then stands before that place, so what comes of it is the
 * same whenever the failure of the stream arrives.
 *
 * - A stream that fails in the world is `broken` first: all its parts are read, and what its loop
 *   asks for goes on. It fails when the line wants the missing part, or can come no further in
 *   another way, and nothing is under way: no call that stands before is cut off.
 * - What fails meanwhile has failed before the missing part was wanted. So a failure leaves the
 *   streams that are still read, as `break` would (`leaveStreams`), and they never fail.
 * - In a window of one, the loop runs when the stream has ended. Then what waits for the end takes
 *   no room (`hasRoomBehind`), so that the loop comes as far as with a larger window.
 */
import type { Entry, Hub, Race, State } from '../state.ts';
import { entryOf } from '../stream.ts';
import { fail } from './give-up.ts';
import { retire } from './window.ts';

/**
 * When all lines wait: lets a broken stream fail whose line comes no further without it. False
 * where there is none.
 */
export function breakOff({ byPath, ready, broken }: Hub): boolean {
  if (broken.size === 0) return false;
  for (const state of byPath.values()) {
    if (!broken.has(state) || !failBroken(state)) continue;
    ready.add(state);
    return true;
  }
  return false;
}

function failBroken(state: State): boolean {
  const entry = brokenIn(state);
  if (!entry) state.hub.broken.delete(state);
  if (!entry?.error || isUnderWay(state)) return false;
  fail(state, entry, entry.error);
  retire(state);
  return true;
}

/** The stream whose part is wanted, if it is broken; else the oldest that is. */
function brokenIn({ blocked, entries }: State): Entry | undefined {
  const wanted = blocked?.on === 'part' ? entries.get(entryOf(blocked.stream)) : undefined;
  if (wanted?.state === 'broken') return wanted;
  for (const entry of entries.values()) if (entry.state === 'broken') return entry;
  return undefined;
}

/** Whether anything will come by itself: fibers may wait for what waits for the stream. */
const isUnderWay = ({ entries }: State): boolean =>
  [...entries.values()].some(({ state, work }) => {
    if (state !== 'open') return false;
    // Its candidates may wait for what waits for the stream.
    if (work.kind === 'effect' && work.race) return isDecided(work.race);
    if (work.kind !== 'fibers') return true;
    return [...work.alive.values()].some(
      (child) => child && (child.hub.broken.has(child) || isUnderWay(child)),
    );
  });

/** Whether a race ends by itself: somebody has come first, or time will. */
const isDecided = ({ proposed, timeoutMs }: Race): boolean =>
  proposed !== undefined || timeoutMs !== null;
