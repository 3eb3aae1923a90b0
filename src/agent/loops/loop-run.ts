/** Runs a control loop of the planner: a run like any other, shown in the planner's way. */

import type { Usage } from '../../engine/handler.ts';
import type { RunResult } from '../../engine/result.ts';
import type { MetLimit } from '../../engine/spent.ts';
import { nextText } from '../../engine/stop.ts';
import { PlanFailure, type Round } from '../../planner/plan-failure.ts';
import { fromJson } from '../../program/json.ts';
import type { Value } from '../../program/value.ts';
import { describeFailure } from '../evidence/failure-text.ts';
import { AgentError } from '../port/errors.ts';
import { compileLoop, loopFile } from '../program/loop-file.ts';
import type { Source } from '../program/source.ts';
import type { CourseLoop } from '../record/asked.ts';
import type { Asked, Kept } from '../record/kept.ts';
import { beginLoop } from '../run/begin.ts';
import { drive } from '../run/drive.ts';
import { sum, usageOf, usageText } from '../run/usage.ts';
import type { Work } from '../run/work.ts';
import { settingsOf } from '../settings/kept-settings.ts';
import { asTools } from '../tools/toolbox.ts';
import { effectsOfLoops } from './loop-effects.ts';

/** What each loop is given of the way that it is a part of. */
export interface LoopPlace extends Work {
  /** What was used before. */
  readonly spent: Usage;
}

/** What a loop is given that works on a goal. */
export interface LoopGoal extends LoopPlace {
  readonly inputs: ReadonlyMap<string, Value>;
  readonly asked: Asked;
}

export interface LoopCall extends LoopPlace {
  readonly name: CourseLoop;
  /** JSON data by name. */
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly title: string;
  /** What its effects are made of. */
  readonly settings: Kept;
  /** What the model does: `planning`. */
  readonly doing: string;
}

export interface LoopEnd {
  readonly run: string;
  readonly answer: unknown;
  readonly usage: Usage;
  /** How often the model has written, in this process. */
  readonly rounds: number;
}

/**
 * Throws `PlanFailure` where the loop fails, `AgentError` PV6018 where
 * it is interrupted, and PV6020 where a budget is used up: the last two can be resumed.
 */
export async function runLoop(call: LoopCall): Promise<LoopEnd> {
  const { workspace, toolbox, title, host, name, doing, isDurable } = call;
  const { settings } = workspace;
  const loop = loopFile(workspace, name);
  // Where there is no model, no run begins.
  const role = name === 'judge' ? toolbox.models.judge : toolbox.models.planner;
  const about = { name, doing, model: role().name };
  let last: Round | undefined;
  const onRound = (round: Round): void => {
    last = round;
    const { number, ok, isProgram, diagnostics } = round;
    host.notice?.({ type: 'plan.checked', round: number, ok, isProgram, diagnostics });
  };
  const effects = await effectsOfLoops[name](call.settings, { ...call, onRound });
  if (!effects) throw new Error(`got settings without the effects of the loop ${name}`);
  const handlers = await asTools(effects, workspace);
  const program = compileLoop(loop, handlers, Object.keys(call.inputs));
  const handle = beginLoop(call, {
    ...{ handlers, program, title, dialect: 'starlark', text: loop.text },
    inputs: new Map(Object.entries(call.inputs).map(([key, data]) => [key, fromJson(data)])),
    settings: { ...settingsOf(settings, loop.file), ...call.settings },
  });
  const result = await drive(host, {
    ...{ handle, program, title, isDurable, loop: about, callsFunctions: false },
    endWith: (ended) => ({ result: ended, ...loop }),
  });
  const stopped = { loop, used: sum(call.spent, usageOf(result)), last };
  if (result.status !== 'done') throw whyNot(result, { ...stopped, ...call });
  const { run, answer } = result;
  return { run, answer, usage: usageOf(result), rounds: last?.number ?? 0 };
}

interface Stopped extends Pick<LoopCall, 'name' | 'isDurable' | 'doing'> {
  readonly loop: Source;
  readonly used: Usage;
  readonly last: Round | undefined;
}

/** Of the budget, earlier runs may have paid: what is left to this one is not what was given. */
function paid(limit: MetLimit, used: Usage): string {
  const next = nextText(limit);
  if (next === undefined) return `has used up the budget: ${usageText(used)}`;
  return `has too little of the budget left: ${usageText(used)}, and ${next}`;
}

const enoughOf = ({ name, tool, enough }: MetLimit): string =>
  `the limit ${tool === undefined ? name : `${tool}.callsPerRun`} at ${enough}`;

/** Why a loop that has stopped has come to nothing. */
function whyNot(result: RunResult, stopped: Stopped): Error {
  const { name, used, isDurable, doing } = stopped;
  const { status, reason, error, limit, run } = result;
  if (reason === 'limit') {
    const isPaid = limit?.name === 'tokens' || limit?.name === 'cost';
    const why = isPaid
      ? `${doing} ${paid(limit, used)}`
      : (error?.message ?? `the loop is ${status}`);
    const hint = limit && `resume it with a larger one: ${enoughOf(limit)}`;
    return new AgentError('PV6020', why, { hint, facts: { run, limit } });
  }
  if (status !== 'failed') {
    const why = `interrupted while ${doing}${name === 'plan' ? '; nothing was run' : ''}`;
    return new AgentError('PV6018', why, { facts: { run, isResumable: isDurable } });
  }
  return loopFailure(result, stopped);
}

/** Why a loop has failed. */
export function loopFailure(
  { status, error }: RunResult,
  { name, loop, last }: Pick<Stopped, 'name' | 'loop'> & Partial<Stopped>,
): PlanFailure {
  const { code = 'PV7004', message = `the loop is ${status}`, hint } = error ?? {};
  if (code === 'PV3105') {
    const written = last?.isProgram === false ? 'PV7001' : 'PV7002';
    const own = name === 'judge' ? 'PV7008' : written;
    return new PlanFailure(own, message.replace(/^fail: /, ''), { last });
  }
  if (code.startsWith('PV4')) return new PlanFailure(code, message, { hint, last });
  const place = error ? describeFailure(error, loop) : message;
  return new PlanFailure('PV7004', `the loop ${loop.file} failed:\n${place}`, { last });
}
