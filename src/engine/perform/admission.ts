/**
 * What a request passes before it is the dispatch's: the gate of who goes through the run step by
 * step, then the consent that a fork may need. What it owns: neither; only their order.
 */
import type { Request } from '../../program/effect.ts';
import type { ExecutionParts } from '../execution-parts.ts';
import type { PastEffect } from '../past/past.ts';
import { type Replay, vanishedSoFar, writes } from '../past/replay.ts';
import type { Leftover } from '../past/reuse.ts';
import { type Stop, stop } from '../stop.ts';
import type { Dispatch } from './dispatch.ts';
import type { Gate } from './gate.ts';
import type { OpenWait } from './person.ts';

export interface AdmissionParts
  extends Pick<ExecutionParts, 'gate' | 'machine' | 'past' | 'specs' | 'tool'> {
  readonly dispatch: Dispatch;
  readonly replay: Replay;
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
    this.#parts = parts;
    if (parts.past.edit?.vanished === 'ask') this.#consent = new Consent(parts);
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

// A person's consent to what a fork does without, of the writes that its base has done. What it
// owns: the fork's own writes until there is consent. The write of the base goes by its id there,
// `base:0#7`.
//
// - C1 A fork that is to ask performs no write while its base has done one that the fork has not
//   asked for, nor will next, and that nobody has agreed to do without.
// - C2 Nor does it end well.

interface Held {
  readonly request: Request;
  readonly past: PastEffect | undefined;
}

class Consent {
  readonly #parts: AdmissionParts;
  readonly #isWrite: (tool: string) => boolean;
  readonly #held = new Map<string, Held>();
  /** Ids that a person has been asked about, and those that are agreed to. */
  readonly #asked = new Set<string>();
  readonly #given = new Set<string>();

  constructor(parts: AdmissionParts) {
    this.#parts = parts;
    this.#isWrite = writes(parts.specs);
  }

  /** Keeps a write back; false for what is none. */
  hold(request: Request, past: PastEffect | undefined): boolean {
    if (!this.#isWrite(request.tool)) return false;
    this.#held.set(request.id, { request, past });
    return true;
  }

  /** The program no longer needs an effect. */
  drop(effect: string): void {
    this.#held.delete(effect);
  }

  /** Whether something is still to be agreed to. */
  get isMissing(): boolean {
    return this.#missing().length > 0;
  }

  /**
   * To be called where nothing goes on by itself: asks for what is missing, or lets go what was
   * held. Gives whether anything has come of it.
   */
  look(): boolean {
    const missing = this.#missing();
    const fresh = missing.filter(({ id }) => !this.#asked.has(id));
    for (const one of fresh) this.#ask(one);
    if (missing.some(({ id }) => !this.#given.has(id))) return fresh.length > 0;
    const held = [...this.#held.values()];
    this.#held.clear();
    const { dispatch, tool } = this.#parts;
    for (const { request, past } of held) dispatch.accept(request, tool(request.tool), past);
    return held.length > 0 || fresh.length > 0;
  }

  #missing(): readonly Leftover[] {
    const { specs, machine, replay } = this.#parts;
    return vanishedSoFar(specs, machine, replay).filter(({ id }) => !this.#given.has(id));
  }

  #ask({ id, effect: { tool, step, request = '{}' } }: Leftover): void {
    this.#asked.add(id);
    const [first] = this.#held.values();
    const why =
      'the run that this one was forked from has done it, and this one does without it' +
      (first ? ` before its own ${first.request.tool} (effect ${first.request.id})` : '');
    const { dispatch, halt } = this.#parts;
    dispatch.ask({ id: `base:${id}`, tool, step, args: request }, why, ({ approved }) => {
      if (approved) this.#given.add(id);
      else halt(deniedStop(tool, id));
    });
  }
}

function deniedStop(tool: string, id: string): Stop {
  const message = `a person wants the fork not to do without ${tool}, effect ${id} of its base`;
  const hint = 'fork the base in another way: a preview says what that does without';
  return { ...stop(undefined, 4, 'PV5135', message, hint), status: 'cancelled' };
}
