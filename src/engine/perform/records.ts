/** What the journal is told of effects on their way: the events, made of jobs. Pure. */
import type { Outcome, Request } from '../../program/effect.ts';
import type { EventBody } from '../journal/journal.ts';
import type { KnownOutcome } from '../past/known-outcome.ts';
import type { Reused } from '../past/replay.ts';
import { type Job, jobHash, usageLeft } from './job.ts';

/**
 * An attempt begins: the one that `job.attempts` counts. The event is made when it is written,
 * which is after the call where nothing waits for it: hashing takes its time.
 */
export function started(job: Job): () => EventBody {
  const { request, attempts, triedAt, queuedAt, failed } = job;
  const { otherModel } = job;
  const standIn = standInOf(job);
  return () => {
    const event: Written<'effect.started'> = {
      type: 'effect.started',
      effect: request.id,
      attempt: attempts,
      tool: request.tool,
      step: request.step,
      hash: jobHash(job),
      queuedAt,
    };
    if (attempts === 1) event.request = shownRequest(job);
    if (request.handled) event.handled = true;
    if (failed) Object.assign(event, { failed, startedAt: triedAt });
    if (standIn !== undefined) event.standIn = standIn;
    if (otherModel !== undefined) event.model = otherModel;
    return event;
  };
}

/** Made key by key: each effect has two of them, and spreading what may be absent costs more. */
type Written<Type extends EventBody['type']> = {
  -readonly [Key in keyof Event<Type>]: Event<Type>[Key];
};

type Event<Type extends EventBody['type']> = Extract<EventBody, { readonly type: Type }>;

/** `by` is who has answered a question. */
export function settled(job: Job, outcome: Outcome, by?: string): EventBody {
  const { request, attempts, startedAt, warnings, sources } = job;
  const usage = usageLeft(job);
  const standIn = standInOf(job);
  const event: Written<'effect.settled'> = {
    type: 'effect.settled',
    effect: request.id,
    tool: request.tool,
    hash: jobHash(job),
    outcome,
    attempts,
    startedAt,
  };
  if (request.once !== undefined) event.once = request.once;
  if (by !== undefined) event.by = by;
  if (usage) event.usage = usage;
  if (warnings) event.warnings = warnings;
  if (sources && outcome.ok) event.sources = sources;
  if (standIn !== undefined) event.standIn = standIn;
  // What was denied has no start that could say so.
  if (request.handled && attempts === 0) event.handled = true;
  return event;
}

/** A fork takes over what its base has. */
export const reused = ({ id, tool, step, once }: Request, { hash, from }: Reused): EventBody => ({
  ...{ type: 'effect.reused', effect: id, tool, step, hash, from },
  ...(once === undefined ? {} : { once }),
});

/** It takes the outcome of another, which was performed for both. */
export function shared(job: Job, { effect: as, outcome }: KnownOutcome): EventBody {
  const { request, queuedAt } = job;
  return {
    type: 'effect.settled',
    effect: request.id,
    tool: request.tool,
    step: request.step,
    hash: jobHash(job),
    request: shownRequest(job),
    outcome,
    as,
    attempts: 0,
    startedAt: queuedAt,
    ...(request.handled ? { handled: true } : {}),
  };
}

export function unknown(job: Job, why: string): EventBody {
  const { request, attempts } = job;
  const { id: effect, tool } = request;
  const hash = jobHash(job);
  return { type: 'effect.unknown', effect, tool, hash, attempts, why };
}

export function cancelled(job: Job): EventBody {
  const { request, attempts } = job;
  const { id: effect, tool } = request;
  const usage = usageLeft(job);
  return { type: 'effect.cancelled', effect, tool, attempts, ...(usage ? { usage } : {}) };
}

const shownRequest = ({ own: { secret }, request: { args } }: Job): string =>
  secret ? secret.hide(args) : args;

const standInOf = ({ own, tool }: Job): string | undefined =>
  tool === own ? undefined : tool.spec.name;
