/**
 * How often a tool is asked within a minute (`callsPerMinute`). What it owns: the timers that say
 * when the next attempt may begin. When attempts have begun, it shares with the runs within and
 * around its own. It starts nothing itself: the scheduler holds the lane of a tool that has to
 * rest, a job between two attempts waits longer.
 */
import type { ToolSpec } from '../../program/effect.ts';
import type { Clock, TimerHandle } from '../clock.ts';
import type { Job } from './job.ts';
import { Queue } from './queue.ts';

const minuteMs = 60_000;

export interface RateHost {
  readonly clock: Clock;
  hold(tool: string, held: boolean): void;
  wake(): void;
}

/** The attempts at effects of one tool within the last minute. */
interface Pace {
  /** By the clock's uptime, oldest first. */
  readonly starts: Queue<number>;
  count: number;
}

/** By tool; one for a run and all that are within it. */
export type Paces = Map<string, Pace>;

export class Rates {
  readonly #host: RateHost;
  readonly #paces: Paces;
  readonly #timers = new Map<string, TimerHandle>();

  constructor(paces: Paces, host: RateHost) {
    this.#paces = paces;
    this.#host = host;
  }

  /** An attempt begins. */
  began({ tool: { spec } }: Job): void {
    if (spec.limits?.callsPerMinute === undefined) return;
    const pace = this.#paces.get(spec.name) ?? { starts: new Queue(), count: 0 };
    this.#paces.set(spec.name, pace);
    pace.starts.push(this.#host.clock.uptime());
    pace.count++;
  }

  /** Whether a job that is next has to wait for its turn: its lane is held until that comes. */
  holds({ tool: { spec } }: Job): boolean {
    const restMs = this.#restMs(spec);
    if (restMs === 0) return false;
    const { name } = spec;
    const { clock, hold, wake } = this.#host;
    hold(name, true);
    if (this.#timers.has(name)) return true;
    const timer = clock.after(restMs, () => {
      this.#timers.delete(name);
      hold(name, false);
      wake();
    });
    this.#timers.set(name, timer);
    return true;
  }

  /** Lets a job between two attempts wait for its turn; false where it has that already. */
  delay(job: Job, again: () => void): boolean {
    const restMs = this.#restMs(job.tool.spec);
    if (restMs === 0) return false;
    job.wait = this.#host.clock.after(restMs, () => {
      job.wait = undefined;
      again();
    });
    return true;
  }

  close(): void {
    for (const timer of this.#timers.values()) this.#host.clock.cancel(timer);
    this.#timers.clear();
  }

  /** Milliseconds until an attempt may begin. */
  #restMs({ name, limits }: ToolSpec): number {
    const most = limits?.callsPerMinute;
    const pace = most === undefined ? undefined : this.#paces.get(name);
    if (most === undefined || pace === undefined) return 0;
    const now = this.#host.clock.uptime();
    for (let at = pace.starts.peek(); at !== undefined; at = pace.starts.peek()) {
      if (at + minuteMs > now) return pace.count < most ? 0 : at + minuteMs - now;
      pace.starts.shift();
      pace.count--;
    }
    return 0;
  }
}
