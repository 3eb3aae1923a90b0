/** When a lease may be taken: the rule both journals share. */
import { isGone } from './owner.ts';

/** Who holds a run; `owner` is null when it was released. */
export interface Holder {
  readonly owner: string | null;
  /** Epoch milliseconds at which the lease expires. */
  readonly until: number;
}

/** What a journal takes from its surroundings; tests put their own in. */
export interface JournalOptions {
  /** Epoch milliseconds. */
  readonly now?: () => number;
  /** Whether an owner is certainly gone, so that its lease need not expire first. */
  readonly isGone?: (owner: string) => boolean;
  /**
   * Opens a file without the files that SQLite keeps beside it, for which a full disk has no room:
   * no other process can have it open meanwhile. To make room.
   */
  readonly isAlone?: boolean;
}

export type World = Required<Pick<JournalOptions, 'now' | 'isGone'>>;

/** The clock and the process table of this machine, where the caller has none of its own. */
export function surroundings(options: JournalOptions): World {
  return { now: options.now ?? Date.now, isGone: options.isGone ?? isGone };
}

/** Whether a live process holds the lease now. */
export function isHeld(holder: Holder, { now, isGone }: World): boolean {
  return holder.owner !== null && holder.until > now() && !isGone(holder.owner);
}
