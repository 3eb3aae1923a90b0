/**
 * Modules with functions that playbooks name in their metadata, `tools: ./tools.ts`. A file loads
 * no code by itself: it may come from anybody. So whoever runs it gives the module, and is told so.
 */
import { dirname, resolve } from 'node:path';
import { readTree } from '../../dialects/playbook/reader.ts';
import type { Json } from '../../program/json.ts';
import { AgentError } from '../port/errors.ts';
import { shortPath, type Workspace } from '../port/workspace.ts';
import type { Source } from '../program/source.ts';
import { toolSource } from '../settings/quantity.ts';

/** Throws `AgentError` PV6907 for one that is not among the tools of the workspace. */
export function refuseModules({ text, file }: Source, { settings }: Workspace): void {
  const { metadata, agents } = readTree(text).tree.file;
  const named = [metadata, ...agents.map((one) => one.metadata)].flatMap((one) =>
    namedIn(one.tools),
  );
  const given = new Set(settings.tools ?? []);
  const missing = named
    .map((name) => toolSource(dirname(resolve(file)), name))
    .filter((path) => !given.has(path));
  const [first] = missing;
  if (first === undefined) return;
  throw new AgentError(
    'PV6907',
    `${file}: it names ${shortPath(first)}, and loads no code itself`,
    {
      hint: 'read it, then give it, or name it in the setting tools of the configuration',
      facts: { file, modules: missing.map(shortPath) },
    },
  );
}

const namedIn = (given: Json | undefined): string[] =>
  (Array.isArray(given) ? given : [given]).flatMap((one) => (typeof one === 'string' ? [one] : []));
