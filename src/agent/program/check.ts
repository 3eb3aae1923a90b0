/** Reads and checks the text of a program; nothing of it, of tools or of configuration is run. */
import type { Checked, SaidModels } from '../../dialects/dialect.ts';
import { checkAmong, type DetectOptions, detectAmong } from '../../dialects/languages.ts';
import type { ToolSpec } from '../../program/effect.ts';
import { type Limits, limits } from '../../program/limits.ts';
import { AgentError } from '../port/errors.ts';
import type { AgentSettings } from '../port/settings.ts';
import type { Workspace } from '../port/workspace.ts';
import { dialectsFor, type KnownDialect } from './dialects.ts';
import type { Source } from './source.ts';

export interface CheckOptions {
  /** As `--dialect` names it; found out from file name and text where absent. */
  readonly dialect?: string | undefined;
  readonly specs: ReadonlyMap<string, ToolSpec>;
  readonly inputs: readonly string[];
  readonly limits?: Partial<Limits>;
  /** Whom a run of it asks. */
  readonly models?: SaidModels;
  /** Whether there may be tools that are not among `specs`. */
  readonly open?: boolean | undefined;
  /** Whether warnings are errors. */
  readonly strict?: boolean | undefined;
}

/**
 * Everything there is to say about a text, and its program where nothing is wrong with it. Throws
 * `AgentError` PV2001 for a dialect that does not exist.
 */
export async function checkSource(source: Source, options: CheckOptions): Promise<Checked> {
  const known = await dialectsFor(source.text, detectionOf(source, options.dialect));
  return checkSourceAmong(known, source, options);
}

/** The same as the settings of a workspace have it. */
export const checkIn = async (
  { settings }: Pick<Workspace, 'settings'>,
  source: Source,
  options: Pick<CheckOptions, 'specs' | 'inputs' | 'open' | 'strict'>,
): Promise<Checked> => {
  const { dialect, limits: changed } = settings;
  const own = { dialect, limits: changed, models: saidModels(settings) };
  return await checkSource(source, { ...options, ...own });
};

/** The same at once, with dialects of which those that the text may be in are loaded. */
export function checkSourceAmong(
  known: readonly KnownDialect[],
  source: Source,
  options: CheckOptions,
): Checked {
  const { dialect, specs, inputs, open = false, limits: changed = {}, strict = false } = options;
  const { programInstructions, sourceBytes } = limits(changed);
  if (dialect !== undefined) requireAmong(known, dialect);
  const checked = checkAmong(
    known,
    source.text,
    { tools: specs, inputs, open, ...(options.models && { models: options.models }) },
    {
      ...detectionOf(source, dialect),
      instructionsMax: programInstructions,
      sourceBytesMax: sourceBytes,
    },
  );
  const { wrong } = source;
  const all: Checked = wrong
    ? { ok: false, dialect: checked.dialect, diagnostics: [wrong, ...checked.diagnostics] }
    : checked;
  return strict ? strictly(all) : all;
}

const detectionOf = ({ file }: Source, dialect: string | undefined): DetectOptions => ({
  file,
  ...(dialect !== undefined && { dialect }),
});

/** Nothing is forgiven: what would be repaired or left out is wrong. */
function strictly({ dialect, diagnostics, ...rest }: Checked): Checked {
  if (diagnostics.length === 0) return { dialect, diagnostics, ...rest };
  const errors = diagnostics.map((one) => ({ ...one, severity: 'error' as const }));
  return { ok: false, dialect, diagnostics: errors };
}

/** The name of the dialect of a text, which may be said; undefined where it is in none. */
export async function dialectOf(source: Source, said?: string): Promise<string | undefined> {
  const options = detectionOf(source, said);
  const found = detectAmong(await dialectsFor(source.text, options), source.text, options);
  return 'code' in found ? undefined : found.name;
}

/** A dialect by its name. Throws `AgentError` PV2001 where there is none of that name. */
export function requireAmong<Each extends KnownDialect>(
  known: readonly Each[],
  name: string,
): Each {
  const dialect = detectAmong(known, '', { dialect: name });
  if (!('code' in dialect)) return dialect;
  throw new AgentError('PV2001', dialect.message, { hint: dialect.hint });
}

/** Which models follow agents of playbooks, as far as whoever runs them says so. */
export const saidModels = ({ model, agentModels }: AgentSettings): SaidModels => ({
  ...(model && { own: model }),
  named: agentModels ?? {},
});

/** That of a playbook, `Desk.Main`, or of its agent; undefined for the run's own. */
export const modelFor = (
  playbook: string | undefined,
  models: ReadonlyMap<string, string>,
): string | undefined =>
  playbook === undefined
    ? undefined
    : (models.get(playbook) ?? models.get(playbook.slice(0, playbook.indexOf('.'))));
