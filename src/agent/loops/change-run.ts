/**
 * A change of a run's program by a model, by the control loop `revise`: what it is told, what it
 * writes, and the fork that runs it.
 */

import type { Environment } from '../../dialects/dialect.ts';
import { RunError } from '../../engine/codes.ts';
import { draftFork, type ForkDraft, type ForkOptions } from '../../engine/fork/fork-draft.ts';
import { type ForkPreview, previewFork } from '../../engine/fork/fork-preview.ts';
import type { Usage } from '../../engine/handler.ts';
import type { ForkEdit } from '../../engine/journal/fork-edit.ts';
import type { Journal } from '../../engine/journal/journal.ts';
import { readPast } from '../../engine/past/read-past.ts';
import { PlanFailure } from '../../planner/plan-failure.ts';
import { type Revision, readRevision, type Scope } from '../../planner/revision.ts';
import { looksFor } from '../../planner/revision-prompt.ts';
import { type ToolSpec, toolSpec } from '../../program/effect.ts';
import { clip, oneLine } from '../../text/words.ts';
import { forkPoint } from '../evidence/revision-of.ts';
import { approvalsIn } from '../port/settings.ts';
import type { Workspace } from '../port/workspace.ts';
import { inputData, inputsOf } from '../record/asked.ts';
import { type Asked, type KeptChanging, keptEnvironment } from '../record/kept.ts';
import { load } from '../record/load.ts';
import { savedPlans } from '../record/plan-store.ts';
import type { Toolbox } from '../tools/toolbox.ts';
import { type LoopPlace, runLoop } from './loop-run.ts';
import { withPrograms } from './plan-run.ts';

/** What a model has made of a run's program. */
export interface Change {
  /** The run that it is a change of. */
  readonly base: string;
  readonly revision: Revision;
  readonly program: string;
  readonly scope: Scope;
}

export interface ChangeCall extends LoopPlace {
  readonly toolbox: Toolbox;
  readonly base: string;
  readonly revision: Revision;
  readonly asked: Asked;
}

/** Throws as `runLoop` does. */
export async function writeChange(
  call: ChangeCall,
): Promise<{ readonly change: Change; readonly run: string; readonly usage: Usage }> {
  const { base, revision, asked } = call;
  const changing: KeptChanging = { base, ...keptEnvironment(surroundings(call)) };
  const what = revision.error === undefined ? 'revise' : 'repair';
  const { run, answer, usage } = await runLoop({
    ...call,
    name: 'revise',
    inputs: { task: revision, rounds: 1 + asked.corrections, looks: looksFor(revision) },
    title: `${what} ${base}: ${clip(oneLine(revision.about), 100)}`,
    settings: { changing, asked },
    doing: revision.error === undefined ? 'revising' : 'repairing',
  });
  return { change: changeFrom(base, revision, answer), run, usage };
}

/** What the loop has answered. Throws `PlanFailure` PV7004 for anything else than a program. */
export function changeFrom(base: string, revision: Revision, answer: unknown): Change {
  const { program, scope } = Object(answer);
  if (typeof program === 'string' && ['step', 'rest', 'plan'].includes(scope)) {
    return { base, revision, program, scope };
  }
  throw new PlanFailure('PV7004', 'the loop that revises answered with no program', {
    hint: 'a loop answers with the program and the scope that fit has given',
  });
}

/** Where it begins, and what it changes there. */
function editOf(journal: Journal, { base, revision, program, scope }: Change): ForkEdit {
  const { dialect, error, about } = revision;
  const at = forkPoint({ journal, run: base }, revision, scope);
  return {
    ...(at !== undefined && { at }),
    program: { text: program, dialect },
    vanished: 'ask',
    by: error === undefined ? 'revise' : 'repair',
    note: about,
  };
}

export interface ChangePlace {
  readonly workspace: Workspace;
  readonly toolbox: Toolbox;
  readonly journal: Journal;
  readonly asked: Asked;
}

/** A fork that is not made yet, and what it will perform. */
export interface ForkPlan {
  readonly options: ForkOptions;
  readonly draft: ForkDraft;
  readonly preview: ForkPreview;
}

/**
 * What `forkRun` is to be called with to run a change, with the draft of that. A program that does
 * not come to the same place by the same way, as one that jumps, begins from the start: what it
 * asks for as its base did is answered from there all the same. Throws as `forkRun` does.
 */
export function planChange(call: ChangePlace, change: Change): ForkPlan {
  const { workspace, toolbox, journal, asked } = call;
  const edit = editOf(journal, change);
  const options = {
    ...{ journal, run: change.base, load },
    handlers: toolbox.handlers,
    limits: workspace.settings.limits,
    approvals: approvalsIn(workspace.settings),
    settings: { file: 'plan', asked, ...toolbox.kept },
  };
  try {
    return forkPlan({ ...options, edit });
  } catch (error) {
    const elsewhere = error instanceof RunError && error.code === 'PV5131';
    if (!elsewhere || edit.at === undefined) throw error;
    const { at: _, ...rest } = edit;
    return forkPlan({ ...options, edit: rest });
  }
}

export function forkPlan(options: ForkOptions): ForkPlan {
  const draft = draftFork(options);
  return { options, draft, preview: previewFork(options, draft) };
}

/** The revision that the run of a loop was started with. */
export function revisionIn(journal: Journal, run: string): Revision {
  const { record } = readPast(journal.events(run));
  return readRevision(inputData(record, 'task'));
}

/** What a changed program may name: what the base could, and today's tools. */
function surroundings({ workspace, toolbox, journal, base, revision }: ChangeCall): Environment {
  const { record, program } = readPast(journal.events(base));
  const known: ToolSpec[] = JSON.parse(program?.tools ?? '[]');
  const tools = new Map([
    ...toolbox.specs,
    ...known.map((spec) => [spec.name, toolSpec(spec)] as const),
  ]);
  const environment = { tools, inputs: [...inputsOf(record).keys()] };
  const { dialect } = revision;
  const saved = dialect === 'stack' ? savedPlans(workspace) : [];
  return withPrograms(environment, dialect, saved);
}
