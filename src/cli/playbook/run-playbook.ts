/** Runs playbooks: a model follows them, the loop does the rest, all of it is a run like any. */

import type { KeptPlaying } from '../../agent/record/kept.ts';
import { warningsOf } from '../../agent/record/load.ts';
import { namedInputs } from '../../dialects/llmcompiler/reading.ts';
import type { LinkedFile } from '../../dialects/playbook/link/linked.ts';
import { compiledOf, readTree } from '../../dialects/playbook/reader.ts';
import { asksModel, onlyListens } from '../../dialects/playbook/weave/reply.ts';
import type { Journal } from '../../engine/journal/journal.ts';
import type { RunResult } from '../../engine/result.ts';
import type { RunHandle } from '../../engine/run.ts';
import type { Diagnostic } from '../../program/diagnostic.ts';
import { encode } from '../../program/json.ts';
import type { Program } from '../../program/program.ts';
import type { Value } from '../../program/value.ts';
import type { ExitCode } from '../exit.ts';
import { CliError } from '../failure.ts';
import { isPiped, readStdin } from '../planning/stdin-input.ts';
import type { Source } from '../program/source.ts';
import { drive } from '../run/drive.ts';
import { namesIn } from '../run/run-names.ts';
import type { RunFlags } from '../run/run-options.ts';
import type { Workspace } from '../settings/workspace.ts';
import { refuseSecrets, type Toolbox } from '../tools/toolbox.ts';
import type { Aloud } from '../view/aloud.ts';
import { sourced } from '../view/answer-sources.ts';
import { say } from '../view/output.ts';
import { reportResult } from '../view/result.ts';
import { aloudFor, lastSaid } from '../view/said.ts';
import { allowedServers } from './agent-servers.ts';
import { explainedFile, promptLines } from './explain.ts';
import { refuseMisfits } from './input-types.ts';
import { refuseUnknownAgents } from './known-agents.ts';
import { mannerOf } from './manner-of.ts';
import type { PlaybookFlags } from './playbook-options.ts';
import { inputNames, linkedFile, playedAs, playingOf, wovenProgram } from './playing.ts';
import { type StartMore, startPlaying } from './start-playing.ts';
import { talker } from './talker.ts';

export interface PlaybookRun {
  readonly workspace: Workspace;
  readonly toolbox: Toolbox;
  readonly source: Source;
  readonly diagnostics: readonly Diagnostic[];
  /** Arguments of the playbooks that start. */
  readonly inputs: ReadonlyMap<string, Value>;
  readonly flags: RunFlags & PlaybookFlags;
  readonly sequential: boolean;
  readonly journal: Journal;
  readonly kept: boolean;
  /** Whether it hears messages when it has nothing to do. */
  readonly idle?: boolean;
  /** What came along for the start, where it was read before. */
  readonly startup?: string | undefined;
  /** Whether lines of stdin are commands of a debugger. */
  readonly debugs?: boolean;
}

/** Playbooks that are ready to be played. */
export interface ReadyPlaybooks {
  readonly program: Program;
  readonly text: string;
  /** Whether nothing begins by itself: it has nothing to do until somebody says something. */
  readonly isListener: boolean;
  start(more: StartMore): RunHandle;
}

/** Compiles them and refuses what cannot be played; `aloud` is told ahead. */
export async function readyPlaybooks(run: PlaybookRun, aloud?: Aloud): Promise<ReadyPlaybooks> {
  const { workspace, toolbox, source, journal, flags } = run;
  const { tree } = readTree(source.text);
  // What only listens hears what is said however it is run.
  const isListener = onlyListens(compiledOf(tree, toolbox.specs.values()));
  const isIdle = run.idle === true || isListener;
  const inputs = givenIn(run);
  refuseSecrets(workspace, 'the program', source.text);
  for (const [name, value] of inputs) refuseSecrets(workspace, `the input ${name}`, encode(value));
  refuseUnknownAgents(source.text, flags.agentModel);
  const manner = mannerOf(workspace, flags, source.text);
  const { settings } = workspace;
  const played = playedAs(manner, settings);
  if (inputs.size > 0) {
    const file = linkedFile({ text: source.text, ...played }, toolbox.specs);
    refuseUnknown(inputs, file);
    if (manner.strictness !== 'advise') refuseMisfits(inputs, file);
  }
  const startup = run.startup ?? (await pipedInto(run));
  const servers = allowedServers(workspace);
  const playbook: KeptPlaying = { text: source.text, ...played, servers };
  const playing = await playingOf(playbook, toolbox, workspace, aloud);
  if (flags.explain) for (const line of explainedFile(playing.file)) say(line);
  const woven = wovenProgram(playing, source.title, toolbox, workspace);
  if (asksModel(playing.file, isIdle)) toolbox.model();
  for (const model of playing.models.values()) toolbox.modelNamed(model);
  const prepared = {
    ...{ workspace, toolbox, source, playbook, playing, woven, inputs, manner, journal },
    ...{ sequential: run.sequential, startup, idle: isIdle },
    names: namesIn(workspace, flags),
    warnings: warningsOf(run.diagnostics),
  };
  return {
    program: woven.program,
    text: woven.source.text,
    isListener,
    start: (more) => startPlaying({ ...prepared, ...more }),
  };
}

