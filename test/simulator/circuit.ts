/**
 * When a tool that cannot be reached may be called, by the words of the limits table alone: after
 * so many attempts in a row that have found it away, none begins before the pause is over, then one
 * at a time, until there is an answer. Each process has circuits of its own.
 */
import type { Limits } from '../../src/program/limits.ts';

export type Breaking = Pick<Limits, 'breakerFailures' | 'breakerMs'>;

/** How an attempt has ended: with an answer of the tool, without one, or given up by the engine. */
export type AttemptEnd = 'answered' | 'away' | 'gone';

interface Circuit {
  /** Failures in a row. */
  failures: number;
  /** Nothing begins before; by the simulation's own time. */
  openUntil: number;
  /** The attempt that began after a pause, while it lasts. */
  probe: object | undefined;
}

export class Circuits {
  readonly #breaking: Breaking;
  readonly #circuits = new Map<string, Circuit>();
  readonly wrongs: string[] = [];
  /** How often one was opened, tried again, and closed after that. */
  readonly counts = { opened: 0, tried: 0, closed: 0 };

  constructor(breaking: Breaking) {
    this.#breaking = breaking;
  }

  /** An attempt begins; `ended` is to be told of its end. */
  began(owner: string, tool: string, now: number): { ended(end: AttemptEnd, now: number): void } {
    const name = `${owner} ${tool}`;
    const circuit = this.#circuits.get(name) ?? { failures: 0, openUntil: 0, probe: undefined };
    this.#circuits.set(name, circuit);
    const attempt = {
      ended: (end: AttemptEnd, at: number) => this.#ended(circuit, attempt, end, at),
    };
    if (circuit.failures < this.#breaking.breakerFailures) return attempt;
    if (now < circuit.openUntil) {
      this.wrongs.push(`${name} is called ${circuit.openUntil - now} ms before its pause ends`);
    } else if (circuit.probe) {
      this.wrongs.push(`${name} is called while one attempt finds out whether it is there`);
    }
    this.counts.tried++;
    circuit.probe = attempt;
    return attempt;
  }

  #ended(circuit: Circuit, attempt: object, end: AttemptEnd, now: number): void {
    const { breakerFailures, breakerMs } = this.#breaking;
    const wasProbe = circuit.probe === attempt;
    if (wasProbe) circuit.probe = undefined;
    if (end === 'gone') return;
    if (end === 'answered') {
      if (circuit.failures >= breakerFailures) this.counts.closed++;
      circuit.failures = 0;
      circuit.probe = undefined;
      return;
    }
    circuit.failures++;
    const opens = circuit.failures === breakerFailures;
    if (opens) this.counts.opened++;
    if (opens || wasProbe) circuit.openUntil = now + breakerMs;
  }
}
