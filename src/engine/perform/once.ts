/**
 * Calls that a run makes once: tasks of plans that ask a tool for the same, with nothing written in
 * between, have one outcome. The first is performed; those that come meanwhile wait for it, later
 * ones are given what it came to. Each is journaled under its own id, so a replay needs to know
 * nothing.
 *
 * - O1 Only a success is shared: behind a failure the next one is performed.
 * - O2 What is kept for those to come is bounded; what has been forgotten is performed again.
 */
import type { Outcome, Request } from '../../program/effect.ts';
import { type KnownOutcome, onceKey } from '../past/known-outcome.ts';
import type { Reused } from '../past/replay.ts';
import { type Job, jobHash } from './job.ts';

/** What comes of jobs that are asked for. */
export interface OnceHost {
  queue(job: Job): void;
  /** It takes the outcome of another. */
  share(job: Job, known: KnownOutcome): void;
}

interface Open {
  leader: string;
  readonly followers: Job[];
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

  accept(job: Job): void {
    const key = keyOf(job);
    const known = key === undefined ? undefined : this.#known.get(key);
    const open = key === undefined ? undefined : this.#open.get(key);
    if (known) this.#host.share(job, known);
    else if (open) open.followers.push(job);
    else {
      if (key !== undefined) this.#open.set(key, { leader: job.request.id, followers: [] });
      this.#host.queue(job);
    }
  }

  settled(job: Job, outcome: Outcome): void {
    const key = keyOf(job);
    const open = key === undefined ? undefined : this.#open.get(key);
    if (key === undefined || open?.leader !== job.request.id) return;
    if (!outcome.ok) {
      this.#pass(key, open);
      return;
    }
    this.#open.delete(key);
    const known = { effect: job.request.id, outcome };
    this.#keep(key, known);
    for (const one of open.followers) this.#host.share(one, known);
  }

  /** A fork has taken an outcome over: what asks for the same behind it is given that. */
  tookOver({ id: effect, once }: Request, { hash, outcome }: Reused): void {
    const key = onceKey(once, hash);
    if (key !== undefined && outcome.ok) this.#keep(key, { effect, outcome });
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
    const before = this.#known.get(key);
    this.#known.set(key, known);
    this.#kept += sizeOf(known) - (before ? sizeOf(before) : 0);
    for (const [oldest, one] of this.#known) {
      if (this.#kept <= keptMax) return;
      this.#known.delete(oldest);
      this.#kept -= sizeOf(one);
    }
  }
}

const keyOf = (job: Job): string | undefined =>
  job.request.once === undefined ? undefined : onceKey(job.request.once, jobHash(job));

const sizeOf = ({ outcome }: KnownOutcome): number =>
  overhead + (outcome.ok ? outcome.value.length : 0);
