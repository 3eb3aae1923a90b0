/**
 * Abstract values of the analysis of origins: which things a value may be, or be made from. Things
 * are numbers: results of calls, containers and functions by the place that makes them, and one for
 * whatever nobody can follow. What a container may hold belongs to the container, so that two
 * variables with the same list see what is put into it through either.
 */
import type { Value } from '../program/value.ts';

export type Things = ReadonlySet<number>;

/** What stands on the abstract stack. */
export interface Held {
  readonly things: Things;
  /** Present where all of it is known. */
  readonly exact?: { readonly value: Value };
  /** Of a dict that was just made of these pairs. */
  readonly pairs?: readonly (readonly [key: Held, value: Held])[];
}

export const nothing: Things = new Set();

/** May be made from anything that the program has received. */
export const anything = 0;

/** May have been chosen among others by anything that the program has received. */
export const chosenByAnything = 1;

/** More work than this is not worth an answer: then everything may come from anywhere. */
const workMost = 20_000_000;

/** The program is too large, or too entangled, for the analysis. */
export class TooMuch extends Error {
  override readonly name = 'TooMuch';
}

/** The things there are, what each may hold, and whether anything was learned. */
export class Heap {
  changed = false;
  readonly #holds: Set<number>[] = [new Set(), new Set()];
  readonly #byPlace = new Map<string, number>();
  #work = 0;

  /** The thing that a place makes, whatever it is called there. */
  at(place: string): number {
    const known = this.#byPlace.get(place);
    if (known !== undefined) return known;
    const made = this.#holds.push(new Set()) - 1;
    this.#byPlace.set(place, made);
    this.changed = true;
    return made;
  }

  /** Each of `targets` may hold these from now on. */
  put(targets: Things, held: Things): void {
    for (const target of targets) this.add(this.#holds[target] ?? new Set(), held);
  }

  /** Adds to a set that only grows: that of a variable, or of what a container holds. */
  add(to: Set<number>, more: Things): void {
    this.charge(more.size);
    for (const one of more) {
      if (to.has(one)) continue;
      to.add(one);
      this.changed = true;
    }
  }

  /** Values, and all that they may hold, however deep. */
  within(values: Things): Things {
    const found = new Set(values);
    for (const one of found) {
      const held = this.#holds[one];
      this.charge(1 + (held?.size ?? 0));
      if (held) for (const other of held) found.add(other);
    }
    return found;
  }

  union(parts: readonly Things[]): Things {
    let all = nothing;
    for (const part of parts) all = this.#both(all, part);
    return all;
  }

  #both(one: Things, other: Things): Things {
    if (one === other || other.size === 0) return one;
    if (one.size === 0) return other;
    this.charge(one.size + other.size);
    const all = new Set(one);
    for (const thing of other) all.add(thing);
    return all.size === one.size ? one : all;
  }

  charge(units: number): void {
    this.#work += units;
    if (this.#work > workMost) throw new TooMuch('the program is too large to follow its values');
  }
}