/** Plays it to its end, prints what comes of it; gives the exit code. */
export async function runPlaybook(run: PlaybookRun): Promise<ExitCode> {
  const startedAt = Date.now();
  const { toolbox, source, journal, flags, kept } = run;
  const aloud = aloudFor(flags);
  const { program, text, isListener, start } = await readyPlaybooks(run, aloud);
  if (!run.idle && isListener) {
    const { file } = source;
    say(`${file}: nothing begins by itself, so it listens; planvm chat ${file} talks with it`);
  }
  const { person, close } = talker(flags, run.idle === true);
  const handle = start({ person });
  const said = lastSaid(handle);
  const report = (result: RunResult): ExitCode => {
    const tookMs = Date.now() - startedAt;
    const ran = { text, file: source.file, playbooks: source.text, tookMs, kept, lastSaid: said() };
    return reportResult(sourced(result, journal, flags), ran, flags);
  };
  const functions = toolbox.callsFunctions(program) ? { kept, report } : undefined;
  const shown = { program, title: source.title, functions, person, aloud };
  try {
    const code = report(await drive(handle, shown, flags));
    if (flags.explain) for (const line of promptLines(journal, handle.id)) say(line);
    return code;
  } finally {
    close();
  }
}

/**
 * What is piped in, where it is wanted: a pipe may stay open for ever. Undefined where it is not,
 * and at a terminal.
 */
async function pipedInto(run: PlaybookRun): Promise<string | undefined> {
  // There, lines on stdin are messages, or commands.
  if (run.idle || run.debugs || process.stdin.isTTY) return undefined;
  // Nothing comes from a device such as /dev/null, or where stdin is closed.
  if (!isPiped()) return namesPiped.test(run.source.text) ? '' : undefined;
  return wantsPiped(run)
    ? ((await readStdin(run.workspace.settings, '</dev/null')) ?? '')
    : undefined;
}

/** What begins without lines is a task in words: what it is about may be anything that is there. */
function wantsPiped({ source, toolbox }: PlaybookRun): boolean {
  if (namesPiped.test(source.text)) return true;
  const { agents } = compiledOf(readTree(source.text).tree, toolbox.specs.values());
  const all = agents.flatMap(({ playbooks }) => playbooks);
  return all.some(
    ({ mode, triggers }) =>
      (mode === 'react' || mode === 'raw') && triggers.some(({ code }) => code === 'BGN'),
  );
}

const namesPiped = /startup_message|\b(?:piped|stdin|standard input|entrée standard)\b/i;

/** What a person gives to playbooks: how plans are read is not for them. */
function givenIn({ inputs }: PlaybookRun): ReadonlyMap<string, Value> {
  const named = namedInputs({ inputs: [...inputs.keys()] });
  return new Map([...inputs].filter(([name]) => named.includes(name)));
}

function refuseUnknown(inputs: ReadonlyMap<string, Value>, file: LinkedFile): void {
  const known = inputNames(file);
  const strange = [...inputs.keys()].find((name) => !known.includes(name));
  if (strange === undefined) return;
  const takes = known.length === 0 ? 'nothing' : known.join(', ');
  throw new CliError('PV6007', `--input: no playbook that starts has a parameter ${strange}`, {
    hint: `they take ${takes}; write it into the heading: ## Main(${strange})`,
  });
}
