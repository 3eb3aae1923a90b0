/** What the journal is told of effects on their way: the events, made of tasks and races. Pure. */
import type { Outcome } from '../../program/effect.ts';
import type { EventBody } from '../journal/journal.ts';
import type { KnownOutcome } from '../past/known-outcome.ts';
import type { OpenRace } from './races.ts';
import { type Task, taskHash } from './task.ts';

/**
 * An attempt begins: the one that `task.attempts` counts. The event is made when it is written,
 * which is after the call where nothing waits for it: hashing takes its time.
 */
export function started(task: Task): () => EventBody {
  const { request, attempts, triedAt, queuedAt, failed } = task;
  const standIn = standInOf(task);
  return () => ({
    type: 'effect.started',
    effect: request.id,
    attempt: attempts,
    tool: request.tool,
    step: request.step,
    hash: taskHash(task),
    ...(attempts === 1 ? { request: shownRequest(task) } : {}),
    queuedAt,
    ...(request.handled ? { handled: true } : {}),
    ...(failed ? { failed, startedAt: triedAt } : {}),
    ...standIn,
  });
}

/** `by` is who has answered a question. */
export function settled(task: Task, outcome: Outcome, by?: string): EventBody {
  const { request, attempts, startedAt, usage, warnings } = task;
  const hash = taskHash(task);
  return {
    type: 'effect.settled',
    effect: request.id,
    tool: request.tool,
    hash,
    outcome,
    ...(request.once === undefined ? {} : { once: request.once }),
    ...(by === undefined ? {} : { by }),
    attempts,
    startedAt,
    ...(usage ? { usage } : {}),
    ...(warnings ? { warnings } : {}),
    ...standInOf(task),
    // What was denied has no start that could say so.
    ...(request.handled && attempts === 0 ? { handled: true } : {}),
  };
}

/** It takes the outcome of another, which was performed for both. */
export function shared(task: Task, { effect: as, outcome }: KnownOutcome): EventBody {
  const { request, queuedAt } = task;
  return {
    type: 'effect.settled',
    effect: request.id,
    tool: request.tool,
    step: request.step,
    hash: taskHash(task),
    request: shownRequest(task),
    outcome,
    as,
    attempts: 0,
    startedAt: queuedAt,
    ...(request.handled ? { handled: true } : {}),
  };
}

export function unknown(task: Task, why: string): EventBody {
  const { request, attempts } = task;
  const { id: effect, tool } = request;
  const hash = taskHash(task);
  return { type: 'effect.unknown', effect, tool, hash, attempts, why };
}

export function cancelled({ request, attempts, usage }: Task): EventBody {
  const { id: effect, tool } = request;
  return { type: 'effect.cancelled', effect, tool, attempts, ...(usage ? { usage } : {}) };
}

export function raceStarted({ request, hash, queuedAt }: OpenRace): EventBody {
  const { id: effect, tool, step, args } = request;
  return {
    type: 'effect.started',
    effect,
    attempt: 1,
    tool,
    step,
    hash,
    request: args,
    queuedAt,
    ...(request.handled ? { handled: true } : {}),
  };
}

export function raceSettled({ request, hash, queuedAt }: OpenRace, outcome: Outcome): EventBody {
  const { id: effect, tool } = request;
  const made = { effect, tool, hash, outcome };
  return { type: 'effect.settled', ...made, attempts: 1, startedAt: queuedAt };
}

const shownRequest = ({ own: { secret }, request: { args } }: Task): string =>
  secret ? secret.hide(args) : args;

const itself: { readonly standIn?: string } = {};

const standInOf = ({ own, tool }: Task): { readonly standIn?: string } =>
  tool === own ? itself : { standIn: tool.spec.name };
