/**
 * A person's consent to what a fork does without, of the writes that its base has done. What it
 * owns: the fork's own writes until there is consent. The write of the base goes by its id there,
 * `base:0#7`.
 *
 * - C1 A fork that is to ask performs no write while its base has done one that the fork has not
 *   asked for, nor will next, and that nobody has agreed to do without.
 * - C2 Nor does it end well.
 */
import type { Request } from '../../program/effect.ts';
import type { PastEffect } from '../past/past.ts';
import type { Leftover } from '../past/reuse.ts';
import { type Stop, stop } from '../stop.ts';
import type { Decision } from './person.ts';
import type { ToApprove } from './waiting-host.ts';

export interface ConsentParts {
  /** Writes of the base that the fork does without, as far as it has come. */
  readonly vanished: () => readonly Leftover[];
  readonly isWrite: (tool: string) => boolean;
  readonly ask: (what: ToApprove, why: string, decided: (decision: Decision) => void) => void;
  readonly perform: (request: Request, past: PastEffect | undefined) => void;
  readonly halt: (stop: Stop) => void;
}

interface Held {
  readonly request: Request;
  readonly past: PastEffect | undefined;
}

export class Consent {
  readonly #parts: ConsentParts;
  readonly #held = new Map<string, Held>();
  /** Ids that a person has been asked about, and those that are agreed to. */
  readonly #asked = new Set<string>();
  readonly #given = new Set<string>();

  constructor(parts: ConsentParts) {
    this.#parts = parts;
  }

  /** Keeps a write back; false for what is none. */
  hold(request: Request, past: PastEffect | undefined): boolean {
    if (!this.#parts.isWrite(request.tool)) return false;
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
    for (const { request, past } of held) this.#parts.perform(request, past);
    return held.length > 0 || fresh.length > 0;
  }

  #missing(): readonly Leftover[] {
    return this.#parts.vanished().filter(({ id }) => !this.#given.has(id));
  }

  #ask({ id, effect: { tool, step, request = '{}' } }: Leftover): void {
    this.#asked.add(id);
    const [first] = this.#held.values();
    const why =
      'the run that this one was forked from has done it, and this one does without it' +
      (first ? ` before its own ${first.request.tool} (effect ${first.request.id})` : '');
    this.#parts.ask({ id: `base:${id}`, tool, step, args: request }, why, ({ approved }) => {
      if (approved) this.#given.add(id);
      else this.#parts.halt(deniedStop(tool, id));
    });
  }
}

function deniedStop(tool: string, id: string): Stop {
  const message = `a person wants the fork not to do without ${tool}, effect ${id} of its base`;
  const hint = 'fork the base in another way: a preview says what that does without';
  return { ...stop(undefined, 4, 'PV5135', message, hint), status: 'cancelled' };
}
