/** An effect on its way: queued, running or waiting to be tried again. */
import type { EffectError, Outcome, Request, Source, ToolSpec } from '../../program/effect.ts';
import type { TimerHandle } from '../clock.ts';
import type { Handler, Usage } from '../handler.ts';
import type { FailedAttempt } from '../journal/journal.ts';
import { type GivenAnswer, noAnswers, type PastEffect } from '../past/past-effect.ts';
import { hashOf } from '../request-hash.ts';
import { addUsage, lessUsage, type Met } from '../spent.ts';
import type { ArgumentReader } from './arguments.ts';
import type { SecretArguments } from './secret-arguments.ts';

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
  /** The part of what it has used itself that events on the way have said. */
  usageTold: Usage | undefined;
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
    usageTold: undefined,
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

/** What it has used, with the runs within it, beside what the journal was told on the way. */
export function usageLeft({ usage, usageTold, innerUsage }: Job): Usage | undefined {
  const own = usage && usageTold ? lessUsage(usage, usageTold) : usage;
  return innerUsage ? addUsage(own, innerUsage) : own;
}

/** A text about an effect, without what is secret in its arguments. */
export const withoutSecrets = ({ tool, request }: Job, text: string): string =>
  tool.secret ? tool.secret.cleanText(request.args, text) : text;

export function addWarning(job: Job, message: string): void {
  job.warnings ??= [];
  const said = withoutSecrets(job, message);
  // Each of several attempts may say the same.
  if (!job.warnings.includes(said)) job.warnings.push(said);
}
