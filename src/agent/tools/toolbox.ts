/**
 * The tools of a run: those that every run has (models, retrieval, `calculate`) and those of tools
 * files, which come first. Owns what they open: the model and the knowledge base, both when they
 * are first needed.
 */
import { existsSync } from 'node:fs';
import { type BuiltIn, builtInTools } from '../../effects/built-in.ts';
import type { SourceOptions } from '../../effects/data/source.ts';
import type { Digester } from '../../effects/digest/digester.ts';
import type { Model } from '../../effects/model/model.ts';
import type { ModelSettings } from '../../effects/model/model-settings.ts';
import { guarded, type Redaction } from '../../effects/redaction.ts';
import { pinned, shownPins } from '../../effects/tool/pinned.ts';
import { isToolSet } from '../../effects/tool-set-names.ts';
import { type Handler, lateHandler, type RunLoop } from '../../engine/handler.ts';
import type { RunRecord } from '../../engine/journal/journal.ts';
import type { Warning } from '../../engine/result.ts';
import { delegateName, delegateSpec } from '../../planner/delegate-specs.ts';
import { nextActionSpec, planTasksSpec } from '../../planner/tasks/specs.ts';
import type { ToolSpec } from '../../program/effect.ts';
import type { Program } from '../../program/program.ts';
import { togetherProblems } from '../../program/together.ts';
import { bindingTool, findTool, isMeant, toolHint } from '../../program/tool-names.ts';
import { AgentError } from '../port/errors.ts';
import { knowledgePath, type Workspace } from '../port/workspace.ts';
import { type Kept, keptOf } from '../record/kept.ts';
import { loadHttpTools } from './http-tools.ts';
import type { McpTools } from './mcp-tools.ts';
import {
  configuredModel,
  embedderIn,
  type Models,
  modelsByReference,
  openRoles,
} from './model-roles.ts';
import { redactionIn } from './redaction.ts';
import { followerWarnings, shaped, shapingOf } from './shaping.ts';
import { type LoadedTool, loadFiles, mcpScheme } from './tool-files.ts';

export interface Toolbox {
  readonly handlers: ReadonlyMap<string, Handler>;
  readonly specs: ReadonlyMap<string, ToolSpec>;
  /** Where each tool comes from: `built in`, or its file. */
  readonly origins: ReadonlyMap<string, string>;
  /** What is pinned, by tool and parameter, as people are shown it. */
  readonly pinned: ReadonlyMap<string, Readonly<Record<string, string>>>;
  /** What there is to say about them, whoever calls them. */
  readonly warnings: readonly Warning[];
  /** The worker. Throws `AgentError` PV6011, or the `EffectFailure` of opening it. */
  model(): Model;
  /** The same for each role. */
  readonly models: Models;
  /** Another one by its reference; the worker without one. Throws as `model` does. */
  readonly modelNamed: (reference: string | undefined) => Model;
  /** For what is longer than one of them can read at once. */
  digesterFor(model: Model): Promise<Digester>;
  /**
   * What a program needs before it starts: opens the model if it calls one, and says what there is
   * to say about its tools.
   */
  prepare(program: Program): Warning[];
  /** Whether a program calls functions of tools files. */
  callsFunctions(program: Program): boolean;
  /** How many MCP servers there are whose tools are not known. */
  readonly unlisted: number;
  /** What a run is to remember, so that whoever takes it up has the same tools. */
  readonly kept: Pick<Kept, 'joins' | 'goal' | 'withheld'>;
  close(): void;
}

export interface ToolboxOptions {
  /** What the runs are for, in words. */
  readonly goal?: string | undefined;
  /** Whether the model joins what the tasks of a plan come to: the tool `join`. */
  readonly joins?: boolean;
  /** Whether tools are only told of: those that are declared without a function are there, too. */
  readonly toldOnly?: boolean;
  /** Whether MCP servers are asked for their tools that have not told them yet. Default: true. */
  readonly lists?: boolean;
}

/** Whether a run was started with that tool. */
export const joinedBy = (record: RunRecord): boolean => keptOf(record).joins === true;

