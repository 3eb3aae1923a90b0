/** The tools that programs are checked against where nothing may be executed (design rule 8). */
import { builtInSpecs } from '../../effects/built-in-specs.ts';
import type { ToolSpec } from '../../program/effect.ts';
import { shortPath, type Workspace } from '../settings/workspace.ts';
import { isModule, loadFiles } from './tool-files.ts';

export interface KnownTools {
  readonly specs: ReadonlyMap<string, ToolSpec>;
  /** Files that may declare more tools, and were not run. */
  readonly unread: readonly string[];
}

/** Reads declarations only: what is code stays unread. */
export async function knownTools({ settings, unread, env }: Workspace): Promise<KnownTools> {
  const paths = settings.tools?.value ?? [];
  const declared = await loadFiles(
    paths.filter((path) => !isModule(path)),
    env,
  );
  const specs = [...builtInSpecs, ...declared.map(({ spec }) => spec)];
  const files = [...paths.filter(isModule), ...(unread === undefined ? [] : [unread])];
  return { specs: new Map(specs.map((spec) => [spec.name, spec])), unread: files.map(shortPath) };
}
