/**
 * Leaves a tool alone that cannot be reached: where many attempts in a row have found it so, none
 * starts for a while, then a single one tries. What it owns: a circuit per tool that has failed
 * so, its timer, and the tasks that wait for it. What a tool answers with is no reason.
 *
 * Invariants:
 * - B1 While a circuit is open nothing of its tool starts but one attempt at the end of each pause.
 * - B2 A circuit ends: by an answer, or, once as many of these attempts have failed as one effect
 *   has, by refusing what comes (PV4022), with a further try after each pause.
 */
import type { EffectError } from '../../program/effect.ts';
import type { Limits } from '../../program/limits.ts';
import type { Clock, TimerHandle } from '../clock.ts';
import type { EffectFailure } from '../handler.ts';
import { addWarning, type Task } from './task.ts';

export interface BreakerHost {
  readonly clock: Clock;
  readonly limits: Limits;
  /** How many effects of a tool may run at once; undefined: as many as ever. */
  bound(tool: string, most: number | undefined): void;
  /** Begins the next attempt of a task that was held. */
  release(task: Task): void;
  /** Ends a task without a further attempt. */
  refuse(task: Task, error: EffectError): void;
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
  probe: Task | undefined;
  timer: TimerHandle | undefined;
  /** Tasks between two attempts, oldest first. */
  readonly held: Task[];
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
  tried(task: Task, failure: EffectFailure | undefined): void {
    const { name } = task.tool.spec;
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
      addWarning(task, `${circuit.failures} attempts in a row have failed: a pause of ${ms} ms`);
    } else if (circuit.probe === task) {
      circuit.probe = undefined;
      circuit.probes++;
      if (circuit.probes >= this.#host.limits.attempts) this.#refuse(name, circuit, failure);
      else this.#pause(name, circuit, failure);
    }
  }

  /** Keeps a task whose attempt is due while its tool is left alone; false where it is made. */
  hold(task: Task): boolean {
    const circuit = this.#circuits.get(task.tool.spec.name);
    if (circuit?.state === 'probing' && !circuit.probe) {
      // None was due when the pause ended.
      circuit.probe = task;
      return false;
    }
    if (circuit?.state !== 'paused' && circuit?.state !== 'probing') return false;
    circuit.held.push(task);
    return true;
  }

  /** The first attempt of a task begins, which had a slot. */
  begins(task: Task): void {
    const circuit = this.#circuits.get(task.tool.spec.name);
    if (circuit?.state === 'probing') circuit.probe ??= task;
  }

  /** Why a task that has its slot is not tried; undefined where it is. */
  refusal(task: Task): EffectError | undefined {
    const circuit = this.#circuits.get(task.tool.spec.name);
    return circuit?.state === 'refusing' ? refusalOf(task, circuit) : undefined;
  }

  /** A task is gone: where it was the one attempt that is made, another may follow. */
  gone(task: Task): void {
    const { name } = task.tool.spec;
    const circuit = this.#circuits.get(name);
    if (circuit?.probe === task) this.#probe(name, circuit);
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

  /** Lets one attempt be made: of a task that has waited, or of the next that comes. */
  #probe(name: string, circuit: Circuit): void {
    const task = nextHeld(circuit);
    circuit.probe = task;
    if (task) this.#host.release(task);
    else {
      this.#host.bound(name, 1);
      this.#host.wake();
    }
  }

  #refuse(name: string, circuit: Circuit, failure: EffectFailure): void {
    const { clock, limits } = this.#host;
    circuit.state = 'refusing';
    this.#host.bound(name, undefined);
    for (let task = nextHeld(circuit); task; task = nextHeld(circuit)) {
      this.#host.refuse(task, refusalOf(task, circuit));
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
    for (let task = nextHeld(circuit); task; task = nextHeld(circuit)) this.#host.release(task);
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
function nextHeld({ held }: Circuit): Task | undefined {
  for (let task = held.shift(); task; task = held.shift())
    if (task.place === 'running') return task;
  return undefined;
}

const refusalOf = ({ tool }: Task, { failures, reason }: Circuit): EffectError => ({
  code: 'PV4022',
  message: `${tool.spec.name} is not called: its last ${failures} attempts have failed (${reason})`,
  hint: 'see whether what it talks to is there, then resume the run',
});
