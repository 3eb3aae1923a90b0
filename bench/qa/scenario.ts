/**
 * The three tasks of the LLMCompiler paper (arXiv 2312.04511, table 1 and appendix C) as numbers: how
 * many calls, what depends on what, and how long each takes. Latencies of tools and of the planner
 * of *movie* are the paper's; the others are set so that its own formula for ReAct, a model call
 * before each tool call and one at the end, comes to its total. No time of ours is among them.
 */

export interface Call {
  readonly tool: 'search' | 'math';
  readonly query: string;
  /** Indexes of the calls whose results it needs. */
  readonly on: readonly number[];
  /** Milliseconds. */
  readonly ms: number;
}

export interface Scenario {
  readonly name: string;
  readonly question: string;
  readonly calls: readonly Call[];
  /** How long the planner writes, the joiner takes, and each thought of ReAct takes: milliseconds. */
  readonly plannerMs: number;
  readonly joinerMs: number;
  readonly thoughtMs: number;
  /** Which part of these times is measured with, so that all is over within a minute. */
  readonly pace: number;
  /** What the paper has, of GPT: ReAct by LLMCompiler, and LLMCompiler whole by streamed. */
  readonly paper: { readonly react: number; readonly whole: number };
}

/** Mean 0.61 s, slowest 1.13 s, as appendix A has them. */
const searchMs = [550, 610, 480, 1130, 410, 520, 620, 560];

const searches = (count: number): Call[] =>
  searchMs.slice(0, count).map((ms, i) => ({ tool: 'search', query: `film ${i + 1}`, on: [], ms }));

export const scenarios: readonly Scenario[] = [
  {
    name: 'HotpotQA',
    question: 'Which of the two magazines was started first?',
    calls: searches(2),
    ...{ plannerMs: 1400, joinerMs: 1600, thoughtMs: 1987, pace: 0.3 },
    paper: { react: 1.8, whole: 1.01 },
  },
  {
    name: 'movie',
    question: 'Which of the four films is most like the other four?',
    calls: searches(8),
    ...{ plannerMs: 1880, joinerMs: 1620, thoughtMs: 1732, pace: 0.25 },
    paper: { react: 3.74, whole: 1.03 },
  },
  {
    name: 'ParallelQA',
    question: 'How many times as deep as the third lake is the difference of the first two?',
    calls: [
      { tool: 'search', query: 'first lake', on: [], ms: 610 },
      { tool: 'search', query: 'second lake', on: [], ms: 550 },
      { tool: 'math', query: 'difference', on: [0, 1], ms: 2600 },
      { tool: 'search', query: 'third lake', on: [], ms: 1130 },
      { tool: 'math', query: 'quotient', on: [2, 3], ms: 2600 },
    ],
    ...{ plannerMs: 7000, joinerMs: 4300, thoughtMs: 4735, pace: 0.2 },
    paper: { react: 2.15, whole: 1.3 },
  },
];

/** The longest chain of calls; none begins before `startsMs` of it. */
export function criticalPathMs(
  { calls }: Scenario,
  startsMs: readonly number[] = calls.map(() => 0),
): number {
  const ends: number[] = [];
  for (const [i, { on, ms }] of calls.entries()) {
    ends.push(ms + Math.max(startsMs[i] ?? 0, ...on.map((need) => ends[need] ?? 0)));
  }
  return Math.max(...ends);
}

/** One thing at a time: a thought before each call, and one that ends it. */
export const oneByOneMs = ({ calls, thoughtMs }: Scenario): number =>
  calls.reduce((sum, { ms }) => sum + ms + thoughtMs, thoughtMs);

/** The same, quicker. */
export const scaled = (scenario: Scenario, factor: number = scenario.pace): Scenario => ({
  ...scenario,
  calls: scenario.calls.map((call) => ({ ...call, ms: call.ms * factor })),
  plannerMs: scenario.plannerMs * factor,
  joinerMs: scenario.joinerMs * factor,
  thoughtMs: scenario.thoughtMs * factor,
});
