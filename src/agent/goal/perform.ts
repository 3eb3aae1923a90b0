/**
 * Performs the commands of a course, and says what they came to. Each run that starts here keeps
 * what it is for (`Kept.asked`), so whoever resumes it goes on with the course (resumed.ts).
 * Decides nothing: what follows is the matter of course.ts.
 */

import type { Checked as CheckedText, Environment } from '../../dialects/dialect.ts';
import { checkProgram } from '../../dialects/index.ts';
import type { Usage } from '../../engine/handler.ts';
import type { Journal } from '../../engine/journal/journal.ts';
import type { SavedPlan } from '../../engine/journal/saved-plans.ts';
import type { Verdict } from '../../engine/journal/verdict.ts';
import { withVerdicts } from '../../engine/judged.ts';
import { loadProgram } from '../../engine/load.ts';
import { readPast } from '../../engine/past/read-past.ts';
import type { RunResult } from '../../engine/result.ts';
import type { Grown } from '../../planner/converse.ts';
import { PlanFailure } from '../../planner/plan-failure.ts';
import { revisionOf } from '../evidence/revision-of.ts';
import { type ForkPlan, planChange, writeChange } from '../loops/change-run.ts';
import { judgeRun } from '../loops/judge-run.ts';
import { planGoal, withPrograms } from '../loops/plan-run.ts';
import { turnChange, turnGave, writeTurn } from '../loops/turn-run.ts';
import { AgentError } from '../port/errors.ts';
import type { Host } from '../port/host.ts';
import { isTaskLoopRun } from '../record/asked.ts';
import type { Asked } from '../record/kept.ts';
import { load } from '../record/load.ts';
import { savedPlans } from '../record/plan-store.ts';
import { newTalk } from '../record/talk.ts';
import { beginFork } from '../run/begin-again.ts';
import { drive } from '../run/drive.ts';
import { runProgram } from '../run/run-program.ts';
import { remaining, usageOf } from '../run/usage.ts';
import type { Ended, Pursuit, PursuitEnd } from '../run/work.ts';
import { fileOf } from '../settings/kept-settings.ts';
import {
  type Checked,
  type Command,
  type CommandOf,
  charge,
  type Done,
  type DoneOf,
  type Progress,
} from './course.ts';
import { directProgram } from './direct.ts';
import { withFound } from './found.ts';

/** Throws as `runLoop` and `forkRun` do. */
export async function perform(pursuit: Pursuit, command: Command): Promise<Done> {
  const { asked, spent } = command;
  const paid = { ...pursuit, workspace: remaining(pursuit.workspace, spent) };
  switch (command.next) {
    case 'direct':
      return direct(paid, command);
    case 'plan':
      return await plan(pursuit, command);
    case 'turn':
      return await turn(paid, command);
    case 'review':
      return await review(paid, command);
    case 'run':
      return await run(paid, command);
    case 'fork':
      return await runFork(paid, command, planChange({ ...paid, asked }, command.change));
    case 'note': {
      // Loops over tasks are loaded where one has run: not before each run of a program.
      const { noteFork } = await import('../loops/note-run.ts');
      const { run, note } = command;
      return await runFork(paid, command, await noteFork({ ...paid, asked }, run, note));
    }
    case 'judge':
      return await judge(paid, command);
    case 'change':
      return await change(paid, command);
  }
}

const savedFor = ({ workspace, saved }: Pursuit): SavedPlan[] =>
  saved === false ? [] : savedPlans(workspace);

/** A program that nobody has to write. */
function direct({ toolbox, inputs }: Pursuit, { asked: { goal } }: Progress): Done {
  if (!toolbox.specs.has('llm_call')) {
    throw new AgentError('PV6013', 'a direct answer wants the tool llm_call, which is denied', {
      hint: 'allow it, or ask for a program',
      facts: { tool: 'llm_call' },
    });
  }
  const names = [...inputs.keys()];
  // Of a conversation, what was said is enough: its variables are those of its programs.
  const seen = goal.background ? names.filter((name) => name === 'conversation') : names;
  const text = directProgram(goal, seen);
  const environment = { tools: toolbox.specs, inputs: names };
  const checked = checkedAgain(text, environment, 'starlark');
  return { type: 'planned', source: { text, file: 'plan', title: goal.text }, checked };
}

