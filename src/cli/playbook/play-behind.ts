/**
 * What comes behind a run that asks what lines mean: the playbooks are played. It keeps what was to
 * be played, so whoever takes it up again in another process goes on to that.
 */
import { allowedNames } from '../../dialects/playbook/source/manner.ts';
import type { RunSummary } from '../../engine/journal/journal.ts';
import type { RunResult } from '../../engine/result.ts';
import type { Allowed } from '../../planner/playbook/ends.ts';
import type { ExitCode } from '../exit.ts';
import { inputsOf } from '../record/run-inputs.ts';
import type { RunFlags } from '../run/run-options.ts';
import { keepReplies } from './lines-run.ts';
import { type KeptNext, type PlaybookRun, runPlaybook } from './run-playbook.ts';

/** Undefined where nothing is to be played behind the run, or not yet. */
export async function playBehind(
  record: RunSummary,
  { status, answer }: RunResult,
  given: Pick<PlaybookRun, 'workspace' | 'toolbox' | 'journal'> & { flags: RunFlags & Allowed },
): Promise<ExitCode | undefined> {
  const { next }: { next?: KeptNext } = JSON.parse(record.settings);
  if (!next || status !== 'done') return undefined;
  await keepReplies(given, record, answer);
  const { manner, inputs, servers: _, ...kept } = next;
  const allowed = allowedNames.filter((name) => given.flags[name] !== undefined);
  const flags = {
    ...given.flags,
    ...manner,
    ...Object.fromEntries(allowed.map((name) => [name, given.flags[name]])),
  };
  return await runPlaybook({ ...given, ...kept, flags, inputs: inputsOf({ inputs }), kept: true });
}
