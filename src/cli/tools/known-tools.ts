/** The tools that programs are checked against where nothing may be executed (design rule 8). */
import { existsSync, readFileSync } from 'node:fs';
import { builtInSpecs } from '../../effects/built-in-specs.ts';
import type { ToolSpec } from '../../program/effect.ts';
import { shortPath, type Workspace } from '../settings/workspace.ts';
import { knownMcp } from './mcp-tools.ts';
import { isModule, loadFiles } from './tool-files.ts';

export interface KnownTools {
  readonly specs: ReadonlyMap<string, ToolSpec>;
  /** Files that may declare more tools, and were not run. */
  readonly unread: readonly string[];
}

/**
 * Reads declarations only: what is code is not run. A tool that every run has is left out where the
 * text of a module declares one of that name, since that one takes its place.
 */
export async function knownTools(workspace: Workspace): Promise<KnownTools> {
  const { settings, unread, env } = workspace;
  const paths = settings.tools?.value ?? [];
  const declared = await loadFiles(
    paths.filter((path) => !isModule(path)),
    env,
  );
  const files = [...paths.filter(isModule), ...(unread === undefined ? [] : [unread])];
  const texts = files.map(textIn);
  const own = builtInSpecs.filter(({ name }) => !texts.some((text) => declares(text, name)));
  const served = knownMcp(workspace);
  const specs = [...own, ...served.specs, ...declared.map(({ spec }) => spec)];
  return {
    specs: new Map(specs.map((spec) => [spec.name, spec])),
    unread: [...files.map(shortPath), ...served.unread],
  };
}

/** A module that is not there is the matter of those who run it. */
const textIn = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '');

const declares = (text: string, name: string): boolean =>
  new RegExp(`\\bname['"]?\\s*:\\s*(['"\`])${name}\\1`).test(text);
