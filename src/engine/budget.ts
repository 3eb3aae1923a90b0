/**
 * What a run may spend and has spent. Tokens are set aside before an effect starts, by an estimate,
 * and replaced by what it used when it ends; so a wide fan-out cannot pass a budget unseen.
 */
import type { Request, ToolSpec } from '../program/effect.ts';
import type { Limits } from '../program/limits.ts';
import type { AskedModel, Price, Usage } from './handler.ts';
import type { Paces } from './perform/breaker.ts';
import type { Job } from './perform/job.ts';
import { Slots } from './perform/scheduler.ts';
import type { Warning } from './result.ts';
import { countEffect, type Met, type Spent, spend, used } from './spent.ts';

export interface Budget {
  /** The run that it is of. */
  readonly run: string;
  readonly limits: Limits;
  readonly spent: Spent;
  /** Tokens set aside for effects that run. */
  reserved: number;
  /** USD set aside for them. */
  reservedCost: number;
  /** That of the run it is within: what is spent here is spent there, too. */
  readonly within: Budget | undefined;
  /** How often tools were asked within the last minute, in the runs around this one as well. */
  readonly paces: Paces;
  /** What may run at once, in the runs around this one as well. */
  readonly slots: Slots;
  /** By run within it: what that had no room in when it last asked for some. */
  readonly refused: Map<string, Refusal>;
  /** Ids of runs within it whose use in earlier processes is in `spent`. */
  readonly counted: Set<string>;
  /** Of models at a price nobody knows, where there are USD to keep to; by name. */
  readonly unpriced: Map<string, Warning>;
  /** Says so before the first call of one. */
  warn(warning: Warning): void;
}

/** A budget of which nothing is set aside; `spent` is its own from here on. */
export const newBudget = (
  { run, limits, within, warn }: Pick<Budget, 'run' | 'limits' | 'warn'> & Partial<Budget>,
  spent: Spent,
): Budget => ({
  run,
  limits,
  spent: { ...spent, byTool: new Map(spent.byTool) },
  reserved: 0,
  reservedCost: 0,
  within,
  paces: within?.paces ?? new Map(),
  slots: within?.slots ?? new Slots(limits.concurrency),
  refused: new Map(),
  counted: new Set(),
  unpriced: new Map(),
  warn,
});

/** A budget of a run around that has no room, and which of its limits says so. */
export interface Refusal {
  readonly met: Met;
  readonly by: Budget;
}

/** Notes that a run has to stop for a budget around it, rather than for its own. */
export function noteRefusal({ run, within }: Budget, refusal: Refusal): void {
  if (refusal.by.run !== run) within?.refused.set(run, refusal);
}

/** It, and those of the runs that its run is within, from the inside out. */
export function* withOuter(budget: Budget | undefined): Iterable<Budget> {
  for (let one = budget; one; one = one.within) yield one;
}

/** What the first call of a model is taken to need where a budget does not say. */
const someTokens = 10_000;
const someUsd = 0.1;
const someMs = 60_000;
const someInstructions = 1_000_000;
const someEffects = 10;

/** A budget that lets a run go on for a while that has met this one. */
export function larger(
  { limit, wanted = 0 }: Met,
  { limits, spent }: Pick<Budget, 'limits' | 'spent'>,
  instructions: number,
): number {
  const now = limit === 'instructions' ? instructions : used(spent, limit);
  // A run within another may have met the other's limit, and have none of its own.
  const bound = Number.isFinite(limits[limit]) ? limits[limit] : 0;
  const most = Math.max(bound, now + wanted);
  if (limit === 'cost') return Math.max(someUsd, Number((2 * most).toPrecision(2)));
  // What is counted may have parts; a limit is whole.
  const twice = 2 * Math.ceil(most);
  if (limit === 'tokens') return twice + someTokens;
  if (limit === 'wallMs') return Math.max(someMs, twice);
  return Math.max(limit === 'instructions' ? someInstructions : someEffects, twice);
}

/** Charges the start of a job; or names the limit that forbids it and charges nothing. */
export function admit(budget: Budget, job: Job): Met | undefined {
  const { limits, spent } = budget;
  const { request } = job;
  const { spec } = job.tool;
  const { name } = spec;
  const first = job.attemptsBefore === 0;
  budget.within?.refused.delete(budget.run);
  if (first && spent.effects >= limits.effects) return { limit: 'effects', request };
  if (first && !hasCallsLeft(budget, spec))
    return { limit: 'effects', tool: { name, max: callsMost(spec) }, request };
  const need = spec.kind === 'model' ? modelNeed(budget, job) : toolNeed(job);
  // Each effect comes by here, and goes through loops rather than iterators.
  for (let one: Budget | undefined = budget; one; one = one.within) {
    const met = lacking(one, need, request);
    if (met) noteRefusal(budget, { met, by: one });
    if (met) return met;
  }
  if (need !== nothing) {
    for (let one: Budget | undefined = budget; one; one = one.within) {
      setAside(one, need.tokens, need.cost);
    }
    job.reserved = need.tokens;
    job.reservedCost = need.cost;
  }
  if (first) countEffect(spent, name);
  return undefined;
}

