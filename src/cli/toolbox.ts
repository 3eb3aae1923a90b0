/**
 * The tools of a run: those that every run has (models, retrieval, `calculate`) and those of tools
 * files, which come first. Owns what they open: the model and the knowledge base, both when they
 * are first needed.
 */
import { calculateHandler } from '../effects/calculate/calculate.ts';
import { openEmbedder } from '../effects/model/embedder.ts';
import { modelHandlers } from '../effects/model/handlers.ts';
import type { Model } from '../effects/model/model.ts';
import { openModel } from '../effects/model/open.ts';
import { retrieveHandlers } from '../effects/retrieve/handlers.ts';
import { type Knowledge, openKnowledge } from '../effects/retrieve/knowledge.ts';
import type { Handler } from '../engine/handler.ts';
import type { Warning } from '../engine/result.ts';
import type { ToolSpec } from '../program/effect.ts';
import type { Program } from '../program/program.ts';
import { CliError } from './failure.ts';
import { isModule, type LoadedTool, loadTools } from './tool-files.ts';
import { knowledgePath, shortPath, type Workspace } from './workspace.ts';

export interface Toolbox {
  readonly handlers: ReadonlyMap<string, Handler>;
  readonly specs: ReadonlyMap<string, ToolSpec>;
  /** Where each tool comes from: `built in`, or its file. */
  readonly origins: ReadonlyMap<string, string>;
  /** The configured model. Throws `CliError` PV6011, or the `EffectFailure` of opening it. */
  model(): Model;
  /**
   * What a program needs before it starts: opens the model if it calls one, and says what there is
   * to say about its tools.
   */
  prepare(program: Program): Warning[];
  close(): void;
}

export interface ToolboxOptions {
  /** Transcript that every reply of the model is appended to. */
  readonly record?: string | undefined;
  /** Milliseconds between the words of a replayed reply; 0 where absent. */
  readonly paceMs?: number;
}

/** Imports the tools files. Throws `CliError`. */
export async function openToolbox(
  workspace: Workspace,
  options: ToolboxOptions = {},
): Promise<Toolbox> {
  shareEnvFile(workspace);
  const world = openWorld(workspace, options);
  const loaded = await loadFiles(workspace.settings.tools?.value ?? []);
  const own = loaded.map((tool) => tool.handler ?? refuse(tool));
  const handlers = named([...world.handlers, ...own]);
  const builtIn = new Set(world.handlers);
  const files = new Map(loaded.map(({ spec, file }) => [spec.name, file]));
  return {
    handlers,
    specs: new Map([...handlers].map(([name, { spec }]) => [name, spec])),
    origins: new Map([...handlers.keys()].map((name) => [name, files.get(name) ?? 'built in'])),
    model: world.model,
    prepare(program) {
      const called = toolsIn(program);
      for (const name of called) {
        const handler = handlers.get(name);
        if (handler && builtIn.has(handler) && handler.spec.kind === 'model') world.model(name);
      }
      return unclassedWarnings(loaded.filter(({ spec }) => called.has(spec.name)));
    },
    close: world.close,
  };
}

/** The tools that programs are checked against where nothing may be executed. */
export interface KnownTools {
  readonly specs: ReadonlyMap<string, ToolSpec>;
  /** Files that declare more tools, and were not run. */
  readonly unread: readonly string[];
}

/** Reads declarations only: what is code stays unread (design rule 8). */
export async function knownTools(workspace: Workspace): Promise<KnownTools> {
  const paths = workspace.settings.tools?.value ?? [];
  const declared = await loadFiles(paths.filter((path) => !isModule(path)));
  const builtIn = openWorld(workspace, {}).handlers.map(({ spec }) => spec);
  const unread = paths.filter(isModule);
  if (workspace.unread !== undefined) unread.push(workspace.unread);
  const specs = [...builtIn, ...declared.map(({ spec }) => spec)];
  return { specs: new Map(specs.map((spec) => [spec.name, spec])), unread: unread.map(shortPath) };
}

