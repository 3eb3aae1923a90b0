/**
 * One run under way in this process. What it owns: the machine from start to end. What it does not
 * own: the order in which effects may start and emits are released (the machine's), how effects are
 * performed (the dispatch's), the lease and the timers (the upkeep's).
 *
 * Everything happens in ticks: what has arrived is journaled in one append and handed to the
 * machine, the machine runs for a slice, and what it asks for is started. A tick is scheduled by
 * whatever makes one necessary; nothing polls.
 *
 * Invariants:
 * - E1 An outcome is in the journal before the machine sees it.
 * - E2 Nothing starts before every journaled outcome has been handed in.
 * - E3 After the end, or after the lease is lost, nothing is written, started or shown.
 * - E4 That a run goes on is journaled once the tools are there that it asks for first: a resume
 *   that fails for want of one changes nothing.
 */
import type { Machine } from '../machine/machine.ts';
import type { Emit, Turn } from '../machine/turn.ts';
import type { Request } from '../program/effect.ts';
import { encode, stringify } from '../program/json.ts';
import { isShown } from '../program/program.ts';
import { RunError } from './codes.ts';
import type { Listener } from './events.ts';
import type { ExecutionParts } from './execution-parts.ts';
import { statusOf } from './journal/history.ts';
import { type EventBody, LeaseLost } from './journal/journal.ts';
import type { KeptPost } from './journal/post.ts';
import { Recorder } from './journal/recorder.ts';
import { Checkpoints } from './past/checkpoint.ts';
import { handIn, handKnown, Replay, vanishedWarnings } from './past/replay.ts';
import { Admission } from './perform/admission.ts';
import { shownArguments } from './perform/arguments.ts';
import { Dispatch } from './perform/dispatch.ts';
import {
  errorOf,
  type ResultError,
  type RunResult,
  resultOf,
  type Warning,
  withoutRepeats,
} from './result.ts';
import type { Met, Spent } from './spent.ts';
import {
  blockedStop,
  cancelStop,
  divergedStop,
  limitEvent,
  limitStop,
  type Measures,
  placedError,
  type Stop,
  unclaimedStop,
  unknownStop,
  waitingStop,
} from './stop.ts';
import { Slice, Ticks, Upkeep } from './upkeep.ts';

export class Execution {
  readonly result: Promise<RunResult>;
  readonly #parts: ExecutionParts;
  readonly #machine: Machine;
  readonly #recorder: Recorder;
  readonly #dispatch: Dispatch;
  readonly #replay: Replay;
  readonly #checkpoints: Checkpoints;
  readonly #admission: Admission;
  readonly #upkeep: Upkeep;
  readonly #ticks = new Ticks(() => this.#guard(this.#tick));
  /** Whether every journaled outcome has been handed in and digested. */
  #caughtUp: boolean;
  /** Emits that the journal already has. */
  #emitsToSkip: number;
  /** Messages that the machine has released. */
  #emitted: number;
  #status: Turn['status'] = 'ready';
  /** What the machine has executed. */
  #instructions = 0;
  readonly #slice: Slice;
  /** What the machine has mended. A program that is run again tells it again. */
  readonly #warnings = new Map<string, Warning>();
  #stop: Stop | undefined;
  /** Its first events: `flushed` once the machine has asked for something, or has stopped (E4). */
  #opening: 'new' | 'recorded' | 'flushed' = 'new';
  #over = false;
  #resolve: (result: RunResult) => void = () => {};
  #reject: (error: unknown) => void = () => {};

