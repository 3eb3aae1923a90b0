/** A line of a benchmark's log, as tests of figures want it. */
import type { BenchLine } from '../../src/bench/log.ts';

export const line = (id: string, given: Partial<BenchLine> = {}): BenchLine => ({
  ...{ type: 'item', method: 'starlark', id, question: `${id}?`, label: 'x', answer: 'x' },
  right: { published: true, corrected: true },
  firstTry: true,
  ...{ status: 'done', ms: 1000, run: `r-${id}`, runs: [`r-${id}`], at: 0 },
  usage: { modelCalls: 2, inputTokens: 100, outputTokens: 10, cost: 0.25 },
  ...given,
});

/** What a wrong answer has in it. */
export const wrong = { right: { published: false, corrected: false } };
