/** What a run has spent, what its effects have used, and which budget of it was met. */
import { isAmount, isTokenCount, type Request } from '../program/effect.ts';
import type { LimitName } from '../program/limits.ts';
import type { Usage } from './handler.ts';

/** A budget that an effect does not fit in: the run's, or that of its tool. */
export interface Met {
  readonly limit: LimitName;
  readonly tool?: { readonly name: string; readonly max: number };
  /** The effect that does not fit in; absent where the machine itself has met it. */
  readonly request?: Request;
  /** Of tokens and USD: how much of them that was expected to take. */
  readonly wanted?: number;
}

/** The same for whoever reads why a run has stopped, and wants it to go on. */
export interface MetLimit {
  readonly name: LimitName;
  /** Whose budget of calls it is, where it is not the run's. */
  readonly tool?: string;
  /** With so much of it, the run goes on for a while. */
  readonly enough: number;
  /** What is left is too little for this call: how much that may take. */
  readonly next?: { readonly tool: string; readonly amount: number };
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
  /** Model calls whose tokens are estimated. */
  estimated: number;
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
  estimated: 0,
  byTool: new Map(),
});

/** Counts an effect, once. */
export function countEffect(spent: Spent, tool: string): void {
  spent.effects++;
  spent.byTool.set(tool, (spent.byTool.get(tool) ?? 0) + 1);
}

/** Counts a call of a tool within an effect that is counted already. */
export function countStandIn(spent: Spent, tool: string): void {
  spent.byTool.set(tool, (spent.byTool.get(tool) ?? 0) + 1);
}

export function spend(spent: Spent, usage: Usage | undefined): void {
  if (!usage) return;
  spent.modelCalls += usage.modelCalls;
  spent.inputTokens += usage.inputTokens;
  spent.outputTokens += usage.outputTokens;
  spent.estimated += usage.estimated ?? 0;
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

/** What counts of a usage that was reported, and what does not, as `inputTokens -5`. */
export interface SoundUsage {
  readonly sound: Usage;
  readonly refused: readonly string[];
}

/** Usage is data from outside: a count that cannot be counts as none, and never lifts a budget. */
export function soundUsage(usage: Usage): SoundUsage {
  const { modelCalls, inputTokens, outputTokens, cost, estimated } = usage;
  const counts = {
    modelCalls,
    inputTokens,
    outputTokens,
    ...(estimated !== undefined && { estimated }),
  };
  const odd = Object.entries(counts).filter(([, count]) => !isTokenCount(count));
  const isOddCost = cost !== undefined && !isAmount(cost);
  if (isOddCost) odd.push(['cost', cost]);
  if (odd.length === 0) return { sound: usage, refused: [] };
  const none = Object.fromEntries(odd.map(([name]) => [name, 0]));
  return {
    sound: { ...usage, ...none },
    refused: odd.map(([name, count]) => `${name} ${String(count)}`),
  };
}

export function addUsage(sum: Usage | undefined, more: Usage): Usage {
  if (!sum) return more;
  const priced = sum.cost !== undefined || more.cost !== undefined;
  const estimated = (sum.estimated ?? 0) + (more.estimated ?? 0);
  return {
    modelCalls: sum.modelCalls + more.modelCalls,
    inputTokens: sum.inputTokens + more.inputTokens,
    outputTokens: sum.outputTokens + more.outputTokens,
    ...(priced ? { cost: (sum.cost ?? 0) + (more.cost ?? 0) } : {}),
    ...(estimated > 0 ? { estimated } : {}),
  };
}

/** What was used beside what is known already. */
export function lessUsage(used: Usage, known: Usage | undefined): Usage {
  const left = (a = 0, b = 0): number => Math.max(0, a - b);
  return {
    modelCalls: left(used.modelCalls, known?.modelCalls),
    inputTokens: left(used.inputTokens, known?.inputTokens),
    outputTokens: left(used.outputTokens, known?.outputTokens),
    ...(used.cost !== undefined && { cost: left(used.cost, known?.cost) }),
    ...(used.estimated !== undefined && { estimated: left(used.estimated, known?.estimated) }),
  };
}
