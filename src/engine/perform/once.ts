/**
 * Calls that a run makes once: tasks that ask a tool for the same, with nothing written in between,
 * have one outcome. The first is performed; those that come meanwhile wait for it, later ones are
 * given what it came to. Each is journaled under its own id, so a replay needs to know nothing.
 *
 * - O1 Only a success is shared: behind a failure the next one is performed.
 * - O2 What is kept for those to come is bounded; what has been forgotten is performed again.
 */
import type { Outcome } from '../../program/effect.ts';
import { type KnownOutcome, onceKey } from '../past/known-outcome.ts';
import { type Task, taskHash } from './task.ts';

/** What comes of tasks that are asked for. */
export interface OnceHost {
  queue(task: Task): void;
  /** It takes the outcome of another. */
  share(task: Task, known: KnownOutcome): void;
}

interface Open {
  leader: string;
  readonly followers: Task[];
}

/** Characters of outcomes that are kept, about; the oldest go first. */
const keptMax = 2 ** 24;
/** What an outcome takes beside its text. */
const overhead = 200;

export class Once {
  readonly #known: Map<string, KnownOutcome>;
  readonly #open = new Map<string, Open>();
  #kept = 0;

  readonly #host: OnceHost;

  /** `known`: what earlier processes have come to. */
  constructor(known: ReadonlyMap<string, KnownOutcome>, host: OnceHost) {
    this.#known = new Map(known);
    this.#host = host;
    for (const one of known.values()) this.#kept += sizeOf(one);
  }

  accept(task: Task): void {
    const key = keyOf(task);
    const known = key === undefined ? undefined : this.#known.get(key);
    const open = key === undefined ? undefined : this.#open.get(key);
    if (known) this.#host.share(task, known);
    else if (open) open.followers.push(task);
    else {
      if (key !== undefined) this.#open.set(key, { leader: task.request.id, followers: [] });
      this.#host.queue(task);
    }
  }

  settled(task: Task, outcome: Outcome): void {
    const key = keyOf(task);
    const open = key === undefined ? undefined : this.#open.get(key);
    if (key === undefined || open?.leader !== task.request.id) return;
    if (!outcome.ok) {
      this.#pass(key, open);
      return;
    }
    this.#open.delete(key);
    const known = { effect: task.request.id, outcome };
    this.#keep(key, known);
    for (const one of open.followers) this.#host.share(one, known);
  }

  /** The program no longer needs an effect. */
  drop(effect: string): void {
    for (const [key, open] of this.#open) {
      const at = open.followers.findIndex(({ request }) => request.id === effect);
      if (at >= 0) open.followers.splice(at, 1);
      if (open.leader !== effect) continue;
      this.#pass(key, open);
      return;
    }
  }

  /** The next one is performed in the place of the first. */
  #pass(key: string, open: Open): void {
    const next = open.followers.shift();
    if (!next) {
      this.#open.delete(key);
      return;
    }
    open.leader = next.request.id;
    this.#host.queue(next);
  }

  #keep(key: string, known: KnownOutcome): void {
    this.#known.set(key, known);
    this.#kept += sizeOf(known);
    for (const [oldest, one] of this.#known) {
      if (this.#kept <= keptMax) return;
      this.#known.delete(oldest);
      this.#kept -= sizeOf(one);
    }
  }
}

const keyOf = (task: Task): string | undefined =>
  task.request.once === undefined ? undefined : onceKey(task.request.once, taskHash(task));

const sizeOf = ({ outcome }: KnownOutcome): number =>
  overhead + (outcome.ok ? outcome.value.length : 0);
