/**
 * What the journal says of effects: of each its outcome and its attempts, what people were asked
 * about it and have assumed, and which of several have failed for good.
 */
import type { Outcome, Source } from '../../program/effect.ts';
import { encode, fromJson } from '../../program/json.ts';
import type { Usage } from '../handler.ts';
import type { RunEvent } from '../journal/journal.ts';

/** An answer to a question of a tool; `value` is canonical text. */
export interface GivenAnswer {
  readonly question: string;
  readonly value: string;
}

export const noAnswers: readonly GivenAnswer[] = [];

export interface PastEffect {
  readonly tool: string;
  step: string;
  hash: string;
  /** Canonical text of the arguments, once the first attempt is journaled. */
  request: string | undefined;
  attempts: number;
  queuedAt: number;
  startedAt: number;
  endedAt: number | undefined;
  /** `asked`: its tool has asked a person, and nothing is in doubt. */
  state: 'started' | 'asked' | 'settled' | 'unknown' | 'cancelled';
  /** The question of the tool, as its event has it, while there is no answer. */
  asking: string | undefined;
  /** What was answered, in order, to which question. */
  answers: readonly GivenAnswer[];
  /** Whether the program goes on with its failure, as with a value. */
  handled: boolean;
  outcome: Outcome | undefined;
  /** Canonical text of the parts of a stream. */
  readonly parts: string[];
  /** Why nobody knows, where it is unknown. */
  why: string | undefined;
  /** The tool that has performed it, where that is an alternative of `tool`. */
  standIn: string | undefined;
  /** The model that its last attempt asks, where that is not the run's own. */
  model: string | undefined;
  /** What its model calls have used, failed ones too. */
  usage: Usage | undefined;
  /** Where its outcome comes from, as far as its handler said. */
  sources: readonly Source[] | undefined;
  /** Position in `order`, where it is settled. */
  index: number;
  /** Number of the event that has its outcome. */
  seq: number | undefined;
  /** Of this run: numbers of its first event, and of the one that gave it its outcome. */
  readonly firstSeq: number;
  settledSeq: number | undefined;
  /** Of a fork: whether its base has performed it, before the fork's point or from there on. */
  origin: 'own' | 'base' | 'reused';
  /** The effect whose outcome it has taken, where it was not performed itself. */
  as: string | undefined;
  /** Whether the fork has been given this outcome in place of the one that was. */
  given: boolean;
  /** Whether the base of a fork has it as failed: whatever it was to do may have been done. */
  hasFailed?: true;
  /** Whether the base of a fork may have done it, so that it is asked about (K3). */
  readonly isInDoubt?: true;
}

/** Whether it may have happened, whatever its tool is. */
export const isInDoubt = ({ state, isInDoubt }: PastEffect): boolean =>
  isInDoubt === true || state === 'unknown';

/** Events from one to before another: states of then know an outcome that no longer counts. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/**
 * As if its failed attempts had been cancelled: their number and what they used stay. `seq` is the
 * event that says so.
 */
export function forget(
  past: {
    readonly effects: ReadonlyMap<string, PastEffect>;
    readonly order: string[];
    readonly lost: Stretch[];
  },
  id: string,
  seq: number,
): void {
  const effect = past.effects.get(id);
  if (!effect) return;
  if (effect.settledSeq !== undefined) past.lost.push({ from: effect.settledSeq, to: seq });
  effect.settledSeq = undefined;
  if (effect.index >= 0) past.order[effect.index] = '';
  effect.state = 'cancelled';
  effect.outcome = undefined;
  effect.sources = undefined;
  effect.index = -1;
  effect.asking = undefined;
  effect.answers = noAnswers;
}

/**
 * The effects whose failure has ended a run, or would have ended it next: those that no handler has
 * taken. A handled failure begins a new generation of a fiber's ids (`0#3`, then `0~1#1`), so these
 * are the failed ones of the last generation of their fiber, and of the fibers around it. A failure
 * that a fork was given is there on purpose.
 */