interface World {
  readonly handlers: readonly Handler[];
  model(caller?: string): Model;
  close(): void;
}

/** The built-in tools; nothing is opened before a program uses one. */
function openWorld(workspace: Workspace, { record, paceMs }: ToolboxOptions): World {
  const { settings, env } = workspace;
  let model: Model | undefined;
  let knowledge: Knowledge | undefined;
  const openedModel = (caller?: string): Model => {
    model ??= openModel(referenceOf(workspace, caller), {
      env,
      ...(record && { record }),
      ...(paceMs && { paceMs }),
    });
    return model;
  };
  const openedKnowledge = (): Knowledge => {
    knowledge ??= openBase(workspace, { mustExist: true });
    return knowledge;
  };
  const late: Model = {
    name: settings.model?.value ?? 'no model',
    complete: (request, context) => openedModel().complete(request, context),
  };
  const { system, temperature, maxOutputTokens } = settings;
  return {
    handlers: [
      ...modelHandlers(late, {
        ...(system && { system: system.value }),
        ...(temperature && { temperature: temperature.value }),
        ...(maxOutputTokens && { maxOutputTokens: maxOutputTokens.value }),
      }),
      ...retrieveHandlers(openedKnowledge),
      calculateHandler,
    ],
    model: openedModel,
    close: () => knowledge?.close(),
  };
}

/** The knowledge base of a workspace, with its embedding model where one is configured. */
export function openBase(workspace: Workspace, options: { mustExist?: boolean } = {}): Knowledge {
  const { settings, env } = workspace;
  const embedder = settings.embeddings && openEmbedder(settings.embeddings.value, { env });
  return openKnowledge(knowledgePath(workspace), { ...options, embedder });
}

function referenceOf({ settings }: Workspace, caller: string | undefined): string {
  if (settings.model) return settings.model.value;
  const who = caller === undefined ? 'this needs a model' : `the program calls ${caller}`;
  throw new CliError('PV6011', `${who}, and no model is configured`, {
    hint: 'name one with --model provider/model or PLANVM_MODEL, or replay with --replay FILE',
  });
}

/** Every tool that a program names. */
export function toolsIn(program: Program): Set<string> {
  const names = new Set<string>();
  for (const { constants } of program.chunks) {
    for (const value of constants) {
      const isTool = value !== null && typeof value === 'object' && value.kind === 'tool';
      if (isTool) names.add(value.name);
    }
  }
  return names;
}

async function loadFiles(paths: readonly string[]): Promise<LoadedTool[]> {
  const tools: LoadedTool[] = [];
  for (const path of paths) tools.push(...(await loadTools(path)));
  return tools;
}

function refuse({ file }: LoadedTool): never {
  throw new CliError('PV6010', `${file} declares tools, but holds no functions to run them`, {
    hint: 'run with the module that has them: --tools ./tools.ts',
  });
}

/** A later one of the same name takes the place of an earlier one. */
const named = (handlers: readonly Handler[]): Map<string, Handler> =>
  new Map(handlers.map((handler) => [handler.spec.name, handler]));

function unclassedWarnings(tools: readonly LoadedTool[]): Warning[] {
  const unclassed = tools.filter(({ classed }) => !classed);
  if (unclassed.length === 0) return [];
  const names = unclassed.map(({ spec }) => spec.name).join(', ');
  const files = [...new Set(unclassed.map(({ file }) => file))].join(', ');
  const [they, run] = unclassed.length === 1 ? ['it', 'runs'] : ['they', 'run'];
  return [
    {
      code: 'PV4204',
      message:
        `${names} (${files}) declared without an effect class, so ${they} ${run} as writes: ` +
        'one at a time, in program order, after all that comes before has succeeded',
      hint: "declare effect: 'pure', 'read' or 'write'; what reads runs side by side",
    },
  ];
}

/** Tools read their own keys from the environment; what `.env` adds is there for them too. */
function shareEnvFile({ added }: Workspace): void {
  for (const [name, value] of Object.entries(added)) process.env[name] ??= value;
}
