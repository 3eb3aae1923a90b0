/**
 * What stands behind a stream that is still read. Its parts are there before its end is, so emits
 * behind it are released while parts still come (W3), and in a window of one there is room for
 * what its loop asks for. Writes, answers and what runs in `parallel` wait for the end of the
 * stream, and so do emits behind them: where it fails, they are void. See broken.ts for that.
 */
import type { Entry, FibersWork, State } from '../state.ts';
import type { Room } from '../values/wait.ts';
import { releaseFibers, releaseText } from './release.ts';

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

export const isStreaming = ({ state, work }: Entry): boolean =>
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
