/**
 * What a run's journal says of it, as resuming needs it: the outcome or state of every effect, what
 * was spent, how long it ran. Pure; reads events, asks nobody.
 */
import type { Outcome } from '../program/effect.ts';
import type { Limits } from '../program/limits.ts';
import { nothingSpent, type Spent, spend } from './budget.ts';
import type { Usage } from './handler.ts';
import type { RunEvent, RunRecord } from './journal.ts';
import { readLimits } from './settings.ts';
import { addUsage } from './task.ts';
import type { AnswerVerdict } from './verdict.ts';

export interface Past {
  readonly record: RunRecord | undefined;
  readonly program: LoadedProgram | undefined;
  /** By effect id. Whoever takes an effect up again deletes it here: what is left is unclaimed. */
  readonly effects: Map<string, PastEffect>;
  /** Ids of settled effects in the order of their outcomes; empty for one that no longer counts. */
  readonly order: readonly string[];
  /** Messages that were released. */
  readonly emits: number;
  readonly spent: Spent;
  readonly warnings: readonly EffectWarning[];
  /** What was said of its answers, oldest first. */
  readonly verdicts: readonly AnswerVerdict[];
  /** Limits that were raised on resuming. */
  readonly raised: Partial<Limits>;
  /** Milliseconds for which a process has had the run. */
  readonly wallMs: number;
}

type EventOf<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>;

export type LoadedProgram = EventOf<'program.loaded'> | EventOf<'program.replaced'>;

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
  state: 'started' | 'settled' | 'unknown' | 'cancelled';
  /** Whether the program goes on with its failure, as with a value. */
  handled: boolean;
  outcome: Outcome | undefined;
  /** Canonical text of the parts of a stream. */
  readonly parts: string[];
  /** Why nobody knows, where it is unknown. */
  why: string | undefined;
  /** What its model calls have used, failed ones too. */
  usage: Usage | undefined;
  /** Position in `order`, where it is settled. */
  index: number;
}

export interface EffectWarning {
  readonly effect: string;
  readonly step: string;
  readonly message: string;
}

export function readPast(events: readonly RunEvent[]): Past {
  const reading: Reading = {
    record: undefined,
    program: undefined,
    effects: new Map(),
    order: [],
    emits: 0,
    spent: nothingSpent(),
    warnings: [],
    verdicts: [],
    raised: {},
    wallMs: 0,
    outcomes: new Map(),
  };
  let since = events[0]?.at ?? 0;
  let last = since;
  for (const event of events) {
    if (event.type === 'run.resumed') {
      reading.wallMs += last - since;
      since = event.at;
    }
    last = event.at;
    read(reading, event);
  }
  reading.wallMs += last - since;
  return reading;
}

type Reading = { -readonly [K in keyof Past]: Past[K] } & {
  order: string[];
  warnings: EffectWarning[];
  /** Outcomes by the number of their event. */
  readonly outcomes: Map<number, Outcome>;
  verdicts: AnswerVerdict[];
};

function read(past: Reading, event: RunEvent): void {
  switch (event.type) {
    case 'run.started':
      past.record = event.run;
      return;
    case 'run.forked':
      past.record = event.run;
      // Those were about the answers of its base.
      past.verdicts = [];
      return;
    case 'program.loaded':
    case 'program.replaced':
      past.program = event;
      return;
    case 'effect.started':
      readStarted(past, event);
      return;
    case 'effect.settled':
      readSettled(past, event);
      return;
    case 'effect.reused':
      readReused(past, event);
      return;
    case 'effect.part':
      effectOf(past, event).parts[event.index] = event.value;
      return;
    case 'effect.unknown': {
      const effect = effectOf(past, event);
      effect.state = 'unknown';
      effect.endedAt = event.at;
      effect.why = event.why;
      effect.hash = event.hash;
      return;
    }
    case 'effect.cancelled': {
      const effect = effectOf(past, event);
      effect.state = 'cancelled';
      effect.endedAt = event.at;
      use(past, effect, event.usage);
      return;
    }
    case 'answer.judged':
      past.verdicts.push(event);
      return;
    case 'message.emitted':
      past.emits++;
      return;
    case 'limit.raised':
      past.raised = { ...past.raised, ...readLimits(event.limits) };
      return;
    case 'run.resumed':
      for (const id of event.again ?? []) forget(past, id);
      return;
    case 'approval.requested':
    case 'approval.granted':
    case 'approval.denied':
    case 'limit.reached':
    case 'run.finished':
    case 'run.failed':
    case 'run.waiting':
    case 'run.suspended':
    case 'run.cancelled':
      return;
  }
}

