/**
 * What goes on beside a run while a process has it: its lease is kept, what others have posted is
 * looked at, events that nothing waits for are written down. What it owns: the lease, the timers,
 * and the time that the run takes. What comes of posts and of the time is the execution's business.
 */
import type { Limits } from '../program/limits.ts';
import type { Clock } from './clock.ts';
import { type Journal, type Lease, leaseMs } from './journal/journal.ts';
import type { KeptPost } from './journal/post.ts';
import type { Recorder } from './journal/recorder.ts';
import { Timers } from './timers.ts';

/** How long events that nothing waits for may wait for company. */
const lingerMs = 1;
/** The same while the program has more to ask for: that starts before they are written. */
const lingerBusyMs = 50;
/** How often the journal is asked whether somebody has posted something. */
const watchMs = 1_000;

export interface UpkeepParts {
  readonly journal: Journal;
  readonly lease: Lease;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly recorder: Recorder;
  /** What earlier processes have taken, milliseconds. */
  readonly wallMsBefore: number;
  /** Takes what was posted; true where something came of it. */
  readonly take: (posts: readonly KeptPost[]) => boolean;
  /** The run has used up its time. */
  readonly timeIsUp: () => void;
  /** Runs an action; what it throws ends the run. */
  readonly guard: (action: () => void) => void;
}

export class Upkeep {
  readonly #parts: UpkeepParts;
  readonly #timers: Timers;
  readonly #startedAt: number;
  #renewAt: number;

  constructor(parts: UpkeepParts) {
    this.#parts = parts;
    this.#timers = new Timers(parts.clock, parts.guard);
    this.#startedAt = parts.clock.now();
    this.#renewAt = this.#startedAt + leaseMs / 3;
  }

  /** Milliseconds in which a process has had the run. */
  get wallMs(): number {
    const { clock, wallMsBefore } = this.#parts;
    return wallMsBefore + clock.now() - this.#startedAt;
  }

  begin(): void {
    const { limits, wallMsBefore, timeIsUp } = this.#parts;
    this.#watch();
    if (limits.wallMs !== Infinity) {
      this.#timers.after('wall', limits.wallMs - wallMsBefore, timeIsUp);
    }
  }

  /** Takes what people have posted; true where something came of it. */
  look(): boolean {
    const { journal, lease, take } = this.#parts;
    return take(journal.posts(lease.run));
  }

  /** Writes down, before long, events that nothing waits for. */
  linger(isBusy: boolean): void {
    const { recorder } = this.#parts;
    if (!recorder.pending || this.#timers.has('linger')) return;
    this.#timers.after('linger', isBusy ? lingerBusyMs : lingerMs, () => {
      recorder.flush();
      recorder.show();
    });
  }

  /** The run's end is recorded, or an error is on its way that says more than this one could. */
  release(): void {
    const { journal, lease } = this.#parts;
    try {
      journal.release(lease);
    } catch {
      // The lease runs out by itself.
    }
  }

  close(): void {
    this.#timers.cancelAll();
  }

  /** Keeps the lease and hears of posts, in the background. */
  #watch(): void {
    const { journal, lease, clock } = this.#parts;
    this.#timers.after('watch', watchMs, () => {
      if (clock.now() >= this.#renewAt) {
        journal.renew(lease);
        this.#renewAt = clock.now() + leaseMs / 3;
      }
      this.look();
      this.#watch();
    });
  }
}
