/**
 * The one driver for attempts at an effect: arguments, call, timeout, retry, result. Handlers do
 * one attempt each; retry counts and outcomes are therefore the same whoever runs the engine.
 *
 * Invariants:
 * - A1 A job ends once: what an attempt does after it was given up is neither seen nor counted.
 *   What it says that it has used while it hears of that is the last of it.
 * - A2 Giving an attempt up never waits for its handler.
 * - A3 A retry happens only where it cannot do anything twice (see `judge`).
 */
import { bareError } from '../../machine/values/fault.ts';
import { thrownText } from '../../program/diagnostic.ts';
import type { EffectError, Outcome, Source, ToolSpec } from '../../program/effect.ts';
import { decode, GuestValue, toJson } from '../../program/json.ts';
import type { Limits } from '../../program/limits.ts';
import type { Refusal } from '../budget.ts';
import type { DispatchParts } from '../execution-parts.ts';
import {
  AnswerNeeded,
  type Arguments,
  type AttemptContext,
  EffectFailure,
  type InnerRun,
  type Question,
  type RunAbout,
  type Usage,
} from '../handler.ts';
import { addUsage, soundUsage } from '../spent.ts';
import { outcomeOf } from './arguments.ts';
import type { Deadline, Deadlines } from './deadlines.ts';
import { addSource, addWarning, type Ending, type Job, jobHash, withoutSecrets } from './job.ts';
import { LimitMet, questionText } from './within.ts';

/** What an attempt needs of the execution it belongs to. */
export interface AttemptHost {
  readonly parts: DispatchParts;
  readonly deadlines: Deadlines;
  /** An attempt is over; `failure` is undefined where it gave a result. */
  tried(job: Job, failure: EffectFailure | undefined): void;
  ended(job: Job, ending: Ending): void;
  /** The wait before the next attempt is over: the job is to be performed again. */
  again(job: Job): void;
  /** Its tool has asked a person and ended the attempt: it is performed again with the answer. */
  asked(job: Job, question: Question): void;
  /** A run within it has met a budget of the run: it is performed again where there is more. */
  limited(job: Job, refusal: Refusal): void;
  progress(job: Job, text: string): void;
  /** It has failed, and is performed again in so many milliseconds. */
  retries(job: Job, message: string, waitMs: number): void;
  /** Makes the outcome by a run within the effect. */
  inner(job: Job, context: AttemptContext, run: InnerRun): Promise<unknown>;
  /** A part that the journal does not have; `text` is canonical. */
  part(job: Job, text: string): void;
}

/** Performs the attempt that `job.attempts` counts. */
export function perform(job: Job, host: AttemptHost): void {
  const { args, errors, warnings } = job.tool.read(job.request.args);
  if (job.attempts === job.attemptsBefore + 1) {
    for (const warning of warnings) addWarning(job, `${job.request.tool} ${warning}`);
  }
  if (errors.length > 0) {
    fail(job, host, wrongArguments(job, errors));
    return;
  }
  const attempt = new Attempt(job, host);
  job.attempt = attempt;
  attempt.begin(args);
}

/**
 * Gives a running job up. True when its attempt may have acted and nobody will know whether it
 * did.
 */
export function giveUp(job: Job, host: AttemptHost, reason: string): boolean {
  if (job.wait) host.parts.clock.cancel(job.wait);
  job.wait = undefined;
  const { attempt } = job;
  attempt?.abort(new DOMException(reason, 'AbortError'));
  job.attempt = undefined;
  return attempt !== undefined && !job.tool.spec.idempotent;
}

/** How many times its limit an attempt may last that goes on reporting progress. */
const extensionsMax = 10;

class Attempt implements AttemptContext, Deadline {
  readonly attempt: number;
  readonly timeoutMs: number;
  readonly #job: Job;
  readonly #host: AttemptHost;
  deadlineAt: number = Infinity;
  /** No progress keeps it alive for longer; by the uptime of the clock. */
  #endsAt = Infinity;
  /** Made when a handler asks for it: most never do, and it is what an attempt costs most. */
  #controller: AbortController | undefined;
  #reason: unknown;
  /** How many parts attempts before it have reported. */
  readonly #partsBefore: number;
  /** How many parts it has reported. */
  #parts = 0;
  /** What it has asked, in order. */
  #asked: readonly string[] | undefined;
  #over = false;
  /** While its handler hears that it is over. */
  #hears = false;

