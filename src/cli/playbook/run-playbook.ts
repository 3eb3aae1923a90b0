/** Runs playbooks at this terminal: with whom they talk, what is piped in, how they end. */

import { type PlaybookRun, play, readyPlaybooks } from '../../agent/playbook/play.ts';
import type { Workspace } from '../../agent/port/workspace.ts';
import type { Source } from '../../agent/program/source.ts';
import type { Toolbox } from '../../agent/tools/toolbox.ts';
import { mannerIn } from '../../dialects/playbook/manner.ts';
import { compiledOf, readTree } from '../../dialects/playbook/reader.ts';
import type { Diagnostic } from '../../program/diagnostic.ts';
import type { Value } from '../../program/value.ts';
import type { ExitCode } from '../exit.ts';
import { isPiped, readStdin } from '../planning/stdin-input.ts';
import { namesIn } from '../run/report-end.ts';
import type { RunFlags } from '../run/run-options.ts';
import { workHere } from '../run/work-here.ts';
import { aloudFor } from '../view/aloud.ts';
import { say } from '../view/output.ts';
import { explainedFile, promptLines } from './explain.ts';
import type { PlaybookFlags } from './playbook-options.ts';
import { talker } from './talker.ts';

export interface PlayHere {
  readonly workspace: Workspace;
  readonly toolbox: Toolbox;
  readonly source: Source;
  readonly diagnostics: readonly Diagnostic[];
  readonly inputs: ReadonlyMap<string, Value>;
  readonly flags: RunFlags & PlaybookFlags;
  readonly sequential: boolean;
  /** False: the journal is in memory. */
  readonly isKept?: boolean;
  /** Whether it hears messages when it has nothing to do. */
  readonly idle?: boolean;
  /** Whether lines of stdin are commands of a debugger. */
  readonly debugs?: boolean;
}

/** Plays it to its end, prints what comes of it; gives the exit code. */
export async function runPlaybook(here: PlayHere): Promise<ExitCode> {
  const { source, flags, workspace, isKept } = here;
  const { person, close } = talker(flags, here.idle === true);
  const options = { workspace, flags, isKept, person, aloud: aloudFor(flags) };
  return await workHere(options, async (work) => {
    const run = await playbookRun({ ...here, ...work });
    const ready = await readyPlaybooks(run);
    if (flags.explain) for (const line of explainedFile(ready.file)) say(line);
    if (!here.idle && ready.isListener) {
      const { file } = source;
      say(`${file}: nothing begins by itself, so it listens; planvm chat ${file} talks with it`);
    }
    const end = await play(run, ready);
    const code = work.report(end);
    if (flags.explain) for (const line of promptLines(work.journal, end.result.run)) say(line);
    return code;
  }).finally(close);
}

export async function playbookRun(
  here: PlayHere & Pick<PlaybookRun, 'journal' | 'isDurable' | 'host'>,
): Promise<PlaybookRun> {
  const { flags } = here;
  const startup = await pipedInto(here);
  const names = namesIn(here.workspace, flags);
  return { ...here, names, manner: mannerIn(flags), agentModels: flags.agentModel, startup };
}

/**
 * What is piped in, where it is wanted: a pipe may stay open for ever. Undefined where it is not,
 * and at a terminal.
 */
async function pipedInto(run: PlayHere): Promise<string | undefined> {
  // There, lines on stdin are messages, or commands.
  if (run.idle || run.debugs || process.stdin.isTTY) return undefined;
  // Nothing comes from a device such as /dev/null, or where stdin is closed.
  if (!isPiped()) return namesPiped.test(run.source.text) ? '' : undefined;
  return wantsPiped(run)
    ? ((await readStdin(run.workspace.settings, '</dev/null')) ?? '')
    : undefined;
}

/** What begins without lines is a task in words: what it is about may be anything that is there. */
function wantsPiped({ source, toolbox }: PlayHere): boolean {
  if (namesPiped.test(source.text)) return true;
  const { agents } = compiledOf(readTree(source.text).tree, toolbox.specs.values());
  const all = agents.flatMap(({ playbooks }) => playbooks);
  return all.some(
    ({ mode, triggers }) =>
      (mode === 'react' || mode === 'raw') && triggers.some(({ code }) => code === 'BGN'),
  );
}

const namesPiped = /startup_message|\b(?:piped|stdin|standard input|entrée standard)\b/i;
