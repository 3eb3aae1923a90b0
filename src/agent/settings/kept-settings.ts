/** What a run was started with beyond its program, as its record keeps it for resuming. */
import { isImported } from '../../engine/journal/distrust.ts';
import type { RunRecord } from '../../engine/journal/journal.ts';
import { readSettings } from '../../engine/settings.ts';
import type { AgentModels, AgentSettings } from '../port/settings.ts';
import { shortPath, type Workspace } from '../port/workspace.ts';
import { keptOf } from '../record/kept.ts';

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
  const kept = keptNames.flatMap((name) =>
    (data[name] ?? undefined) === undefined ? [] : [[name, data[name]] as const],
  );
  return {
    ...Object.fromEntries(kept),
    // Also where it named none: the models of a run stay what they were.
    agentModels: (data.agentModels ?? {}) as AgentModels,
    ...(data.toolLimits !== undefined && { toolLimits: unlimited(data.toolLimits) }),
  };
}

/** JSON has no infinity: a limit that is none is null there. */
const unlimited = (data: unknown): NonNullable<AgentSettings['toolLimits']> =>
  JSON.parse(JSON.stringify(data), (_, value) => value ?? Infinity);

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
