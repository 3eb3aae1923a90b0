/** Plays playbooks: a model follows them, the loop does the rest, all of it is a run like any. */
import { resolve } from 'node:path';

import { namedInputs } from '../../dialects/llmcompiler/reading.ts';
import type { LinkedFile } from '../../dialects/playbook/link/linked.ts';
import type { Manner } from '../../dialects/playbook/manner.ts';
import { compiledOf, readTree } from '../../dialects/playbook/reader.ts';
import { asksModel, onlyListens } from '../../dialects/playbook/weave/reply.ts';
import type { Gate } from '../../engine/perform/gate.ts';
import type { RunHandle } from '../../engine/run.ts';
import type { Diagnostic } from '../../program/diagnostic.ts';
import { encode } from '../../program/json.ts';
import { limits } from '../../program/limits.ts';
import type { Program } from '../../program/program.ts';
import { dict, type Value } from '../../program/value.ts';
import { AgentError } from '../port/errors.ts';
import type { HeldRun, RunEnd } from '../port/host.ts';
import type { Source } from '../program/source.ts';
import type { KeptPlaying } from '../record/kept.ts';
import { warningsOf } from '../record/warnings.ts';
import { begin } from '../run/begin.ts';
import { drive } from '../run/drive.ts';
import type { Work } from '../run/work.ts';
import { settingsOf } from '../settings/kept-settings.ts';
import { refuseSecrets } from '../tools/toolbox.ts';
import { allowedServers } from './agent-servers.ts';
import { mannerOf, refuseUnknownAgents } from './manner-of.ts';
import { inputNames, linkedFile, playedAs, playingOf, wovenProgram } from './playing.ts';

export interface PlaybookRun extends Work {
  readonly source: Source;
  readonly diagnostics: readonly Diagnostic[];
  /** Arguments of the playbooks that start. */
  readonly inputs: ReadonlyMap<string, Value>;
  readonly sequential: boolean;
  /** How they are played, where that differs from the settings and the file. */
  readonly manner: Partial<Manner>;
  /** Models that somebody named for this run, by agent; unknown agents are refused. */
  readonly agentModels?: Readonly<Record<string, string>> | undefined;
  /** Whether it hears messages when it has nothing to do. */
  readonly idle?: boolean;
  /** What came along for the start. */
  readonly startup?: string | undefined;
}

/** Playbooks that are ready to be played. */
export interface ReadyPlaybooks {
  readonly program: Program;
  readonly file: LinkedFile;
  /** The program that plays them. */
  readonly source: Source;
  /** Whether nothing begins by itself: it has nothing to do until somebody says something. */
  readonly isListener: boolean;
  start(more?: { readonly gate?: Gate }): RunHandle;
}

/** Compiles them and refuses what cannot be played. */
export async function readyPlaybooks(run: PlaybookRun): Promise<ReadyPlaybooks> {
  const { workspace, toolbox, source, host, startup } = run;
  const { settings } = workspace;
  const { tree } = readTree(source.text);
  // What only listens hears what is said however it is run.
  const isListener = onlyListens(compiledOf(tree, toolbox.specs.values()));
  const isIdle = run.idle === true || isListener;
  const inputs = givenIn(run);
  refuseSecrets(workspace, 'the program', source.text);
  for (const [name, value] of inputs) refuseSecrets(workspace, `the input ${name}`, encode(value));
  refuseUnknownAgents(source.text, run.agentModels);
  const manner = mannerOf(workspace, run.manner, source.text);
  const played = playedAs(manner, settings);
  if (inputs.size > 0) {
    const file = linkedFile({ text: source.text, ...played }, toolbox.specs);
    refuseUnknown(inputs, file);
  }
  const servers = allowedServers(workspace);
  const playbook: KeptPlaying = { text: source.text, ...played, servers };
  const playing = await playingOf(playbook, toolbox, workspace, host.saying);
  const woven = wovenProgram(playing, source.title, toolbox, workspace);
  if (asksModel(playing.file, isIdle)) toolbox.model();
  for (const model of playing.models.values()) toolbox.modelNamed(model);
  const most = limits(settings.limits);
  return {
    ...{ program: woven.program, source: woven.source, file: playing.file, isListener },
    start: (more) =>
      begin(run, {
        ...{ handlers: playing.handlers, program: woven.program, text: woven.source.text },
        ...{ dialect: 'starlark', title: source.title, sequential: run.sequential, ...more },
        request: { kind: 'playbook', text: source.text, dialect: 'playbook', inputs },
        inputs: new Map<string, Value>([
          ['given', dict(inputs)],
          ['startup', startup ?? null],
          ['idle', isIdle],
          ['turns', manner.turns],
          ['depth', manner.depth],
          ['slips', manner.slips],
          ['agents_most', most.agents],
          ['nested_most', most.triggerDepth],
          ['judged_most', most.judgedChars],
          ['timezone', manner.timezone],
          ['strictness', manner.strictness],
        ]),
        settings: { ...settingsOf(settings, resolve(source.file)), ...toolbox.kept, playbook },
        warnings: [...warningsOf(run.diagnostics), ...toolbox.prepare(woven.program)],
      }),
  };
}

/** Plays them to their end. */
export async function play(run: PlaybookRun, ready: ReadyPlaybooks): Promise<RunEnd> {
  const { toolbox, source, host, isDurable } = run;
  const { program } = ready;
  const endWith: (result: RunEnd['result']) => RunEnd = (result) => ({
    ...{ result, text: ready.source.text, file: source.file, playbooks: source.text },
  });
  if (host.goThrough) return endWith(await host.goThrough(heldPlaybooks(run, ready)));
  const callsFunctions = toolbox.callsFunctions(program);
  const live = { program, title: source.title, isDurable, callsFunctions, endWith };
  return endWith(await drive(host, { ...live, handle: ready.start() }));
}

/** The same for somebody who goes through them. */
const heldPlaybooks = (
  { journal, source, toolbox }: PlaybookRun,
  { program, start }: ReadyPlaybooks,
): HeldRun => ({
  ...{ journal, title: source.title, dialect: 'playbook', program, start },
  callsFunctions: toolbox.callsFunctions(program),
});

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
  throw new AgentError('PV6007', `no playbook that starts has a parameter ${strange}`, {
    hint: `they take ${takes}; write it into the heading: ## Main(${strange})`,
  });
}