/** What checking says of a text that has passed before. */
export const checkedAgain = (text: string, environment: Environment, dialect: string): Checked =>
  passed(checkProgram(text, environment, { dialect }));

function passed({ program, dialect, diagnostics }: CheckedText): Checked {
  if (!program) throw new Error('a plan that passes has a program');
  return { program, dialect, diagnostics };
}

async function plan(pursuit: Pursuit, { asked, spent }: Progress): Promise<Done> {
  const { goal, corrections } = asked;
  const saved = savedFor(pursuit);
  const planned = await planGoal({ ...pursuit, goal, asked, saved, spent, corrections });
  const { run, usage } = planned;
  const { text, checked } = planned.plan;
  pursuit.host.notice?.({ type: 'plan.written', text, dialect: checked.dialect });
  const source = { text, file: 'plan', title: goal.text };
  return { type: 'planned', run, usage, source, checked: passed(checked) };
}

/** A model writes the next statements, after those of `base` where there is one. */
async function turn(pursuit: Pursuit, command: CommandOf<'turn'>): Promise<Done> {
  const { asked, spent, base } = command;
  const { talk = newTalk(1) } = asked;
  const write = async (): Promise<Done> =>
    turnDone(pursuit, command, await writeTurn({ ...pursuit, asked, talk, base, spent }));
  return base === undefined ? await write() : await orSkipped(pursuit.host, write);
}

/** What was written, with the program or the fork that runs it. */
export function turnDone(
  { journal, toolbox, inputs }: Pursuit,
  { asked, base }: Pick<CommandOf<'turn'>, 'asked' | 'base'>,
  { grown, run, usage }: { readonly grown: Grown; readonly run: string; readonly usage: Usage },
): Done {
  const written = { type: 'grown', run, usage, block: grown.block } as const;
  if (base !== undefined) return { ...written, program: turnChange(journal, base, asked, grown) };
  const environment = { tools: toolbox.specs, inputs: [...inputs.keys()] };
  const checked = checkedAgain(grown.program, environment, 'starlark');
  const source = { text: grown.program, file: 'program', title: asked.goal.text };
  return { ...written, program: { source, checked } };
}

/** The program as a person has looked at it, where somebody is there. */
async function review(pursuit: Pursuit, command: CommandOf<'review'>): Promise<Done> {
  const { host, toolbox, inputs, isDurable } = pursuit;
  const { source, checked, asked, isAgreed = false } = command;
  const confirm = asked.confirm === true;
  if (!host.review && confirm && !isAgreed) throw unagreed(asked.from);
  if (!host.review) return { type: 'reviewed', source, checked };
  const { dialect } = checked;
  const bare = { tools: toolbox.specs, inputs: [...inputs.keys()] };
  const environment = () => withPrograms(bare, dialect, savedFor(pursuit));
  const resumes = isDurable ? asked.from : undefined;
  const program = { text: source.text, dialect, environment, confirm, isAgreed, resumes };
  const text = await host.review(program);
  if (text === source.text) return { type: 'reviewed', source, checked };
  const edited = checkedAgain(text, environment(), dialect);
  return { type: 'reviewed', source: { ...source, text }, checked: edited };
}

/** A program that nobody can look at now. */
export const unagreed = (run: string | undefined): AgentError =>
  new AgentError('PV7501', 'the program waits for somebody to agree to it', { facts: { run } });

async function run(pursuit: Pursuit, command: CommandOf<'run'>): Promise<Done> {
  const { source, checked, asked } = command;
  const result = await runProgram({
    ...{ ...pursuit, ...checked, source, asked, sequential: asked.sequential },
    endWith: (ended) => endOf(pursuit, charge(command, usageOf(ended), false), ended, source),
  });
  return ranDone(pursuit.journal, asked, result, { source, program: checked.program });
}

