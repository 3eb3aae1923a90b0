/**
 * What is done within an effect. What a tool has a model say while it is performed is no effect of
 * its own, since no program asks for it, but part of one: it is journaled beside the effect, and
 * counts for the budgets. A run that makes the outcome of an effect has a journal of its own.
 */
import type { LimitName } from '../../program/limits.ts';
import { type Budget, withOuter } from '../budget.ts';
import type { AttemptContext, InnerRun, RunAbout, Sample } from '../handler.ts';
import type { Recorder } from '../journal/recorder.ts';
import { lessUsage } from '../spent.ts';
import { type Job, withoutSecrets } from './job.ts';
import type { Scheduler } from './scheduler.ts';
import type { InnerRuns } from './within.ts';

export class InnerCalls {
  readonly #recorder: Recorder;
  readonly #budget: Budget;
  readonly #runs: InnerRuns;
  readonly #scheduler: Scheduler;

  constructor(recorder: Recorder, budget: Budget, runs: InnerRuns, scheduler: Scheduler) {
    this.#scheduler = scheduler;
    this.#recorder = recorder;
    this.#budget = budget;
    this.#runs = runs;
  }

  async run(job: Job, context: AttemptContext, run: InnerRun): Promise<unknown> {
    this.#scheduler.lend(job);
    try {
      return await this.#runs.run({ job, context, budget: this.#budget }, run);
    } finally {
      this.#scheduler.takeBack(job);
    }
  }

  about(run: string, effect: string): RunAbout {
    return this.#runs.about(run, effect);
  }

  sampled(job: Job, { model, request, reply }: Sample): void {
    const { id: effect, tool } = job.request;
    const [asked, said] = [request, reply].map((text) => withoutSecrets(job, text));
    // What was used is paid, also where the effect never ends.
    const usage = job.usage && job.usageTold ? lessUsage(job.usage, job.usageTold) : job.usage;
    job.usageTold = job.usage;
    this.#recorder.record({
      ...{ type: 'effect.sampled', effect, tool, model },
      ...{ request: asked ?? '', reply: said ?? '' },
      ...(usage && { usage }),
    });
  }

  /** The budget that has no room for one more call; what the effect has used so far counts. */
  lacks({ usage }: Job, tokens: number): LimitName | undefined {
    const own = (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0);
    for (const { limits, spent, reserved, reservedCost } of withOuter(this.#budget)) {
      const used = spent.inputTokens + spent.outputTokens + reserved + own;
      if (used + tokens > limits.tokens) return 'tokens';
      if (spent.cost + reservedCost + (usage?.cost ?? 0) >= limits.cost) return 'cost';
    }
    return undefined;
  }
}
