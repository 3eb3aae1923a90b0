/** The one place in which runs go on and fork, with what `begin.ts` adds to those that start. */
import { forkRun } from '../../engine/fork/fork.ts';
import type { ForkDraft, ForkOptions } from '../../engine/fork/fork-draft.ts';
import { type ResumeOptions, type RunHandle, resumeRun } from '../../engine/run.ts';
import { load } from '../record/load.ts';
import { approving, type Place } from './begin.ts';

/** Throws as the engine's `resumeRun` does; `limits` are those that differ from the run's. */
export function goOnWith(
  place: Place,
  options: Pick<ResumeOptions, 'run' | 'handlers' | 'assume' | 'limits' | 'gate'>,
): RunHandle {
  return resumeRun({ ...options, ...approving(place), load });
}

/** Throws as the engine's `forkRun` does. */
export const beginFork = (place: Place, options: ForkOptions, draft: ForkDraft): RunHandle =>
  forkRun({ ...options, rule: place.workspace.rule, person: place.host.person }, draft);
