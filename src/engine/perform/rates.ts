/**
 * How often a tool is asked within a minute (`callsPerMinute`). What it owns: when attempts have
 * begun in this process, and the timer that says when the next may. It starts nothing itself: the
 * scheduler holds the lane of a tool that has to rest, a job between two attempts waits longer.
 */
import type { Clock, TimerHandle } from '../clock.ts';
import type { Job } from './job.ts';
import { Queue } from './queue.ts';

const minuteMs = 60_000;

export interface RateHost {
  readonly clock: Clock;
  hold(tool: string, held: boolean): void;
  wake(): void;
}

/** The attempts at effects of one tool. */
interface Pace {
  /** Starts within the last minute by the clock's uptime, oldest first. */
  readonly starts: Queue<number>;
  count: number;
  timer: TimerHandle | undefined;
}

export class Rates {
  readonly #host: RateHost;
  readonly #paces = new Map<string, Pace>();

  constructor(host: RateHost) {
    this.#host = host;
  }

  /** An attempt begins: it is counted, and those after it have to wait where it was the last. */
  began({ tool: { spec } }: Job): void {
    const most = spec.limits?.callsPerMinute;
    if (most === undefined) return;
    const pace = this.#paces.get(spec.name) ?? { starts: new Queue(), count: 0, timer: undefined };
    this.#paces.set(spec.name, pace);
    pace.starts.push(this.#host.clock.uptime());
    pace.count++;
    this.#look(spec.name, pace, most);
  }

  /** Lets a job between two attempts wait for its turn; false where it has that already. */
  delay(job: Job, again: () => void): boolean {
    const { name, limits } = job.tool.spec;
    const pace = this.#paces.get(name);
    const most = limits?.callsPerMinute;
    if (!pace || most === undefined) return false;
    this.#forget(pace);
    const oldest = pace.starts.peek();
    if (pace.count < most || oldest === undefined) return false;
    job.wait = this.#host.clock.after(this.#restMs(oldest), () => {
      job.wait = undefined;
      again();
    });
    return true;
  }

  close(): void {
    for (const { timer } of this.#paces.values()) if (timer) this.#host.clock.cancel(timer);
    this.#paces.clear();
  }

  #look(tool: string, pace: Pace, most: number): void {
    this.#forget(pace);
    const oldest = pace.starts.peek();
    const isFull = pace.count >= most && oldest !== undefined;
    this.#host.hold(tool, isFull);
    if (!isFull || pace.timer) return;
    pace.timer = this.#host.clock.after(this.#restMs(oldest), () => {
      pace.timer = undefined;
      this.#look(tool, pace, most);
      this.#host.wake();
    });
  }

  #restMs(oldest: number): number {
    return Math.max(1, oldest + minuteMs - this.#host.clock.uptime());
  }

  #forget(pace: Pace): void {
    const { clock } = this.#host;
    for (let at = pace.starts.peek(); at !== undefined; at = pace.starts.peek()) {
      if (at + minuteMs > clock.uptime()) return;
      pace.starts.shift();
      pace.count--;
    }
  }
}
