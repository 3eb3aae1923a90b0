/**
 * The way from a goal to its answer, stage by stage: plan, run, repair what fails, judge, revise
 * what is rejected. Each stage is a run of its own that says what it is for (asked.ts), so whoever
 * resumes one goes on from there. `ask`, `run --repair`, `resume` and the demo share it.
 */

import { checkProgram } from '../../dialects/index.ts';
import { isModelUnavailable } from '../../effects/model/unavailable.ts';
import type { RunEvent } from '../../engine/journal/journal.ts';
import type { SavedPlan } from '../../engine/journal/saved-plans.ts';
import { loadProgram } from '../../engine/load.ts';
import { readPast } from '../../engine/past/read-past.ts';
import type { RunResult } from '../../engine/result.ts';
import type { Grown } from '../../planner/converse.ts';
import { PlanFailure } from '../../planner/planner.ts';
import type { Program } from '../../program/program.ts';
import { count } from '../../text/words.ts';
import { describeFailure } from '../evidence/failure-text.ts';
import { type ForkPlan, planFork } from '../loops/change-run.ts';
import { planGoal, savedPlan, withPrograms } from '../loops/plan-run.ts';
import { directProgram, directTool, routeGoal } from '../loops/route-run.ts';
import { heard, turnChange, writeTurn } from '../loops/turn-run.ts';
import { AgentError } from '../port/errors.ts';
import type { Source } from '../program/source.ts';
import { load } from '../record/load.ts';
import { savedPlans } from '../record/plan-store.ts';
import { newTalk, type Talk } from '../record/talk.ts';
import { beginFork } from '../run/begin.ts';
import { drive } from '../run/drive.ts';
import { runProgram } from '../run/run-program.ts';
import { remaining } from '../run/usage.ts';
import type { Pursuit, PursuitEnd } from '../run/work.ts';
import { fileOf } from '../settings/kept-settings.ts';
import { follow, lookAt, without } from './corrections.ts';
import {
  type At,
  after,
  behind,
  type Checked,
  type Course,
  type Next,
  type Stage,
  used,
} from './course.ts';
import { withFound } from './found.ts';

/** Goes on to the end. Throws as `runLoop` and `forkRun` do. */
export async function pursue(pursuit: Pursuit, from: Stage): Promise<PursuitEnd> {
  let stage = from;
  while (stage.at !== 'over') stage = await step(pursuit, stage);
  return endOf(pursuit, stage, stage.result, stage.ran.source);
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
  const { asked, spent } = stage;
  const { goal } = asked;
  const saved = savedFor(pursuit);
  const isOpen = asked.route === 'auto' && !savedPlan({ ...pursuit, goal, asked, saved });
  if (isOpen) return await chooseWay(pursuit, stage);
  if (asked.route === 'direct') return directly(pursuit, stage);
  if (asked.talk) return await takeTurn(pursuit, stage, asked.talk);
  const { corrections } = asked;
  const planned = await planGoal({ ...pursuit, goal, asked, saved, spent, corrections });
  const { text, checked } = planned.plan;
  pursuit.host.notice?.({ type: 'plan.written', text, dialect: checked.dialect });
  const source = { text, file: 'plan', title: goal.text };
  const course = behind(after(stage, planned.usage), planned.run);
  return { ...course, at: 'planned', source, checked: whole(checked) };
}

const savedFor = ({ workspace, saved }: Pursuit): SavedPlan[] =>
  saved === false ? [] : savedPlans(workspace);

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
  pursuit.host.notice?.({ type: 'route.decided', route, reason });
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
  const stage = await reviewed(pursuit, planned);
  const { source, checked, asked, spent } = stage;
  const result = await runProgram({
    ...{ ...pursuit, ...checked, source, asked, sequential: asked.sequential },
    workspace: remaining(pursuit.workspace, spent),
    endWith: (ended) => endOf(pursuit, used(stage, ended), ended, source),
  });
  const ran = { source, program: checked.program };
  return { ...used(stage, result), at: 'ended', result, ran };
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
  if (result.status === 'failed') {
    pursuit.host.notice?.({ type: 'turn.failed', run: result.run, text: told });
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
  const { host, toolbox, inputs, isDurable } = pursuit;
  const { source, checked, asked } = stage;
  if (asked.route === undefined || asked.route === 'direct' || asked.talk) return stage;
  const { confirm: isAsked, ...agreed } = asked;
  if (!host.review && isAsked && !stage.isAgreed) throw unagreed(asked.from);
  if (!host.review) return stage;
  const { dialect } = checked;
  const bare = { tools: toolbox.specs, inputs: [...inputs.keys()] };
  const environment = () => withPrograms(bare, dialect, savedFor(pursuit));
  const text = await host.review({
    ...{ text: source.text, dialect, environment, confirm: isAsked === true },
    isAgreed: stage.isAgreed === true,
    resumes: isDurable ? asked.from : undefined,
  });
  if (text === source.text) return { ...stage, asked: agreed };
  const own = whole(checkProgram(text, environment(), { dialect }));
  return { ...stage, asked: agreed, source: { ...source, text }, checked: own };
}

/** A program that nobody can look at now. */
export const unagreed = (run: string | undefined): AgentError =>
  new AgentError('PV7501', 'the program waits for somebody to agree to it', { facts: { run } });

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
  const { noteFork } = await import('../loops/note-run.ts');
  return await runFork(
    pursuit,
    course,
    await noteFork({ ...pursuit, workspace, asked }, run, note),
  );
}

async function runFork(pursuit: Pursuit, course: Course, plan: ForkPlan): Promise<Stage> {
  const { toolbox, journal, host, isDurable } = pursuit;
  const { options, draft, preview } = plan;
  host.notice?.({ type: 'fork.previewed', preview });
  const handle = beginFork(pursuit, options, draft);
  const past = journal.events(handle.id);
  const loaded = loadProgram(handle.id, readPast(past), load);
  const { program } = loaded;
  const made = journal.find(handle.id);
  const title = made?.title ?? '';
  const file = made ? fileOf(made) : 'plan';
  const source = { text: loaded.source.text, file, title };
  const result = await drive(host, {
    ...{ handle, program, title, past, isDurable },
    callsFunctions: toolbox.callsFunctions(program),
    endWith: (ended) => endOf(pursuit, used(course, ended), ended, source),
  });
  return { ...used(course, result), at: 'ended', result, ran: { source, program } };
}

/** What a course ends with where this is its last run. */
export function endOf(
  { journal }: Pick<Pursuit, 'journal'>,
  { spent, planning, asked }: Course,
  result: RunResult,
  { text, file }: Source,
): PursuitEnd {
  const { cost = null, ...counts } = spent;
  const all = withFound(journal, { ...result, usage: { ...counts, cost } });
  return {
    ...{ result: all, text, file, planning },
    isAsked: asked.route !== undefined,
  };
}
