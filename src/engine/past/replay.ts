/**
 * Hands journaled outcomes to a machine that runs its program again, in the order in which they
 * were recorded: so whatever depended on that order comes out as it did. A fork takes over,
 * besides, what its base has of the requests that it makes as well.
 *
 * Invariants:
 * - Y1 An outcome is handed in only for a request whose hash is the recorded one.
 * - Y2 An outcome that nobody has asked for when its turn comes is passed over, and kept for a
 *   request that comes later: with a smaller window the program asks later than it did.
 */
import type { Machine } from '../../machine/machine.ts';
import { type Outcome, type Request, raceTool, type ToolSpec } from '../../program/effect.ts';
import type { Warning } from '../result.ts';
import { hashOf } from '../settings.ts';
import type { Past, PastEffect } from './past.ts';
import type { Leftover, Reuse } from './reuse.ts';

/** What the past has of a request. */
export type Known =
  /** Nothing, or nothing that counts any more: it is to be performed. */
  | { readonly kind: 'nothing' }
  /** It was begun; `outcome` is not there. */
  | { readonly kind: 'begun'; readonly past: PastEffect }
  /** Its outcome is to be handed in: now, or when `next` gives it. */
  | { readonly kind: 'settled'; readonly past: PastEffect; readonly outcome: Outcome | undefined }
  /** The base has the outcome, from event `from`; this run does not know it yet. */
  | {
      readonly kind: 'reused';
      readonly past: PastEffect;
      readonly outcome: Outcome;
      readonly hash: string;
      readonly from: number;
    }
  /** The journal has another request by this id. */
  | { readonly kind: 'other'; readonly past: PastEffect };

/** What is going to be asked for. */
export type Asked = Pick<Request, 'tool' | 'args'>;

export type Reused = Extract<Known, { kind: 'reused' }>;

