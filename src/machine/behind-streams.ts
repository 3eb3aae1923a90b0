/**
 * What stands behind a stream that is still read. Its parts are there before its end is, so the
 * failure of a stream is not that of the call: it has failed where the program wants the part that
 * does not come (W5). So emits that stand before that place are released while parts still come
 * (W3), and what is said on the way to a part is the same whenever the failure arrives:
 *
 * - A stream that fails is `broken` first: all its parts are read, and what its loop asks for goes
 *   on. It fails when the line wants the missing part, or can come no further in another way, and
 *   nothing is under way that could release an emit.
 * - In a window of one, the loop runs when the stream has ended. Then what waits for the end takes
 *   no room, so that the loop comes as far as with a larger window.
 * - Writes, answers and what runs in `parallel` wait for the end of the stream, and so do emits
 *   behind them: where it fails, they are void.
 */
import { fail } from './give-up.ts';
import { releaseFibers, releaseText } from './release.ts';
import type { Entry, FibersWork, Hub, Race, Room, State } from './state.ts';
import { entryOf } from './stream.ts';

/** Releases emits that only streams keep from retiring. */
export function releaseBehindStreams(state: State): void {
  for (const entry of state.entries.values()) {
    if (isStreaming(entry)) continue;
    const { work } = entry;
    if (entry.state !== 'done') return;
    if (work.kind === 'fibers') {
      if (work.mode === 'parallel' || hasAnswered(work)) return;
      releaseFibers(state, entry, work);
      work.emits.clear();
    } else if (work.kind === 'emit') {
      if (work.channel === 'answer') return;
      state.entries.delete(entry.seq);
      state.instructions += entry.charge;
      releaseText(state, entry, work);
    }
  }
}

const hasAnswered = ({ emits }: FibersWork): boolean =>
  [...emits.values()].some((all) => all.some(({ channel }) => channel === 'answer'));

const isStreaming = ({ state, work }: Entry): boolean =>
  (state === 'open' || state === 'broken') && work.kind === 'effect' && work.stream !== undefined;

/**
 * Whether a full window has room all the same: for an emit beside streams; behind a broken stream
 * for all that comes, unless something is under way that will make room.
 */
export function hasRoomBehind(state: State, room: Room, taken: number): boolean {
  const { entries, hub, limits } = state;
  const broken = hub.broken.has(state);
  if (room !== 'emit' && !broken) return false;
  const count = { streams: 0, open: 0, waiting: 0 };
  for (const entry of entries.values()) {
    if (isStreaming(entry)) count.streams++;
    else if (entry.state === 'open' || entry.state === 'waiting') count[entry.state]++;
  }
  if (!broken) return taken - count.streams < limits.windowEntries;
  return count.open === 0 || count.open + count.waiting < limits.windowEntries;
}

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
  const entries = [...state.entries.values()];
  const first = entries.find((entry) => entry.state === 'broken');
  if (!first) state.hub.broken.delete(state);
  if (!first?.error) return false;
  const { blocked } = state;
  const isWanted = blocked?.on === 'part' && entryOf(blocked.stream) === first.seq;
  const mayComeFurther = !isWanted || entries.some(({ work }) => work.kind === 'emit');
  if (mayComeFurther && isUnderWay(state)) return false;
  fail(state, first, first.error);
  return true;
}

/**
 * Whether anything will come by itself. A `parallel` does, as it never writes; an attempt may wait
 * for what waits for the stream.
 */
const isUnderWay = ({ entries }: State): boolean =>
  [...entries.values()].some(({ state, work }) => {
    if (state !== 'open') return false;
    // Its candidates may wait for what waits for the stream.
    if (work.kind === 'effect' && work.race) return isDecided(work.race);
    if (work.kind !== 'fibers') return true;
    if (work.mode === 'parallel') return true;
    return [...work.alive.values()].some(
      (child) => child && (child.hub.broken.has(child) || isUnderWay(child)),
    );
  });

/** Whether a race ends by itself: somebody has come first, or time will. */
const isDecided = ({ proposed, timeoutMs }: Race): boolean =>
  proposed !== undefined || timeoutMs !== null;
