/** Goes on with a run in this process: for `resume`, and for `answer` and `approve` afterwards. */

import { ownGoal } from '../../agent/goal/goal-of.ts';
import { isTalk, standsAlone } from '../../agent/record/asked.ts';
import { keptResult } from '../../agent/record/kept-result.ts';
import { load } from '../../agent/record/load.ts';
import { playbooksSeen } from '../../agent/record/seen-source.ts';
import { approvalsIn } from '../../agent/settings.ts';
import { RunError } from '../../engine/codes.ts';
import type { Handler } from '../../engine/handler.ts';
import type { Journal, RunEvent, RunSummary } from '../../engine/journal/journal.ts';
import { type Loaded, loadProgram } from '../../engine/load.ts';
import type { Assume } from '../../engine/past/assume.ts';
import { decides } from '../../engine/past/doubts.ts';
import { readPast } from '../../engine/past/read-past.ts';
import { requireTools } from '../../engine/past/required-tools.ts';
import type { RunResult } from '../../engine/result.ts';
import { resumeRun } from '../../engine/run.ts';
import type { Allowed } from '../../planner/playbook/ends.ts';
import type { Limits } from '../../program/limits.ts';
import type { Program } from '../../program/program.ts';
import type { ExitCode } from '../exit.ts';
import type { Pursuit } from '../planning/asking.ts';
import type { Stage } from '../planning/course.ts';
import { effectsOf, servedFor } from '../planning/effects-of.ts';
import { refuseOtherLoop } from '../planning/imported-loop.ts';
import { reportPlanning } from '../planning/planning.ts';
import { talker } from '../playbook/talker.ts';
import { givenLimits } from '../settings/limit-options.ts';
import { earlierSettings, fileOf, limitsFor, withLimitsOf } from '../settings/run-settings.ts';
import { openWorkspace, type Workspace } from '../settings/workspace.ts';
import { joinedBy, type Toolbox } from '../tools/toolbox.ts';
import { openToolsOf } from '../tools/tools-of-program.ts';
import type { Aloud } from '../view/aloud.ts';
import { sourced } from '../view/answer-sources.ts';
import { say } from '../view/output.ts';
import { reportResult, tellWarning } from '../view/result.ts';
import { aloudFor, lastSaid } from '../view/said.ts';
import { changedBehind } from './changed-behind.ts';
import { drive } from './drive.ts';
import { refuseInner } from './inner.ts';
import type { RunFlags } from './run-options.ts';

export interface GoOnFlags extends RunFlags, Allowed {
  readonly explain?: true;
  /** Lines that are piped in are messages, where the run is a talk. */
  readonly hears?: true;
}

/** A run that can go on: all that this needs was found. Nothing of it is in the journal. */
export interface Going {
  /** Once; closes what was opened for it. */
  go(): Promise<ExitCode>;
  /** May be called again. */
  close(): void;
}

/** Throws where a tool, a model, a loop or the configuration is missing; nothing changes then. */
export async function goOn(
  journal: Journal,
  summary: RunSummary,
  flags: GoOnFlags,
  assume?: Assume,
): Promise<ExitCode> {
  try {
    const going = await readyToGoOn(journal, summary, flags, assume);
    return await going.go();
  } catch (error) {
    return reportPlanning(error, flags);
  }
}

/** The result of a run that is done: its process may have ended before it could print it. */
function reportAgain(journal: Journal, summary: RunSummary, flags: GoOnFlags): ExitCode {
  const result = keptResult(journal, summary.id);
  if (!result) throw new RunError('PV5106', `run ${summary.id} has ended`, { run: summary.id });
  const text = readPast(journal.events(summary.id)).program?.text ?? '';
  const ran = { text, file: fileOf(summary), kept: true };
  return reportResult(sourced(result, journal, flags), ran, flags);
}

/** What a run goes on with. */
interface Course {
  readonly journal: Journal;
  readonly summary: RunSummary;
  readonly flags: GoOnFlags;
  readonly assume: Assume | undefined;
  readonly workspace: Workspace;
  readonly toolbox: Toolbox;
  readonly limits: Partial<Limits>;
  readonly past: readonly RunEvent[];
}

export async function readyToGoOn(
  journal: Journal,
  summary: RunSummary,
  flags: GoOnFlags,
  assume?: Assume,
): Promise<Going> {
  refuseInner(summary);
  if (summary.status === 'done' && standsAlone(summary)) {
    return { close() {}, go: async () => reportAgain(journal, summary, flags) };
  }
  const earlier = earlierSettings(summary);
  const own = await openWorkspace({ flags, earlier, limits: givenLimits(flags) });
  const limits = limitsFor(summary, own, flags);
  const workspace = await servedFor(summary, own);
  const joins = joinedBy(summary);
  const goal = ownGoal(journal, summary)?.text;
  const past = journal.events(summary.id);
  const toolbox = await openToolsOf(() => programOf(summary, past), workspace, {
    ...{ record: flags.record, joins, goal },
  });
  const { person, close: leave } = talker(flags, flags.hears === true && isTalk(summary));
  let isOpen = true;
  const close = (): void => {
    if (!isOpen) return;
    isOpen = false;
    leave();
    toolbox.close();
  };
  try {
    const course = { journal, summary, flags, assume, workspace, toolbox, limits, past };
    const going = await prepared(course, person);
    return { close, go: () => going().finally(close) };
  } catch (error) {
    close();
    throw error;
  }
}

const programOf = (summary: RunSummary, past: readonly RunEvent[]): Program =>
  loadProgram(summary.id, readPast(past), load).program;

