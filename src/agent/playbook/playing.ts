/**
 * From the text of playbooks to the program that plays them, and the effects that this asks for.
 * Both are made of what a run keeps, so another process goes on with the same.
 */

import { link } from '../../dialects/playbook/link/link.ts';
import type { LinkedFile } from '../../dialects/playbook/link/linked.ts';
import { allowedNames, type Manner } from '../../dialects/playbook/manner.ts';
import { compiledOf, readTree } from '../../dialects/playbook/reader.ts';
import { modelsOf } from '../../dialects/playbook/source/models.ts';
import { withReply } from '../../dialects/playbook/weave/reply.ts';
import { takersOf, weave } from '../../dialects/playbook/weave/weave.ts';
import type { Model } from '../../effects/model/model.ts';
import type { Handler } from '../../engine/handler.ts';
import type { RunRecord } from '../../engine/journal/journal.ts';
import { PlanFailure } from '../../planner/plan-failure.ts';
import type { Allowed } from '../../planner/playbook/ends.ts';
import { playbookHandlers } from '../../planner/playbook/handlers.ts';
import { offeredTools } from '../../planner/playbook/prompt/offered.ts';
import type { ToolSpec } from '../../program/effect.ts';
import type { Program } from '../../program/program.ts';
import type { Host } from '../port/host.ts';
import type { AgentSettings } from '../port/settings.ts';
import type { Workspace } from '../port/workspace.ts';
import { modelFor, saidModels } from '../program/check.ts';
import { compileLoop, loopFile } from '../program/loop-file.ts';
import type { Source } from '../program/source.ts';
import { type KeptPlaying, keptOf } from '../record/kept.ts';
import { asTools, type Toolbox } from '../tools/toolbox.ts';

/** The same with other limits, as far as a command that goes on with it says any. */
export function withAllowed(kept: KeptPlaying, allowed: Allowed): KeptPlaying {
  const said = allowedNames.filter((name) => allowed[name] !== undefined);
  return { ...kept, ...Object.fromEntries(said.map((name) => [name, allowed[name]])) };
}

/** What of that is as somebody has said it is to be. */
export const playedAs = (
  manner: Manner,
  { agentModels }: Pick<AgentSettings, 'agentModels'>,
): Omit<KeptPlaying, 'text'> => ({
  version,
  ...(agentModels && { models: agentModels }),
  ...{ inlineSteps: manner.inline, strictness: manner.strictness, chat: manner.chat },
  ...{ sessionTokensMax: manner.sessionTokens, turns: manner.turns, depth: manner.depth },
  slips: manner.slips,
});

export interface Playing {
  readonly file: LinkedFile;
  /** Models of agents and playbooks that have one of their own, by their names. */
  readonly models: ReadonlyMap<string, string>;
  readonly handlers: ReadonlyMap<string, Handler>;
}

/** The form of runs whose formal lines the machine does. */
const version = 2;

/**
 * Throws `PlanFailure` PV7208 for a tool that has the name of an effect of the loop, and PV7210 for
 * a run of an earlier version, whose loop and lines are not those of today.
 */
export async function playingOf(
  kept: KeptPlaying,
  toolbox: Toolbox,
  workspace: Workspace,
  saying?: Host['saying'],
): Promise<Playing> {
  if (kept.version !== version) {
    throw new PlanFailure('PV7210', 'the run was made by a version that played lines otherwise', {
      hint: 'it can still be shown; to go on, run the playbook again',
    });
  }
  const { specs, handlers, origins } = toolbox;
  const file = linkedFile(kept, specs);
  const isBuiltIn = (name: string): boolean => origins.get(name) === 'built in';
  const { chat, sessionTokensMax } = kept;
  const models = modelsOf(file, saidModels(workspace.settings));
  const model = (playbook?: string): Model => toolbox.modelNamed(modelFor(playbook, models));
  const own = playbookHandlers({
    ...{ file, tools: offeredTools(specs, isBuiltIn, kept.text), model, allowed: kept },
    ...(saying && { saying }),
    ...(chat && { chat }),
    ...(sessionTokensMax !== undefined && { sessionTokensMax }),
    judge: toolbox.models.judge,
  });
  for (const name of own.keys()) {
    if (!handlers.has(name)) continue;
    throw new PlanFailure('PV7208', `the tool ${name} has the name of an effect of the loop`, {
      hint: 'give the tool another name',
    });
  }
  return { file, models, handlers: new Map([...handlers, ...(await asTools(own, workspace))]) };
}

/** What is played, out of what a run keeps. */
export function linkedFile(
  { text, inlineSteps, models = {} }: KeptPlaying,
  specs: ReadonlyMap<string, ToolSpec>,
): LinkedFile {
  const compiled = compiledOf(readTree(text).tree, specs.values());
  return withReply(link(compiled, { inlineSteps, models }));
}

/** What the playbooks that start take. */
export const inputNames = (file: LinkedFile): readonly string[] =>
  takersOf(file).flatMap(({ parameters }) => parameters.map(({ name }) => name));

/** The inputs of the loop. */
const loopInputs = [
  ...['given', 'startup', 'idle', ...allowedNames],
  ...['agents_most', 'nested_most', 'judged_most', 'timezone', 'strictness'],
];

/** Throws `AgentError` PV6021 where the loop is no program. */
export function wovenProgram(
  { file, handlers }: Playing,
  title: string,
  toolbox: Toolbox,
  workspace: Workspace,
): { readonly source: Source; readonly program: Program } {
  const loop = loopFile(workspace, 'playbook');
  const text = weave(file, { loop: loop.text, tools: toolbox.specs, file: title });
  const source = { text, file: `${title} as it is played`, title };
  return { source, program: compileLoop(source, handlers, loopInputs) };
}

export const keptPlaying = (record: Pick<RunRecord, 'settings'>): KeptPlaying | undefined =>
  keptOf(record).playbook;
