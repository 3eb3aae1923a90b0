/** What the journal says of one effect, and which of several have failed for good. */
import type { Outcome, Source } from '../../program/effect.ts';
import type { Usage } from '../handler.ts';

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