export function unhandledFailures(effects: ReadonlyMap<string, PastEffect>): string[] {
  const last = new Map<string, number>();
  for (const id of effects.keys()) {
    for (const [fiber, generation] of generationsIn(id)) {
      last.set(fiber, Math.max(generation, last.get(fiber) ?? 0));
    }
  }
  return [...effects].flatMap(([id, { outcome, handled, given }]) => {
    if (outcome?.ok !== false || given) return [];
    // A final one no handler has taken, wherever it stood.
    const counts = outcome.error.final || !handled;
    return counts && generationsIn(id).every(([fiber, own]) => last.get(fiber) === own) ? [id] : [];
  });
}

/** Of `0~1.2#3`: the fiber `0` in its generation 1, and its child `0~1.2` in generation 0. */
function generationsIn(id: string): [fiber: string, generation: number][] {
  const parts = id.slice(0, id.indexOf('#')).split('.');
  return parts.map((part, i) => {
    const [ordinal = '', generation = '0'] = part.split('~');
    return [[...parts.slice(0, i), ordinal].join('.'), Number(generation)];
  });
}

// What people have been asked to approve, and have decided, by the journal.

export interface PastApproval {
  readonly tool: string;
  readonly step: string;
  /** Canonical text of the arguments that it is about. */
  readonly request: string;
  readonly why: string;
  readonly state: 'requested' | 'granted' | 'denied';
  /** Who has decided; empty before. */
  readonly by: string;
  readonly note: string | undefined;
}

type ApprovalEvent = Extract<RunEvent, { type: `approval.${string}` }>;

export function readApproval(approvals: Map<string, PastApproval>, event: ApprovalEvent): void {
  const { effect } = event;
  if (event.type === 'approval.requested') {
    const { tool, step, request, why } = event;
    const undecided = { state: 'requested', by: '', note: undefined } as const;
    approvals.set(effect, { tool, step, request, why, ...undecided });
    return;
  }
  if (event.type === 'approval.withdrawn') approvals.delete(effect);
  const asked = approvals.get(effect);
  if (!asked || event.type === 'approval.withdrawn') return;
  const state = event.type === 'approval.granted' ? 'granted' : 'denied';
  approvals.set(effect, { ...asked, state, by: event.by, note: event.note });
}

// What calls have come to that a run makes once; see `Once`, which shares it.

export interface KnownOutcome {
  /** The effect that was performed. */
  readonly effect: string;
  readonly outcome: Outcome;
}

/** Keeps a success of what is made once; the latest where there are several. */
export function remember(
  known: Map<string, KnownOutcome>,
  effect: string,
  { once, hash, outcome }: OnceOutcome,
): void {
  const key = onceKey(once, hash);
  if (key !== undefined && outcome.ok) known.set(key, { effect, outcome });
}

export interface OnceOutcome {
  readonly once?: string | undefined;
  readonly hash: string;
  readonly outcome: Outcome;
}

/** How the outcome of a request is found again; undefined for what is performed each time. */
export function onceKey(once: string | undefined, hash: string): string | undefined {
  if (once === undefined) return undefined;
  // Nothing was written before most requests: those are known by their hash alone.
  return once === '' ? hash : `${once}\n${hash}`;
}

// What a person has decided about effects of which nobody knows whether they happened.

export type Assumption =
  /** It took effect; `value` is its result (JSON-like data), null where none is given. */
  | { readonly as: 'done'; readonly value?: unknown }
  /** It did not, and the program is told so. */
  | { readonly as: 'failed'; readonly message?: string }
  /** It did not, and is performed again. */
  | { readonly as: 'retry' };

/** One decision for all effects in doubt, or one per effect id. */
export type Assume = Assumption | ReadonlyMap<string, Assumption>;

export function assumptionFor(assume: Assume | undefined, effect: string): Assumption | undefined {
  if (assume === undefined || 'as' in assume) return assume;
  return assume.get(effect);
}

/** The outcome that a decision stands for. */
export function assumedOutcome(decision: Assumption & { as: 'done' | 'failed' }): Outcome {
  if (decision.as === 'done') return { ok: true, value: encode(fromJson(decision.value ?? null)) };
  const message = decision.message ?? 'it was in doubt, and decided to have failed';
  return { ok: false, error: { code: 'PV4007', message } };
}
