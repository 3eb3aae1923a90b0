/** A text with the tools that are known without running anything: enough to check it. */
import type { Checked } from '../dialects/dialect.ts';
import type { Diagnostic } from '../program/diagnostic.ts';
import { toolSpec } from '../program/effect.ts';
import type { Workspace } from './port/workspace.ts';
import { type CheckOptions, checkIn } from './program/check.ts';
import type { Source } from './program/source.ts';
import { withNeeds } from './program-needs.ts';
import { knownTools } from './tools/known-tools.ts';

export interface KnownProgram extends Awaited<ReturnType<typeof knownTools>> {
  readonly source: Source;
  readonly workspace: Workspace;
}

/** `imports`: whether modules of tools are imported, which is running them. */
export async function knownProgram(
  text: Source,
  own: Workspace,
  imports = false,
): Promise<KnownProgram> {
  const { source, workspace } = await withNeeds(text, own, { contact: 'never' });
  return { source, workspace, ...(await knownTools(workspace, { imports })) };
}

/** A tool that is not known may be declared by a module that was not imported: a warning. */
export async function checkKnown(
  { source, workspace, specs, unread }: KnownProgram,
  options: Pick<CheckOptions, 'inputs' | 'strict'>,
): Promise<Checked> {
  const open = unread.length > 0;
  const checked = await checkIn(workspace, source, { ...options, specs, open });
  if (!open) return checked;
  const advice = `${unread.join(', ')} may declare it: no modules are imported`;
  const diagnostics = checked.diagnostics.map((one): Diagnostic => {
    if (one.unknown === undefined) return one;
    const hint = one.hint === undefined ? advice : `${advice}; ${one.hint}`;
    return { ...one, severity: 'warning', hint };
  });
  const ok = diagnostics.every(({ severity }) => severity === 'warning');
  return { ...checked, ok, diagnostics };
}

/** With tools that a module may declare, as far as diagnostics name them: nothing else is known. */
export function withNamed(known: KnownProgram, diagnostics: readonly Diagnostic[]): KnownProgram {
  const named = diagnostics.flatMap(({ unknown: name }) =>
    name === undefined ? [] : [toolSpec({ name, description: '', parameters: {} })],
  );
  const specs = new Map([...named.map((spec) => [spec.name, spec] as const), ...known.specs]);
  return { ...known, specs };
}
