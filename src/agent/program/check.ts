/** Reads and checks the text of a program; nothing of it, of tools or of configuration is run. */

import type { Checked, SaidModels } from '../../dialects/dialect.ts';
import { type AnyDialect, checkProgram, detect, withSaid } from '../../dialects/index.ts';
import type { ToolSpec } from '../../program/effect.ts';
import { type Limits, limits } from '../../program/limits.ts';
import { AgentError } from '../port/errors.ts';
import type { Workspace } from '../port/workspace.ts';
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
export function checkSource(source: Source, options: CheckOptions): Checked {
  const { dialect, specs, inputs, open = false, limits: changed = {}, strict = false } = options;
  const { programInstructions, sourceBytes } = limits(changed);
  if (dialect !== undefined) requireDialect(dialect);
  const checked = checkProgram(
    source.text,
    { tools: specs, inputs, open, ...(options.models && { models: options.models }) },
    {
      // What a reply holds is not what its file is named after.
      ...(source.said === undefined && { file: source.file }),
      ...(dialect === undefined ? {} : { dialect }),
      instructionsMax: programInstructions,
      sourceBytesMax: sourceBytes,
    },
  );
  const { said = [], wrong } = source;
  const all = withSaid([...(wrong ? [wrong] : []), ...said], checked);
  return strict ? strictly(all) : all;
}

/** Nothing is forgiven: what would be repaired or left out is wrong. */
function strictly({ dialect, diagnostics, ...rest }: Checked): Checked {
  if (diagnostics.length === 0) return { dialect, diagnostics, ...rest };
  const errors = diagnostics.map((one) => ({ ...one, severity: 'error' as const }));
  return { ok: false, dialect, diagnostics: errors };
}

/** Whether a text is a plan of tasks whose results the configured model is to join. */
export function joinsIn(source: Source, { settings, models }: Workspace): boolean {
  const dialect = settings.dialect;
  const found = detect(source.text, {
    ...(source.said === undefined && { file: source.file }),
    ...(dialect !== undefined && { dialect }),
  });
  const hasModel = settings.model !== undefined || models?.worker !== undefined;
  return hasModel && 'name' in found && joinedDialects.has(found.name);
}

const joinedDialects: ReadonlySet<string> = new Set(['llmcompiler']);

/** A dialect by its name. Throws `AgentError` PV2001 where there is none of that name. */
export function requireDialect(name: string): AnyDialect {
  const dialect = detect('', { dialect: name });
  if (!('code' in dialect)) return dialect;
  throw new AgentError('PV2001', dialect.message, { hint: dialect.hint });
}
