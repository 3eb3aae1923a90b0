/**
 * Which tools are left alone for a while: those that cannot be reached, and those that may be asked
 * only so often a minute. Where many attempts in a row have not reached a tool, none
 * starts for a while, then a single one tries. What it owns: a circuit per tool that has failed
 * so, its timer, and the jobs that wait for it. What a tool answers with is no reason.
 *
 * Invariants:
 * - B1 While a circuit is open nothing of its tool starts but one attempt at the end of each pause.
 * - B2 A circuit ends: by an answer, or, once as many of these attempts have failed as one effect
 *   has, by refusing what comes (PV4022), with a further try after each pause.
 */
import type { EffectError, ToolSpec } from '../../program/effect.ts';
import type { Limits } from '../../program/limits.ts';
import type { Clock, TimerHandle } from '../clock.ts';
import type { EffectFailure } from '../handler.ts';
import { addWarning, type Job } from './job.ts';
import { Queue } from './scheduler.ts';

export interface BreakerHost {
  readonly clock: Clock;
  readonly limits: Limits;
  /** How many effects of a tool may run at once; undefined: as many as ever. */
  bound(tool: string, most: number | undefined): void;
  /** Begins the next attempt of a job that was held. */
  release(job: Job): void;
  /** Ends a job without a further attempt. */
  refuse(job: Job, error: EffectError): void;
  wake(): void;
}

/** The longest pause, in milliseconds. */
const pauseMsMax = 60_000;

interface Circuit {
  /** Failures in a row. */
  failures: number;
  state: 'closed' | 'paused' | 'probing' | 'refusing';
  /** Attempts that were made at the ends of pauses. */
  probes: number;
  /** While probing: the one that is being made. */
  probe: Job | undefined;
  timer: TimerHandle | undefined;
  /** Jobs between two attempts, oldest first. */
  readonly held: Job[];
  reason: string;
}

export class Breakers {
  readonly #host: BreakerHost;
  readonly #circuits = new Map<string, Circuit>();

  constructor(host: BreakerHost) {
    this.#host = host;
  }