/** Imports the tools files. Throws `AgentError`. */
export async function openToolbox(
  workspace: Workspace,
  options: ToolboxOptions = {},
): Promise<Toolbox> {
  const own = await openBuiltIn(workspace, options);
  const mcp = await mcpToolsOf(workspace, options.lists);
  const env = { ...workspace.env, PLANVM_HOME: workspace.home };
  const { tools, helpers } = workspace.settings;
  const modules = [...(tools ?? []), ...(helpers ?? [])];
  if (modules.length > 0) workspace.importing?.();
  const ofFiles = await loadFiles(modules, env);
  const overHttp = await loadHttpTools(workspace, { fetches: true });
  const given = (workspace.ownTools ?? []).map((handler): LoadedTool => {
    return { spec: handler.spec, handler, classed: true, file: 'options' };
  });
  const loaded = [...mcp.tools, ...overHttp.tools, ...ofFiles, ...given];
  refuseKeptSecrets(workspace);
  const redaction = redactionIn(workspace);
  const added = loaded.map((tool) =>
    guarded(tool.handler ?? withoutFunction(tool, options), redaction),
  );
  const modelNamed = modelsByReference(workspace, own.model);
  const models = openRoles(workspace, modelNamed);
  const delegate = lateHandler(delegateSpec, async () => {
    const { delegateHandler } = await import('../../planner/delegate.ts');
    return delegateHandler({
      ...{ runLoop: own.runLoop, model: models.planner, tools: () => handlers },
    });
  });
  const ours = [...own.handlers, delegate].map((handler) => guarded(handler, redaction));
  const builtIn = new Set(ours.map(({ spec }) => spec.name));
  for (const { spec } of loaded) builtIn.delete(spec.name);
  const all = named([...ours, ...added]);
  const choice = choose(all, builtIn, workspace, mcp.denied);
  const { chosen, specs, pinned: pins, withheld, followers } = choice;
  const warnings = [...overHttp.warnings, ...replacedWarnings(loaded), ...followers];
  const from = new Map(loaded.map(({ spec, file }) => [spec.name, file]));
  const kept = await keptAnswers(chosen, workspace, { redaction, from });
  const handlers: Toolbox['handlers'] = (await workspace.traced?.(kept)) ?? kept;
  refuseUnknown(workspace, specs);
  refuseContradictions(specs, loaded);
  return {
    handlers,
    specs,
    pinned: pins,
    warnings,
    origins: new Map([...handlers.keys()].map((name) => [name, from.get(name) ?? 'built in'])),
    model: own.model,
    ...{ models, modelNamed },
    async digesterFor(model) {
      const { digester } = await import('../../effects/digest/digester.ts');
      return digester(model, modelSettings(workspace), { runLoop: own.runLoop });
    },
    prepare(program) {
      const called = calledBy(program, handlers.keys());
      let asksModel = false;
      for (const name of called) {
        const handler = handlers.get(name);
        if (handler && builtIn.has(name)) asksModel ||= handler.spec.kind === 'model';
      }
      if (asksModel) own.model();
      const isAny = callsByName(program);
      const callable = loaded.filter(({ spec }) => isAny || called.has(spec.name));
      return [...unclassedWarnings(callable), ...warnings];
    },
    callsFunctions: (program) => {
      const called = callsByName(program) ? handlers.keys() : calledBy(program, handlers.keys());
      return [...called].some((name) => isFile(from.get(name) ?? 'planvm:'));
    },
    unlisted: mcp.unlisted,
    kept: {
      ...(options.joins && { joins: true }),
      ...(options.goal !== undefined && { goal: options.goal }),
      ...(withheld.length > 0 && { withheld }),
    },
    close() {
      mcp.close();
      own.close();
    },
  };
}

/** Where no tool has its answers kept, nothing that keeps them is loaded. */
async function keptAnswers(
  chosen: Toolbox['handlers'],
  workspace: Workspace,
  how: { readonly redaction: Redaction; readonly from: ReadonlyMap<string, string> },
): Promise<Toolbox['handlers']> {
  if (![...chosen.values()].some(({ spec }) => (spec.limits?.cacheMs ?? 0) > 0)) return chosen;
  const { withCache } = await import('./caching.ts');
  return withCache(chosen, workspace, how);
}

/** Where there are no servers, nothing that speaks to them is loaded. */
async function mcpToolsOf(workspace: Workspace, lists = true): Promise<McpTools> {
  if (!workspace.hasServers) return { tools: [], denied: [], unlisted: 0, close: () => {} };
  const { loadMcp } = await import('./mcp-tools.ts');
  return await loadMcp(workspace, lists);
}

/** Whether it is no set and no server: their tools give way to others while they work. */
const isFile = (origin: string): boolean => !isToolSet(origin) && !origin.startsWith(mcpScheme);

interface Chosen {
  readonly chosen: ReadonlyMap<string, Handler>;
  readonly specs: ReadonlyMap<string, ToolSpec>;
  readonly pinned: Toolbox['pinned'];
  /** The names of those that a run may not call. */
  readonly withheld: readonly string[];
  readonly followers: readonly Warning[];
}

