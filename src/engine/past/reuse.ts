/**
 * What a fork can take over of its base beyond the point where it begins to differ: outcomes of
 * requests that it makes as well. One rule for forks by hand, revisions and repairs.
 *
 * - K1 Only an equal request takes an outcome: the one that has the same id, or else the first
 *   there is. So the k-th equal request takes the k-th outcome.
 * - K2 An outcome is taken once. Failed ones are not taken, unless a person has put them there.
 * - K3 An effect of the base of which nobody knows whether it happened is no reason to perform an
 *   equal request without asking; nor is one within which a run has begun to write.
 * - K4 What has failed in the base may have acted. Where a model has written the fork, an equal
 *   request of a tool that must not act twice is asked about (`perform/dispatch.ts`).
 */
import type { ToolSpec } from '../../program/effect.ts';
import type { ForkEdit } from '../journal/fork-edit.ts';
import type { PastEffect } from './past-effect.ts';

/** An effect of the base, from the fork's point on. */
export interface Leftover {
  readonly id: string;
  readonly effect: PastEffect;
  taken: boolean;
  /** Whether the base itself has left it over from its own base. */
  readonly old: boolean;
}

type Perform = NonNullable<ForkEdit['perform']>;

export class Reuse {
  readonly #all: readonly Leftover[];
  readonly #byId = new Map<string, Leftover>();
  readonly #byHash = new Map<string, Equals>();
  /** By the number of the event that has the outcome; several may have been given in one. */
  readonly #bySeq: ReadonlyMap<number | undefined, readonly Leftover[]>;
  readonly #perform: Perform;

  /** `effects` in the order in which the base has begun them, what is old behind all others. */
  constructor(effects: readonly Omit<Leftover, 'taken'>[], perform: Perform = 'missing') {
    this.#all = effects.map((one) => ({ ...one, taken: false }));
    this.#perform = perform;
    for (const one of this.#all) {
      if (!one.old) this.#byId.set(one.id, one);
      const { hash, state } = one.effect;
      const { all, doubtful } = this.#equals(hash);
      all.push(one);
      if (state === 'unknown' || state === 'started') doubtful.push(one);
    }
    this.#bySeq = Map.groupBy(this.#all, ({ effect }) => effect.seq);
  }

  /** Counts a request as made, however it is answered. */
  ask(hash: string): void {
    this.#equals(hash).asked++;
  }

  /** Takes an outcome for a request; undefined where it is to be performed. */
  take(id: string, hash: string, spec: ToolSpec | undefined): Leftover | undefined {
    const same = this.#same(id, hash);
    if (same?.effect.given) return taken(same);
    if (this.#perform === 'all') return undefined;
    if (this.#perform === 'models' && spec?.kind === 'model') return undefined;
    if (same?.effect.outcome?.ok) return taken(same);
    return taken(firstUsable(this.#equals(hash)));
  }

  /** Takes, of a race, the winner of the very same one: races that look alike are not equal. */
  takeRace(id: string, hash: string): Leftover | undefined {
    const same = this.#same(id, hash);
    if (same?.effect.given) return taken(same);
    const outcome = same?.effect.outcome;
    const won = outcome?.ok === true && outcome.value !== 'null';
    return this.#perform !== 'all' && won ? taken(same) : undefined;
  }

  /** Takes what an event of the fork says was taken. */
  takeFrom(id: string, hash: string, from: number): Leftover | undefined {
    const same = this.#same(id, hash);
    if (same?.effect.seq === from) return taken(same);
    const there = this.#bySeq.get(from) ?? [];
    return taken(there.find((one) => !one.taken && one.effect.hash === hash));
  }

  /** Takes an effect that may have happened, and must not twice, of an equal request (K3). */
  takeDoubt(id: string, hash: string, idempotent: boolean): Leftover | undefined {
    const doubts = this.#equals(hash).doubtful.filter(
      ({ taken, effect }) => !taken && (effect.state === 'unknown' || !idempotent),
    );
    return taken(doubts.find((one) => one.id === id) ?? doubts[0]);
  }

  /** Whether the base has performed an equal request. */
  has(hash: string): boolean {
    const all = this.#byHash.get(hash)?.all ?? [];
    return all.some(({ effect }) => effect.outcome?.ok === true);
  }

  /** Whether an equal request has failed in the base (K4). */
  hasFailed(hash: string): boolean {
    const all = this.#byHash.get(hash)?.all ?? [];
    return all.some(({ effect }) => effect.hasFailed === true);
  }

  /** What nobody has taken. */
  left(): Leftover[] {
    return this.#all.filter((one) => !one.taken);
  }

  /**
   * What the base itself has done, or may have done, and the fork has not asked for so far, nor is
   * about to: `coming` are hashes of what it will ask for next.
   */
  vanished(isWrite: (tool: string) => boolean, coming: readonly string[]): Leftover[] {
    return [...this.#byHash].flatMap(([hash, { all, asked }]) => {
      const done = all.filter(({ effect, old }) => !old && isWrite(effect.tool) && isDone(effect));
      const untaken = done.filter((one) => !one.taken);
      const wanted = asked + coming.filter((one) => one === hash).length;
      return untaken.slice(Math.max(0, wanted - (done.length - untaken.length)));
    });
  }

  #same(id: string, hash: string): Leftover | undefined {
    const same = this.#byId.get(id);
    return same && !same.taken && same.effect.hash === hash ? same : undefined;
  }

  #equals(hash: string): Equals {
    const known = this.#byHash.get(hash);
    if (known) return known;
    const made = { all: [], doubtful: [], next: 0, asked: 0 };
    this.#byHash.set(hash, made);
    return made;
  }
}

/** Of a fork that a model has written: what has failed in its base, by the hash of the request. */
export const failedBefore = ({
  writer,
  reuse,
}: {
  readonly writer: ForkEdit['by'];
  readonly reuse: Reuse | undefined;
}): ((hash: string) => boolean) | undefined =>
  writer === 'person' ? undefined : (hash) => reuse?.hasFailed(hash) === true;

/** Effects with the same request. */
interface Equals {
  readonly all: Leftover[];
  /** Those of which nobody knows whether they happened, unless they may happen twice. */
  readonly doubtful: Leftover[];
  /** Before this one, none is usable. */
  next: number;
  /** How often the fork has made the request. */
  asked: number;
}

function firstUsable(equals: Equals): Leftover | undefined {
  for (; equals.next < equals.all.length; equals.next++) {
    const one = equals.all[equals.next];
    if (one && !one.taken && !one.effect.given && one.effect.outcome?.ok) return one;
  }
  return undefined;
}

function taken(one: Leftover | undefined): Leftover | undefined {
  if (one) one.taken = true;
  return one;
}

const isDone = ({ outcome, state }: PastEffect): boolean =>
  outcome?.ok === true || state === 'unknown' || state === 'started';
