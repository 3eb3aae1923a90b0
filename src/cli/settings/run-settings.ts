/** What a run was started with beyond its program, as its record keeps it for resuming. */

import { keptOf } from '../../agent/record/kept.ts';
import type { AgentModels } from '../../agent/settings.ts';
import { ways } from '../../effects/bind/specs.ts';
import { fits } from '../../effects/digest/fit.ts';
import type { ContextWindow } from '../../effects/model/window.ts';
import { isImported } from '../../engine/journal/distrust.ts';
import type { RunRecord } from '../../engine/journal/journal.ts';
import { approvalPolicies } from '../../engine/perform/approvals.ts';
import { readSettings } from '../../engine/settings.ts';
import type { Limits } from '../../program/limits.ts';
import { givenLimits } from './limit-options.ts';
import { defined, type Layer, type Settings, settingNames } from './settings.ts';
import { readStoredToolLimits } from './tool-limits.ts';
import { readStoredToolSettings } from './tool-settings.ts';
import { shortPath, type Workspace } from './workspace.ts';

/** The settings that decide how a run's effects are performed. Keys are never among them. */
export function settingsOf(settings: Settings, file: string): Record<string, unknown> {
  const kept = settingNames
    .filter((name) => !notOfRuns.has(name))
    .flatMap((name) => (settings[name] ? [[name, settings[name]]] : []));
  return { file, ...Object.fromEntries(kept) };
}

const notOfRuns: ReadonlySet<string> = new Set([
  'home',
  'dialect',
  'route',
  'gcOlderThan',
  'gcKeep',
  'gcMaxSize',
  'redact',
  'prices',
  'otlp',
  // Those that it is played with are kept with the playbooks.
  'playbooks',
  'mcp',
]);

/**
 * The same read back: after the flags of the call that resumes, before everything else. Undefined
 * for an imported run, which has none: it goes on with those of the workspace.
 */
export function earlierSettings(record: RunRecord): Layer | undefined {
  if (isImported(record)) return undefined;
  const data: Readonly<Record<string, unknown>> = JSON.parse(record.settings);
  const text = (name: string): string | undefined => {
    const value = data[name];
    return typeof value === 'string' ? value : undefined;
  };
  const number = (name: string): number | undefined => {
    const value = data[name];
    return typeof value === 'number' ? value : undefined;
  };
  const { tools, helpers, yes } = data;
  return {
    origin: () => 'the run',
    values: defined({
      model: text('model'),
      plannerModel: text('plannerModel'),
      judgeModel: text('judgeModel'),
      // Also where it named none: the models of a run stay what they were.
      agentModels: (data.agentModels ?? {}) as AgentModels,
      embeddings: text('embeddings'),
      tools: Array.isArray(tools) ? tools.map(String) : undefined,
      helpers: Array.isArray(helpers) ? helpers.map(String) : undefined,
      system: text('system'),
      temperature: number('temperature'),
      maxOutputTokens: number('maxOutputTokens'),
      contextWindow: data.contextWindow as ContextWindow | undefined,
      fit: fits.find((one) => one === data.fit),
      unbound: ways.find((one) => one === data.unbound),
      toolLimits: readStoredToolLimits(data.toolLimits),
      approve: approvalPolicies.find((one) => one === data.approve),
      yes: Array.isArray(yes) ? yes.map(String) : undefined,
      dialect: undefined,
      home: undefined,
      ...readStoredToolSettings(data),
    }),
    // The engine keeps those of a run itself.
    limits: {},
  };
}

/** The file that the program of a run was read from, for diagnostics. */
export function fileOf(record: Pick<RunRecord, 'settings' | 'title'>): string {
  const { file } = keptOf(record);
  return file === undefined ? record.title : shortPath(file);
}

/** What limits a run goes on with, where they are not those that it has. */
export const limitsFor = (
  record: RunRecord,
  workspace: Workspace,
  flags: object,
): Partial<Limits> => (isImported(record) ? workspace.settings.limits : givenLimits(flags));

/** The workspace with the limits that a run has, where the call that resumes it has no others. */
export function withLimitsOf(record: RunRecord, { settings, ...rest }: Workspace): Workspace {
  const limits = { ...readSettings(record.settings).limits, ...settings.limits };
  return { ...rest, settings: { ...settings, limits } };
}
