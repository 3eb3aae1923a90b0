/** A model changes the program of a run as somebody suggests; a fork of the run executes it. */
import type { RunSummary } from '../../engine/journal/journal.ts';
import { readPast } from '../../engine/past/read-past.ts';
import type { Scope } from '../../planner/revision.ts';
import { describeFailure } from '../evidence/failure-text.ts';
import { revisionOf } from '../evidence/revision-of.ts';
import { type ForkPlan, planChange, writeChange } from '../loops/change-run.ts';
import { noteFork, takesNotes } from '../loops/note-run.ts';
import { AgentError } from '../port/errors.ts';
import { askedOf, isPlaying } from '../record/asked.ts';
import { keptResult } from '../record/kept-result.ts';
import { nothingUsed } from '../run/usage.ts';
import type { PursuitEnd, Work } from '../run/work.ts';
import { fileOf } from '../settings/kept-settings.ts';
import { refuseSecrets } from '../tools/toolbox.ts';
import { begin, type CommandOf } from './course.ts';
import { goalOf } from './goal-of.ts';
import { pursue } from './pursuit.ts';

export interface RevisionOptions {
  /** The step to go back to; the beginning where absent. */
  readonly at?: string | undefined;
  /** How much may be written: the step alone, what comes from there on, or all of it. */
  readonly scope?: Scope | undefined;
  /** What the program is for, where the run does not know. */
  readonly goal?: string | undefined;
  /** How often the model may correct what it writes. Default: 2. */
  readonly corrections?: number | undefined;
}

export interface RevisionCall extends Work {
  readonly base: RunSummary;
  readonly suggestion: string;
  readonly options: RevisionOptions;
}

/** Throws as `pursue` does, and `AgentError` PV6002 for runs that cannot be revised. */
export async function revise(call: RevisionCall): Promise<PursuitEnd> {
  return await pursue({ ...call, inputs: new Map() }, await changed(call));
}

/** The changed program and what it would perform; nothing is made but the run that writes it. */
export async function previewRevision(call: RevisionCall): Promise<ForkPlan> {
  const stage = await changed(call);
  const fork = { ...call, asked: stage.asked };
  if (stage.next === 'note') return await noteFork(fork, stage.run, stage.note);
  return planChange(fork, stage.change);
}

/** A loop over tasks is not written again: it goes on, with the suggestion as the reason. */
async function changed(call: RevisionCall): Promise<CommandOf<'fork' | 'note'>> {
  const { journal, workspace, base, suggestion, options } = call;
  const { id: run } = base;
  const { at, scope, corrections = 2 } = options;
  refuseSecrets(workspace, 'the suggestion', suggestion);
  if (isPlaying(base)) {
    throw new AgentError('PV6002', `run ${run} is one of playbooks, which no model rewrites`, {
      hint: 'change the file and run it; a fork that sets variables changes this run',
    });
  }
  const goal = goalOf(journal, base, options.goal);
  const more = { repairs: 0, revisions: undefined, sequential: false };
  if (takesNotes(journal, run)) {
    if (at !== undefined || scope !== undefined) {
      throw new AgentError('PV6002', `run ${run} is of a loop, which goes on after its answer`, {
        hint: 'name no step and no scope; a fork changes what came before',
      });
    }
    const asked = { goal, corrections, ...more, refused: [], from: run };
    return { ...begin(asked), next: 'note', run, note: suggestion };
  }
  const error = keptResult(journal, run)?.error;
  const { program } = readPast(journal.events(run));
  const source = { text: program?.text ?? '', file: fileOf(base) };
  const revision = revisionOf({
    ...{ journal, run, goal, suggestion, at, about: suggestion },
    scopes: scope ? [scope] : ['step', 'rest', 'plan'],
    ...(error && { error: describeFailure(error, source) }),
    refused: askedOf(base)?.refused ?? [],
  });
  const asked = { goal, corrections, ...more, refused: revision.refused, from: run };
  const {
    change,
    run: from,
    usage,
  } = await writeChange({
    ...{ ...call, asked, base: run, revision, spent: nothingUsed },
  });
  const course = { ...begin({ ...asked, from }), spent: usage, planning: usage };
  return { ...course, next: 'fork', change };
}