/** Looks up all that the run needs first; what it gives lets it go. */
async function prepared(
  course: Course,
  person: ReturnType<typeof talker>['person'],
): Promise<() => Promise<ExitCode>> {
  const { journal, summary, flags, workspace, toolbox, past } = course;
  const read = readPast(past);
  await refuseOtherLoop(summary, read.program?.text ?? '', toolbox, workspace);
  const startedAt = Date.now();
  const pursued = await pursuedFrom(summary, {
    ...{ toolbox, journal, kept: true, flags, startedAt },
    workspace: withLimitsOf(summary, workspace),
  });
  const look = async (): Promise<Needed> => {
    const loaded = loadProgram(summary.id, read, load);
    if (summary.status !== 'done') toolbox.prepare(loaded.program);
    const aloud = aloudFor(flags);
    const handlers = await effectsOf(summary, course, flags, aloud);
    // What it goes on with otherwise, the engine finds before it writes anything.
    const { status } = summary;
    if (status === 'waiting') requireTools({ loaded, past: read, status }, handlers);
    return { loaded, handlers, aloud };
  };
  // Behind one that is done, there may be a stage that needs none of this.
  const needed = summary.status === 'done' ? undefined : await look();
  return async () => {
    const left = await pursued?.left();
    if (left !== undefined) return left;
    return await resumed({ ...course, ...(needed ?? (await look())), startedAt, pursued, person });
  };
}

interface Needed {
  readonly loaded: Loaded;
  readonly handlers: ReadonlyMap<string, Handler>;
  readonly aloud: Aloud | undefined;
}

interface Resumed extends Course, Needed {
  readonly startedAt: number;
  readonly pursued: Pursued | undefined;
  readonly person: ReturnType<typeof talker>['person'];
}

async function resumed(course: Resumed): Promise<ExitCode> {
  const { journal, summary, flags, assume, workspace, toolbox, limits, past } = course;
  const { startedAt, pursued, loaded, handlers, aloud, person } = course;
  const read = readPast(past);
  const { program, source, specs } = loaded;
  let said = (): string | undefined => undefined;
  // People learn it before anything is done, programs with the result.
  const changed = await changedBehind(summary, loaded, read, toolbox);
  const report = (result: RunResult): ExitCode => {
    const tookMs = Date.now() - startedAt;
    const playbooks = playbooksSeen(summary, program);
    const text = { text: source.text, file: fileOf(summary), playbooks };
    const ran = { ...text, tookMs, kept: true, lastSaid: said() };
    const warnings = [...result.warnings, ...changed];
    return reportResult({ ...sourced(result, journal, flags), warnings }, ran, flags);
  };
  const ended = summary.status === 'done' ? keptResult(journal, summary.id) : undefined;
  if (ended && ((await keptPlan(workspace, summary, ended, flags)) || pursued?.isOver)) {
    return report(ended);
  }
  if (!decides({ summary, past: read, specs, assume }))
    say('nothing is in doubt: --assume decides nothing');
  if (!flags.quiet) for (const one of changed) tellWarning(one, say);
  const approvals = approvalsIn(workspace.settings);
  const resuming = { journal, handlers, limits, approvals, person, run: summary.id, load, assume };
  const handle = resumeRun(resuming);
  said = lastSaid(handle);
  const functions = toolbox.callsFunctions(program) ? { kept: true, report } : undefined;
  const explaining = flags.explain ? await import('../playbook/explain.ts') : undefined;
  for (const line of explaining?.explainedRun(summary, specs) ?? []) say(line);
  const shown = { program, title: summary.title, past, functions, person, aloud };
  const result = await drive(handle, shown, flags);
  await keptPlan(workspace, summary, result, flags);
  const code = (await pursued?.behind(result)) ?? report(result);
  for (const line of explaining?.promptLines(journal, summary.id) ?? []) say(line);
  return code;
}

/** What comes of what a run is for, behind it; undefined where no stage does. */
interface Pursued {
  /** Whether it is done, and its answer is what came of it: nothing has replaced that. */
  readonly isOver: boolean;
  /** Where its process has ended before that. */
  left(): Promise<ExitCode | undefined>;
  behind(result: RunResult): Promise<ExitCode | undefined>;
}

/** Undefined for the run of a program alone: planning brings much along, and it needs nothing. */
async function pursuedFrom(
  summary: RunSummary,
  given: Omit<Pursuit, 'inputs'>,
): Promise<Pursued | undefined> {
  if (standsAlone(summary)) return undefined;
  const { pursue } = await import('../planning/pursuit.ts');
  const { isAnswer, pursuedInputs, stageBehind, stageLeft } = await import(
    '../planning/resumed.ts'
  );
  const { journal, toolbox } = given;
  const pursuit = { ...given, inputs: pursuedInputs(summary) };
  const from = async (stage: Stage | undefined): Promise<ExitCode | undefined> =>
    stage && (await pursue(pursuit, stage));
  return {
    isOver: isAnswer(journal, summary),
    left: () => from(stageLeft(journal, summary, toolbox)),
    behind: (result) => from(stageBehind(journal, summary, result, toolbox)),
  };
}

/** Whether it was the compilation of a conversation, whose plan nobody had saved yet. */
async function keptPlan(
  workspace: Workspace,
  summary: RunSummary,
  ended: RunResult,
  { quiet }: RunFlags,
): Promise<boolean> {
  if (standsAlone(summary)) return false;
  const { keepCompiled, savedLine } = await import('../threads/compile-thread.ts');
  const plan = keepCompiled(workspace, summary, ended);
  if (plan && !quiet) say(savedLine(plan));
  return plan !== undefined;
}
