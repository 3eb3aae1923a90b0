/**
 * How many instructions the machine runs before others get their turn. A plan of tasks begins with
 * few: what it starts with need not wait until all of it has been asked for. Nothing in a plan
 * fails so that what stood behind it was never asked for; any other program runs on.
 */
import type { Program } from '../program/program.ts';
import { isPlan } from '../program/task.ts';

const most = 100_000;
const mostOfPlan = 1_000;

export class Slice {
  readonly #least: number;
  #size: number;

  constructor(program: Program) {
    this.#least = isPlan(program) ? mostOfPlan : most;
    this.#size = this.#least;
  }

  get instructions(): number {
    return this.#size;
  }

  /** One is over, and the machine has more to do. */
  grow(): void {
    this.#size = Math.min(most, 2 * this.#size);
  }

  /** The machine has come to where it waits. */
  reset(): void {
    this.#size = this.#least;
  }
}
