/** What a run was started with beyond its program, as its record keeps it for resuming. */
import { ways } from '../../effects/bind/specs.ts';
import { fits } from '../../effects/digest/fit.ts';
import type { ContextWindow } from '../../effects/model/window.ts';
import { isImported } from '../../engine/journal/distrust.ts';
import type { RunRecord } from '../../engine/journal/journal.ts';
import { approvalPolicies } from '../../engine/perform/approvals.ts';
import { readSettings } from '../../engine/settings.ts';
import type { AgentModels, AgentSettings, ToolSettings } from '../port/settings.ts';
import { shortPath, type Workspace } from '../port/workspace.ts';
import { keptOf } from '../record/kept.ts';
import { readStoredToolLimits } from './quantity.ts';

/** The settings that decide how the effects of a run are performed. Keys are never among them. */
const keptNames = [
  ...(['model', 'plannerModel', 'judgeModel', 'agentModels', 'embeddings'] as const),
  ...(['tools', 'helpers', 'system', 'temperature', 'maxOutputTokens'] as const),
  ...(['contextWindow', 'fit', 'unbound', 'approve', 'yes', 'toolLimits'] as const),
  ...(['openapi', 'http', 'toolsets', 'allow', 'deny', 'pins', 'toolOverrides'] as const),
] satisfies readonly (keyof AgentSettings)[];

export function settingsOf(settings: AgentSettings, file: string): Record<string, unknown> {
  const kept = keptNames.flatMap((name) =>
    settings[name] === undefined ? [] : [[name, settings[name]] as const],
  );
  return { file, ...Object.fromEntries(kept) };
}

/**
 * The same read back. Undefined for an imported run, which is trusted with none: it goes on with
 * those of the workspace. Limits are not among them: the engine keeps those of a run itself.
 */
export function keptSettings(record: RunRecord): Omit<AgentSettings, 'limits'> | undefined {
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
  const values = {
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
    ...storedToolSettings(data),
  };
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given);
}

/** As the record of a run has them: written by this program, and read for their kind alone. */
function storedToolSettings(data: Readonly<Record<string, unknown>>): ToolSettings {
  const found = storedNames.flatMap((name) => {
    const value = data[name];
    const isList = name === 'openapi' || name === 'allow' || name === 'deny';
    const fits = isList ? Array.isArray(value) : isRecord(value);
    return fits ? [[name, value] as const] : [];
  });
  return Object.fromEntries(found);
}

const isRecord = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const storedNames = [
  ...(['openapi', 'http', 'toolsets', 'allow', 'deny', 'pins', 'toolOverrides'] as const),
] satisfies readonly (keyof ToolSettings)[];

/** The file that the program of a run was read from, for diagnostics. */
export function fileOf(record: Pick<RunRecord, 'settings' | 'title'>): string {
  const { file } = keptOf(record);
  return file === undefined ? record.title : shortPath(file);
}

/** The workspace with the limits that a run has, where the call that resumes it has no others. */
export function withLimitsOf(record: RunRecord, { settings, ...rest }: Workspace): Workspace {
  const limits = { ...readSettings(record.settings).limits, ...settings.limits };
  return { ...rest, settings: { ...settings, limits } };
}
