/**
 * What a run may spend and has spent. Tokens are set aside before an effect starts, by an estimate,
 * and replaced by what it used when it ends; so a wide fan-out cannot pass a budget unseen.
 */
import type { ToolSpec } from '../program/effect.ts';
import type { LimitName, Limits } from '../program/limits.ts';
import type { Usage } from './handler.ts';
import type { Job } from './perform/job.ts';

export interface Budget {
  readonly limits: Limits;
  readonly spent: Spent;
  /** Tokens set aside for effects that run. */
  reserved: number;
  /** USD set aside for them. */
  reservedCost: number;
}

/** A budget that an effect does not fit in: the run's, or that of its tool. */
export interface Met {
  readonly limit: LimitName;
  readonly tool?: { readonly name: string; readonly max: number };
}

export interface Spent {
  /** Effects that have been started, each counted once. */
  effects: number;
  modelCalls: number;
  inputTokens: number;
  outputTokens: number;
  /** USD, as far as prices are known. */
  cost: number;
  /** Model calls without a known price. */
  unpriced: number;
  /** How many of the effects are of each tool. */
  readonly byTool: Map<string, number>;
}

export const nothingSpent = (): Spent => ({
  effects: 0,
  modelCalls: 0,
  inputTokens: 0,
  outputTokens: 0,
  cost: 0,
  unpriced: 0,
  byTool: new Map(),
});

/** What the first call of a model is taken to need where a budget does not say. */
const someTokens = 10_000;
const someUsd = 0.1;
const someMs = 60_000;
const someInstructions = 1_000_000;
const someEffects = 10;

/** A budget that lets a run go on for a while that has met this one. */
export function larger(
  limit: LimitName,
  { limits, spent }: Pick<Budget, 'limits' | 'spent'>,
  instructions: number,
): number {
  const now = limit === 'instructions' ? instructions : used(spent, limit);
  const twice = 2 * Math.max(limits[limit], now);
  if (limit === 'cost') return Math.max(someUsd, Number(twice.toPrecision(2)));
  if (limit === 'tokens') return twice + someTokens;
  if (limit === 'wallMs') return Math.max(someMs, twice);
  return Math.max(limit === 'instructions' ? someInstructions : someEffects, twice);
}

/** Counts an effect, once. */
export function countEffect(spent: Spent, tool: string): void {
  spent.effects++;
  spent.byTool.set(tool, (spent.byTool.get(tool) ?? 0) + 1);
}

/** Charges the start of a job; or names the limit that forbids it and charges nothing. */
export function admit(budget: Budget, job: Job): Met | undefined {
  const { limits, spent } = budget;
  const { spec } = job.tool;
  const { name } = spec;
  const first = job.attemptsBefore === 0;
  if (first && spent.effects >= limits.effects) return { limit: 'effects' };
  if (first && !hasCallsLeft(budget, spec))
    return { limit: 'effects', tool: { name, max: callsMost(spec) } };
  const met = spec.kind === 'model' ? reserve(budget, job) : overdrawn(budget, job);
  if (!met && first) countEffect(spent, name);
  return met;
}

/** Of a call that takes no tokens, the budget that others have used up, or that its price does. */
function overdrawn(budget: Budget, job: Job): Met | undefined {
  const { limits, spent, reserved, reservedCost } = budget;
  const price = job.tool.spec.price?.perCall ?? 0;
  if (spent.inputTokens + spent.outputTokens + reserved > limits.tokens) return { limit: 'tokens' };
  if (spent.cost + reservedCost + price > limits.cost) return { limit: 'cost' };
  job.reservedCost = price;
  budget.reservedCost += price;
  return undefined;
}

/** Sets aside what a call of a model is going to take, where there is as much. */
function reserve(budget: Budget, job: Job): Met | undefined {
  const { limits, spent } = budget;
  const input = Math.ceil(job.request.args.length / 4);
  const output = expectedOutput(spent);
  const used = spent.inputTokens + spent.outputTokens + budget.reserved;
  // A call alone may turn out short; beside others, as long as they are.
  const wanted = budget.reserved > 0 ? input + output : input;
  if (used + wanted > limits.tokens) return { limit: 'tokens' };
  const cost = expectedCost(job, input, output);
  const left = limits.cost - spent.cost - budget.reservedCost;
  if (left <= 0 || cost > left) return { limit: 'cost' };
  job.reserved = input + output;
  job.reservedCost = cost;
  budget.reserved += input + output;
  budget.reservedCost += cost;
  return undefined;
}

/** Output tokens of a call of which nothing is known yet. */
const outputTokensFirst = 256;

/** What a call is going to take out, about: as much as the calls of the run did on average. */
const expectedOutput = ({ modelCalls, outputTokens }: Spent): number =>
  modelCalls === 0 ? outputTokensFirst : outputTokens / modelCalls;

/** USD that it is going to cost at the price of its model; nothing where that is not known. */
function expectedCost({ tool }: Job, inputTokens: number, outputTokens: number): number {
  const price = tool.handler.model?.().price;
  if (!price) return 0;
  return (inputTokens * price.input + outputTokens * price.output) / 1e6;
}

/** Replaces what was set aside for a job by what it has used. */
export function settle(budget: Budget, job: Job): void {
  if (job.reserved > 0 || job.reservedCost > 0) release(budget, job);
  if (job.usage) spend(budget.spent, job.usage);
}

/** Nothing is set aside for a job any more; what it has used counts when it is over. */
export function release(budget: Budget, job: Job): void {
  budget.reserved -= job.reserved;
  budget.reservedCost -= job.reservedCost;
  job.reserved = 0;
  job.reservedCost = 0;
  // Sums of fractions leave a trace; nothing is set aside where nothing runs.
  if (budget.reserved < 1) budget.reserved = 0;
  if (budget.reserved === 0 && budget.reservedCost < traceUsd) budget.reservedCost = 0;
}

const traceUsd = 1e-9;

/** Whether a tool may be called once more. */
export function hasCallsLeft({ spent }: Budget, spec: ToolSpec): boolean {
  const most = spec.limits?.callsPerRun;
  return most === undefined || (spent.byTool.get(spec.name) ?? 0) < most;
}

const callsMost = ({ limits }: ToolSpec): number => limits?.callsPerRun ?? Infinity;

/** Counts a call of a tool within an effect that is counted already. */
export function countStandIn(spent: Spent, tool: string): void {
  spent.byTool.set(tool, (spent.byTool.get(tool) ?? 0) + 1);
}

export function spend(spent: Spent, usage: Usage | undefined): void {
  if (!usage) return;
  spent.modelCalls += usage.modelCalls;
  spent.inputTokens += usage.inputTokens;
  spent.outputTokens += usage.outputTokens;
  if (usage.cost === undefined) spent.unpriced += usage.modelCalls;
  else spent.cost += usage.cost;
}

/** How much of a budget is used, in the limit's unit. */
export function used(spent: Spent, limit: LimitName): number {
  switch (limit) {
    case 'effects':
      return spent.effects;
    case 'tokens':
      return spent.inputTokens + spent.outputTokens;
    case 'cost':
      return spent.cost;
    default:
      return 0;
  }
}

export function addUsage(sum: Usage | undefined, more: Usage): Usage {
  if (!sum) return more;
  const priced = sum.cost !== undefined || more.cost !== undefined;
  return {
    modelCalls: sum.modelCalls + more.modelCalls,
    inputTokens: sum.inputTokens + more.inputTokens,
    outputTokens: sum.outputTokens + more.outputTokens,
    ...(priced ? { cost: (sum.cost ?? 0) + (more.cost ?? 0) } : {}),
  };
}