/** The tools that a run may call, as settings shape them. Throws as `shapingOf` does. */
function choose(
  handlers: ReadonlyMap<string, Handler>,
  builtIn: ReadonlySet<string>,
  workspace: Workspace,
  denied: readonly ToolSpec[],
): Chosen {
  const all = new Map([...handlers].map(([name, { spec }]) => [name, spec]));
  const { settings, origins, env } = workspace;
  const namespaces = workspace.servers().map(({ server }) => server.name);
  const shaping = shapingOf({ settings, origins, specs: all, builtIn, namespaces });
  const specs = shaped(all, shaping, denied);
  const chosen = new Map<string, Handler>();
  const shown = new Map<string, Readonly<Record<string, string>>>();
  for (const [name, handler] of handlers) {
    const spec = specs.get(name);
    if (!spec) continue;
    const pins = shaping.pins(handler.spec);
    if (pins) shown.set(name, shownPins(pins));
    chosen.set(name, { ...(pins ? pinned(handler, pins, env) : handler), spec });
  }
  const names = [...all.keys(), ...denied.map(({ name }) => name)];
  const withheld = names.filter((name) => !specs.has(name));
  const followers = followerWarnings(all, shaping, new Set(withheld));
  return { chosen, specs, pinned: shown, withheld, followers };
}

/** Effects of a control loop as tools are: without secrets in what they give back, and observed. */
export async function asTools(
  handlers: ReadonlyMap<string, Handler>,
  workspace: Workspace,
): Promise<ReadonlyMap<string, Handler>> {
  const redaction = redactionIn(workspace);
  const clean = [...handlers].map(([name, one]) => [name, guarded(one, redaction)] as const);
  const all = new Map(clean);
  return (await workspace.traced?.(all)) ?? all;
}

/**
 * Refuses a text that would put a secret into the journal: a program, an input, a goal. Throws
 * `AgentError` PV6025, which names the variable and not its value.
 */
export function refuseSecrets(workspace: Workspace, what: string, text: string): void {
  const source = redactionIn(workspace).sourceIn(text);
  if (source === undefined) return;
  throw new AgentError('PV6025', `${what} holds the secret of ${source}`, {
    hint:
      'let the tool that needs it read it from the environment; ' +
      'what is no secret goes into redact.keep of the configuration',
  });
}

/** A misspelt name would leave its tool to be asked about, and nobody would know why. */
function refuseUnknown(
  { settings, origins, isYesTyped = false }: Workspace,
  specs: ReadonlyMap<string, ToolSpec>,
): void {
  if (!isYesTyped) return;
  for (const name of settings.yes ?? []) {
    if ([...specs.values()].some((spec) => isMeant(name, spec))) continue;
    const found = findTool(specs, name);
    const hint = found ? `write ${found.name}` : toolHint(specs, name);
    const facts = { tool: name, setting: 'yes', origin: origins.yes };
    throw new AgentError('PV6002', `there is no tool ${name}`, { hint, facts });
  }
}

/** What is kept with a run must not hold a secret that belongs into the environment. */
function refuseKeptSecrets(workspace: Workspace): void {
  const { http, openapi, pins } = workspace.settings;
  for (const [name, setting] of Object.entries({ http, openapi, pins })) {
    if (setting) refuseSecrets(workspace, `the setting ${name}`, JSON.stringify(setting));
  }
}

/** What tools declare of each other is wrong in their file, and said before any run. */
function refuseContradictions(
  specs: ReadonlyMap<string, ToolSpec>,
  loaded: readonly LoadedTool[],
): void {
  const [problem] = togetherProblems(specs);
  if (!problem) return;
  const file = loaded.find(({ spec }) => spec.name === problem.tool)?.file ?? 'built in';
  const { tool, message, hint } = problem;
  throw new AgentError('PV6009', `${file} (${tool}): ${message}`, { hint });
}

/** What the settings say to all calls of models. */
function modelSettings({ settings }: Workspace): ModelSettings {
  const { system, temperature, maxOutputTokens, contextWindow, fit, unbound } = settings;
  return {
    ...(system && { system }),
    ...(temperature !== undefined && { temperature }),
    ...(maxOutputTokens && { maxOutputTokens }),
    ...(contextWindow && { contextWindow }),
    ...(fit && { fit }),
    ...(unbound && { unbound }),
  };
}

