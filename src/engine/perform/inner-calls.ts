/**
 * What a tool has a model say while it is performed: no effect of its own, since no program asks
 * for it, but part of one. It is journaled beside the effect, and counts for the budgets.
 */
import type { LimitName } from '../../program/limits.ts';
import type { Budget } from '../budget.ts';
import type { Sample } from '../handler.ts';
import type { Recorder } from '../journal/recorder.ts';
import { type Job, withoutSecrets } from './job.ts';

export class InnerCalls {
  readonly #recorder: Recorder;
  readonly #budget: Budget;

  constructor(recorder: Recorder, budget: Budget) {
    this.#recorder = recorder;
    this.#budget = budget;
  }

  sampled(job: Job, { model, request, reply }: Sample): void {
    const { id: effect, tool } = job.request;
    const [asked, said] = [request, reply].map((text) => withoutSecrets(job, text));
    this.#recorder.record({
      ...{ type: 'effect.sampled', effect, tool, model },
      ...{ request: asked ?? '', reply: said ?? '' },
    });
  }

  /** The budget that has no room for one more call; what the effect has used so far counts. */
  lacks({ usage }: Job, tokens: number): LimitName | undefined {
    const { limits, spent, reserved, reservedCost } = this.#budget;
    const own = (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0);
    const used = spent.inputTokens + spent.outputTokens + reserved + own;
    if (used + tokens > limits.tokens) return 'tokens';
    return spent.cost + reservedCost + (usage?.cost ?? 0) >= limits.cost ? 'cost' : undefined;
  }
}