  constructor(job: Job, host: AttemptHost) {
    this.#job = job;
    this.#host = host;
    this.attempt = job.attempts;
    this.#partsBefore = job.parts.length;
    const { limits, price } = job.tool.spec;
    this.timeoutMs = limits?.timeoutMs ?? host.parts.limits.timeoutMs;
    if (price) this.use({ modelCalls: 0, inputTokens: 0, outputTokens: 0, cost: price.perCall });
  }

  get run(): string {
    return this.#host.parts.lease.run;
  }

  get effect(): string {
    return this.#job.request.id;
  }

  get step(): string {
    return this.#job.request.step;
  }

  get barrier(): boolean {
    return this.#job.request.barrier ?? false;
  }

  get earlier(): readonly GuestValue[] {
    const texts = this.#job.parts.slice(0, this.#partsBefore);
    return texts.map((text) => new GuestValue(decode(text)));
  }

  get queuedAt(): number {
    return this.#job.queuedAt;
  }

  get idempotencyKey(): string {
    return `${this.run}/${this.effect}/${jobHash(this.#job)}`;
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    return this.#controller.signal;
  }

  use(usage: Usage): void {
    if (this.#over && !this.#hears) return;
    const { sound, refused } = soundUsage(usage);
    this.#job.usage = addUsage(this.#job.usage, sound);
    if (refused.length === 0) return;
    const counts = refused.join(', ');
    addWarning(this.#job, `${this.#job.request.tool} has reported ${counts}, which counts as none`);
  }

  // Handlers take these two out of their context, and call them without it.
  readonly progress = (text: string): void => {
    if (!this.#over) this.#host.progress(this.#job, withoutSecrets(this.#job, text));
  };

  readonly warn = (message: string): void => {
    if (!this.#over) addWarning(this.#job, message);
  };

  part(value: unknown): void {
    const { request, tool, parts } = this.#job;
    if (this.#over || !request.stream) return;
    const returned = outcomeOf(tool.spec, value, this.#host.parts.limits.valueBytes);
    const made = cleaned(this.#job, returned);
    if (!made.ok) {
      this.#giveUp(made.error);
      return;
    }
    const before = parts[this.#parts++];
    if (before === undefined) this.#host.part(this.#job, made.value);
    else if (before !== made.value) this.#giveUp(otherParts(this.#job));
  }

  /** Nobody listens but those who stand between an attempt and its handler. */
  finish(): void {}

  source(source: Source): void {
    if (!this.#over) addSource(this.#job, source);
  }

  /** What was answered to the question; as often as it is asked, the next answer. */
  async ask(question: Question): Promise<{ readonly value: unknown } | undefined> {
    const text = questionText(question);
    const answers = this.#job.answers.filter((one) => one.question === text);
    const before = this.#asked?.filter((one) => one === text).length ?? 0;
    this.#asked = [...(this.#asked ?? []), text];
    const answer = answers[before];
    return answer && { value: toJson(decode(answer.value)) };
  }

  extend(): void {
    if (this.#over) return;
    this.#host.deadlines.remove(this);
    this.#limit();
  }

  #limit(): void {
    if (this.timeoutMs === Infinity) return;
    const left = this.#endsAt - this.#host.parts.clock.uptime();
    this.#host.deadlines.add(this, Math.max(0, Math.min(this.timeoutMs, left)));
  }

  /**
   * What the inner run does has times of its own; those of the attempt begin anew behind it. What
   * the run has to wait for ends the attempt, whatever the handler makes of that.
   */
  async inner(run: InnerRun): Promise<unknown> {
    this.#host.deadlines.remove(this);
    const began = this.#host.parts.clock.uptime();
    try {
      return await this.#host.inner(this.#job, this, run);
    } catch (error) {
      if (error instanceof LimitMet || error instanceof AnswerNeeded) this.#failed(error);
      throw error;
    } finally {
      this.#endsAt += this.#host.parts.clock.uptime() - began;
      this.extend();
    }
  }

  get limits(): Limits {
    return this.#host.parts.limits;
  }

  about(): RunAbout {
    return this.#host.parts.inner.about(this.run, this.effect);
  }

  begin(args: Arguments): void {
    const { tool } = this.#job;
    // What an attempt before it was made from is of no matter, unless parts of it were taken.
    if (this.#partsBefore === 0) this.#job.sources = undefined;
    this.#endsAt = this.#host.parts.clock.uptime() + extensionsMax * this.timeoutMs;
    this.#limit();
    let answer: Promise<unknown>;
    try {
      answer = Promise.resolve(tool.handler.perform(args, this));
    } catch (thrown) {
      answer = Promise.reject(thrown);
    }
    answer.then(
      (value) => this.#answered(value),
      (thrown) => this.#failed(thrown),
    );
  }

  /** Ends it from outside; the handler hears of it by its signal. */
  abort(reason: Error): void {
    if (!this.#finish()) return;
    this.#reason = reason;
    this.#hears = true;
    this.#controller?.abort(reason);
    this.#hears = false;
  }

  #answered(value: unknown): void {
    const { request, tool, parts } = this.#job;
    if (request.stream || parts.length > 0) this.#endStream(value);
    if (!this.#finish()) return;
    const outcome = outcomeOf(tool.spec, value, this.#host.parts.limits.valueBytes);
    const hasType = tool.misfits && outcome.ok && !request.stream;
    if (hasType) this.#tellMisfits(tool.misfits(outcome.value));
    this.#host.tried(this.#job, undefined);
    this.#host.ended(this.#job, { kind: 'settled', outcome: cleaned(this.#job, outcome) });
  }

  /** What a stream gives all at once is one part; one that was cut off has to give all it gave. */
  #endStream(value: unknown): void {
    if (this.#parts === 0 && !isNothing(value)) this.part(value);
    if (!this.#over && this.#parts < this.#job.parts.length) {
      this.#giveUp(otherParts(this.#job));
    }
  }

  /** A declaration that is off makes no result wrong: the program has it all the same. */
  #tellMisfits(misfits: readonly string[]): void {
    const { tool } = this.#job;
    if (misfits.length === 0) return;
    const shown = misfits.slice(0, 3).join('; ');
    const more = misfits.length > 3 ? ` and ${misfits.length - 3} more` : '';
    addWarning(this.#job, `${tool.spec.name} returned what it does not declare: ${shown}${more}`);
  }

  #failed(thrown: unknown): void {
    if (!this.#finish()) return;
    failAttempt(this.#job, this.#host, asFailure(thrown, this.#job.tool.spec.name));
  }

  /** Ends it as failed, whatever its handler still does; its tool is there, by what it said. */
  #giveUp(error: EffectError): void {
    this.abort(new DOMException(error.message, 'AbortError'));
    this.#host.tried(this.#job, undefined);
    fail(this.#job, this.#host, error);
  }

  timeOut(): void {
    const { timeoutMs } = this;
    const { request, tool } = this.#job;
    const { spec, handler } = tool;
    const model = handler.model?.(tool.read(request.args).args).name;
    const who =
      model === undefined
        ? `${spec.name} gave no answer`
        : `${spec.name} got no answer of ${model}`;
    const isWorn = this.#host.parts.clock.uptime() >= this.#endsAt;
    const within = isWorn
      ? `${extensionsMax * timeoutMs} ms, whatever progress it reported`
      : `${timeoutMs} ms`;
    const failure = new EffectFailure('PV4005', `${who} within ${within}`, {
      retryable: !isWorn,
      hint:
        model === undefined
          ? (handler.timeoutHint ?? 'raise the limit timeoutMs, of the run or of the tool')
          : 'its provider may be busy or down: resume later, or with a larger limit timeoutMs',
    });
    this.abort(failure);
    failAttempt(this.#job, this.#host, failure);
  }

  /** True the first time; later the attempt is over and nothing of it counts (A1). */
  #finish(): boolean {
    if (this.#over) return false;
    this.#over = true;
    this.#host.deadlines.remove(this);
    this.#job.attempt = undefined;
    return true;
  }
}

/** What the program has seen of a stream stays: another attempt has to give the same first. */
const otherParts = ({ tool, parts }: Job): EffectError => ({
  code: 'PV4009',
  message: `the stream of ${tool.spec.name} broke off and began with other parts when asked again`,
  hint: `the program has seen ${parts.length} of the first; run it anew`,
});

const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0);

const cleaned = ({ tool, request }: Job, outcome: Outcome): Outcome =>
  tool.secret ? tool.secret.clean(request.args, outcome) : outcome;

/** An attempt has failed: what that comes to for its job (A3). */
function failAttempt(job: Job, host: AttemptHost, failure: EffectFailure): void {
  if (failure instanceof AnswerNeeded) {
    host.tried(job, undefined);
    host.asked(job, failure.question);
    return;
  }
  if (failure instanceof LimitMet) {
    host.tried(job, undefined);
    host.limited(job, failure.refusal);
    return;
  }
  host.tried(job, failure);
  const tries = job.attempts - job.attemptsBefore;
  const message = withoutSecrets(job, `${failure.message}${cutShort(failure)}`);
  const most = job.tool.spec.limits?.attempts ?? host.parts.limits.attempts;
  const isAgain = failure.lasts && isSameFailure(job.failed, failure.code, message);
  const verdict = judge(failure, job.tool.spec, isAgain ? 0 : most - tries);
  if (verdict === 'unknown') {
    host.ended(job, { kind: 'unknown', why: withoutSecrets(job, failure.message) });
  } else if (verdict === 'failed') {
    const error = bareError(failure);
    const counted = tries > 1 ? `${error.message} (${tries} attempts)` : error.message;
    fail(job, host, { ...error, message: counted });
  } else {
    const ms = waitMs(tries, failure, host.parts.random);
    const { code } = failure;
    job.failed = { startedAt: job.triedAt, endedAt: host.parts.clock.now(), code, message };
    addWarning(job, `attempt ${job.attempts} failed (${message}), again in ${ms} ms`);
    host.retries(job, message, ms);
    job.wait = host.parts.clock.after(ms, () => {
      job.wait = undefined;
      host.again(job);
    });
  }
}

const isSameFailure = (before: Job['failed'], code: string, message: string): boolean =>
  before?.code === code && before.message === message;

export function wrongArguments(job: Job, errors: readonly string[]): EffectError {
  return {
    code: 'PV4001',
    message: `wrong arguments for ${job.tool.spec.name}: ${errors.join('; ')}`,
    hint: 'the declaration of the tool has its parameters',
  };
}

function fail(job: Job, host: AttemptHost, error: EffectError): void {
  host.ended(job, { kind: 'settled', outcome: cleaned(job, { ok: false, error }) });
}

// When a failed attempt is tried again, and what a failure means for an effect. Pure.

/** First wait; each further one is twice as long. */
const backoffMs = 250;
const backoffMsMax = 30_000;
/** Longest wait that the other side can ask for. */
const retryAfterMsMax = 120_000;

/** Milliseconds before the attempt after number `attempt`: doubled each time, spread by half. */
function waitMs(attempt: number, failure: EffectFailure, random: () => number): number {
  const full = Math.min(backoffMsMax, backoffMs * 2 ** (attempt - 1));
  const asked = Math.min(failure.retryAfterMs ?? 0, retryAfterMsMax);
  return Math.max(Math.round(full * (0.5 + random() / 2)), asked);
}

/** What is said where the other side has asked for a longer wait than there is; else nothing. */
function cutShort({ retryAfterMs = 0 }: EffectFailure): string {
  if (retryAfterMs <= retryAfterMsMax) return '';
  const [asked, most] = [retryAfterMs, retryAfterMsMax].map((ms) => Math.round(ms / 1000));
  return `; it asks for a wait of ${asked} s, and none is longer than ${most} s`;
}

/** Any exception as a failure; one that says nothing about itself might be mended by a retry. */
export function asFailure(thrown: unknown, tool: string): EffectFailure {
  if (thrown instanceof EffectFailure) return thrown;
  const message = `${tool} threw ${thrownText(thrown)}`;
  return new EffectFailure('PV4006', message, { retryable: true, cause: thrown });
}

export type Verdict = 'retry' | 'failed' | 'unknown';

/**
 * What a failed attempt comes to. An attempt that may have acted is repeated only where the tool is
 * idempotent; where it is not and gave no answer of its own, nobody knows (design rule 5).
 */
function judge(
  failure: EffectFailure,
  spec: Pick<ToolSpec, 'idempotent'>,
  attemptsLeft: number,
): Verdict {
  const repeatable = spec.idempotent || !failure.mayHaveActed;
  if (failure.retryable && repeatable && attemptsLeft > 0) return 'retry';
  return repeatable || failure.answered ? 'failed' : 'unknown';
}
