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
import { type KnownOutcome, onceKey } from '../past/past-effect.ts';
import type { Reused } from '../past/replay.ts';
import { type Job, jobHash, type SharedCall } from './job.ts';

/** What comes of jobs that are asked for. */
export interface OnceHost {
  queue(job: Job): void;
  /** It takes the outcome of another. */
  share(job: Job, known: KnownOutcome): void;
}

/** How many outcomes are kept, and characters of them; the oldest go first. */
const keptMax = 2 ** 14;
const charactersMax = 2 ** 24;

export class Once {
  /** What earlier processes have come to, by hashes. */
  readonly #past: Map<string, KnownOutcome>;
  readonly #known = new Map<string, KnownOutcome>();
  readonly #open = new Map<string, SharedCall>();
  #characters = 0;

  readonly #host: OnceHost;

  /** `known`: what earlier processes have come to. */
  constructor(known: ReadonlyMap<string, KnownOutcome>, host: OnceHost) {
    this.#past = new Map(known);
    this.#host = host;
    for (const [key, one] of known) this.#characters += sizeOf(key, one);
  }

  accept(job: Job): void {
    const key = keyOf(job);
    if (key === undefined) {
      this.#host.queue(job);
      return;
    }
    const known = this.#known.get(key) ?? this.#knownBefore(job);
    const open = known ? undefined : this.#open.get(key);
    if (known) this.#host.share(job, known);
    else if (open) {
      open.followers ??= [];
      open.followers.push(job);
    } else {
      job.leads = { key, leader: job.request.id, followers: undefined };
      this.#open.set(key, job.leads);
      this.#host.queue(job);
    }
  }

  settled(job: Job, outcome: Outcome): void {
    const open = job.leads;
    if (open?.leader !== job.request.id) return;
    if (!outcome.ok) {
      this.#pass(open);
      return;
    }
    this.#open.delete(open.key);
    const known = { effect: job.request.id, outcome };
    this.#keep(open.key, known);
    for (const one of open.followers ?? []) this.#host.share(one, known);
  }

  /** A fork has taken an outcome over: what asks for the same behind it is given that. */
  tookOver(request: Request, { hash, outcome }: Reused): void {
    const key = callKey(request, () => hash);
    if (key !== undefined && outcome.ok) this.#keep(key, { effect: request.id, outcome });
  }

  #knownBefore(job: Job): KnownOutcome | undefined {
    if (this.#past.size === 0) return undefined;
    return this.#past.get(onceKey(job.request.once, jobHash(job)) ?? '');
  }

  /** The program no longer needs an effect; `job` is its own where that is queued or performed. */
  drop(effect: string, job: Job | undefined): void {
    const open = job ? job.leads : this.#openOf(effect);
    if (!open) return;
    if (open.leader === effect) {
      this.#pass(open);
      return;
    }
    open.followers = open.followers?.filter(({ request }) => request.id !== effect);
  }

  /** Of what follows another, or waits for somebody's approval. */
  #openOf(effect: string): SharedCall | undefined {
    for (const open of this.#open.values()) {
      const { leader, followers } = open;
      if (leader === effect || followers?.some(({ request }) => request.id === effect)) return open;
    }
    return undefined;
  }

  /** The next one is performed in the place of the first. */
  #pass(open: SharedCall): void {
    const next = open.followers?.shift();
    if (!next) {
      this.#open.delete(open.key);
      return;
    }
    open.leader = next.request.id;
    next.leads = open;
    this.#host.queue(next);
  }

  #keep(key: string, known: KnownOutcome): void {
    const before = this.#known.get(key);
    this.#known.set(key, known);
    this.#characters += sizeOf(key, known) - (before ? sizeOf(key, before) : 0);
    if (this.#isWithin) return;
    for (const kept of [this.#past, this.#known]) {
      for (const [oldest, one] of kept) {
        if (this.#isWithin) return;
        kept.delete(oldest);
        this.#characters -= sizeOf(oldest, one);
      }
    }
  }

  get #isWithin(): boolean {
    const { size } = this.#known;
    return size + this.#past.size <= keptMax && this.#characters <= charactersMax;
  }
}

const keyOf = (job: Job): string | undefined => callKey(job.request, () => jobHash(job));

/** Longer arguments are known by their hash. */
const argumentsMax = 1000;

/**
 * How a call is found again in this process; undefined for what is performed each time. A hash
 * would do for all, but most calls need theirs only once they have begun.
 */
function callKey({ once, tool, args }: Request, hash: () => string): string | undefined {
  if (once === undefined) return undefined;
  return args.length > argumentsMax ? onceKey(once, hash()) : `${once}\n${tool}\n${args}`;
}

const sizeOf = (key: string, { outcome }: KnownOutcome): number =>
  key.length + (outcome.ok ? outcome.value.length : 0);
