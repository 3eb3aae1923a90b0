/**
 * An effect on its way, queued, running or to be tried again, and what the journal is told of it.
 */
import type { EffectError, Outcome, Request, Source, ToolSpec } from '../../program/effect.ts';
import type { TimerHandle } from '../clock.ts';
import type { Handler, Usage } from '../handler.ts';
import type { EventBody, FailedAttempt } from '../journal/journal.ts';
import {
  type GivenAnswer,
  type KnownOutcome,
  noAnswers,
  type PastEffect,
} from '../past/past-effect.ts';
import type { Reused } from '../past/replay.ts';
import { hashOf } from '../settings.ts';
import { addUsage, type Met } from '../spent.ts';
import type { ArgumentReader, SecretArguments } from './arguments.ts';

/** A tool of the run, made ready once. */
export interface RunTool {
  readonly spec: ToolSpec;
  readonly handler: Handler;
  readonly read: ArgumentReader;
  /** Where it declares some of its parameters secret. */
  readonly secret?: SecretArguments | undefined;
  /** What in a result, as canonical text, does not fit what the tool says that it returns. */
  readonly misfits?: ((text: string) => readonly string[]) | undefined;
  /** Its alternatives, in their order, as far as this run has them. */
  readonly standIns?: (() => readonly RunTool[]) | undefined;
}

export interface Job {
  readonly request: Request;
  /** The one that the request names. */
  readonly own: RunTool;
  /** The one that performs it: another one where that has failed. */
  tool: RunTool;
  /** Those that have failed before this one, in their order. */
  instead: readonly { readonly tool: string; readonly error: EffectError }[];
  /** Of a call that a run makes once, where it is the one that is performed. */
  leads: SharedCall | undefined;
  /** For `jobHash`. */
  hash: string | undefined;
  readonly requestKey: string;
  /** Epoch milliseconds. */
  readonly queuedAt: number;
  /** Start of the first attempt in this process. */
  startedAt: number;
  place: 'queued' | 'running' | 'gone';
  /** Grows with each job that is queued. */
  order: number;
  /** Attempts begun, also by processes before this one. */
  attempts: number;
  /** How many of them processes before began, or other tools: no failures of this tool here. */
  attemptsBefore: number;
  /** The attempt under way; undefined before the first and between two. */
  attempt: { abort(reason: Error): void } | undefined;
  /** Ends the wait before the next attempt. */
  wait: TimerHandle | undefined;
  /** What it has used itself. */
  usage: Usage | undefined;
  /** What the runs within it have used, which counts while they go on. */
  innerUsage: Usage | undefined;
  /** Runs within it that go on now; see `Scheduler.lend`. */
  within: number;
  /** The part of that which the journal counts already. */
  readonly usedBefore: Usage | undefined;
  /** The budget that a run within it does not fit in, and whether it was alone then. */
  met: { readonly what: Met; readonly alone: boolean } | undefined;
  warnings: string[] | undefined;
  /** Where what the attempt returns comes from. */
  sources: Source[] | undefined;
  /** How the last attempt ended, where another is to follow. */
  failed: FailedAttempt | undefined;
  /** Start of the last attempt. */
  triedAt: number;
  /** Tokens set aside for it. */
  reserved: number;
  /** USD set aside for it. */
  reservedCost: number;
  /** The model that it asks, where that is not the run's own; known once it is admitted. */
  otherModel: string | undefined;
  /** What people have answered to questions of its tool. */
  answers: readonly GivenAnswer[];
  /** Of a stream, canonical text of the parts that are in the journal or on their way to it. */
  readonly parts: string[];
}

/** A call under way that a run makes once, with those that wait for what it comes to. */
export interface SharedCall {
  /** How it is found again: made once, as long as the call goes on. */
  readonly key: string;
  leader: string;
  /** In their order; made for the first. */
  followers: Job[] | undefined;
}

/** How a job ended. */
export type Ending =
  | { readonly kind: 'settled'; readonly outcome: Outcome }
  /** Nobody knows whether it took effect; `why` completes “nobody knows: …”. */
  | { readonly kind: 'unknown'; readonly why: string };

export const failing = (error: EffectError): Ending => ({
  kind: 'settled',
  outcome: { ok: false, error },
});

