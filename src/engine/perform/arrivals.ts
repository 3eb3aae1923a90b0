/**
 * What has come of the effects of one run: from its record in the journal until the machine's side
 * takes it. What it owns: what has arrived and was not taken yet, and warnings. What it does not
 * own: jobs, and what becomes of them.
 *
 * Invariant:
 * - R1 Nothing is collected before it is durable.
 */
import type { Outcome, Request } from '../../program/effect.ts';
import type { Recorder } from '../journal/recorder.ts';
import type { KnownOutcome } from '../past/past-effect.ts';
import { type Arrival, arrivalsOf, isFailure, type Reused } from '../past/replay.ts';
import type { Warning } from '../result.ts';
import { type Job, reused, settled, shared } from './job.ts';

export class Arrivals {
  readonly warnings: Warning[] = [];
  readonly #recorder: Recorder;
  readonly #wake: () => void;
  #arrived: Arrival[] = [];
  #ended = 0;

  /** `wake`: there may be more to collect than was. */
  constructor(recorder: Recorder, wake: () => void) {
    this.#recorder = recorder;
    this.#wake = wake;
  }

  /** How many have arrived that `collect` has not given yet. */
  get count(): number {
    return this.#arrived.length;
  }

  /** How many of those are outcomes: a stream that has come further is not over. */
  get ended(): number {
    return this.#ended;
  }

  settled(job: Job, outcome: Outcome, by?: string): void {
    const { request, tool, warnings } = job;
    if (warnings) for (const message of warnings) this.warn(request, message);
    this.decided(request.id, outcome);
    this.#recorder.record(settled(job, outcome, by), !tool.spec.idempotent);
  }

  /** It takes the outcome of another. */
  shared(job: Job, known: KnownOutcome): void {
    this.decided(job.request.id, known.outcome);
    this.#recorder.record(shared(job, known));
  }

  /** What a fork takes over is in the journal of the fork, too. */
  reused(request: Request, known: Reused): void {
    this.#recorder.record(reused(request, known));
  }

  /** It arrives like any other outcome, all at once. */
  whole(effect: string, { past, outcome }: Reused): void {
    this.#arrived.push(...arrivalsOf(effect, past.parts, outcome));
    this.#ended += 1;
    this.#wake();
  }

  part(job: Job, text: string): void {
    const { id: effect, tool } = job.request;
    const index = job.parts.push(text) - 1;
    this.#arrived.push({ effect, index, part: text });
    this.#recorder.record({ type: 'effect.part', effect, tool, index, value: text });
    this.#wake();
  }

  /** An outcome that is recorded already, or about to be. */
  decided(effect: string, outcome: Outcome): void {
    this.#arrived.push({ effect, outcome });
    this.#ended += 1;
  }

  warn({ step, id: effect }: Request, message: string): void {
    this.warnings.push({ message, step, effect });
  }

  /**
   * Makes durable what has arrived and gives it to the machine's side; a failure alone, since the
   * machine has to go on with what came before it, as it will when the run is resumed.
   */
  collect(): readonly Arrival[] {
    const arrived = this.#arrived;
    if (arrived.length === 0) return arrived;
    this.#recorder.flush();
    const failure = arrived.length === 1 ? -1 : arrived.findIndex(isFailure);
    this.#arrived = failure < 0 ? [] : arrived.slice(failure || 1);
    this.#ended = this.#arrived.filter((one) => 'outcome' in one).length;
    if (failure < 0) return arrived;
    this.#wake();
    return arrived.slice(0, failure || 1);
  }
}
