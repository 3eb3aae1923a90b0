/**
 * The effects of one run: from the request that may start to the outcome that is recorded. What it
 * owns: jobs, slots, budget. What it does not own: the machine, the lease, and when the run ends.
 *
 * A job goes one way: taken up here, or held by what it waits for (`waiting.ts`, doubts,
 * `once.ts`, `races.ts`), queued by the scheduler, performed by the attempts (`attempts.ts`), and
 * what comes of it is collected from the arrivals (`arrivals.ts`).
 *
 * Invariants:
 * - D1 The start of an effect that must not happen twice is durable before it is performed; so is
 *   its outcome before it is collected.
 * - D2 A job leaves exactly once: settled, in doubt, or cancelled; each is recorded.
 */
import type { EffectError, Outcome, Request, ToolSpec } from '../../program/effect.ts';
import { admit, type Budget, hasCallsLeft, newBudget, release, settle } from '../budget.ts';
import type { DispatchParts } from '../execution-parts.ts';
import type { KeptPost } from '../journal/post.ts';
import type { Recorder } from '../journal/recorder.ts';
import type { PastEffect } from '../past/past.ts';
import {
  assumedOutcome,
  assumptionFor,
  type GivenAnswer,
  isInDoubt,
  type KnownOutcome,
} from '../past/past-effect.ts';
import type { Arrival, Reused } from '../past/replay.ts';
import { failedBefore } from '../past/reuse.ts';
import type { Warning } from '../result.ts';
import { hashOf } from '../settings.ts';
import { countEffect, countStandIn, type Met, type Spent } from '../spent.ts';
import type { Doubt } from '../stop.ts';
import { needsApproval, needsSecondApproval } from './approvals.ts';
import { Arrivals } from './arrivals.ts';
import { Attempts } from './attempts.ts';
import { cancelled, type Ending, type Job, jobHash, newJob, type RunTool, unknown } from './job.ts';
import { Once } from './once.ts';
import type { Decision, OpenWait } from './person.ts';
import { Races } from './races.ts';
import { Scheduler } from './scheduler.ts';
import { handOver, withStandIns } from './stand-in.ts';
import { Waiting } from './waiting.ts';
import type { ToApprove } from './waiting-host.ts';
import { answered, questionIn, stillMet } from './within.ts';

export class Dispatch {
  /** Effects of which nobody knows whether they happened, and nobody has decided. */
  readonly doubts: Doubt[] = [];
  readonly #parts: DispatchParts;
  readonly #recorder: Recorder;
  readonly #scheduler: Scheduler;
  readonly #budget: Budget;
  readonly #once: Once;
  readonly #arrivals: Arrivals;
  readonly #attempts: Attempts;
  /** Of a fork that a model has written: whether a request, by its hash, has failed in its base. */
  readonly #hasFailed: ((hash: string) => boolean) | undefined;
  /**
   * Effects of the journal without an outcome that must not happen twice, and that an earlier
   * process may have performed. What was assumed of them beforehand decides; the others are doubts.
   */
  readonly #suspects = new Map<string, Suspect>();
  // Made for the first that needs one: most runs need none, and each of their effects would ask.
  #races: Races | undefined;
  #waiting: Waiting | undefined;
  #held: Met | undefined;
  /** Outcomes that are worth an append of their own. */
  #enough = enoughFirst;
  #closed = false;

