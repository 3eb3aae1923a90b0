/**
 * What a request passes before it is the dispatch's: the gate of who goes through the run step by
 * step, then the consent that a fork may need. What it owns: neither; only their order.
 */
import type { Machine } from '../../machine/machine.ts';
import type { Request, ToolSpec } from '../../program/effect.ts';
import type { Past, PastEffect } from '../past/past.ts';
import type { Replay } from '../past/replay.ts';
import { vanishedSoFar, writes } from '../past/vanished.ts';
import type { Stop } from '../stop.ts';
import { Consent } from './consent.ts';
import type { Dispatch } from './dispatch.ts';
import type { Gate } from './gate.ts';
import type { RunTool } from './job.ts';
import type { OpenWait } from './person.ts';

export interface AdmissionParts {
  readonly dispatch: Dispatch;
  /** Of a run that somebody goes through step by step. */
  readonly gate: Gate | undefined;
  readonly machine: Machine;
  readonly past: Past;
  readonly replay: Replay;
  readonly specs: ReadonlyMap<string, ToolSpec>;
  readonly tool: (name: string) => RunTool;
  readonly halt: (stop: Stop) => void;
  /** Something has passed that was held: the execution has to look. */
  readonly wake: () => void;
  /** Runs an action; what it throws ends the run. */
  readonly guard: (action: () => void) => void;
}

export class Admission {
  readonly #parts: AdmissionParts;
  /** Of a fork that asks before it does without what its base has written. */
  readonly #consent: Consent | undefined;

  constructor(parts: AdmissionParts) {
    const { dispatch, machine, past, replay, specs, tool, halt } = parts;
    this.#parts = parts;
    if (past.edit?.vanished !== 'ask') return;
    this.#consent = new Consent({
      vanished: () => vanishedSoFar(specs, machine, replay),
      isWrite: writes(specs),
      ask: (...what) => dispatch.ask(...what),
      perform: (request, before) => dispatch.accept(request, tool(request.tool), before),
      halt,
    });
  }

  /** Whether something waits that only the gate lets through. */
  get isHolding(): boolean {
    return this.#parts.gate?.isHolding ?? false;
  }

  /** Whether a person has still to agree to something before the run may end well. */
  get isMissing(): boolean {
    return this.#consent?.isMissing ?? false;
  }

  /** Takes up what the journal has no outcome of; `past` is what it has. */
  accept(request: Request, past: PastEffect | undefined): void {
    const { gate } = this.#parts;
    if (gate) this.#enter(gate, request.id, () => this.#pass(request, past));
    else this.#pass(request, past);
  }

  /** The machine has seen who comes first in a race. */
  see(effect: string, index: number): void {
    const { gate, dispatch } = this.#parts;
    if (gate) this.#enter(gate, effect, () => dispatch.see(effect, index));
    else dispatch.see(effect, index);
  }

  /** The program no longer needs an effect. */
  drop(effect: string): void {
    const { gate, dispatch } = this.#parts;
    gate?.drop(effect);
    dispatch.drop(effect);
    this.#consent?.drop(effect);
  }

  /**
   * Where nothing goes on by itself and an approval is among what is open: asks about the writes
   * that come after it, so that all is decided in one round. True where there is something new.
   */
  announce(open: readonly OpenWait[]): boolean {
    const { dispatch, gate, machine, specs } = this.#parts;
    if (gate || this.#consent) return false;
    const isForApproval = open.some(({ kind }) => kind === 'approval');
    const all = (isForApproval ? machine.announced() : []).flatMap((request) => {
      const spec = specs.get(request.tool);
      return spec ? [{ request, spec }] : [];
    });
    return dispatch.announce(all);
  }

  /** Where nothing goes on by itself: asks for consent, or acts on it; whether anything came. */
  look(): boolean {
    return this.#consent?.look() ?? false;
  }

  #pass(request: Request, past: PastEffect | undefined): void {
    const { dispatch, tool } = this.#parts;
    if (request.race) dispatch.acceptRace(request, past);
    else if (!this.#consent?.hold(request, past)) {
      dispatch.accept(request, tool(request.tool), past);
    }
  }

  #enter(gate: Gate, effect: string, action: () => void): void {
    const { guard, wake } = this.#parts;
    gate.enter(effect, (isLate) => {
      if (!isLate) action();
      else {
        guard(action);
        wake();
      }
    });
  }
}
