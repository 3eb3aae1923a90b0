/** Goes on with a run in this process: for `resume`, and for `answer` and `approve` afterwards. */
import type { Journal, RunSummary } from '../../engine/journal/journal.ts';
import { loadProgram } from '../../engine/load.ts';
import type { Assume } from '../../engine/past/assume.ts';
import { decides } from '../../engine/past/doubts.ts';
import { readPast } from '../../engine/past/read-past.ts';
import type { RunResult } from '../../engine/result.ts';
import { resumeRun } from '../../engine/run.ts';
import type { Allowed } from '../../planner/playbook/ends.ts';
import type { ExitCode } from '../exit.ts';
import type { Pursuit } from '../planning/asking.ts';
import type { Stage } from '../planning/course.ts';
import { effectsOf, servedFor } from '../planning/effects-of.ts';
import { ownGoal } from '../planning/goal-of.ts';
import { refuseOtherLoop } from '../planning/imported-loop.ts';
import { reportPlanning } from '../planning/planning.ts';
import { talker } from '../playbook/talker.ts';
import { isLinesRun, isTalk, standsAlone } from '../record/asked.ts';
import { load } from '../record/load.ts';
import { playbooksSeen } from '../record/seen-source.ts';
import { givenLimits } from '../settings/limit-options.ts';
import { earlierSettings, fileOf, limitsFor, withLimitsOf } from '../settings/run-settings.ts';
import { approvalsIn } from '../settings/settings.ts';
import { openWorkspace, type Workspace } from '../settings/workspace.ts';
import { joinedBy, openToolbox } from '../tools/toolbox.ts';
import { sourced } from '../view/answer-sources.ts';
import { keptResult } from '../view/kept-result.ts';
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

export async function goOn(
  journal: Journal,
  summary: RunSummary,
  flags: GoOnFlags,
  assume?: Assume,
): Promise<ExitCode> {
  refuseInner(summary);
  const played = await playedBehind(journal, summary);
  if (played) return await goOn(journal, played, flags, assume);
  const earlier = earlierSettings(summary);
  const own = await openWorkspace({ flags, earlier, limits: givenLimits(flags) });
  const limits = limitsFor(summary, own, flags);
  const workspace = await servedFor(summary, own);
  const joins = joinedBy(summary);
  const goal = ownGoal(journal, summary)?.text;
  const toolbox = await openToolbox(workspace, { record: flags.record, joins, goal });
  const { person, close } = talker(flags, flags.hears === true && isTalk(summary));
  try {
    const past = journal.events(summary.id);
    const read = readPast(past);
    await refuseOtherLoop(summary, read.program?.text ?? '', toolbox, workspace);
    const startedAt = Date.now();
    const pursued = await pursuedFrom(summary, {
      ...{ toolbox, journal, kept: true, flags, startedAt },
      workspace: withLimitsOf(summary, workspace),
    });
    const left = await pursued?.left();
    if (left !== undefined) return left;
    const loaded = loadProgram(summary.id, read, load);
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
    if (ended && (await keptPlan(workspace, summary, ended, flags))) return report(ended);
    if (!decides({ summary, past: read, specs, assume }))
      say('nothing is in doubt: --assume decides nothing');
    if (!flags.quiet) for (const one of changed) tellWarning(one, say);
    toolbox.prepare(program);
    const aloud = aloudFor(flags);
    const handle = resumeRun({
      journal,
      handlers: await effectsOf(summary, toolbox, workspace, flags, aloud),
      limits,
      approvals: approvalsIn(workspace.settings),
      person,
      run: summary.id,
      load,
      assume,
    });
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
  } catch (error) {
    return reportPlanning(error, flags);
  } finally {
    close();
    toolbox.close();
  }
}

/** What comes of what a run is for, behind it; undefined where no stage does. */
interface Pursued {
  /** Where its process has ended before that. */
  left(): Promise<ExitCode | undefined>;
  behind(result: RunResult): Promise<ExitCode | undefined>;
}

/** What plays the playbooks whose lines a run has asked about. */
async function playedBehind(journal: Journal, run: RunSummary): Promise<RunSummary | undefined> {
  if (!isLinesRun(run)) return undefined;
  return (await import('../playbook/play-behind.ts')).playedBehind(journal, run);
}

/** Undefined for the run of a program alone: planning brings much along, and it needs nothing. */
async function pursuedFrom(
  summary: RunSummary,
  given: Omit<Pursuit, 'inputs'>,
): Promise<Pursued | undefined> {
  if (standsAlone(summary)) return undefined;
  if (isLinesRun(summary)) {
    const { playBehind, playLeft } = await import('../playbook/play-behind.ts');
    return {
      left: () => playLeft(summary, given),
      behind: (result) => playBehind(summary, result, given),
    };
  }
  const { pursue } = await import('../planning/pursuit.ts');
  const { pursuedInputs, stageBehind, stageLeft } = await import('../planning/resumed.ts');
  const { journal, toolbox } = given;
  const pursuit = { ...given, inputs: pursuedInputs(summary) };
  const from = async (stage: Stage | undefined): Promise<ExitCode | undefined> =>
    stage && (await pursue(pursuit, stage));
  return {
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
