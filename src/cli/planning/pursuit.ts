/**
 * The way from a goal to its answer, stage by stage: plan, run, repair what fails, judge, revise
 * what is rejected. Each stage is a run of its own that says what it is for (asked.ts), so whoever
 * resumes one goes on from there. `ask`, `run --repair`, `resume` and the demo share it.
 */

import { AgentError } from '../../agent/errors.ts';
import { describeFailure } from '../../agent/goal/failure-text.ts';
import { load } from '../../agent/record/load.ts';
import { newTalk, type Talk } from '../../agent/record/talk.ts';
import { checkProgram } from '../../dialects/index.ts';
import { isModelUnavailable } from '../../effects/model/unavailable.ts';
import { forkRun } from '../../engine/fork/fork.ts';
import type { RunEvent } from '../../engine/journal/journal.ts';
import type { SavedPlan } from '../../engine/journal/saved-plans.ts';
import { loadProgram } from '../../engine/load.ts';
import { readPast } from '../../engine/past/read-past.ts';
import type { RunResult } from '../../engine/result.ts';
import type { Grown } from '../../planner/converse.ts';
import { PlanFailure } from '../../planner/planner.ts';
import type { Program } from '../../program/program.ts';
import { count, oneLine } from '../../text/words.ts';
import type { ExitCode } from '../exit.ts';
import { personHere } from '../process/terminal-person.ts';
import type { Source } from '../program/source.ts';
import { drive } from '../run/drive.ts';
import { driveProgram, type ProgramRun } from '../run/run-program.ts';
import { fileOf } from '../settings/run-settings.ts';
import { sourced } from '../view/answer-sources.ts';
import { forkLines } from '../view/fork-lines.ts';
import { say, styleOf } from '../view/output.ts';
import { errorText, ourName, reportResult } from '../view/result.ts';
import type { Pursuit } from './asking.ts';
import { type ForkPlan, planFork } from './change-run.ts';
import { follow, lookAt, without } from './corrections.ts';
import {
  type At,
  after,
  behind,
  type Checked,
  type Course,
  type Next,
  type Over,
  type Stage,
  used,
} from './course.ts';
import { foundLines, withFound } from './found.ts';
import { planGoal, savedPlan, withPrograms } from './plan-run.ts';
import { savedPlans } from './plan-store.ts';
import { remaining, usageText } from './planning.ts';
import { directProgram, directTool, routeGoal } from './route-run.ts';
import { heard, turnChange, writeTurn } from './turn-run.ts';

/** Goes on to the end and reports it. Throws as `runLoop` and `forkRun` do. */
export async function pursue(pursuit: Pursuit, from: Stage): Promise<ExitCode> {
  const end = await arrive(pursuit, from);
  return report(pursuit, end, end.result, end.ran.source);
}

/** Goes on to the end, which is the caller's to report. Throws as `runLoop` and `forkRun` do. */
export async function arrive(pursuit: Pursuit, from: Stage): Promise<Over> {
  let stage = from;
  while (stage.at !== 'over') stage = await step(pursuit, stage);
  return stage;
}

function step(pursuit: Pursuit, stage: Next): Promise<Stage> {
  switch (stage.at) {
    case 'wanted':
      return plan(pursuit, stage);
    case 'planned':
      return run(pursuit, stage);
    case 'changed':
      return fork(pursuit, stage);
    case 'noted':
      return goOn(pursuit, stage);
    case 'ended':
      return stage.asked.talk ? hear(pursuit, stage, stage.asked.talk) : lookAt(pursuit, stage);
    case 'judged':
      return follow(pursuit, stage);
  }
}

