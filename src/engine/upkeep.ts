/**
 * What goes on beside a run while a process has it: its lease is kept, what others have posted is
 * looked at, events that nothing waits for are written down; and when the execution gets its turn.
 * What it owns: the lease, the timers,
 * and the time that the run takes. What comes of posts and of the time is the execution's business.
 */
import type { Program } from '../program/program.ts';
import { isPlan } from '../program/task.ts';
import type { TimerHandle } from './clock.ts';
import type { ExecutionParts } from './execution-parts.ts';
import { leaseMs } from './journal/journal.ts';
import type { KeptPost } from './journal/post.ts';
import type { Recorder } from './journal/recorder.ts';

/** How long events that nothing waits for may wait for company. */
const lingerMs = 1;
/** The same while the program has more to ask for: that starts before they are written. */
const lingerBusyMs = 50;
/** How often the journal is asked whether somebody has posted something. */
const watchMs = 1_000;

export interface UpkeepParts
  extends Pick<ExecutionParts, 'journal' | 'lease' | 'clock' | 'limits' | 'past'> {
  readonly recorder: Recorder;
  /** Takes what was posted; true where something came of it. */
  readonly take: (posts: readonly KeptPost[]) => boolean;
  /** The run has used up its time. */
  readonly timeIsUp: () => void;
  /** Runs an action; what it throws ends the run. */
  readonly guard: (action: () => void) => void;
}

export class Upkeep {
  readonly #parts: UpkeepParts;
  /** None of them keeps the process alive. */
  readonly #timers = new Set<TimerHandle>();
  #isLingering = false;
  readonly #startedAt: number;
  #renewAt: number;

  constructor(parts: UpkeepParts) {
    this.#parts = parts;
    this.#startedAt = parts.clock.now();
    this.#renewAt = this.#startedAt + leaseMs / 3;
  }

  /** Milliseconds in which a process has had the run. */
  get wallMs(): number {
    const { clock, past } = this.#parts;
    return past.wallMs + clock.now() - this.#startedAt;
  }

  begin(): void {
    const { limits, past, timeIsUp } = this.#parts;
    this.#watch();
    if (limits.wallMs !== Infinity) {
      this.#after(Math.max(0, limits.wallMs - past.wallMs), timeIsUp);
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
    if (!recorder.pending || this.#isLingering) return;
    this.#isLingering = true;
    this.#after(isBusy ? lingerBusyMs : lingerMs, () => {
      this.#isLingering = false;
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
    for (const timer of this.#timers) this.#parts.clock.cancel(timer);
    this.#timers.clear();
  }

  #after(ms: number, action: () => void): void {
    const { clock, guard } = this.#parts;
    const fire = (): void => {
      this.#timers.delete(timer);
      guard(action);
    };
    const timer = clock.after(ms, fire, true);
    this.#timers.add(timer);
  }

  /** Keeps the lease and hears of posts, in the background. */
  #watch(): void {
    const { journal, lease, clock } = this.#parts;
    this.#after(watchMs, () => {
      if (clock.now() >= this.#renewAt) {
        journal.renew(lease);
        this.#renewAt = clock.now() + leaseMs / 3;
      }
      this.look();
      this.#watch();
    });
  }
}

// When an execution looks at what has arrived. What it owns: the next tick, of which there is at
// most one at a time.

/** So many ticks at once, and the next waits for the event loop: others want their turn as well. */
const atOnceMost = 32;

/** What is behind it comes next, with less around it than `queueMicrotask` has. */
const now = Promise.resolve();

export class Ticks {
  readonly #tick: () => void;
  #next: 'at once' | 'next turn' | undefined;
  /** Whether the event loop tells of its next turn. */
  #told = false;
  /** Those since a tick has last waited; of other turns of the event loop it hears nothing. */
  #atOnce = 0;

  constructor(tick: () => void) {
    this.#tick = tick;
  }

  /**
   * Schedules a tick: with the next turn of the event loop, since more may arrive in this one and
   * be journaled together; or `atOnce`, where nothing else can, or enough has.
   */
  want(atOnce: boolean): void {
    if (this.#next === 'at once') return;
    if (atOnce && this.#atOnce < atOnceMost) {
      this.#next = 'at once';
      this.#atOnce++;
      void now.then(this.#run);
    } else if (!this.#next) {
      this.#next = 'next turn';
      if (!this.#told) setImmediate(this.#turn);
      this.#told = true;
    }
  }

  readonly #turn = (): void => {
    this.#told = false;
    this.#atOnce = 0;
    if (this.#next) this.#run();
  };

  readonly #run = (): void => {
    this.#next = undefined;
    this.#tick();
  };
}

// How many instructions the machine runs before others get their turn. A plan of tasks begins with
// few: what it starts with need not wait until all of it has been asked for. Nothing in a plan
// fails so that what stood behind it was never asked for; any other program runs on.

const most = 100_000;
const mostOfPlan = 1_000;

export class Slice {
  readonly #least: number;
  #size: number;

  constructor(program: Program) {
    this.#least = isPlan(program) ? mostOfPlan : most;
    this.#size = this.#least;
  }

  get instructions(): number {
    return this.#size;
  }

  /** One is over, and the machine has more to do. */
  grow(): void {
    this.#size = Math.min(most, 2 * this.#size);
  }

  /** The machine has come to where it waits. */
  reset(): void {
    this.#size = this.#least;
  }
}