/** What a call is going to take, as far as that is known before. */
interface Need {
  readonly isModel: boolean;
  /** Tokens of what is sent; a call alone may turn out short. */
  readonly input: number;
  readonly tokens: number;
  /** USD. */
  readonly cost: number;
}

const nothing: Need = { isModel: false, input: 0, tokens: 0, cost: 0 };

function toolNeed({ tool: { spec } }: Job): Need {
  const cost = spec.price?.perCall ?? 0;
  return cost === 0 ? nothing : { ...nothing, cost };
}

function modelNeed(budget: Budget, job: Job): Need {
  const { request, tool } = job;
  const model = tool.handler.model?.(tool.read(request.args).args);
  const input = Math.ceil((request.args.length + (model?.sends ?? 0)) / 4);
  const output = expectedOutput(budget.spent);
  job.otherModel = model?.isOther ? model.name : undefined;
  if (model && !model.price) noteUnpriced(budget, model);
  const cost = model?.price ? costOf(model.price, input, output) : 0;
  return { isModel: true, input, tokens: input + output, cost };
}

/** Its name is asked for only where it is needed: that may be what opens it, and fails. */
function noteUnpriced(budget: Budget, model: AskedModel): void {
  for (const one of withOuter(budget)) {
    if (one.limits.cost === Infinity || one.unpriced.has(model.name)) continue;
    const warning = unpricedWarning(model.name);
    one.unpriced.set(model.name, warning);
    one.warn(warning);
  }
}

/** A budget in USD that cannot be kept. */
const unpricedWarning = (model: string): Warning => ({
  code: 'PV4120',
  message: `the price of ${model} is not known: its calls do not count for the limit cost`,
  hint:
    'planvm.config.json may say it, in USD per million tokens: ' +
    `"prices": { "${model}": { "input": 1, "output": 4 } }`,
});

/** The budget that has not as much. */
function lacking(
  { limits, spent, reserved, reservedCost }: Budget,
  need: Need,
  request: Request,
): Met | undefined {
  const used = spent.inputTokens + spent.outputTokens + reserved;
  const cost = spent.cost + reservedCost;
  // Of what takes no tokens: whether others have used them up.
  const wanted = reserved > 0 ? need.tokens : need.input;
  if (used + wanted > limits.tokens) return { limit: 'tokens', request, wanted };
  // A model costs something, known or not.
  if (cost + need.cost > limits.cost || (need.isModel && cost >= limits.cost))
    return { limit: 'cost', request, wanted: need.cost };
  return undefined;
}

function setAside(budget: Budget, tokens: number, cost: number): void {
  budget.reserved += tokens;
  budget.reservedCost += cost;
  // Sums of fractions leave a trace; nothing is set aside where nothing runs.
  if (budget.reserved < 1) budget.reserved = 0;
  if (budget.reserved === 0 && budget.reservedCost < traceUsd) budget.reservedCost = 0;
}

/** Output tokens of a call of which nothing is known yet. */
const outputTokensFirst = 256;

/** What a call is going to take out, about: as much as the calls of the run did on average. */
const expectedOutput = ({ modelCalls, outputTokens }: Spent): number =>
  modelCalls === 0 ? outputTokensFirst : outputTokens / modelCalls;

const costOf = (price: Price, inputTokens: number, outputTokens: number): number =>
  (inputTokens * price.input + outputTokens * price.output) / 1e6;

/** Replaces what was set aside for a job by what it has used. */
export function settle(budget: Budget, job: Job): void {
  if (job.reserved > 0 || job.reservedCost > 0) release(budget, job);
  if (job.usage) spendAll(budget, job.usage);
}

/** Counts what was used, here and in the runs around this one. */
function spendAll(budget: Budget, usage: Usage): void {
  for (const { spent } of withOuter(budget)) spend(spent, usage);
}

/** Nothing is set aside for a job any more; what it has used counts when it is over. */
export function release(budget: Budget, job: Job): void {
  for (const one of withOuter(budget)) setAside(one, -job.reserved, -job.reservedCost);
  job.reserved = 0;
  job.reservedCost = 0;
}

const traceUsd = 1e-9;

/** Whether a tool may be called once more. */
export function hasCallsLeft({ spent }: Budget, spec: ToolSpec): boolean {
  const most = spec.limits?.callsPerRun;
  return most === undefined || (spent.byTool.get(spec.name) ?? 0) < most;
}

const callsMost = ({ limits }: ToolSpec): number => limits?.callsPerRun ?? Infinity;