async function plan(pursuit: Pursuit, stage: At<'wanted'>): Promise<Stage> {
  const { flags } = pursuit;
  const { asked, spent } = stage;
  const { corrections, goal } = asked;
  const saved = savedFor(pursuit);
  const isOpen = asked.route === 'auto' && !savedPlan({ ...pursuit, goal, asked, saved });
  if (isOpen) return await chooseWay(pursuit, stage);
  if (asked.route === 'direct') return directly(pursuit, stage);
  if (asked.talk) return await takeTurn(pursuit, stage, asked.talk);
  const planned = await planGoal({
    ...{ ...pursuit, goal, asked, saved, spent, label: flags.label },
    flags: { ...flags, corrections },
  });
  const { text, checked } = planned.plan;
  if (flags.verbose) say(text);
  const source = { text, file: 'plan', title: goal.text };
  const course = behind(after(stage, planned.usage), planned.run);
  return { ...course, at: 'planned', source, checked: whole(checked) };
}

const savedFor = ({ workspace, flags }: Pursuit): SavedPlan[] =>
  flags.saved === false ? [] : savedPlans(workspace);

/** A model decides whether a program is wanted. */
async function chooseWay(pursuit: Pursuit, stage: At<'wanted'>): Promise<Stage> {
  const { asked, spent } = stage;
  if (directTool(pursuit.toolbox) === undefined) return routed(stage, 'program');
  const workspace = remaining(pursuit.workspace, spent);
  const { decision, run, usage } = await routeGoal({ ...pursuit, workspace, asked, spent });
  const { route, reason, code } = decision;
  // The same model would plan, and fail in the same way.
  if (code !== undefined && isModelUnavailable(code)) {
    throw new PlanFailure(code, reason, { hint: hintOf(pursuit.journal.events(run)) });
  }
  const words = route === 'direct' ? 'answered directly' : 'answered by a program';
  if (!pursuit.flags.quiet) say(styleOf(process.stderr).dim(`${words}: ${oneLine(reason)}`));
  return routed(behind(after(stage, usage), run), route);
}

/** The hint of the last effect that failed. */
function hintOf(events: readonly RunEvent[]): string | undefined {
  const last = events.findLast((event) => event.type === 'effect.settled' && !event.outcome.ok);
  if (last?.type !== 'effect.settled' || last.outcome.ok) return undefined;
  return last.outcome.error.hint;
}

/** The course behind the decision. */
export const routed = ({ asked, ...course }: Course, route: 'program' | 'direct'): Stage => ({
  ...{ ...course, asked: { ...asked, route }, at: 'wanted' },
});

/** A program that nobody has to write. */
function directly({ toolbox, inputs }: Pursuit, stage: At<'wanted'>): Stage {
  const { goal } = stage.asked;
  const tool = directTool(toolbox);
  if (tool === undefined) {
    throw new AgentError('PV6013', 'a direct answer wants the tool llm_generate, which is denied', {
      hint: 'allow it, or ask for a program',
      facts: { tool: 'llm_generate' },
    });
  }
  const names = [...inputs.keys()];
  // Of a conversation, what was said is enough: its variables are those of its programs.
  const seen = goal.background ? names.filter((name) => name === 'conversation') : names;
  const text = directProgram(tool, goal, seen);
  const environment = { tools: toolbox.specs, inputs: names };
  const checked = whole(checkProgram(text, environment, { dialect: 'starlark' }));
  // It is no model's program: there is nothing to look at before it runs.
  const { confirm: _, ...asked } = stage.asked;
  return {
    ...stage,
    asked,
    at: 'planned',
    source: { text, file: 'plan', title: goal.text },
    checked,
  };
}

export function whole({
  program,
  dialect,
  diagnostics,
}: Omit<Checked, 'program'> & { program?: Program }): Checked {
  if (!program) throw new Error('a plan that passes has a program');
  return { program, dialect, diagnostics };
}

async function run(pursuit: Pursuit, planned: At<'planned'>): Promise<Stage> {
  const { flags, journal, kept, toolbox, inputs } = pursuit;
  const stage = await reviewed(pursuit, planned);
  const { source, checked, asked, spent } = stage;
  const program = {
    ...{ ...checked, source, toolbox, inputs, flags, journal, kept, asked },
    workspace: remaining(pursuit.workspace, spent),
    sequential: asked.sequential,
  };
  const result = flags.step
    ? await stepped(program)
    : await driveProgram(program, (ended) => breakOff(pursuit, used(stage, ended), ended, source));
  const ran = { source, program: checked.program };
  return { ...used(stage, result), at: 'ended', result, ran };
}

