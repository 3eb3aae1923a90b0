/**
 * What a command works with: the settings that hold where it is called, the variables that models
 * and tools may read, and the places of journal and knowledge base.
 */
import { join, relative, resolve } from 'node:path';
import type { AgentModels } from '../../agent/settings.ts';
import type { Unbound } from '../../effects/bind/specs.ts';
import type { Fit } from '../../effects/digest/fit.ts';
import { isToolSet } from '../../effects/tool-set-names.ts';
import type { ApprovalPolicy } from '../../engine/perform/approvals.ts';
import type { Limits } from '../../program/limits.ts';
import { readConfig } from './config-file.ts';
import { loadReaderOf } from './load-playbooks.ts';
import { findProject, type Project, readEnvFile } from './project.ts';
import type { ServerHere } from './servers.ts';
import {
  defined,
  environmentLayer,
  type Layer,
  merge,
  type Origins,
  type Settings,
  toolSource,
} from './settings.ts';
import { byTool, type ToolLimit } from './tool-limits.ts';
import { readApiSource } from './tool-settings.ts';

/** The options of commands that say something about settings, as commander gives them. */
export interface SettingFlags {
  readonly model?: string;
  readonly plannerModel?: string;
  readonly judgeModel?: string;
  readonly agentModel?: AgentModels;
  /** Answers for all of them. */
  readonly replay?: string;
  readonly contextWindow?: number;
  readonly fit?: Fit;
  readonly unbound?: Unbound;
  readonly tools?: readonly string[];
  readonly dialect?: string;
  readonly otlp?: string;
  /** False for `--no-mcp`. */
  readonly mcp?: boolean;
  readonly toolLimit?: readonly ToolLimit[];
  readonly openapi?: readonly string[];
  /** Names and patterns of tools, also several with commas between. */
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly approve?: ApprovalPolicy;
  /** Names of tools, also several with commas between. */
  readonly yes?: readonly string[];
}

export interface Workspace {
  readonly project: Project;
  readonly settings: Settings;
  readonly origins: Origins;
  /** Absolute path of `.planvm`. */
  readonly home: string;
  /** The process's environment over `.env`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What `.env` adds to the environment. */
  readonly added: Readonly<Record<string, string>>;
  /**
   * Those that its `.mcp.json` names; `others` are names of such as the program itself brings.
   * Throws as `serversIn` does.
   */
  readonly servers: (others?: readonly string[]) => readonly ServerHere[];
  /** Whether there may be any: without, nothing that speaks to them is loaded. */
  readonly hasServers: boolean;
  /** A configuration that was not run, because the command never executes anything. */
  readonly unread: string | undefined;
}

export interface WorkspaceOptions {
  readonly flags?: SettingFlags;
  readonly limits?: Partial<Limits>;
  /** What a run was started with: after the flags, before everything else. */
  readonly earlier?: Layer | undefined;
  /** False for commands that run neither configuration nor tools (design rule 8). */
  readonly execute?: boolean;
}

export async function openWorkspace(options: WorkspaceOptions = {}): Promise<Workspace> {
  const { flags = {}, limits = {}, earlier, execute = true } = options;
  const cwd = process.cwd();
  const project = findProject(cwd, process.env);
  const { configFile, personalFile, envFile } = project;
  const file = envFile === undefined ? {} : readEnvFile(envFile);
  const added = Object.fromEntries(
    Object.entries(file).filter(([name]) => process.env[name] === undefined),
  );
  const layers: Layer[] = [flagLayer(flags, limits, cwd)];
  if (earlier) layers.push(earlier);
  layers.push(environmentLayer(process.env, cwd, 'in the environment'));
  if (envFile !== undefined) {
    layers.push(environmentLayer(added, resolve(envFile, '..'), `in ${shortPath(envFile)}`));
  }
  const unread = !execute && configFile?.endsWith('.ts') ? configFile : undefined;
  for (const path of [configFile, personalFile]) {
    if (path !== undefined && path !== unread) layers.push(await readConfig(path, shortPath(path)));
  }
  // A run keeps the models that it began with: an agent without one has that of the run.
  const from = earlier ? layers.indexOf(earlier) + 1 : layers.length;
  const { settings, origins } = merge([
    ...layers.slice(0, from),
    ...layers.slice(from).map(withoutAgentModels),
  ]);
  await loadReaderOf(settings.dialect);
  const home = settings.home ?? join(project.folder, '.planvm');
  const servers = await serversBy(project, settings, origins);
  const env = { ...file, ...process.env };
  const hasServers = project.mcpFile !== undefined;
  return { project, settings, origins, home, env, added, servers, hasServers, unread };
}

const withoutAgentModels = ({ values, ...layer }: Layer): Layer => {
  const { agentModels: _, ...rest } = values;
  return { ...layer, values: rest };
};

/** Where no file names any, nothing that reads about them is loaded. */
async function serversBy(
  { mcpFile }: Project,
  { mcp: policies = {} }: Settings,
  { mcp: origin = '' }: Origins,
): Promise<Workspace['servers']> {
  if (mcpFile === undefined || policies === false) return () => [];
  const { serversIn } = await import('./servers.ts');
  return (others = []) => serversIn(mcpFile, shortPath(mcpFile), { policies, origin }, others);
}

export const journalPath = ({ home }: Pick<Workspace, 'home'>): string => join(home, 'runs.db');

export const knowledgePath = ({ home }: Pick<Workspace, 'home'>): string =>
  join(home, 'knowledge.db');

/** A path as a person at this place would write it. */
export function shortPath(path: string): string {
  if (isToolSet(path)) return path;
  const short = relative(process.cwd(), path);
  return short === '' || short.startsWith('..') ? path : short;
}

const flagNames: ReadonlyMap<string, string> = new Map([
  ['toolLimits', 'tool-limit'],
  ['mcp', 'no-mcp'],
  ['plannerModel', 'planner-model'],
  ['judgeModel', 'judge-model'],
  ['agentModels', 'agent-model'],
  ['contextWindow', 'context-window'],
]);

function flagLayer(flags: SettingFlags, limits: Partial<Limits>, cwd: string): Layer {
  const { replay, tools, dialect, otlp, mcp, toolLimit, approve, yes } = flags;
  const { openapi, allow, deny } = flags;
  const replayed = replay === undefined ? undefined : `replay/${resolve(cwd, replay)}`;
  const split = (names: readonly string[]): string[] =>
    names.flatMap((one) => one.split(',')).map((name) => name.trim());
  return {
    origin: (setting) =>
      replay !== undefined && /model$/i.test(setting)
        ? '--replay'
        : `--${flagNames.get(setting) ?? setting}`,
    values: defined({
      model: replayed ?? flags.model,
      plannerModel: replayed ?? flags.plannerModel,
      judgeModel: replayed ?? flags.judgeModel,
      agentModels: flags.agentModel,
      tools: tools?.map((given) => toolSource(cwd, given)),
      dialect,
      otlp,
      mcp: mcp === false ? mcp : undefined,
      toolLimits: toolLimit && byTool(toolLimit),
      embeddings: undefined,
      system: undefined,
      temperature: undefined,
      maxOutputTokens: undefined,
      contextWindow: flags.contextWindow,
      fit: flags.fit,
      unbound: flags.unbound,
      approve,
      yes: yes && split(yes),
      openapi: openapi?.map((given) => readApiSource(given, cwd)),
      allow: allow && split(allow),
      deny: deny && split(deny),
      home: undefined,
    }),
    limits,
  };
}
