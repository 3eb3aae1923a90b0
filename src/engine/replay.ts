/**
 * Hands journaled outcomes to a machine that runs its program again, in the order in which they
 * were recorded: so whatever depended on that order comes out as it did.
 *
 * Invariants:
 * - Y1 An outcome is handed in only for a request whose hash is the recorded one.
 * - Y2 An outcome that nobody has asked for when its turn comes is passed over, and kept for a
 *   request that comes later: with a smaller window the program asks later than it did.
 */
import type { Outcome } from '../program/effect.ts';
import type { Past, PastEffect } from './past.ts';

export class Replay {
  readonly #past: Past;
  /** Outcomes that were asked for and whose turn has not come. */
  readonly #asked = new Map<string, Outcome>();
  #position: number;

  /** `position`: how many outcomes the machine has been handed before. */
  constructor(past: Past, position = 0) {
    this.#past = past;
    this.#position = position;
  }

  /** How many outcomes have had their turn. */
  get position(): number {
    return this.#position;
  }

  /** Whether every outcome has had its turn. */
  get over(): boolean {
    return this.#position >= this.#past.order.length;
  }

  /** What the journal knows of an effect that nobody has taken up yet. */
  find(effect: string): PastEffect | undefined {
    return this.#past.effects.get(effect);
  }

  /** Takes an effect up. Gives its outcome if its turn is over; later turns come by `next`. */
  take(effect: string, past: PastEffect): Outcome | undefined {
    this.#past.effects.delete(effect);
    if (!past.outcome || past.index < this.#position) return past.outcome;
    this.#asked.set(effect, past.outcome);
    return undefined;
  }

  /** The next outcome for the machine, which ignores what it no longer waits for. */
  next(): { readonly effect: string; readonly outcome: Outcome } | undefined {
    while (!this.over) {
      const effect = this.#past.order[this.#position++] ?? '';
      const outcome = this.#asked.get(effect);
      if (!outcome) continue;
      this.#asked.delete(effect);
      return { effect, outcome };
    }
    return undefined;
  }

  /** Settled effects of the journal that nobody has taken up. */
  unclaimed(): Iterable<[string, PastEffect]> {
    return this.#past.effects;
  }
}