/** Loaded where it is wanted, which is seldom. */
export async function stepped(program: ProgramRun): Promise<RunResult> {
  const { beginning, goThroughNew } = await import('../debug/new-run.ts');
  return (await goThroughNew(beginning(program), { at: 'start', tracks: true })).result;
}

/** A model writes the next statements, behind those of `base` where there is one. */
async function takeTurn(
  pursuit: Pursuit,
  course: Course,
  talk: Talk,
  base?: string,
): Promise<Stage> {
  const { asked, spent } = behind(course, base ?? course.asked.from);
  const workspace = remaining(pursuit.workspace, spent);
  const now = { ...asked, talk };
  const written = await writeTurn({ ...pursuit, workspace, asked: now, talk, base, spent });
  const next = behind(after({ ...course, asked: now }, written.usage), written.run);
  return grownStage(pursuit, next, written.grown, base);
}

/** The stage behind what was written; the run of it keeps what it is about. */
export function grownStage(
  { journal, toolbox, inputs }: Pick<Pursuit, 'journal' | 'toolbox' | 'inputs'>,
  course: Course,
  grown: Grown,
  base: string | undefined,
): Stage {
  const { asked } = course;
  const { talk = newTalk(1) } = asked;
  const next = { ...course, asked: { ...asked, talk: { ...talk, block: grown.block } } };
  if (base !== undefined) {
    return { ...next, at: 'changed', change: turnChange(journal, base, asked, grown) };
  }
  const environment = { tools: toolbox.specs, inputs: [...inputs.keys()] };
  const checked = whole(checkProgram(grown.program, environment, { dialect: 'starlark' }));
  const source = { text: grown.program, file: 'program', title: asked.goal.text };
  return { ...next, at: 'planned', source, checked };
}

/** A turn has been run: what it gave leads to the next one, an answer to the end. */
async function hear(pursuit: Pursuit, stage: At<'ended'>, talk: Talk): Promise<Stage> {
  const { result, ran } = stage;
  const { error } = result;
  if (result.status !== 'done' && result.status !== 'failed') return { ...stage, at: 'over' };
  const told = error ? describeFailure(error, ran.source) : '';
  const { talk: next, end } = heard(pursuit.journal, result, talk, told);
  if (isModelUnavailable(error?.code)) return { ...stage, at: 'over' };
  if (error && result.status === 'failed' && !pursuit.flags.quiet) {
    say(errorText(error, ran.source, false));
  }
  const { talk: _, ...asked } = stage.asked;
  if (end === 'answered')
    return await lookAt(pursuit, { ...stage, asked: { ...asked, repairs: 0 } });
  const ended = result.status === 'done' ? unanswered(result, next) : result;
  if (end !== undefined) return { ...stage, at: 'over', result: ended };
  try {
    return await takeTurn(pursuit, stage, next, result.run);
  } catch (thrown) {
    return without(pursuit, { ...stage, result: ended }, thrown);
  }
}

/** The run is as it should be; what was asked for has no answer all the same. */
const unanswered = (result: RunResult, { turns }: Talk): RunResult => ({
  ...result,
  status: 'failed',
  error: {
    ...{ code: 'PV7507', step: '', line: 0, column: 0 },
    message: `${count(turns.length, 'turn')} gave no answer`,
    hint: `the setting turns at ${2 * turns.length} allows more`,
  },
});