const none: Job['instead'] = [];

/** What a job is made with; `past` is what the journal has of it. */
export interface JobParts extends Pick<Job, 'request' | 'tool' | 'queuedAt' | 'requestKey'> {
  readonly past: Pick<PastEffect, 'attempts' | 'parts' | 'answers' | 'usage'> | undefined;
}

export function newJob({ request, tool, queuedAt, requestKey, past }: JobParts): Job {
  const attemptsBefore = past?.attempts ?? 0;
  return {
    request,
    own: tool,
    tool,
    instead: none,
    leads: undefined,
    hash: undefined,
    requestKey,
    queuedAt,
    startedAt: queuedAt,
    place: 'queued',
    order: 0,
    attempts: attemptsBefore,
    attemptsBefore,
    attempt: undefined,
    wait: undefined,
    usage: undefined,
    innerUsage: undefined,
    within: 0,
    usedBefore: past?.usage,
    met: undefined,
    warnings: undefined,
    sources: undefined,
    failed: undefined,
    triedAt: queuedAt,
    reserved: 0,
    reservedCost: 0,
    otherModel: undefined,
    answers: past?.answers ?? noAnswers,
    parts: past ? [...past.parts] : [],
  };
}

/**
 * What recognises the request; made when it is first asked for, which is after the call
 * where nothing waits for it.
 */
export function jobHash(job: Job): string {
  job.hash ??= hashOf(job.request, job.requestKey);
  return job.hash;
}

/** What it has used, with the runs within it. */
const usageOf = ({ usage, innerUsage }: Job): Usage | undefined =>
  innerUsage ? addUsage(usage, innerUsage) : usage;

/** A text about an effect, without what is secret in its arguments. */
export const withoutSecrets = ({ tool, request }: Job, text: string): string =>
  tool.secret ? tool.secret.cleanText(request.args, text) : text;

export function addWarning(job: Job, message: string): void {
  job.warnings ??= [];
  const said = withoutSecrets(job, message);
  // Each of several attempts may say the same.
  if (!job.warnings.includes(said)) job.warnings.push(said);
}

// What the journal is told of effects on their way: the events, made of jobs. Pure.

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
  const usage = usageOf(job);
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
  const usage = usageOf(job);
  return { type: 'effect.cancelled', effect, tool, attempts, ...(usage ? { usage } : {}) };
}

const shownRequest = ({ own: { secret }, request: { args } }: Job): string =>
  secret ? secret.hide(args) : args;

const standInOf = ({ own, tool }: Job): string | undefined =>
  tool === own ? undefined : tool.spec.name;

// What the outcome of a job is made from, as its handler says: kept beside the outcome, for whoever
// asks what an answer rests on. A source is said by a stranger as often as not, so it is bounded
// and cleaned here, once, before anything keeps it.

/** Of one effect. */
const sourcesMax = 100;
const urlCharactersMax = 2_048;
const titleCharactersMax = 300;

/** Notes a source of what the attempt returns; each address once, as it was named first. */
export function addSource(job: Job, { url, title, fetchedAt }: Source): void {
  // Handlers are code of others: a source that is none is left out, and said to be.
  if (typeof url !== 'string' || url === '') {
    addWarning(job, `${job.tool.spec.name} named a source without an address`);
    return;
  }
  job.sources ??= [];
  const address = clipped(job, withoutLogin(url), urlCharactersMax);
  if (job.sources.some((one) => one.url === address)) return;
  if (job.sources.length >= sourcesMax) {
    addWarning(job, `more than ${sourcesMax} sources: only the first are kept`);
    return;
  }
  const isTitled = typeof title === 'string' && title !== '';
  job.sources.push({
    url: address,
    ...(isTitled && { title: clipped(job, title, titleCharactersMax) }),
    ...(typeof fetchedAt === 'number' && Number.isFinite(fetchedAt) && { fetchedAt }),
  });
}

/** On one line, without what is secret in the arguments. */
function clipped(job: Job, text: string, most: number): string {
  const line = withoutSecrets(job, text)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}

/** An address may hold a name and a password, which are nobody's to read. */
const withoutLogin = (url: string): string =>
  url.replace(/^([a-z][a-z\d+.-]*:\/\/)[^/?#]*@/i, '$1');
