/**
 * What a command works with: the settings that hold where it is called, the variables that models
 * and tools may read, and the places of journal and knowledge base.
 */
import { join, resolve } from 'node:path';
import { loadReaderOf } from '../../agent/playbook/load-reader.ts';
import type { AgentModels } from '../../agent/port/settings.ts';
import {
  type Workspace as AgentWorkspace,
  type Ports,
  shortPath,
} from '../../agent/port/workspace.ts';
import { keptSettings } from '../../agent/settings/kept-settings.ts';
import { byTool, type ToolLimit, toolSource } from '../../agent/settings/quantity.ts';
import type { Unbound } from '../../effects/bind/specs.ts';
import type { Fit } from '../../effects/digest/fit.ts';
import type { RunRecord } from '../../engine/journal/journal.ts';
import type { ApprovalPolicy } from '../../engine/perform/approvals.ts';
import { readConfig } from './config-file.ts';
import { givenLimits } from './limit-options.ts';
import { findProject, type Project, readEnvFile } from './project.ts';
import {
  defined,
  environmentLayer,
  type Layer,
  merge,
  type Origins,
  readApiSource,
  type Settings,
  type Values,
} from './settings.ts';

/** The options of commands that say something about settings, as commander gives them. */
export interface SettingFlags {
  readonly record?: string;
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

/** What a command works with. */
export interface Workspace extends AgentWorkspace {
  readonly project: Project;
  readonly settings: Settings;
  /** What `.env` adds to the environment. */
  readonly added: Readonly<Record<string, string>>;
}

type MakePorts = (parts: Pick<Workspace, 'project' | 'settings' | 'origins' | 'env'>) => Ports;

let portsOf: MakePorts | undefined;

/** What this process does for the agents of its workspaces; without it, nothing. */
export function usePorts(make: MakePorts): void {
  portsOf = make;
}

export interface WorkspaceOptions {
  /** Those of limits count, too. */
  readonly flags?: SettingFlags;
  /** What a run was started with: after the flags, before everything else. */
  readonly earlier?: Layer | undefined;
  /** False for commands that run neither configuration nor tools (design rule 8). */
  readonly execute?: boolean;
}

export async function openWorkspace(options: WorkspaceOptions = {}): Promise<Workspace> {
  const { flags = {}, earlier, execute = true } = options;
  const cwd = process.cwd();
  const project = findProject(cwd, process.env);
  const { configFile, personalFile, envFile } = project;
  const file = envFile === undefined ? {} : readEnvFile(envFile);
  const added = Object.fromEntries(
    Object.entries(file).filter(([name]) => process.env[name] === undefined),
  );
  const layers: Layer[] = [flagLayer(flags, cwd)];
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
  // Tools read their own keys from the environment; what `.env` adds is there for them, too.
  if (execute) Object.assign(process.env, added);
  const parts = { project, settings, origins, home, env, servers, hasServers, unread };
  // After the flags of the call that resumes, before everything else.
  const forRun = (run: RunRecord) => {
    const values = keptSettings(run);
    const own = values && { origin: () => 'the run', values, limits: {} };
    return openWorkspace({ ...options, earlier: own });
  };
  const more = { added, forRun, record: flags.record, isYesTyped: flags.yes !== undefined };
  return { ...parts, ...portsOf?.(parts), ...more };
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
  const { serversIn } = await import('../../agent/settings/servers.ts');
  return (others = []) => serversIn(mcpFile, shortPath(mcpFile), { policies, origin }, others);
}

const flagNames: ReadonlyMap<string, string> = new Map([
  ['toolLimits', 'tool-limit'],
  ['mcp', 'no-mcp'],
  ['plannerModel', 'planner-model'],
  ['judgeModel', 'judge-model'],
  ['agentModels', 'agent-model'],
  ['contextWindow', 'context-window'],
]);

function flagLayer(flags: SettingFlags, cwd: string): Layer {
  const { replay, tools, mcp, toolLimit, yes, openapi, allow, deny } = flags;
  const replayed = replay === undefined ? undefined : `replay/${resolve(cwd, replay)}`;
  const split = (names: readonly string[]): string[] =>
    names.flatMap((one) => one.split(',')).map((name) => name.trim());
  return {
    origin: (setting) =>
      replay !== undefined && /model$/i.test(setting)
        ? '--replay'
        : `--${flagNames.get(setting) ?? setting}`,
    values: defined<Values>({
      model: replayed ?? flags.model,
      plannerModel: replayed ?? flags.plannerModel,
      judgeModel: replayed ?? flags.judgeModel,
      agentModels: flags.agentModel,
      tools: tools?.map((given) => toolSource(cwd, given)),
      dialect: flags.dialect,
      otlp: flags.otlp,
      mcp: mcp === false ? mcp : undefined,
      toolLimits: toolLimit && byTool(toolLimit),
      contextWindow: flags.contextWindow,
      fit: flags.fit,
      unbound: flags.unbound,
      approve: flags.approve,
      yes: yes && split(yes),
      openapi: openapi?.map((given) => readApiSource(given, cwd)),
      allow: allow && split(allow),
      deny: deny && split(deny),
    }),
    limits: givenLimits(flags),
  };
}
