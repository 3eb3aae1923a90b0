/** The tools that programs are checked against: nothing is executed, unless that is asked for. */
import { existsSync, readFileSync } from 'node:fs';
import { builtInSpecs } from '../../effects/built-in-specs.ts';
import { delegateSpec } from '../../planner/delegate-specs.ts';
import type { ToolSpec } from '../../program/effect.ts';
import { shortPath, type Workspace } from '../port/workspace.ts';
import { loadHttpTools } from './http-tools.ts';
import type { KnownMcp } from './known-mcp.ts';
import { shaped, shapingOf } from './shaping.ts';
import { isModule, loadFiles } from './tool-files.ts';

export interface KnownTools {
  readonly specs: ReadonlyMap<string, ToolSpec>;
  /** Files that may declare more tools, and were not run. */
  readonly unread: readonly string[];
}

/**
 * Reads declarations only: what is code is not run, but with `imports`. A tool that every run has
 * is left out where the text of a module declares one of that name, since that one takes its place.
 */
export async function knownTools(
  workspace: Workspace,
  { imports = false }: { readonly imports?: boolean } = {},
): Promise<KnownTools> {
  const { settings, origins, unread, env } = workspace;
  const paths = [...(settings.tools ?? []), ...(settings.helpers ?? [])];
  const modules = imports ? [] : paths.filter(isModule);
  const declared = await loadFiles(
    paths.filter((path) => !modules.includes(path)),
    env,
  );
  const files = [...modules, ...(unread === undefined ? [] : [unread])];
  const texts = files.map(textIn);
  const ours = [...builtInSpecs, delegateSpec];
  const own = ours.filter(({ name }) => !texts.some((text) => declares(text, name)));
  const served = await servedIn(workspace);
  const overHttp = await loadHttpTools(workspace, { fetches: false });
  const added = [...served.specs, ...[...declared, ...overHttp.tools].map(({ spec }) => spec)];
  const specs = new Map([...own, ...added].map((spec) => [spec.name, spec]));
  const builtIn = new Set(own.map(({ name }) => name));
  for (const { name } of added) builtIn.delete(name);
  const all = [
    ...files.map((file) => shortPath(file.replace(/#$/, ''))),
    ...overHttp.unread,
    ...served.unread,
  ];
  const shaping = shapingOf({ settings, origins, specs, builtIn, open: all.length > 0 });
  return { specs: shaped(specs, shaping, served.denied), unread: all };
}

/** Those of MCP servers; where there are none, nothing that reads about them is loaded. */
async function servedIn(workspace: Workspace): Promise<KnownMcp> {
  if (!workspace.hasServers) return { specs: [], denied: [], unread: [] };
  const { knownMcp } = await import('./known-mcp.ts');
  return knownMcp(workspace);
}

/** A module that is not there is the matter of those who run it. */
function textIn(path: string): string {
  const file = path.replace(/#[\w.]*$/, '');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/** By how it looks: as a tool of a list, or a helper. Where it is none, less is checked. */
const declares = (text: string, name: string): boolean => {
  const listed = `\\bname['"]?\\s*:\\s*(['"\`])${name}\\1`;
  const exported = `\\bexport\\s+(?:async\\s+)?(?:function|const|let|var)\\s+${name}\\b`;
  const together = `\\bexport\\s*\\{[^}]*\\b${name}\\b`;
  return new RegExp([listed, exported, together].join('|')).test(text);
};