const nothing: Known = { kind: 'nothing' };

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

  /** Takes up what there is for a request; `spec` declares its tool, unless it is a race. */
  answer(request: Request, spec: ToolSpec | undefined): Known {
    const { effects, reuse, requestKey } = this.#past;
    const recorded = effects.get(request.id);
    if (!recorded && !reuse) return nothing;
    const past = recorded && request.stream ? withParts(recorded) : recorded;
    const hash = hashOf(request, requestKey);
    if (past?.origin !== 'base') reuse?.ask(hash);
    if (!past) return reuse ? inherit(reuse, request, hash, spec) : nothing;
    if (past.hash !== hash) return { kind: 'other', past };
    this.#past.effects.delete(request.id);
    if (!past.outcome) return { kind: 'begun', past };
    if (past.index < this.#position) return { kind: 'settled', past, outcome: past.outcome };
    this.#asked.set(request.id, past.outcome);
    return { kind: 'settled', past, outcome: undefined };
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

  /** Nobody waits for this outcome any more: its turn is passed over. */
  drop(effect: string): void {
    this.#asked.delete(effect);
  }

  /** Whether the journal has effects that nobody has taken up. */
  get hasUnclaimed(): boolean {
    return this.#past.effects.size > 0;
  }

  /** Effects of the journal that nobody has taken up. */
  unclaimed(): Iterable<[string, PastEffect]> {
    return this.#past.effects;
  }

  /** What the base of a fork has done, or may have, and the fork has not asked for so far. */
  vanished(isWrite: (tool: string) => boolean, coming: readonly Asked[] = []): Leftover[] {
    const { reuse, requestKey } = this.#past;
    const hashes = coming.map((one) => hashOf(one, requestKey));
    return reuse?.vanished(isWrite, hashes) ?? [];
  }
}

type Begun = Exclude<Known, { kind: 'nothing' | 'other' }>;

/** Hands in what there is of an effect that was taken up; true where that is anything. */
export function handKnown(machine: Machine, effect: string, known: Begun): boolean {
  const { parts } = known.past;
  for (const [index, part] of parts.entries()) machine.part(effect, index, part);
  const outcome = known.kind === 'begun' ? undefined : known.outcome;
  if (outcome) machine.settle(effect, outcome);
  return isHandedIn(known);
}

/** Whether there is anything of it to hand in when it is asked for. */
export const isHandedIn = (known: Begun): boolean =>
  known.past.parts.length > 0 || (known.kind !== 'begun' && known.outcome !== undefined);

/** What a request takes over of the fork's base. */
function inherit(
  reuse: Reuse,
  { id, race, stream }: Request,
  hash: string,
  spec: ToolSpec | undefined,
): Known {
  const found = race ? reuse.takeRace(id, hash) : reuse.take(id, hash, spec);
  const { outcome, seq: from } = found?.effect ?? {};
  if (found && outcome && from !== undefined) {
    const past = stream ? withParts(found.effect) : found.effect;
    return { kind: 'reused', past, outcome, hash, from };
  }
  const doubt = race ? undefined : reuse.takeDoubt(id, hash, spec?.idempotent ?? false);
  return doubt ? { kind: 'begun', past: inDoubt(doubt.effect) } : nothing;
}

/** A call that gave all at once gives, as a stream, one part; so does what a fork was given. */
function withParts(past: PastEffect): PastEffect {
  const { parts, outcome } = past;
  const isOne = parts.length === 0 && outcome?.ok && !['null', '[]'].includes(outcome.value);
  return isOne ? { ...past, parts: [outcome.value] } : past;
}

/** As a fork sees it whose journal does not have it. */
function inDoubt(past: PastEffect): PastEffect {
  const why = past.why ?? 'the run that this one was forked from never learned of its end';
  return { ...past, state: 'started', attempts: 0, parts: [], why, isInDoubt: true };
}

// What has come for the machine: the outcome of an effect, or a part of one that streams.

export type Arrival =
  | { readonly effect: string; readonly outcome: Outcome }
  | { readonly effect: string; readonly index: number; readonly part: string };

export function handIn(machine: Machine, arrival: Arrival): void {
  if ('outcome' in arrival) machine.settle(arrival.effect, arrival.outcome);
  else machine.part(arrival.effect, arrival.index, arrival.part);
}

/** What comes of an effect all at once. */
export const arrivalsOf = (
  effect: string,
  parts: readonly string[],
  outcome: Outcome,
): readonly Arrival[] => [
  ...parts.map((part, index) => ({ effect, index, part })),
  { effect, outcome },
];

export const isFailure = (arrival: Arrival): boolean => 'outcome' in arrival && !arrival.outcome.ok;

// What the base of a fork has done to the world and the fork does not ask for.

/** A tool that is not declared is taken for one that writes; a race does nothing. */
export const writes =
  (specs: ReadonlyMap<string, ToolSpec>) =>
  (tool: string): boolean =>
    tool !== raceTool && (specs.get(tool)?.effect ?? 'write') === 'write';

/**
 * What it has not asked for so far, and will not next: the machine goes ahead of a write that has
 * not begun, so it may have issued what it asks for behind that.
 */
export function vanishedSoFar(
  specs: ReadonlyMap<string, ToolSpec>,
  machine: Machine,
  from: { vanished(...of: Parameters<Replay['vanished']>): readonly Leftover[] },
): readonly Leftover[] {
  const isWrite = writes(specs);
  // What is open, or over, has been asked for.
  const coming = machine
    .inspect()
    .lines.flatMap(({ open }) => open)
    .flatMap(({ state, name, args }) =>
      state === 'ready' && args !== undefined && isWrite(name) ? [{ tool: name, args }] : [],
    );
  return from.vanished(isWrite, coming);
}

export function vanishedWarnings(
  replay: Replay,
  specs: ReadonlyMap<string, ToolSpec>,
): readonly Warning[] {
  return replay.vanished(writes(specs)).map(({ id, effect }) => ({
    message:
      `the base has done ${effect.tool} ${effect.request ?? ''} (effect ${id}), ` +
      'which this program does not ask for: it stays done',
    step: effect.step,
    hint: 'undo it by hand where it is not wanted',
  }));
}
