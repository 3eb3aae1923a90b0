/**
 * Which tools have their answers kept between runs (`cacheMs`), where, and by what beside their
 * declarations and arguments: what the tool is made of, as far as that can be known from here.
 */
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { keptFiles } from '../../effects/kept-files.ts';
import { guarded, type Redaction } from '../../effects/redaction.ts';
import { cached, fileStart } from '../../effects/tool/cached.ts';
import type { Handler } from '../../engine/handler.ts';
import { secretArguments } from '../../engine/perform/arguments.ts';
import type { ToolSpec } from '../../program/effect.ts';
import { AgentError } from '../port/errors.ts';
import type { Workspace } from '../port/workspace.ts';

const foldersOf = ({ home }: Pick<Workspace, 'home'>): { tools: string; web: string } => ({
  tools: join(home, 'cache', 'tools'),
  web: join(home, 'cache', 'web'),
});

/** The tools by handlers that keep what they answer. Throws `AgentError` PV6033. */
export function withCache(
  handlers: ReadonlyMap<string, Handler>,
  workspace: Workspace,
  { redaction, from }: { redaction: Redaction; from: ReadonlyMap<string, string> },
): ReadonlyMap<string, Handler> {
  const folder = foldersOf(workspace).tools;
  const kept = [...handlers].map(([name, handler]): [string, Handler] => {
    if ((handler.spec.limits?.cacheMs ?? 0) <= 0) return [name, handler];
    refuseUncacheable(handler.spec);
    const version = versionOf(handler.spec, from.get(name) ?? '', workspace);
    // What was no secret when it was kept may be one by now.
    return [name, guarded(cached(handler, { folder, version }), redaction)];
  });
  return new Map(kept);
}

function refuseUncacheable(spec: ToolSpec): void {
  const why = uncacheable(spec);
  if (why === undefined) return;
  throw new AgentError('PV6033', `${spec.name} has cacheMs, but ${why}`, {
    hint:
      spec.effect === 'write'
        ? "leave it out; a tool that only reads says effect: 'read', or toolOverrides does"
        : 'leave it out, or name the tools that are meant',
  });
}

/** Why no answer of a tool can be kept; undefined where it can. */
function uncacheable({ effect, kind, ordered, parameters }: ToolSpec): string | undefined {
  if (effect === 'write') return 'it writes';
  if (kind !== 'tool' && kind !== 'retrieve')
    return 'what it gives is no answer to arguments alone';
  if (ordered) return 'its answer depends on when it is called';
  return secretArguments(parameters) && 'some of its arguments are secret';
}

/** Another file, server, key, pin or address is another version. */
function versionOf({ name, keys = [] }: ToolSpec, from: string, workspace: Workspace): string {
  const { settings, env } = workspace;
  const { pins, http, openapi } = settings;
  const variables = new Set([...keys, ...variablesIn(pins)]);
  const space = name.split('.')[0];
  return JSON.stringify([
    ...[from, textOf(from), pins],
    ...[...variables].sort().map((variable) => [variable, env[variable]]),
    ...[http?.[name], openapi],
    workspace.servers().filter(({ server }) => server.name === space),
  ]);
}

/** Names of variables that pins refer to. */
const variablesIn = (data: unknown): string[] =>
  typeof data !== 'object' || data === null
    ? []
    : Object.entries(data).flatMap(([key, value]) =>
        key === 'env' && typeof value === 'string' ? [value] : variablesIn(value),
      );

/** Of a tools file; what is none has no text. */
function textOf(from: string): string {
  try {
    return readFileSync(resolve(from.replace(/#[^#/]*$/, '')), 'utf8');
  } catch {
    return '';
  }
}

/** How many answers are, or were, kept; of one tool or of all, then with those of the web. */
export async function dropAnswers(
  workspace: Pick<Workspace, 'home'>,
  { tool, dryRun }: { readonly tool: string | undefined; readonly dryRun: boolean },
): Promise<{ readonly answers: number; readonly bytes: number }> {
  const { tools, web } = foldersOf(workspace);
  const files =
    tool === undefined
      ? [...(await keptFiles(tools)), ...(await keptFiles(web))]
      : await keptFiles(tools, (name) => name.startsWith(fileStart(tool)));
  if (!dryRun) await Promise.all(files.map(({ path }) => rm(path, { force: true })));
  return { answers: files.length, bytes: files.reduce((sum, { size }) => sum + size, 0) };
}