  constructor(parts: DispatchParts) {
    this.#parts = parts;
    this.#recorder = parts.recorder;
    this.#hasFailed = failedBefore(parts.past);
    this.#once = new Once(parts.past.once, this);
    const warn = (warning: Warning): void => this.#warn(warning);
    const budget = newBudget({ ...parts, run: parts.lease.run, warn }, parts.past.spent);
    const scheduler = new Scheduler(parts.limits.concurrency, budget.slots, parts.wake);
    const arrivals = new Arrivals(parts.recorder, parts.wake);
    this.#budget = budget;
    this.#scheduler = scheduler;
    this.#arrivals = arrivals;
    this.#attempts = new Attempts({
      ...{ parts, scheduler, budget, arrivals },
      ended: (job, ending) => this.#ended(job, ending),
      waits: (job, question) => this.#waitings().acceptQuestion(job, question),
    });
  }

  get warnings(): readonly Warning[] {
    return [...this.#arrivals.warnings, ...this.#budget.unpriced.values()];
  }

  /** How many are being performed. */
  get running(): number {
    return this.#scheduler.running;
  }

  /** Whether nothing will arrive unless something is started. */
  get quiet(): boolean {
    // Asked at every tick: most have something under way, and need no more than that to know.
    if (this.#scheduler.running > 0 || this.#arrivals.count > 0) return false;
    const held = this.#attempts.busy || this.#scheduler.isHeldUp;
    const idle = !this.#races?.timed && !this.#waiting?.busy && !held;
    // Another tool may just have been asked to stand in.
    const mayStart = this.#held === undefined && this.#scheduler.peek() !== undefined;
    return idle && !mayStart && this.doubts.length === 0;
  }

  /** Whether something has been recorded that `collect` has not given yet. */
  get hasArrivals(): boolean {
    return this.#arrivals.count > 0;
  }

  /**
   * Whether the machine should see what has arrived before more does: nothing more can, or as much
   * has as is worth an append of its own, and what it lets start need not wait for the rest.
   */
  get hasEnough(): boolean {
    const { count, ended } = this.#arrivals;
    return ended >= this.#enough || (count > 0 && this.#scheduler.running === 0);
  }

  /** The budget that the next effect does not fit in. */
  get held(): Met | undefined {
    return this.#held;
  }

  /** What people and time have to do before the run can go on. */
  get open(): readonly OpenWait[] {
    return this.#waiting?.open ?? nothingOpen;
  }

  get spent(): Spent {
    return this.#budget.spent;
  }

  /** Queues an effect; `past` is what the journal has of it, short of an outcome. */
  accept(request: Request, tool: RunTool, past: PastEffect | undefined): void {
    const started = past?.state === 'started';
    const waits = tool.handler.wait !== undefined;
    const queuedAt = waits && started ? past.queuedAt : this.#parts.clock.now();
    const { requestKey } = this.#parts.past;
    const job = newJob({ request, tool, queuedAt, requestKey, past });
    if (past && (isInDoubt(past) || (started && !tool.spec.idempotent))) {
      this.#suspects.set(request.id, { job, past });
    } else if (waits) {
      this.#waitings().accept(job, started);
    } else if (past?.asking !== undefined) {
      this.#waitings().acceptQuestion(job, questionIn(past.asking));
    } else if (request.once === undefined) this.queue(job);
    else this.#once.accept(job);
  }

  queue(job: Job): void {
    const { approvals, concern } = this.#parts;
    const { spec } = job.tool;
    const again = this.#hasFailed?.(jobHash(job))
      ? needsSecondApproval(approvals, spec)
      : undefined;
    const why = again ?? needsApproval(approvals, spec, () => concern(job.request));
    if (why === undefined) this.#scheduler.enqueue(job);
    else this.#waitings().acceptApproval(job, why);
  }

  /** Asks a person about something else than an effect of this run. */
  ask(what: ToApprove, why: string, decided: (decision: Decision) => void): void {
    this.#waitings().ask(what, why, decided);
  }

  /** Asks about effects whose turn is to come; true where there is something new to ask. */
  announce(all: readonly { readonly request: Request; readonly spec: ToolSpec }[]): boolean {
    const { approvals, concern } = this.#parts;
    const asked = all.flatMap(({ request, spec }) => {
      const why = needsApproval(approvals, spec, () => concern(request));
      return why === undefined ? [] : [{ request, why }];
    });
    return this.#waiting?.announce(asked) ?? false;
  }

  /** Takes what was posted about effects; true where something came of it. */
  take(posts: readonly KeptPost[]): boolean {
    let isNews = false;
    for (const post of posts) if (this.#waiting?.take(post)) isNews = true;
    return isNews;
  }

  /** Opens a race; `past` is what the journal has of it, short of an outcome. */
  acceptRace(request: Request, past: PastEffect | undefined): void {
    this.#racing().accept(request, hashOf(request, this.#parts.past.requestKey), past);
  }

  /** The machine has seen who comes first in a race. */
  see(effect: string, index: number): void {
    this.#races?.see(effect, index);
  }

  /** An effect that is queued or being performed. */
  find(effect: string): Job | undefined {
    return this.#scheduler.find(effect);
  }

  /** The program no longer needs an effect. */
  drop(effect: string): void {
    this.#races?.drop(effect);
    this.#suspects.delete(effect);
    const [job, waited] = [this.#scheduler.find(effect), this.#waiting?.drop(effect)];
    this.#once.drop(effect, job);
    if (waited) {
      this.#recordCancel(waited);
      settle(this.#budget, waited);
    }
    if (!job) return;
    if (job.place === 'running') {
      this.#attempts.giveUp(job, 'the program no longer needs it');
      this.#recordCancel(job);
    }
    this.#scheduler.remove(job);
    settle(this.#budget, job);
    this.#attempts.gone(job);
  }

  /** Starts what has a slot and fits the budgets. */
  launch(): void {
    for (const suspect of this.#suspects.values()) this.#decide(suspect);
    this.#suspects.clear();
    if (this.doubts.length > 0) return;
    this.#races?.launch();
    this.#held = this.#waiting?.launch();
    if (this.#held) return;
    const starting: Job[] = [];
    let isOnce = false;
    for (let job = this.#scheduler.peek(); job; job = this.#scheduler.peek()) {
      if (this.#attempts.holds(job)) continue;
      this.#held = stillMet(job, this.#scheduler.running) ?? admit(this.#budget, job);
      if (this.#held) break;
      this.#scheduler.start(job);
      this.#attempts.begins(job);
      if (job.instead.length === 0) job.startedAt = job.triedAt;
      isOnce ||= !job.tool.spec.idempotent;
      starting.push(job);
    }
    if (starting.length > 0) this.#enough = enoughFirst;
    if (isOnce) this.#recorder.flush();
    for (const job of starting) {
      // A handler can end the run at once, by what it shows.
      if (this.#closed) return;
      this.#attempts.perform(job);
    }
  }

  /** What has been recorded since, as the machine is to take it. */
  collect(): readonly Arrival[] {
    if (this.#arrivals.ended >= this.#enough) this.#enough = Math.min(2 * this.#enough, enoughMost);
    return this.#arrivals.collect();
  }

  /** Records what a fork takes over; with `isBehind`, it arrives like any other outcome. */
  takeOver(request: Request, known: Reused, isBehind: boolean): void {
    this.#arrivals.reused(request, known);
    this.#once.tookOver(request, known);
    if (isBehind) this.#arrivals.whole(request.id, known);
  }

  /** Gives up what runs and can be performed again without a doubt, and records it. */
  cancelRepeatable(reason: string): void {
    for (const job of [...this.#scheduler.jobs()]) {
      if (job.place !== 'running' || !job.tool.spec.idempotent) continue;
      this.#attempts.giveUp(job, reason);
      this.#recordCancel(job);
      this.#scheduler.remove(job);
      settle(this.#budget, job);
    }
  }

  /** Gives up everything that runs, and records it. */
  cancelAll(reason: string): void {
    for (const job of this.#scheduler.jobs()) {
      if (job.place !== 'running') continue;
      const acted = this.#attempts.giveUp(job, reason);
      settle(this.#budget, job);
      if (acted) this.#recordUnknown(job, reason);
      else this.#recordCancel(job);
    }
    this.#close();
  }

  /** Gives up everything that runs without a word to the journal: the run is another's now. */
  abort(reason: string): void {
    for (const job of this.#scheduler.jobs()) this.#attempts.giveUp(job, reason);
    this.#close();
  }

  /** What is asked for may be asked for within an effect: nothing else would show it. */
  #warn(warning: Warning): void {
    this.#recorder.pass({ type: 'run.warned', warning });
    this.#parts.wake();
  }

  #close(): void {
    this.#waiting?.close();
    this.#races?.close();
    this.#attempts.close();
    this.#scheduler.close();
    this.#closed = true;
  }

  #ended(job: Job, ending: Ending): void {
    this.#scheduler.remove(job);
    const outcome = ending.kind === 'settled' ? ending.outcome : undefined;
    if (outcome && !outcome.ok && this.#handOver(job, outcome.error)) return;
    settle(this.#budget, job);
    if (outcome) this.#settle(job, job.instead.length > 0 ? withStandIns(job, outcome) : outcome);
    else if (ending.kind === 'unknown') {
      this.#recordUnknown(job, ending.why);
      this.doubts.push({ job, why: ending.why });
    }
    this.#parts.wake();
  }

  /** True where another tool is to perform what has failed. */
  #handOver(job: Job, error: EffectError): boolean {
    const mayCall = ({ spec }: RunTool): boolean =>
      needsApproval(this.#parts.approvals, spec) === undefined && hasCallsLeft(this.#budget, spec);
    if (!handOver(job, error, { now: () => this.#parts.clock.now(), mayCall })) return false;
    release(this.#budget, job);
    countStandIn(this.#budget.spent, job.tool.spec.name);
    this.#scheduler.enqueue(job);
    this.#parts.wake();
    return true;
  }

  #answered(job: Job, answer: GivenAnswer, by: string): void {
    this.#recorder.record(answered(job, answer, by));
    job.answers = [...job.answers, answer];
    this.#scheduler.enqueue(job);
  }

  /** By what was assumed of it; what nobody has decided about ends the run with a question. */
  #decide({ job, past }: Suspect): void {
    const why = past.why ?? 'the process that performed it ended before it answered';
    if (past.state !== 'unknown') this.#recordUnknown(job, why);
    const decision = assumptionFor(this.#parts.assume, job.request.id);
    if (decision?.as === 'retry') {
      this.#scheduler.enqueue(job);
      return;
    }
    if (decision) this.#settle(job, assumedOutcome(decision));
    else this.doubts.push({ job, why });
    this.#parts.wake();
  }

  #racing(): Races {
    this.#races ??= new Races({
      clock: this.#parts.clock,
      record: (event) => this.#recorder.record(event),
      began: ({ tool }) => countEffect(this.#budget.spent, tool),
      decided: (effect, outcome) => {
        this.#arrivals.decided(effect, outcome);
        this.#parts.wake();
      },
    });
    return this.#races;
  }

  #waitings(): Waiting {
    this.#waiting ??= new Waiting({
      parts: this.#parts,
      admit: (job) => admit(this.#budget, job),
      began: (job) => this.#attempts.begins(job),
      settled: (job, outcome, by) => {
        settle(this.#budget, job);
        this.#settle(job, outcome, by);
      },
      answered: (job, answer, by) => this.#answered(job, answer, by),
      approved: (job) => this.#scheduler.enqueue(job),
      warn: ({ request }, message) => this.#arrivals.warn(request, message),
    });
    return this.#waiting;
  }

  #settle(job: Job, outcome: Outcome, by?: string): void {
    this.#arrivals.settled(job, outcome, by);
    if (job.request.once !== undefined) this.#once.settled(job, outcome);
  }

  share(job: Job, known: KnownOutcome): void {
    this.#arrivals.shared(job, known);
    this.#parts.wake();
  }

  #recordUnknown(job: Job, why: string): void {
    this.#recorder.record(unknown(job, why), true);
  }

  #recordCancel(job: Job): void {
    this.#recorder.record(cancelled(job));
  }
}

/**
 * Of hundreds that end together, dependents start within a tenth of the time they would take if
 * all were handed in first. With fewer, an append on disk costs more than what it carries. While
 * nothing starts, nobody is kept waiting by twice as many.
 */
const enoughFirst = 4;
const enoughMost = 64;

const nothingOpen: readonly OpenWait[] = [];

interface Suspect {
  readonly job: Job;
  readonly past: PastEffect;
}
