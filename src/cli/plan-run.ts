/**
 * From a goal to a program by the control loop `plan`: a run like any other, with its own effects,
 * shown in the planner's way. A later process resumes it from what its record has.
 */
import { checkProgram } from '../dialects/index.ts';
import type { WatchEvent } from '../engine/events.ts';
import type { Handler, Usage } from '../engine/handler.ts';
import type { RunRecord } from '../engine/journal.ts';
import { openJournal } from '../engine/open-journal.ts';
import type { RunResult } from '../engine/result.ts';
import { startRun } from '../engine/run.ts';
import {
  type Plan,
  PlanFailure,
  planInputs,
  planningHandlers,
  type Round,
} from '../planner/planner.ts';
import type { ToolSpec } from '../program/effect.ts';
import { decode, fromJson, textOf } from '../program/json.ts';
import { drive } from './drive.ts';
import { exit } from './exit.ts';
import { CliError } from './failure.ts';
import type { View } from './live.ts';
import { compileLoop, loopFile } from './loop-file.ts';
import {
  defaultDialect,
  nothingUsed,
  type Planning,
  remaining,
  sum,
  usageOf,
  usageText,
} from './planning.ts';
import { type PlanningView, planningView } from './planning-view.ts';
import { errorText, nextCommands } from './result.ts';
import { settingsOf } from './run-settings.ts';
import { limitsIn } from './settings.ts';
import type { Source } from './source.ts';
import { count } from './text.ts';
import { refuseSecrets, type Toolbox } from './toolbox.ts';
import { journalPath, shortPath } from './workspace.ts';

export interface Planned {
  readonly plan: Plan;
  /** The run of the loop. */
  readonly run: string;
  /** Of this plan alone. */
  readonly usage: Usage;
}

/**
 * Plans, saying on stderr how far it is. Throws `PlanFailure` where the loop fails; `CliError`
 * PV6018 where it is interrupted and PV6020 where a budget is used up: both can be resumed.
 */
export async function planGoal(planning: Planning): Promise<Planned> {
  const { toolbox, inputs, flags, spent = nothingUsed } = planning;
  refuseSecrets(planning.workspace, 'the goal', planning.goal.text);
  const workspace = remaining(planning.workspace, spent);
  const dialect = workspace.settings.dialect?.value ?? defaultDialect;
  const environment = { tools: toolbox.specs, inputs };
  const name = shownModel(toolbox.model().name);
  const progress = planningView({ model: name, quiet: !!flags.quiet, verbose: !!flags.verbose });
  let last: Round | undefined;
  const onRound = (round: Round): void => {
    last = round;
    progress.note(aboutRound(round));
  };
  try {
    const handlers = planningHandlers({ dialect, environment, model: toolbox.model, onRound });
    const loop = loopFile(workspace, 'plan');
    const result = await runLoop({ ...planning, workspace }, loop, handlers, progress);
    const usage = usageOf(result);
    if (result.status !== 'done')
      throw whyNot(result, { loop, used: sum(spent, usage), last, kept: planning.kept });
    const text = String(result.answer);
    const checked = checkProgram(text, environment, { dialect });
    const { run } = result;
    if (checked.ok) return { plan: { text, checked, rounds: last?.number ?? 0 }, run, usage };
    throw new PlanFailure('PV7004', `${loop.file} answered with no valid program`, {
      hint: 'a loop answers with the program of a check that was ok',
    });
  } finally {
    progress.end();
  }
}

async function runLoop(
  { workspace: { settings, home }, toolbox, goal, inputs, flags, kept }: Planning,
  loop: Source,
  handlers: ReadonlyMap<string, Handler>,
  progress: PlanningView,
): Promise<RunResult> {
  const program = compileLoop(loop, handlers, planInputs);
  const title = `plan: ${goal.text}`;
  const dialect = settings.dialect?.value ?? defaultDialect;
  const variables = { goal, rounds: 1 + (flags.corrections ?? 2) };
  const journal = openJournal(kept ? journalPath({ home }) : ':memory:');
  try {
    const handle = startRun({
      ...{ journal, handlers, program, title },
      limits: limitsIn(settings),
      text: loop.text,
      dialect: 'starlark',
      inputs: new Map(planInputs.map((name) => [name, fromJson(variables[name])])),
      settings: {
        ...settingsOf(settings, loop.file),
        planning: { dialect, inputs, tools: [...toolbox.specs.values()] },
      },
    });
    return await drive(handle, { program, title, view: viewOf(progress) }, {});
  } finally {
    journal.close();
  }
}

/** The effects that the record of a planning run was started with; undefined for other runs. */
export function planningEffects(
  { settings }: RunRecord,
  toolbox: Toolbox,
): ReadonlyMap<string, Handler> | undefined {
  const { planning }: { planning?: KeptPlanning } = JSON.parse(settings);
  if (!planning) return undefined;
  const { dialect, inputs, tools } = planning;
  const environment = { tools: new Map(tools.map((spec) => [spec.name, spec])), inputs };
  return planningHandlers({ dialect, environment, model: toolbox.model });
}

interface KeptPlanning {
  readonly dialect: string;
  readonly inputs: readonly string[];
  readonly tools: readonly ToolSpec[];
}

/** A transcript by its path as a person at this place would write it. */
function shownModel(name: string): string {
  const file = /^replay\/(.*)$/.exec(name)?.[1];
  return file === undefined ? name : `the transcript ${shortPath(file)}`;
}

function aboutRound({ number, ok, diagnostics }: Round): string {
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
      else if (event.type === 'effect.settled') event.warnings?.forEach(progress.note);
      else if (event.type === 'message.emitted' && event.channel !== 'answer') {
        progress.note(textOf(decode(event.value)));
      }
    },
    note: progress.note,
    end() {},
  };
}

interface Stopped {
  readonly loop: Source;
  readonly used: Usage;
  readonly last: Round | undefined;
  /** Whether there is something to resume. */
  readonly kept: boolean;
}

/** Why a loop that has stopped has no program. */
function whyNot(result: RunResult, { loop, used, last, kept }: Stopped): Error {
  const { status, reason, error, run } = result;
  const { code = 'PV7004', message = `the loop is ${status}`, hint } = error ?? {};
  if (reason === 'limit') {
    const isPaid = /--(tokens|cost) /.test(hint ?? '');
    const why = isPaid ? `planning has used up the budget: ${usageText(used)}` : message;
    return new CliError('PV6020', why, {
      hint: hint ?? nextCommands(result)[0],
      exit: exit.budget,
    });
  }
  if (status !== 'failed') {
    const why = 'interrupted while planning; nothing was run';
    const next = kept ? `planvm resume ${run} goes on with the plan` : undefined;
    return new CliError('PV6018', why, { hint: next, exit: exit.interrupted });
  }
  if (code === 'PV3105') {
    const own = last?.isProgram === false ? 'PV7001' : 'PV7002';
    return new PlanFailure(own, message.replace(/^fail: /, ''), { last });
  }
  if (code.startsWith('PV4')) return new PlanFailure(code, message, { hint, last });
  const place = error ? errorText(error, { ...loop, kept: true }, false) : message;
  return new PlanFailure('PV7004', `the loop ${loop.file} failed:\n${place}`, { last });
}
