/** What stands between a request and its beginning, for who goes through a run while it happens. */

/** Holds each effect until somebody has come to the place where the program asks for it. */
export class Gate {
  readonly #let = new Set<string>();
  readonly #held = new Map<string, ((isLate: boolean) => void)[]>();

  get isHolding(): boolean {
    return this.#held.size > 0;
  }

  /** Does what is to be done about an effect: at once, or late, when it is let through. */
  enter(effect: string, action: (isLate: boolean) => void): void {
    if (this.#let.has(effect)) {
      action(false);
      return;
    }
    const held = this.#held.get(effect) ?? [];
    this.#held.set(effect, [...held, action]);
  }

  /** The program no longer needs the effect. */
  drop(effect: string): void {
    this.#held.delete(effect);
  }

  /** Lets an effect begin, also where it is not asked for yet. */
  letThrough(effect: string): void {
    this.#let.add(effect);
    const held = this.#held.get(effect) ?? [];
    this.#held.delete(effect);
    for (const action of held) action(true);
  }
}
