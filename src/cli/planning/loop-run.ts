/** Runs a control loop of the planner: a run like any other, shown in the planner's way. */

import { AgentError } from '../../agent/errors.ts';
import { describeFailure } from '../../agent/goal/failure-text.ts';
import type { Asked, Kept } from '../../agent/record/kept.ts';
import { noticedMs, retryText } from '../../agent/view/watch.ts';
import { isModelUnavailable } from '../../effects/model/unavailable.ts';
import type { WatchEvent } from '../../engine/events.ts';
import type { Handler, Usage } from '../../engine/handler.ts';
import type { Journal } from '../../engine/journal/journal.ts';
import type { RunResult } from '../../engine/result.ts';
import { startRun } from '../../engine/run.ts';
import type { MetLimit } from '../../engine/spent.ts';
import { nextText } from '../../engine/stop.ts';
import type { LoopName } from '../../planner/loop-source.ts';
import { PlanFailure, type Round } from '../../planner/planner.ts';
import { decode, fromJson, textOf } from '../../program/json.ts';
import type { Value } from '../../program/value.ts';
import { count } from '../../text/words.ts';
import { compileLoop, loopFile } from '../program/loop-file.ts';
import type { Source } from '../program/source.ts';
import { drive } from '../run/drive.ts';
import { settingsOf } from '../settings/run-settings.ts';
import { limitsIn } from '../settings/settings.ts';
import type { Workspace } from '../settings/workspace.ts';
import { asTools, type Toolbox } from '../tools/toolbox.ts';
import type { View } from '../view/view.ts';
import { sum, usageOf, usageText } from './planning.ts';
import { type PlanningView, planningView } from './planning-view.ts';

/** What each loop is given of the way that it is a part of. */
export interface LoopPlace {
  /** With the budgets that are left. */
  readonly workspace: Workspace;
  readonly journal: Journal;
  /** Whether the run can be resumed by another process. */
  readonly kept: boolean;
  readonly flags: { readonly quiet?: true; readonly verbose?: true };
  /** What was used before. */
  readonly spent: Usage;
}

/** What the effects of a loop are made from when its run is taken up again. */
export interface EffectsPlace {
  readonly journal: Journal;
  readonly toolbox: Toolbox;
  readonly workspace: Workspace;
}

/** What a loop is given that works on a goal. */
export interface GoalCall extends LoopPlace {
  readonly toolbox: Toolbox;
  readonly inputs: ReadonlyMap<string, Value>;
  readonly asked: Asked;
}

export interface LoopCall extends LoopPlace {
  readonly name: LoopName;
  readonly handlers: (onRound: (round: Round) => void) => ReadonlyMap<string, Handler>;
  /** JSON data by name. */
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly title: string;
  /** What its handlers are made of, for resuming. */
  readonly settings: Kept;
  /** As the model is called in words. */
  readonly model: string;
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
 * Says on stderr how far it is. Throws `PlanFailure` where the loop fails, `AgentError` PV6018
 * where it is interrupted, and PV6020 where a budget is used up: the last two can be resumed.
 */
export async function runLoop(call: LoopCall): Promise<LoopEnd> {
  const { workspace, journal, title, flags } = call;
  const { settings } = workspace;
  const view = planningView({
    ...{ model: shownModel(call.model), doing: call.doing },
    ...{ quiet: !!flags.quiet, verbose: !!flags.verbose },
  });
  const loop = loopFile(workspace, call.name);
  let last: Round | undefined;
  const onRound = (round: Round): void => {
    last = round;
    view.note(aboutRound(round));
  };
  try {
    const handlers = await asTools(call.handlers(onRound), workspace);
    const names = Object.keys(call.inputs);
    const program = compileLoop(loop, handlers, names);
    const handle = startRun({
      ...{ journal, handlers, program, title, dialect: 'starlark', text: loop.text },
      limits: limitsIn(settings),
      inputs: new Map(Object.entries(call.inputs).map(([name, data]) => [name, fromJson(data)])),
      settings: { ...settingsOf(settings, loop.file), ...call.settings },
    });
    const result = await drive(handle, { program, title, view: viewOf(view) }, {});
    const stopped = { loop, used: sum(call.spent, usageOf(result)), last };
    if (result.status !== 'done') throw whyNot(result, { ...stopped, ...call });
    const { run, answer } = result;
    return { run, answer, usage: usageOf(result), rounds: last?.number ?? 0 };
  } finally {
    view.end();
  }
}

/** A transcript by its path as a person at this place would write it. */
function shownModel(name: string): string {
  const file = /^replay\/(.*)$/.exec(name)?.[1];
  return file === undefined ? name : `the transcript ${file}`;
}

function aboutRound({ number, ok, isProgram, diagnostics }: Round): string {
  if (!isProgram) return `reply ${number} holds no program`;
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (ok) return `plan ${number} passes the check`;
  const first = errors[0];
  const sample = first === undefined ? '' : `: ${first.code} ${first.message}`;
  return `plan ${number} has ${count(errors.length, 'error')}${sample}`;
}

/** The events of the loop's run, as far as a person who waits for a plan wants to see them. */
function viewOf(progress: PlanningView): View {
  return {
    show(event: WatchEvent) {
      if (event.type === 'effect.progress') progress.progress(event.text);
      else if (event.type === 'effect.retries') {
        if (event.waitMs >= noticedMs) progress.note(retryText(event));
      } else if (event.type === 'effect.settled') {
        const error = event.outcome.ok ? undefined : event.outcome.error;
        if (!isModelUnavailable(error?.code)) event.warnings?.forEach(progress.note);
      } else if (event.type === 'message.emitted' && event.channel !== 'answer') {
        progress.note(textOf(decode(event.value)));
      }
    },
    note: progress.note,
    end() {},
  };
}

interface Stopped extends Pick<LoopCall, 'name' | 'kept' | 'doing'> {
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
function whyNot(result: RunResult, { name, loop, used, last, kept, doing }: Stopped): Error {
  const { status, reason, error, limit, run } = result;
  const { code = 'PV7004', message = `the loop is ${status}`, hint } = error ?? {};
  if (reason === 'limit') {
    const isPaid = limit?.name === 'tokens' || limit?.name === 'cost';
    const why = isPaid ? `${doing} ${paid(limit, used)}` : message;
    const hint = limit && `resume it with a larger one: ${enoughOf(limit)}`;
    return new AgentError('PV6020', why, { hint, facts: { run, limit } });
  }
  if (status !== 'failed') {
    const why = `interrupted while ${doing}${name === 'plan' ? '; nothing was run' : ''}`;
    return new AgentError('PV6018', why, { facts: { run, isResumable: kept } });
  }
  if (code === 'PV3105') {
    const written = last?.isProgram === false ? 'PV7001' : 'PV7002';
    const own = name === 'judge' ? 'PV7008' : written;
    return new PlanFailure(own, message.replace(/^fail: /, ''), { last });
  }
  if (code.startsWith('PV4')) return new PlanFailure(code, message, { hint, last });
  const place = error ? describeFailure(error, loop) : message;
  return new PlanFailure('PV7004', `the loop ${loop.file} failed:\n${place}`, { last });
}
