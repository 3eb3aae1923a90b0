/** Work that ended between two runs, as the result of a session: nothing of it is thrown. */
import type { Journal } from '../../engine/journal/journal.ts';
import type { RunResult } from '../../engine/result.ts';
import { PlanFailure } from '../../planner/plan-failure.ts';
import { AgentError } from '../port/errors.ts';
import { keptResult } from '../record/kept-result.ts';
import { nothingUsed, sum, usageOf } from './usage.ts';

/** Undefined for what is no end of work: a wrong option, a program that is none, a full disk. */
export function stoppedResult(
  error: unknown,
  journal: Journal,
  runs: readonly string[],
): RunResult | undefined {
  const how = howOf(error);
  if (!how || !(error instanceof PlanFailure || error instanceof AgentError)) return undefined;
  const results = runs.flatMap((run) => keptResult(journal, run) ?? []);
  const { cost = null, ...counts } = results.map(usageOf).reduce(sum, nothingUsed);
  const { code, message, hint } = error;
  return {
    ...{ run: runs.at(-1) ?? '', ...how, answer: null, answers: [], variables: {} },
    error: { code, message, step: '', line: 0, column: 0, ...(hint !== undefined && { hint }) },
    ...{ usage: { ...counts, cost }, warnings: [] },
  };
}

function howOf(error: unknown): Pick<RunResult, 'status' | 'reason' | 'limit'> | undefined {
  if (error instanceof PlanFailure) return { status: 'failed' };
  if (!(error instanceof AgentError)) return undefined;
  const { limit } = error.facts;
  switch (error.code) {
    case 'PV6018':
      return { status: 'suspended', reason: 'interrupted' };
    case 'PV6020':
      return { status: 'suspended', reason: 'limit', ...(limit && { limit }) };
    case 'PV7501':
      return { status: 'waiting', reason: 'person' };
    default:
      return undefined;
  }
}