/** What a run of a program came to. */
export function ranDone(
  journal: Journal,
  { talk }: Asked,
  result: RunResult,
  ran: Ended,
): DoneOf<'ran'> {
  const isAnswered = result.status !== 'done' || result.answers.length > 0;
  const gave = talk && !isAnswered ? { gave: turnGave(journal, result) } : {};
  return { type: 'ran', run: result.run, usage: usageOf(result), result, ran, ...gave };
}

async function runFork(pursuit: Pursuit, command: Progress, forkPlan: ForkPlan): Promise<Done> {
  const { toolbox, journal, host, isDurable } = pursuit;
  const { options, draft, preview } = forkPlan;
  host.notice?.({ type: 'fork.previewed', preview });
  const handle = beginFork(pursuit, options, draft);
  const past = journal.events(handle.id);
  const { program, source } = ranIn(journal, handle.id);
  const result = await drive(host, {
    ...{ handle, program, title: source.title, past, isDurable },
    callsFunctions: toolbox.callsFunctions(program),
    endWith: (ended) => endOf(pursuit, charge(command, usageOf(ended), false), ended, source),
  });
  return ranDone(journal, command.asked, result, { source, program });
}

/** The program of a run, out of its journal. */
export function ranIn(journal: Journal, run: string): Ended {
  const { program, source } = loadProgram(run, readPast(journal.events(run)), load);
  const summary = journal.find(run);
  const file = summary ? fileOf(summary) : 'plan';
  return { program, source: { text: source.text, file, title: summary?.title ?? '' } };
}

async function judge(pursuit: Pursuit, command: CommandOf<'judge'>): Promise<Done> {
  const { result, asked, spent } = command;
  const { run, answers } = result;
  const { goal } = asked;
  return await orSkipped(pursuit.host, async () => {
    const judged = await judgeRun({ ...pursuit, asked, spent, run, answers, goal });
    return judgedDone(pursuit.journal, result, judged);
  });
}

/** A verdict on the answer of a run, with what the journal knows of that run. */
export function judgedDone(
  journal: Journal,
  result: RunResult,
  { verdict, usage }: { readonly verdict: Verdict; readonly usage: Usage },
): Done {
  const { verdicts } = readPast(journal.events(result.run));
  const judged = journal.find(result.run);
  const takesNotes = judged !== undefined && isTaskLoopRun(judged);
  return { type: 'judged', usage, verdict, result: withVerdicts(result, verdicts), takesNotes };
}

async function change(pursuit: Pursuit, command: CommandOf<'change'>): Promise<Done> {
  const { result, asked, spent, request } = command;
  const { run: base, error } = result;
  const { goal, refused } = asked;
  const { failure, ...wanted } = request;
  if (failure !== undefined) {
    const attempt = refused.length + 1;
    const began = { type: 'repair.began', run: base, attempt, text: failure } as const;
    pursuit.host.notice?.({ ...began, ...(error && { error }) });
  }
  const revision = revisionOf({ ...wanted, journal: pursuit.journal, run: base, goal, refused });
  const left = { ...asked, refused: revision.refused };
  return await orSkipped(pursuit.host, async () => {
    const call = { ...pursuit, base, revision, asked: left, spent };
    return { type: 'changed', ...(await writeChange(call)) };
  });
}

/** Where the model does not do its part, the run that is there is the end. */
export async function orSkipped<Result>(
  host: Host,
  work: () => Promise<Result>,
): Promise<Result | { readonly type: 'skipped' }> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof PlanFailure)) throw error;
    const { code, message, hint } = error;
    host.notice?.({ type: 'step.skipped', code, message, hint });
    return { type: 'skipped' };
  }
}

/** What a course ends with where this is its last run. */
export function endOf(
  { journal }: Pick<Pursuit, 'journal'>,
  { spent, planning, asked }: Progress,
  result: RunResult,
  { text, file }: Ended['source'],
): PursuitEnd {
  const { cost = null, ...counts } = spent;
  const all = withFound(journal, { ...result, usage: { ...counts, cost } });
  return {
    ...{ result: all, text, file, planning },
    isAsked: asked.route !== undefined,
  };
}