  constructor(parts: ExecutionParts) {
    const { journal, lease, past } = parts;
    this.#parts = parts;
    this.#machine = parts.machine;
    this.#slice = new Slice(parts.program);
    this.#recorder = new Recorder(journal, lease);
    this.#dispatch = new Dispatch({
      ...{ ...parts, recorder: this.#recorder, concern: parts.concern(this.#recorder) },
      look: () => void this.#upkeep.look(),
      wake: () => this.#wake(),
      guard: (action) => this.#guard(action),
    });
    const { restored } = parts;
    this.#replay = new Replay(past, restored?.position);
    this.#caughtUp = this.#replay.over;
    this.#emitted = restored?.emitted ?? 0;
    this.#emitsToSkip = past.emits - this.#emitted;
    for (const one of restored?.warnings ?? []) this.#warnings.set(stringify(one), one);
    this.#checkpoints = new Checkpoints(parts);
    this.#admission = new Admission({
      ...parts,
      ...{ dispatch: this.#dispatch, replay: this.#replay },
      halt: (stop) => this.#halt(stop),
      wake: () => this.#wake(),
      guard: (action) => this.#guard(action),
    });
    this.#upkeep = new Upkeep({
      ...{ ...parts, recorder: this.#recorder },
      take: (posts) => this.#takePosts(posts),
      timeIsUp: () => this.#reach({ limit: 'wallMs' }),
      guard: (action) => this.#guard(action),
    });
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** Whether any of its outcomes says where it comes from. */
  get sourced(): boolean {
    return (
      this.#recorder.sourced ||
      [...this.#parts.past.effects.values()].some(({ sources }) => sources)
    );
  }

  get spent(): Spent {
    return this.#dispatch.spent;
  }

  /** Begins with the next turn of the event loop, so that the caller can subscribe before. */
  begin(): void {
    this.#upkeep.begin();
    this.#wake();
  }

  subscribe(listener: Listener): () => void {
    return this.#recorder.subscribe(listener);
  }

  /** Ends the run without waiting for what is running; it can be resumed. */
  cancel(reason: 'cancelled' | 'interrupted'): void {
    this.#halt(cancelStop(reason));
  }

  /**
   * Ends the run at once and for good, from within a call that keeps the event loop from turning;
   * the process has to end next. Undefined where the end could not be recorded.
   */
  breakOff(effect: string): RunResult | undefined {
    const job = this.#dispatch.find(effect);
    if (!job) return undefined;
    let result: RunResult | undefined;
    this.#guard(() => {
      const stop = blockedStop(job, this.#parts.limits);
      result = this.#end('run.suspended', stop);
    });
    return result;
  }

  #wake(): void {
    if (!this.#over) this.#ticks.want(this.#dispatch.hasEnough);
  }

  readonly #tick = (): void => {
    this.#commit();
    if (!this.#stop) this.#advance();
    if (this.#opening === 'recorded' && (this.#status !== 'ready' || this.#stop)) {
      this.#opening = 'flushed';
      this.#recorder.flush();
    }
    if (!this.#stop && this.#caughtUp) this.#launch();
    // What it takes to write down a large state, effects that run do not wait for.
    if (this.#checkpoints.isDue(this.#machine)) this.#keepCheckpoint();
    this.#recorder.show();
    this.#conclude();
    if (this.#over || this.#opening !== 'flushed') return;
    this.#upkeep.linger(this.#status === 'ready');
  };

  /** Runs a part of the execution; what it throws ends the execution, not the process. */
  #guard(action: () => void): void {
    if (this.#over) return;
    try {
      action();
    } catch (error) {
      this.#abandon(error);
    }
  }

  /** Makes durable what has arrived, then lets the machine see it (E1). */
  #commit(): void {
    if (this.#opening === 'new') this.#open();
    for (const arrival of this.#dispatch.collect()) {
      handIn(this.#machine, arrival);
      this.#checkpoints.saw(arrival);
      this.#status = 'ready';
    }
  }

  #open(): void {
    const { opening, journal, lease } = this.#parts;
    this.#opening = opening.length > 0 ? 'recorded' : 'flushed';
    for (const event of opening) this.#recorder.record(event);
    if (opening.length > 0 || !this.#recorder.watched) return;
    // Of a fork, nothing of what its base did.
    const since = this.#parts.past.record?.base?.seq ?? 0;
    this.#recorder.tell(journal.events(lease.run, since));
  }

  /** Where all that the journal has belongs to the state, and the other way round (P2). */
  #keepCheckpoint(): void {
    const isWaiting = this.#caughtUp && this.#emitsToSkip === 0 && this.#status === 'blocked';
    if (!isWaiting || this.#over || this.#stop) return;
    if (this.#dispatch.hasArrivals || this.#replay.hasUnclaimed) return;
    this.#recorder.flush();
    const warnings = [...this.#warnings.values()];
    const seen = { seq: this.#recorder.seq, emitted: this.#emitted, warnings };
    this.#checkpoints.keep(this.#machine, seen);
  }

  /** Runs the machine for a slice; while the journal has outcomes for it, until one is missing. */
  #advance(): void {
    while (this.#status === 'ready' && !this.#stop) {
      const fuel = this.#fuel();
      const turn = this.#machine.run(fuel);
      this.#take(turn);
      if (turn.status === 'full') {
        this.#reach({ limit: 'memoryBytes' });
        return;
      }
      // What it was handed at once, it goes on with before anything starts.
      if (this.#status === 'ready' && turn.status === 'blocked') continue;
      if (this.#status === 'ready') {
        this.#slice.grow();
        if (this.#fuel() === 0) this.#reach({ limit: 'instructions' });
        this.#wake();
        return;
      }
      this.#slice.reset();
      const isOpen = this.#status === 'blocked' && !this.#caughtUp;
      const next = isOpen ? this.#replay.next() : undefined;
      if (!next) {
        this.#caughtUp = true;
        return;
      }
      this.#machine.settle(next.effect, next.outcome);
      this.#status = 'ready';
    }
  }

  /** Instructions for the next slice: none where the budget is used up. */
  #fuel(): number {
    const left = this.#parts.limits.instructions - this.#instructions;
    return Math.max(0, Math.min(this.#slice.instructions, left));
  }

  #take(turn: Turn): void {
    this.#status = turn.status;
    this.#instructions = turn.instructions;
    for (const effect of turn.cancels) this.#admission.drop(effect);
    for (const request of turn.requests) this.#accept(request);
    for (const { effect, index } of turn.won) this.#admission.see(effect, index);
    for (const emit of turn.emits) this.#emit(emit);
    for (const warning of turn.warnings) this.#warnings.set(stringify(warning), warning);
    if (!this.#recorder.watched || !this.#caughtUp) return;
    for (const { index, id, by } of turn.steps) {
      if (!isShown(this.#parts.program, index)) continue;
      this.#recorder.pass({ type: 'step.entered', index, step: id, ...(by && { by }) });
    }
  }

  #accept(request: Request): void {
    const { id, tool } = request;
    const known = this.#replay.answer(request, this.#parts.specs.get(tool));
    if (known.kind === 'other') {
      const { specs, sameProgram } = this.#parts;
      const args = shownArguments(specs.get(tool), request.args);
      this.#halt(divergedStop(request, args, known.past, sameProgram));
      return;
    }
    // What is recorded before, the machine sees before: so it will when the run is resumed.
    const isBehind = this.#dispatch.hasArrivals || !this.#caughtUp;
    if (known.kind === 'reused') this.#dispatch.takeOver(request, known, isBehind);
    if (known.kind === 'reused' && isBehind) return;
    if (known.kind !== 'nothing' && handKnown(this.#machine, id, known)) this.#status = 'ready';
    // Without its outcome, what is settled comes in its turn.
    if (known.kind === 'settled' || known.kind === 'reused') return;
    const past = known.kind === 'begun' ? known.past : undefined;
    this.#admission.accept(request, past);
  }

  #emit({ channel, value, step }: Emit): void {
    this.#emitted++;
    if (this.#emitsToSkip > 0) this.#emitsToSkip--;
    else this.#recorder.record({ type: 'message.emitted', channel, value: encode(value), step });
  }

  #launch(): void {
    this.#dispatch.launch();
    const { held, quiet } = this.#dispatch;
    if (!['blocked', 'done'].includes(this.#status) || !quiet) return;
    // No effect is left that could have used less than was set aside for it.
    if (held) {
      this.#reach(held);
      return;
    }
    if (this.#admission.look()) {
      this.#wake();
      return;
    }
    if (this.#status === 'done' && !this.#admission.isMissing) return;
    const { open } = this.#dispatch;
    if (open.length > 0) {
      if (this.#admission.announce(open)) this.#wake();
      // Answers that came while nobody had the run.
      else if (!this.#upkeep.look()) this.#halt(waitingStop(this.#dispatch.open));
      return;
    }
    if (this.#admission.isHolding) return;
    // What it waits for is more text: it is over for now.
    if (this.#parts.grows) {
      this.#status = 'done';
      return;
    }
    const message = 'the program waits, but nothing is under way that it waits for';
    throw new RunError('PV5109', message, { hint: 'please report this with the program' });
  }

  #reach(met: Met): void {
    this.#halt(limitStop(met, this.#measures()));
  }

  #measures(): Measures {
    const { limits } = this.#parts;
    const { wallMs } = this.#upkeep;
    return { limits, spent: this.#dispatch.spent, instructions: this.#instructions, wallMs };
  }

  /** No more starts. What is running may finish, unless the run is cancelled. */
  #halt(stop: Stop): void {
    if (!this.#stop || stop.rank > this.#stop.rank) this.#stop = stop;
    this.#wake();
  }

  #conclude(): void {
    const { doubts } = this.#dispatch;
    if (doubts.length > 0) this.#halt(unknownStop(doubts));
    if (!this.#stop && (this.#status === 'done' || this.#status === 'failed')) {
      const unclaimed = this.#unclaimed();
      if (unclaimed) this.#halt(unclaimed);
    }
    const stop = this.#stop;
    if (stop) {
      if (stop.givesUp === 'repeatable') this.#dispatch.cancelRepeatable(stop.error.message);
      if (this.#dispatch.running > 0 && stop.givesUp !== 'all') return;
      this.#end(`run.${stop.status}`, stop);
    } else if (this.#status === 'done') {
      if (!this.#admission.isMissing) this.#end('run.finished');
    } else if (this.#status === 'failed') {
      this.#end('run.failed');
    }
  }

  /** A write of the journal that the program, at its end, has not asked for. */
  #unclaimed(): Stop | undefined {
    for (const [effect, past] of this.#replay.unclaimed()) {
      const write = this.#parts.specs.get(past.tool)?.effect === 'write';
      if (write && past.outcome?.ok) return unclaimedStop(effect, past);
    }
    return undefined;
  }

  #end(type: ResultEvent['type'], stop?: Stop): RunResult {
    this.#dispatch.cancelAll(stop?.error.message ?? 'the run has ended');
    if (stop?.met) this.#recorder.record(limitEvent(stop.met, this.#measures()));
    const result = this.#result(type, stop);
    const reason = stop?.reason;
    this.#recorder.record({ type, ...(reason ? { reason } : {}), result: stringify(result) });
    this.#recorder.flush();
    this.#recorder.show();
    this.#close();
    this.#upkeep.release();
    this.#resolve(result);
    return result;
  }

  #result(type: ResultEvent['type'], stop: Stop | undefined): RunResult {
    const { lease, warnings, past, specs, program } = this.#parts;
    const view = this.#machine.view();
    const stopped = stop && placedError(stop, program, this.#machine);
    const error: ResultError | undefined = stopped ?? (view.error && errorOf(view.error));
    return resultOf({
      run: lease.run,
      status: statusOf[type],
      reason: stop?.reason,
      view,
      error,
      limit: stop?.limit,
      waits: stop?.waits,
      spent: this.#dispatch.spent,
      warnings: withoutRepeats(warnings, [
        ...past.warnings,
        ...this.#dispatch.warnings,
        ...this.#warnings.values(),
        ...(view.status === 'done' ? vanishedWarnings(this.#replay, specs) : []),
      ]),
    });
  }

  /** Stops at once on what the engine cannot mend: a lost lease, a journal that fails, a defect. */
  #abandon(error: unknown): void {
    this.#close();
    this.#dispatch.abort('the run has stopped in this process');
    if (!(error instanceof LeaseLost)) this.#upkeep.release();
    this.#reject(error);
  }

  #close(): void {
    this.#over = true;
    this.#upkeep.close();
  }

  #takePosts(posts: readonly KeptPost[]): boolean {
    if (posts.some(({ post }) => post.kind === 'cancel')) this.cancel('cancelled');
    return this.#dispatch.take(posts);
  }
}

type ResultEvent = Extract<EventBody, { result: string }>;
