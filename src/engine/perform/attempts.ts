/**
 * Jobs that are being performed: attempt by attempt, from the start of the first to an ending. What
 * it owns: breakers, rates, deadlines, and what runs within effects. What it does not own: which
 * job is next, budgets, and what becomes of a job that has ended, which it tells its host.
 */
import { type Budget, noteRefusal, type Refusal, release } from '../budget.ts';
import type { Passing } from '../events.ts';
import type { DispatchParts } from '../execution-parts.ts';
import type { AttemptContext, EffectFailure, InnerRun, Question } from '../handler.ts';
import type { Recorder } from '../journal/recorder.ts';
import type { Arrivals } from './arrivals.ts';
import { type AttemptHost, giveUp, perform } from './attempt.ts';
import { Breakers, Rates } from './breaker.ts';
import { Deadlines } from './deadlines.ts';
import { type Ending, failing, type Job, started } from './job.ts';
import type { Scheduler } from './scheduler.ts';
import { asked } from './within.ts';

export interface AttemptsHost {
  readonly parts: DispatchParts;
  readonly scheduler: Scheduler;
  readonly budget: Budget;
  readonly arrivals: Arrivals;
  /** A job has left; nothing of it goes on. */
  ended(job: Job, ending: Ending): void;
  /** A person is asked, and the job queued again with the answer. */
  waits(job: Job, question: Question): void;
}

export class Attempts implements AttemptHost {
  readonly parts: DispatchParts;
  readonly deadlines: Deadlines;
  readonly #host: AttemptsHost;
  readonly #recorder: Recorder;
  readonly #scheduler: Scheduler;
  readonly #rates: Rates;
  // Made for the first that needs it: most runs need none, and each of their effects would ask.
  #breakers: Breakers | undefined;

  constructor(host: AttemptsHost) {
    const { parts, scheduler, budget } = host;
    this.#host = host;
    this.parts = parts;
    this.deadlines = new Deadlines(parts.clock);
    this.#recorder = parts.recorder;
    this.#scheduler = scheduler;
    this.#rates = new Rates(budget.paces, {
      clock: parts.clock,
      wake: parts.wake,
      hold: (tool, held) => scheduler.hold(tool, held),
    });
  }

  /** Whether something waits for the end of a pause. */
  get busy(): boolean {
    return this.#breakers?.busy ?? false;
  }

  /** Whether a job that is next has to wait for its turn: its lane is held until that comes. */
  holds(job: Job): boolean {
    return this.#rates.holds(job);
  }

  /** Records that a job, or its next attempt, begins. */
  begins(job: Job): void {
    job.attempts++;
    job.triedAt = this.parts.clock.now();
    this.#rates.began(job);
    this.#recorder.record(started(job), !job.tool.spec.idempotent);
  }

  /** Performs the attempt that is recorded. */
  perform(job: Job): void {
    const refusal = this.#breakers?.begin(job);
    if (refusal) this.ended(job, failing(refusal));
    else perform(job, this);
  }

  /** Gives a running job up. True when it may have acted and nobody will know whether it did. */
  giveUp(job: Job, reason: string): boolean {
    return giveUp(job, this, reason);
  }

  /** The program no longer needs it. */
  gone(job: Job): void {
    this.#breakers?.gone(job);
  }

  close(): void {
    this.#breakers?.close();
    this.#rates.close();
    this.deadlines.close();
  }

  ended(job: Job, ending: Ending): void {
    this.#host.ended(job, ending);
  }

  tried(job: Job, failure: EffectFailure | undefined): void {
    if (failure?.unavailable) this.#breaking().tried(job, failure);
    else this.#breakers?.tried(job, failure);
  }

  again(job: Job): void {
    this.parts.guard(() => {
      if (this.#rates.delay(job, () => this.again(job))) return;
      const refusal = this.#breakers?.refusal(job);
      if (refusal) this.ended(job, failing(refusal));
      else if (!this.#breakers?.hold(job)) this.#next(job);
    });
  }

  asked(job: Job, question: Question): void {
    this.#standBack(job);
    this.parts.guard(() => {
      this.#recorder.record(asked(job, question), !job.tool.spec.idempotent);
      this.#recorder.flush();
      this.#host.waits(job, question);
    });
  }

  limited(job: Job, refusal: Refusal): void {
    this.#standBack(job);
    noteRefusal(this.#host.budget, refusal);
    const what = { ...refusal.met, request: job.request };
    job.met = { what, alone: this.#scheduler.running === 0 };
    this.#scheduler.enqueue(job);
    this.parts.wake();
  }

  progress({ request }: Job, text: string): void {
    this.#pass({ type: 'effect.progress', effect: request.id, text });
  }

  retries({ request, attempts }: Job, message: string, waitMs: number): void {
    const { id: effect, tool, step } = request;
    this.#pass({ type: 'effect.retries', effect, tool, step, attempt: attempts, message, waitMs });
  }

  #pass(event: Passing): void {
    if (!this.#recorder.watched) return;
    this.parts.guard(() => {
      this.#recorder.pass(event);
      this.#recorder.show();
    });
  }

  /** A run that makes the outcome of an effect has a journal of its own, and the effect's slot. */
  async inner(job: Job, context: AttemptContext, run: InnerRun): Promise<unknown> {
    this.#scheduler.lend(job);
    try {
      return await this.parts.inner.run({ job, context, budget: this.#host.budget }, run);
    } finally {
      this.#scheduler.takeBack(job);
    }
  }

  part(job: Job, text: string): void {
    this.#host.arrivals.part(job, text);
  }

  /** An attempt is over that is no failure: it has been counted, and the job begins anew. */
  #standBack(job: Job): void {
    this.#scheduler.remove(job);
    release(this.#host.budget, job);
    job.attemptsBefore = job.attempts;
  }

  #next(job: Job): void {
    this.begins(job);
    if (!job.tool.spec.idempotent) this.#recorder.flush();
    perform(job, this);
    this.parts.wake();
  }

  #breaking(): Breakers {
    const { clock, limits, guard, wake } = this.parts;
    this.#breakers ??= new Breakers({
      ...{ clock, limits, wake },
      bound: (tool, most) => this.#scheduler.bound(tool, most),
      release: (job) => guard(() => this.#next(job)),
      refuse: (job, error) => this.ended(job, failing(error)),
    });
    return this.#breakers;
  }
}