/** The program as a person has looked at it, where one is to. */
async function reviewed(pursuit: Pursuit, stage: At<'planned'>): Promise<At<'planned'>> {
  const { flags, toolbox, inputs, kept } = pursuit;
  const { source, checked, asked } = stage;
  if (asked.route === undefined || asked.route === 'direct' || asked.talk) return stage;
  const { review } = await import('./review.ts');
  const run = kept ? asked.from : undefined;
  const { confirm: isAsked, ...agreed } = asked;
  const confirm = isAsked === true;
  const { dialect } = checked;
  const bare = { tools: toolbox.specs, inputs: [...inputs.keys()] };
  const saved = flags.edit || confirm ? savedFor(pursuit) : [];
  const environment = withPrograms(bare, dialect, saved);
  const isAgreed = stage.isAgreed === true;
  const given = { text: source.text, dialect, environment, run, isAgreed };
  const { text } = await review({ ...given, flags: { ...flags, confirm } });
  if (text === source.text) return { ...stage, asked: agreed };
  const own = whole(checkProgram(text, environment, { dialect }));
  return { ...stage, asked: agreed, source: { ...source, text }, checked: own };
}

async function fork(pursuit: Pursuit, stage: At<'changed'>): Promise<Stage> {
  const { toolbox, journal } = pursuit;
  const { change, asked, spent } = stage;
  const workspace = remaining(pursuit.workspace, spent);
  return await runFork(pursuit, stage, planFork({ workspace, toolbox, journal, asked }, change));
}

/** The loop of a run goes on behind its answer, for what was said of that. */
async function goOn(pursuit: Pursuit, stage: At<'noted'>): Promise<Stage> {
  const { run, note } = stage;
  const course = behind(stage, run);
  const workspace = remaining(pursuit.workspace, course.spent);
  const { asked } = course;
  const { noteFork } = await import('./note-run.ts');
  return await runFork(
    pursuit,
    course,
    await noteFork({ ...pursuit, workspace, asked }, run, note),
  );
}

async function runFork(pursuit: Pursuit, course: Course, plan: ForkPlan): Promise<Stage> {
  const { toolbox, journal, flags, kept } = pursuit;
  const { options, draft, preview } = plan;
  if (!flags.quiet) for (const line of forkLines(preview, styleOf(process.stderr))) say(line);
  const person = personHere(flags);
  const handle = forkRun({ ...options, person }, draft);
  const past = journal.events(handle.id);
  const loaded = loadProgram(handle.id, readPast(past), load);
  const { program } = loaded;
  const made = journal.find(handle.id);
  const title = made?.title ?? '';
  const file = made ? fileOf(made) : 'plan';
  const source = { text: loaded.source.text, file, title };
  const tell = (ended: RunResult): ExitCode =>
    breakOff(pursuit, used(course, ended), ended, source);
  const functions = toolbox.callsFunctions(program) ? { kept, report: tell } : undefined;
  const result = await drive(handle, { program, title, past, functions, person }, flags);
  return { ...used(course, result), at: 'ended', result, ran: { source, program } };
}

/** Reports a run that the process ends with. */
const breakOff = (pursuit: Pursuit, course: Course, ended: RunResult, source: Source): ExitCode =>
  pursuit.report?.(ended) ?? report(pursuit, course, ended, source);

function report(pursuit: Pursuit, course: Course, result: RunResult, source: Source): ExitCode {
  const { spent, planning } = course;
  const { cost = null, ...counts } = spent;
  const ran = {
    ...{ text: source.text, file: source.file, kept: pursuit.kept },
    tookMs: Date.now() - pursuit.startedAt,
    ...(planning.modelCalls > 0 && { note: `of these for planning: ${usageText(planning)}` }),
  };
  const all = withFound(pursuit.journal, { ...result, usage: { ...counts, cost } });
  const whole = sourced(all, pursuit.journal, pursuit.flags);
  // Of a program that nobody has asked for in words, its own run says what it has come to.
  if (course.asked.route !== undefined && !pursuit.flags.quiet) foundLines(whole).forEach(say);
  const code = reportResult(whole, ran, pursuit.flags);
  const isFork = pursuit.journal.find(result.run)?.base !== undefined;
  if (isFork && pursuit.kept && !pursuit.flags.quiet) {
    say(styleOf(process.stderr).dim(`  ${ourName} tree ${result.run}`));
  }
  return code;
}
