/**
 * What comes behind a run that asks what lines mean: the playbooks are played. It keeps what was to
 * be played, so whoever takes it up again in another process goes on to that.
 */
import { allowedNames } from '../../dialects/playbook/source/manner.ts';
import type { Journal, RunSummary } from '../../engine/journal/journal.ts';
import type { RunResult } from '../../engine/result.ts';
import type { Allowed } from '../../planner/playbook/ends.ts';
import type { ExitCode } from '../exit.ts';
import { keptOf } from '../record/kept.ts';
import { inputsOf } from '../record/run-inputs.ts';
import type { RunFlags } from '../run/run-options.ts';
import { keptResult } from '../view/kept-result.ts';
import { settledBehind } from './lines-run.ts';
import { keptPlaying } from './playing.ts';
import { type PlaybookRun, runPlaybook } from './run-playbook.ts';

type Given = Pick<PlaybookRun, 'workspace' | 'toolbox' | 'journal'> & { flags: RunFlags & Allowed };

/** Undefined where nothing is to be played behind the run, or not yet. */
export async function playBehind(
  record: RunSummary,
  result: RunResult,
  given: Given,
): Promise<ExitCode | undefined> {
  const { next } = keptOf(record);
  if (!next || !['done', 'failed'].includes(result.status)) return undefined;
  const settled = await settledBehind(given, record, result);
  const { manner, inputs, servers: _, ...kept } = next;
  const allowed = allowedNames.filter((name) => given.flags[name] !== undefined);
  const flags = {
    ...given.flags,
    ...manner,
    ...Object.fromEntries(allowed.map((name) => [name, given.flags[name]])),
  };
  const run = { ...given, ...kept, flags, inputs: inputsOf({ inputs }), kept: true, settled };
  return await runPlaybook(run);
}

/** The same for a run that is done, where its process has ended before anything was played. */
export async function playLeft(record: RunSummary, given: Given): Promise<ExitCode | undefined> {
  const result = record.status === 'done' ? keptResult(given.journal, record.id) : undefined;
  return result && (await playBehind(record, result, given));
}

/** What comes behind a run is made at once: no need to look far. */
const behindMost = 1000;

/** The run that plays what this one has asked about. */
export function playedBehind(
  journal: Journal,
  { id, createdAt }: RunSummary,
): RunSummary | undefined {
  const later = journal.list({ limit: behindMost, since: createdAt });
  return later.find((run) => !run.base && keptPlaying(run)?.lines === id);
}