  /** Whether something waits for the end of a pause. */
  get busy(): boolean {
    return [...this.#circuits.values()].some(({ state }) => state === 'paused');
  }

  /** An attempt has ended; `failure` is undefined where it gave a result. */
  tried(job: Job, failure: EffectFailure | undefined): void {
    if (this.#circuits.size === 0 && !failure?.unavailable) return;
    const { name } = job.tool.spec;
    const known = this.#circuits.get(name);
    if (!failure?.unavailable) {
      if (known) this.#close(name, known);
      return;
    }
    const circuit = known ?? newCircuit();
    this.#circuits.set(name, circuit);
    circuit.failures++;
    circuit.reason = failure.message;
    if (circuit.state === 'closed') {
      if (circuit.failures < this.#host.limits.breakerFailures) return;
      const ms = this.#pause(name, circuit, failure);
      addWarning(job, `${circuit.failures} attempts in a row have failed: a pause of ${ms} ms`);
    } else if (circuit.probe === job) {
      circuit.probe = undefined;
      circuit.probes++;
      if (circuit.probes >= this.#host.limits.attempts) this.#refuse(name, circuit, failure);
      else this.#pause(name, circuit, failure);
    }
  }

  /** Keeps a job whose attempt is due while its tool is left alone; false where it is made. */
  hold(job: Job): boolean {
    const circuit = this.#circuits.get(job.tool.spec.name);
    if (circuit?.state === 'probing' && !circuit.probe) {
      // None was due when the pause ended.
      circuit.probe = job;
      return false;
    }
    if (circuit?.state !== 'paused' && circuit?.state !== 'probing') return false;
    circuit.held.push(job);
    return true;
  }

  /** The first attempt of a job is to begin, which has its slot; gives why it does not. */
  begin(job: Job): EffectError | undefined {
    // Most runs have none, and each of their effects asks.
    if (this.#circuits.size === 0) return undefined;
    const circuit = this.#circuits.get(job.tool.spec.name);
    if (circuit?.state === 'probing') circuit.probe ??= job;
    return this.refusal(job);
  }

  /** Why a job that has its slot is not tried; undefined where it is. */
  refusal(job: Job): EffectError | undefined {
    const circuit = this.#circuits.get(job.tool.spec.name);
    return circuit?.state === 'refusing' ? refusalOf(job, circuit) : undefined;
  }

  /** A job is gone: where it was the one attempt that is made, another may follow. */
  gone(job: Job): void {
    const { name } = job.tool.spec;
    const circuit = this.#circuits.get(name);
    if (circuit?.probe === job) this.#probe(name, circuit);
  }

  close(): void {
    for (const { timer } of this.#circuits.values()) if (timer) this.#host.clock.cancel(timer);
    this.#circuits.clear();
  }

  /** Gives the milliseconds of the pause. */
  #pause(name: string, circuit: Circuit, failure: EffectFailure): number {
    const { clock, limits } = this.#host;
    const own = Math.min(
      limits.breakerMs * 2 ** circuit.probes,
      Math.max(pauseMsMax, limits.breakerMs),
    );
    const ms = Math.max(own, Math.min(failure.retryAfterMs ?? 0, pauseMsMax));
    circuit.state = 'paused';
    this.#host.bound(name, 0);
    circuit.timer = clock.after(ms, () => {
      circuit.timer = undefined;
      circuit.state = 'probing';
      this.#probe(name, circuit);
    });
    return ms;
  }

  /** Lets one attempt be made: of a job that has waited, or of the next that comes. */
  #probe(name: string, circuit: Circuit): void {
    const job = nextHeld(circuit);
    circuit.probe = job;
    if (job) this.#host.release(job);
    else {
      this.#host.bound(name, 1);
      this.#host.wake();
    }
  }

  #refuse(name: string, circuit: Circuit, failure: EffectFailure): void {
    const { clock, limits } = this.#host;
    circuit.state = 'refusing';
    this.#host.bound(name, undefined);
    for (let job = nextHeld(circuit); job; job = nextHeld(circuit)) {
      this.#host.refuse(job, refusalOf(job, circuit));
    }
    const ms = Math.max(limits.breakerMs, Math.min(failure.retryAfterMs ?? 0, pauseMsMax));
    circuit.timer = clock.after(
      ms,
      () => {
        circuit.timer = undefined;
        circuit.state = 'probing';
        this.#probe(name, circuit);
      },
      true,
    );
    this.#host.wake();
  }

  #close(name: string, circuit: Circuit): void {
    this.#circuits.delete(name);
    if (circuit.state === 'closed') return;
    if (circuit.timer) this.#host.clock.cancel(circuit.timer);
    this.#host.bound(name, undefined);
    for (let job = nextHeld(circuit); job; job = nextHeld(circuit)) this.#host.release(job);
    this.#host.wake();
  }
}

const newCircuit = (): Circuit => ({
  failures: 0,
  state: 'closed',
  probes: 0,
  probe: undefined,
  timer: undefined,
  held: [],
  reason: '',
});

/** Those that were given up meanwhile are passed over. */
function nextHeld({ held }: Circuit): Job | undefined {
  for (let job = held.shift(); job; job = held.shift()) if (job.place === 'running') return job;
  return undefined;
}

const refusalOf = ({ tool }: Job, { failures, reason }: Circuit): EffectError => ({
  code: 'PV4022',
  message: `${tool.spec.name} is not called: its last ${failures} attempts have failed (${reason})`,
  hint: 'see whether what it talks to is there, then resume the run',
});

// How often a tool is asked within a minute (`callsPerMinute`). What it owns: the timers that say
// when the next attempt may begin. When attempts have begun, it shares with the runs within and
// around its own. It starts nothing itself: the scheduler holds the lane of a tool that has to
// rest, a job between two attempts waits longer.

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