function readStarted(past: Reading, event: EventOf<'effect.started'>): void {
  const effect = effectOf(past, event);
  effect.state = 'started';
  effect.endedAt = undefined;
  effect.attempts = event.attempt;
  effect.request ??= event.request;
  effect.hash = event.hash;
  effect.handled = event.handled ?? false;
}

function readSettled(past: Reading, event: EventOf<'effect.settled'>): void {
  const effect = effectOf(past, event);
  effect.state = 'settled';
  effect.attempts = event.attempts;
  effect.startedAt = event.startedAt;
  effect.endedAt = event.at;
  effect.hash = event.hash;
  effect.outcome = event.outcome;
  effect.index = past.order.push(event.effect) - 1;
  past.outcomes.set(event.seq, event.outcome);
  use(past, effect, event.usage);
  for (const message of event.warnings ?? []) {
    past.warnings.push({ effect: event.effect, step: effect.step, message });
  }
}

/** Its outcome is another's; nothing was performed, so nothing was spent. */
function readReused(past: Reading, event: EventOf<'effect.reused'>): void {
  const effect = effectOf(past, event);
  effect.state = 'settled';
  effect.endedAt = event.at;
  effect.hash = event.hash;
  effect.outcome = past.outcomes.get(event.from);
  effect.index = past.order.push(event.effect) - 1;
}

function use(past: Reading, effect: PastEffect, usage: Usage | undefined): void {
  if (!usage) return;
  spend(past.spent, usage);
  effect.usage = effect.usage ? addUsage(effect.usage, usage) : usage;
}

/** As if its failed attempts had been cancelled: their number and what they used stay. */
function forget(past: Reading, id: string): void {
  const effect = past.effects.get(id);
  if (!effect) return;
  if (effect.index >= 0) past.order[effect.index] = '';
  effect.state = 'cancelled';
  effect.outcome = undefined;
  effect.index = -1;
}

/**
 * The effects whose failure has ended a run, or would have ended it next: those that no handler has
 * taken. A handled failure begins a new generation of a fiber's ids (`0#3`, then `0~1#1`), so these
 * are the failed ones of the last generation of their fiber, and of the fibers around it.
 */
export function unhandledFailures({ effects }: Past): string[] {
  const last = new Map<string, number>();
  for (const id of effects.keys()) {
    for (const [fiber, generation] of generationsIn(id)) {
      last.set(fiber, Math.max(generation, last.get(fiber) ?? 0));
    }
  }
  return [...effects].flatMap(([id, { outcome, handled }]) => {
    const counts = outcome?.ok === false && !handled;
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

function effectOf(
  past: Reading,
  event: Extract<RunEvent, { effect: string; tool: string }>,
): PastEffect {
  const known = past.effects.get(event.effect);
  if (known) return known;
  const made: PastEffect = {
    tool: event.tool,
    step: 'step' in event ? event.step : '',
    hash: '',
    request: undefined,
    attempts: 0,
    queuedAt: event.type === 'effect.started' ? event.queuedAt : event.at,
    startedAt: event.at,
    endedAt: undefined,
    state: 'started',
    handled: false,
    outcome: undefined,
    parts: [],
    why: undefined,
    usage: undefined,
    index: -1,
  };
  past.effects.set(event.effect, made);
  past.spent.effects++;
  return made;
}
