/** Runs a saved plan; where one of its guards does not hold, its goal is planned again. */

import type { SavedPlan } from '../../engine/journal/saved-plans.ts';
import type { RunResult } from '../../engine/result.ts';
import { showRun } from '../../engine/views/show.ts';
import { guardMark } from '../../planner/compile.ts';
import { shortened } from '../../planner/prompt.ts';
import { stringify, toJson } from '../../program/json.ts';
import type { Value } from '../../program/value.ts';
import type { Asked } from '../record/kept.ts';
import { load } from '../record/load.ts';
import { type ProgramRun, runProgram } from '../run/run-program.ts';
import type { PursuitEnd } from '../run/work.ts';
import { answerGoal } from './ask.ts';
import { apply, begin } from './course.ts';
import { ranDone } from './perform.ts';
import { pursue } from './pursuit.ts';

export interface SavedRun extends ProgramRun {
  readonly plan: SavedPlan;
  /** How often a model may repair it where it fails. */
  readonly repairs: number;
  /** False: a guard that does not hold is a failure like any other. */
  readonly replan: boolean;
}

/** Runs it; once, where a guard does not hold, what is planned instead. */
export async function runSaved(run: SavedRun): Promise<PursuitEnd> {
  const { plan, workspace, inputs, repairs, host, source } = run;
  const more = { corrections: 2, repairs, refused: [], sequential: run.sequential };
  const asked: Asked = { goal: { text: plan.goal }, ...more };
  const result = await runProgram({ ...run, ...(repairs > 0 && { asked }) });
  const done = ranDone(run.journal, asked, result, { source, program: run.program });
  const goOn = (left: number): Promise<PursuitEnd> =>
    pursue(run, apply(begin({ ...asked, repairs: left }), done));
  const why = guardIn(result);
  if (why === undefined) return await goOn(repairs);
  if (!run.replan || !hasModel(run)) return await goOn(0);
  const isDone = hasWritten(run, result);
  host.notice?.({ type: 'guard.failed', run: result.run, reason: why, keeps: isDone });
  // A new program would do it once more; one that is changed takes what there is.
  if (isDone) return await goOn(Math.max(1, repairs));
  const text = [plan.goal, ...valueLines(inputs), `A program for this did not fit: ${why}`];
  const settings = { ...workspace.settings, dialect: 'starlark' };
  return await answerGoal({
    ...{ ...run, workspace: { ...workspace, settings }, saved: false, options: {} },
    goal: { text: text.join('\n') },
  });
}

/** Whether it has changed the world before it ended. */
const hasWritten = ({ journal }: SavedRun, { run }: RunResult): boolean =>
  showRun({ journal, run, load }).effects.some(
    (one) => one.class === 'write' && one.status === 'done',
  );

const hasModel = ({ workspace: { settings, models } }: SavedRun): boolean =>
  (models?.planner ?? models?.worker ?? settings.plannerModel ?? settings.model) !== undefined;

/** What the guard says that has ended a run; undefined where none has. */
function guardIn({ status, error }: RunResult): string | undefined {
  if (status !== 'failed' || error?.code !== 'PV3105') return undefined;
  const said = error.message.replace(/^fail: /, '');
  return said.startsWith(guardMark) ? said.slice(guardMark.length).trim() : undefined;
}

const valueLines = (inputs: ReadonlyMap<string, Value>): string[] =>
  [...inputs].map(([name, value]) => `With ${name} = ${shortened(stringify(toJson(value)), 400)}`);
