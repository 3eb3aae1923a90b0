/** Forks of a run by hand: a program that they bring along is checked as one that starts. */

import { dialects } from '../../dialects/index.ts';
import { editFrom, type ForkChanges } from '../../engine/fork/fork-changes.ts';
import { draftFork, type ForkDraft, type ForkOptions } from '../../engine/fork/fork-draft.ts';
import { type ForkPreview, previewFork } from '../../engine/fork/fork-preview.ts';
import type { RunSummary } from '../../engine/journal/journal.ts';
import type { Load } from '../../engine/load.ts';
import type { RunResult } from '../../engine/result.ts';
import type { Limits } from '../../program/limits.ts';
import { InvalidProgram } from '../port/errors.ts';
import type { RunEnd } from '../port/host.ts';
import { checkSourceAmong } from '../program/check.ts';
import { unwrapped } from '../program/source.ts';
import { load } from '../record/load.ts';
import { playbooksSeen } from '../record/seen-source.ts';
import { warningsOf } from '../record/warnings.ts';
import { beginFork } from '../run/begin-again.ts';
import { drive } from '../run/drive.ts';
import type { Work } from '../run/work.ts';
import { fileOf } from '../settings/kept-settings.ts';
import { forkOptions } from './fork-options.ts';

export interface ForkCall extends Omit<Work, 'host'> {
  readonly base: RunSummary;
  readonly changes: ForkChanges;
  /** Limits that differ from the base's. */
  readonly limits?: Partial<Limits> | undefined;
}

/** Throws as the engine's `forkRun` does, and `InvalidProgram`. */
export async function runFork(call: ForkCall & Pick<Work, 'host'>): Promise<RunEnd> {
  const { base, names = {} } = call;
  const { id, title = base.title } = names;
  const options = { ...(await optionsOf(call)), title, ...(id !== undefined && { id }) };
  const draft = draftFork(options);
  return await runDraft(call, options, draft);
}

/** Makes the fork that was drafted, and runs it. */
export async function runDraft(
  work: Work & Pick<ForkCall, 'base'>,
  options: ForkOptions,
  draft: ForkDraft,
): Promise<RunEnd> {
  const { base, host, isDurable, journal, toolbox } = work;
  const { program, source } = draft.loaded;
  toolbox.prepare(program);
  const handle = beginFork(work, options, draft);
  const past = journal.events(handle.id);
  const callsFunctions = toolbox.callsFunctions(program);
  const playbooks = playbooksSeen(base, program);
  const endWith = (result: RunResult): RunEnd => ({
    ...{ result, text: source.text, file: fileOf(base), playbooks },
  });
  const { title = base.title } = options;
  const live = { handle, program, title, past, callsFunctions, isDurable, endWith };
  return endWith(await drive(host, live));
}

/** Makes nothing. Throws as `runFork` does. */
export async function forkPreview(call: ForkCall): Promise<ForkPreview> {
  const options = await optionsOf(call);
  return previewFork(options, draftFork(options));
}

async function optionsOf(call: ForkCall): Promise<ForkOptions> {
  const { journal, base, workspace, toolbox, changes, limits = {} } = call;
  const file = fileOf(base);
  const { program, ...others } = changes;
  const place = { journal, base, workspace, toolbox, allowed: {} };
  if (!program) return await forkOptions(place, editFrom(others), { file, limits });
  const source = await unwrapped({ text: program.text, file, title: '' });
  const edit = editFrom({ ...others, program: { ...program, text: source.text } });
  // What was accepted once is accepted again; what is new is not.
  const loadNew: Load = (text, dialect, specs, inputs) => {
    if (text !== source.text) return load(text, dialect, specs, inputs);
    const allLimits = { ...workspace.settings.limits, ...limits };
    const checked = checkSourceAmong(dialects, source, {
      dialect,
      specs,
      inputs,
      limits: allLimits,
    });
    if (!checked.program) throw new InvalidProgram(checked.diagnostics, source);
    return { program: checked.program, warnings: warningsOf(checked.diagnostics) };
  };
  return { ...(await forkOptions(place, edit, { file, limits })), load: loadNew };
}
