/** Goes on with a run in this process, and with what comes after it. */

import { RunError } from '../../engine/codes.ts';
import type { Handler } from '../../engine/handler.ts';
import { isImported } from '../../engine/journal/distrust.ts';
import type { Journal, RunEvent, RunSummary } from '../../engine/journal/journal.ts';
import { type Loaded, loadProgram } from '../../engine/load.ts';
import { decides } from '../../engine/past/doubts.ts';
import type { Assume } from '../../engine/past/past-effect.ts';
import { readPast } from '../../engine/past/read-past.ts';
import { requireTools } from '../../engine/past/walk.ts';
import type { RunResult, Warning } from '../../engine/result.ts';
import type { Allowed } from '../../planner/playbook/ends.ts';
import type { Limits } from '../../program/limits.ts';
import type { AgentModels } from '../port/settings.ts';
import { standsAlone } from '../record/asked.ts';
import { keptResult } from '../record/kept-result.ts';
import { load } from '../record/load.ts';
import { playbooksSeen } from '../record/seen-source.ts';
import { goOnWith } from '../run/begin-again.ts';
import { drive } from '../run/drive.ts';
import { nothingUsed } from '../run/usage.ts';
import type { PursuitEnd, Work } from '../run/work.ts';
import { fileOf, withLimitsOf } from '../settings/kept-settings.ts';
import { changedBehind } from './changed-since.ts';
import { effectsOf } from './effects-of.ts';
import { refuseOtherLoop } from './imported-loop.ts';

/** What a caller decides of a run that goes on. */
export interface GoingOptions {
  readonly assume?: Assume | undefined;
  /** Limits of playbooks that differ from the run's. */
  readonly allowed?: Allowed & { readonly agentModels?: AgentModels | undefined };
  /** Limits that differ from the run's. */
  readonly limits?: Partial<Limits>;
}

/** A run that can go on: all that this needs was found. Nothing of it is in the journal. */
export interface Going {
  readonly summary: RunSummary;
  /** Undefined where there is nothing to perform: the run has ended, and nothing comes after it. */
  readonly loaded: Loaded | undefined;
  /** What has changed since the run began, in its file and its tools. */
  readonly changed: readonly Warning[];
  /** Whether `assume` decides nothing, since nothing is in doubt. */
  readonly isSure: boolean;
  /** Once. */
  go(): Promise<PursuitEnd>;
}

/** A run to go on with; `workspace` has the settings that it began with. */
export interface GoOn extends Work {
  readonly summary: RunSummary;
  readonly options?: GoingOptions | undefined;
}

/** Throws where a tool, a model, a loop or the configuration is missing; nothing changes then. */
export async function readyToGoOn(course: GoOn): Promise<Going> {
  const { journal, summary, toolbox, workspace, options = {} } = course;
  const over = endedAlready(journal, summary);
  if (over) return over;
  const events = journal.events(summary.id);
  const past = readPast(events);
  await refuseOtherLoop(summary, journal, toolbox, workspace);
  // Planning brings much along, and the run of a program alone needs nothing of it.
  const goal = standsAlone(summary) ? undefined : await import('../goal/resumed.ts');
  const work: Work = { ...course, workspace: withLimitsOf(summary, workspace) };
  const isDone = summary.status === 'done';
  const look = async (): Promise<Needed> => {
    const loaded = loadProgram(summary.id, past, load);
    if (!isDone) toolbox.prepare(loaded.program);
    const handlers = await effectsOf(summary, course, options.allowed ?? {}, course.host.saying);
    // What it goes on with otherwise, the engine finds before it writes anything.
    const { status } = summary;
    if (status === 'waiting') requireTools({ loaded, past, status }, handlers);
    return { loaded, handlers, changed: await changedBehind(summary, loaded, past, toolbox) };
  };
  // After a run that is done, there may be a stage that needs none of this.
  const needed = isDone ? undefined : await look();
  const { assume } = options;
  return {
    ...{ summary, loaded: needed?.loaded, changed: needed?.changed ?? [] },
    isSure: !needed || !decides({ summary, past, specs: needed.loaded.specs, assume }),
    async go() {
      const left = await goal?.pursueLeft(work, summary);
      if (left) return left;
      const parts = { ...course, past: events, ...(needed ?? (await look())) };
      const ended = isDone ? keptResult(journal, summary.id) : undefined;
      if (ended && (await keptPlan(course, ended))) return endOf(parts, ended);
      const result = await resumed(parts);
      return (await goal?.pursueAfter(work, summary, result)) ?? endOf(parts, result);
    },
  };
}

/**
 * Of a run that is done and that nothing comes after: its process may have ended before it could
 * report the result. Needs nothing that the run was started with; undefined for other runs.
 */
export function endedAlready(journal: Journal, summary: RunSummary): Going | undefined {
  if (summary.status !== 'done' || !standsAlone(summary)) return undefined;
  const end = keptEnd(journal, summary);
  if (!end) throw new RunError('PV5106', `run ${summary.id} has ended`, { run: summary.id });
  return { summary, loaded: undefined, changed: [], isSure: true, go: async () => end };
}

/** How a run has ended, as its journal has it. */
export function keptEnd(journal: Journal, summary: RunSummary): PursuitEnd | undefined {
  const result = keptResult(journal, summary.id);
  if (!result) return undefined;
  const text = readPast(journal.events(summary.id)).program?.text ?? '';
  return { result, text, file: fileOf(summary), planning: nothingUsed, isAsked: false };
}

interface Needed {
  readonly loaded: Loaded;
  readonly handlers: ReadonlyMap<string, Handler>;
  readonly changed: readonly Warning[];
}

interface Parts extends GoOn, Needed {
  readonly past: readonly RunEvent[];
}

function endOf({ summary, loaded, changed }: Parts, result: RunResult): PursuitEnd {
  const warnings = [...result.warnings, ...changed];
  const playbooks = playbooksSeen(summary, loaded.program);
  const ended = { ...result, warnings };
  const source = { text: loaded.source.text, file: fileOf(summary), playbooks };
  return { result: ended, ...source, planning: nothingUsed, isAsked: false };
}

async function resumed(parts: Parts): Promise<RunResult> {
  const { summary, options = {}, toolbox, loaded, past, handlers, host } = parts;
  const { assume } = options;
  // An imported run is trusted with no limits of its own.
  const own = isImported(summary) ? parts.workspace.settings.limits : {};
  const limits = { ...own, ...options.limits };
  const { program } = loaded;
  const handle = goOnWith(parts, { run: summary.id, handlers, limits, assume });
  const result = await drive(host, {
    ...{ handle, program, title: summary.title, past, isDurable: parts.isDurable },
    callsFunctions: toolbox.callsFunctions(program),
    endWith: (ended) => endOf(parts, ended),
  });
  await keptPlan(parts, result);
  return result;
}

/** Whether it was the compilation of a conversation, whose plan nobody had saved yet. */
async function keptPlan({ workspace, summary, host }: GoOn, ended: RunResult): Promise<boolean> {
  if (standsAlone(summary)) return false;
  const { keepCompiled } = await import('../thread/compile-thread.ts');
  const plan = keepCompiled(workspace, summary, ended);
  if (plan) host.notice?.({ type: 'plan.saved', id: plan.id, label: plan.label });
  return plan !== undefined;
}
