/**
 * A saved plan by its name, `@name`: with the inputs that it declares, and planned anew for its
 * goal where one of its guards does not hold.
 */

import type { Asked } from '../../agent/record/kept.ts';
import { load } from '../../agent/record/load.ts';
import type { SavedPlan } from '../../engine/journal/saved-plans.ts';
import type { RunResult } from '../../engine/result.ts';
import { showRun } from '../../engine/views/show.ts';
import { guardMark, inputsIn } from '../../planner/compile.ts';
import { shortened } from '../../planner/prompt.ts';
import { fromJson, stringify, toJson } from '../../program/json.ts';
import type { Value } from '../../program/value.ts';
import { oneLine } from '../../text/words.ts';
import type { ExitCode } from '../exit.ts';
import { type OpenProgram, openSource, type ProgramFlags } from '../open/open-program.ts';
import { readInputs } from '../program/inputs.ts';
import { driveProgram, type ProgramRun, reporter } from '../run/run-program.ts';
import { openWorkspace } from '../settings/workspace.ts';
import { say, styleOf } from '../view/output.ts';
import { answerGoal } from './ask.ts';
import type { AskFlags } from './asking.ts';
import { newCourse } from './course.ts';
import { findPlan, savedPlans } from './plan-store.ts';
import { reportPlanning, usageOf } from './planning.ts';
import { pursue } from './pursuit.ts';

export interface OpenSaved extends OpenProgram {
  readonly plan: SavedPlan;
}

/** `name` is without the `@`. Throws as `openProgram` does, and `AgentError` PV6041. */
export async function openSaved(name: string, flags: ProgramFlags): Promise<OpenSaved> {
  const plan = findPlan(savedPlans(await openWorkspace({ flags })), name);
  const given = readInputs(flags);
  const inputs = new Map<string, Value>([
    ...inputsIn(plan.text).map((input) => [input.name, fromJson(input.value)] as const),
    ...given,
  ]);
  const source = { text: plan.text, file: `@${name}`, title: plan.goal };
  return {
    ...(await openSource(source, inputs, { goal: plan.goal, ...flags, dialect: plan.dialect })),
    plan,
  };
}

export interface SavedRun extends Omit<ProgramRun, 'flags'> {
  readonly plan: SavedPlan;
  /** How often a model may repair it where it fails. */
  readonly repairs: number;
  readonly flags: AskFlags & { readonly replan?: boolean };
}

/** Runs it and reports it; once, where a guard does not hold, what is planned instead. */
export async function runSaved(run: SavedRun): Promise<ExitCode> {
  const { flags, plan, workspace, toolbox, inputs, repairs } = run;
  const startedAt = Date.now();
  const report = reporter(run);
  const more = { corrections: 2, repairs, refused: [], sequential: run.sequential };
  const asked: Asked = { goal: { text: plan.goal }, ...more };
  const result = await driveProgram({ ...run, ...(repairs > 0 && { asked }) }, report);
  const goOn = (left: number): Promise<ExitCode> => {
    const ran = { source: run.source, program: run.program };
    const course = newCourse({ ...asked, repairs: left });
    const used = { ...course, spent: usageOf(result) };
    return pursue({ ...run, startedAt }, { ...used, at: 'ended', result, ran });
  };
  const why = guardIn(result);
  if (why === undefined) return repairs > 0 ? await goOn(repairs) : report(result);
  if (flags.replan === false || !hasModel(run)) return report(result);
  const { warning } = styleOf(process.stderr);
  const isDone = hasWritten(run, result);
  const next = isDone
    ? 'what was done stays, and the rest is written anew'
    : 'the goal is planned anew';
  if (!flags.quiet) say(`${warning('guard:')} ${oneLine(why)}; ${next}`);
  // A new program would do it once more; one that is changed takes what there is.
  if (isDone) return await goOn(Math.max(1, repairs));
  const text = [plan.goal, ...valueLines(inputs), `A program for this did not fit: ${why}`];
  try {
    const settings = { ...workspace.settings, dialect: starlark };
    return await answerGoal({
      ...{ workspace: { ...workspace, settings }, toolbox, inputs },
      goal: { text: text.join('\n') },
      flags: { ...flags, saved: false },
    });
  } catch (error) {
    return reportPlanning(error, flags);
  }
}

/** Whether it has changed the world before it ended. */
const hasWritten = ({ journal }: SavedRun, { run }: RunResult): boolean =>
  showRun({ journal, run, load }).effects.some(
    (one) => one.class === 'write' && one.status === 'done',
  );

const starlark = { value: 'starlark', origin: 'the plan' };

const hasModel = ({ workspace: { settings } }: SavedRun): boolean =>
  (settings.plannerModel ?? settings.model) !== undefined;

/** What the guard says that has ended a run; undefined where none has. */
function guardIn({ status, error }: RunResult): string | undefined {
  if (status !== 'failed' || error?.code !== 'PV3105') return undefined;
  const said = error.message.replace(/^fail: /, '');
  return said.startsWith(guardMark) ? said.slice(guardMark.length).trim() : undefined;
}

const valueLines = (inputs: ReadonlyMap<string, Value>): string[] =>
  [...inputs].map(([name, value]) => `With ${name} = ${shortened(stringify(toJson(value)), 400)}`);