/** The built-in tools with what the settings say of them; most runs never join. */
async function openBuiltIn(
  workspace: Workspace,
  options: ToolboxOptions,
): Promise<BuiltIn & { readonly runLoop: RunLoop }> {
  const runLoop = lateLoops(workspace);
  const own = builtInTools({
    runLoop,
    openModel: () => configuredModel(workspace),
    openKnowledge: async () => {
      const { openBase } = await import('./knowledge-base.ts');
      return openBase(workspace, { mustExist: true });
    },
    settings: modelSettings(workspace),
    sources: () => sourcesIn(workspace),
    long: {
      embedder: () => embedderIn(workspace),
      ...(options.goal !== undefined && { goal: options.goal }),
    },
  });
  const hasKnowledge = existsSync(knowledgePath(workspace));
  const handlers = hasKnowledge ? own.handlers : own.handlers.map(withoutKnowledge);
  if (!options.joins) return { ...own, runLoop, handlers };
  const { joinHandler } = await import('../../planner/tasks/join.ts');
  const join = joinHandler({ model: own.model, language: 'en' });
  return { ...own, runLoop, handlers: [...handlers, join] };
}

/** What runs control loops within effects is loaded with the first of them. */
function lateLoops(workspace: Workspace): RunLoop {
  return async (context, loop) => {
    const { loopRunner } = await import('../../planner/run-loop.ts');
    const { loopFile } = await import('../program/loop-file.ts');
    const run = loopRunner({
      source: (name) => loopFile(workspace, name).text,
      ready: (handlers) => asTools(handlers, workspace),
    });
    return await run(context, loop);
  };
}

/** A search of a knowledge base that there is not would only fail. */
const withoutKnowledge = (handler: Handler): Handler =>
  handler.spec.kind === 'retrieve'
    ? { ...handler, spec: { ...handler.spec, untold: 'all' } }
    : handler;

/** What the set planvm:data may read, where it is among the tools; without it nothing is read. */
function sourcesIn({ settings, env }: Workspace): Promise<SourceOptions> | undefined {
  const named = settings.tools?.findLast((one) => /^planvm:data(\?|$)/.test(one));
  return named === undefined ? undefined : sourcesOfSet(named, env);
}

async function sourcesOfSet(source: string, env: Workspace['env']): Promise<SourceOptions> {
  const { readToolSet } = await import('../../effects/tool-sets.ts');
  const { readerOf } = await import('../../effects/tool-set.ts');
  const { sourcesOf } = await import('../../effects/data/set.ts');
  const { set, options } = readToolSet(source);
  return await sourcesOf(readerOf(set, options, env));
}

/** Every tool that a program calls, or may call where a model gives the names while it runs. */
function calledBy(program: Program, known: Iterable<string>): Set<string> {
  const named = toolsIn(program);
  const openEnded = [planTasksSpec.name, nextActionSpec.name, delegateName];
  const asksForNames = openEnded.some((name) => named.has(name));
  return asksForNames ? new Set([...named, ...known]) : named;
}

/** Whether names of tools may be values, as in the loop of playbooks: nobody knows them before. */
export const callsByName = ({ chunks }: Program): boolean =>
  chunks.some(({ constants }) =>
    constants.some(
      (one) =>
        one !== null && typeof one === 'object' && one.kind === 'builtin' && one.name === 'task',
    ),
  );

/** Every tool that a program names, or calls by another name. */
export function toolsIn(program: Program): Set<string> {
  const names = new Set<string>();
  for (const { constants } of program.chunks) {
    for (const value of constants) {
      if (value === null || typeof value !== 'object') continue;
      if (value.kind === 'tool') names.add(value.name);
      if (value.kind === 'builtin' && value.name === 'llm_bind') names.add(bindingTool);
    }
  }
  return names;
}

function withoutFunction({ file, spec }: LoadedTool, { toldOnly }: ToolboxOptions): Handler {
  if (toldOnly)
    return { spec, perform: () => Promise.reject(new Error(`${spec.name}: told only`)) };
  throw new AgentError('PV6010', `${file} declares tools, but holds no functions to run them`, {
    hint: 'run with the module that has them',
    facts: { file, tool: spec.name },
  });
}

/** A later one of the same name takes the place of an earlier one. */
const named = (handlers: readonly Handler[]): Map<string, Handler> =>
  new Map(handlers.map((handler) => [handler.spec.name, handler]));

function replacedWarnings(tools: readonly LoadedTool[]): Warning[] {
  const files = new Map<string, string>();
  return tools.flatMap(({ spec, file }): Warning[] => {
    const before = files.get(spec.name);
    files.set(spec.name, file);
    if (before === undefined || before === file) return [];
    return [
      {
        code: 'PV6035',
        message: `${spec.name} of ${file} takes the place of ${spec.name} of ${before}`,
        hint: 'give one of them another name, or leave one of the two out',
      },
    ];
  });
}

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
