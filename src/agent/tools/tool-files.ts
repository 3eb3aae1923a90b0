/**
 * Where tools come from beside those that every run has: the sets that come along, and tools files:
 * modules whose default export is a list of tools, and JSON files that declare tools
 * without having them, which `check` can read because nothing of them is executed.
 */
import { existsSync, readFileSync } from 'node:fs';
import type { FunctionTool } from '../../effects/tool/tool.ts';
import type { Environment } from '../../effects/tool-set.ts';
import { BadToolSet, isToolSet } from '../../effects/tool-set-names.ts';
import type { Handler } from '../../engine/handler.ts';
import type { ToolSpec } from '../../program/effect.ts';
import { AgentError, reasonOf } from '../port/errors.ts';
import { shortPath } from '../port/workspace.ts';

/** What stands before the name of a server where tools say where they come from. */
export const mcpScheme = 'mcp:';

export interface LoadedTool {
  readonly spec: ToolSpec;
  /** Absent where the file only declares it. */
  readonly handler: Handler | undefined;
  /** Whether the declaration says what the tool does to the world. */
  readonly classed: boolean;
  /** As the person would write it; of a set, its name. */
  readonly file: string;
}

export const isModule = (path: string): boolean => !path.endsWith('.json') && !isToolSet(path);

/**
 * Imports a module or reads a list of declarations. Throws `AgentError` PV6008 or PV6009, which
 * names the file and the position in the list.
 */
async function loadTools(path: string): Promise<LoadedTool[]> {
  const file = shortPath(path);
  const { module, helper } = helperIn(path);
  if (helper !== undefined) return await loadHelpers(module, helper);
  const listed = isModule(path) ? await importTools(path, file) : readJsonFile(path, file);
  if (!Array.isArray(listed)) {
    const what = isModule(path) ? 'its default export is no list of tools' : 'it is no list';
    throw new AgentError('PV6009', `${file}: ${what}`, {
      hint: isModule(path)
        ? `write export default [{ name, description, run }], or name helpers: ${file}#Class`
        : 'write [{ "name": …, "description": …, "parameters": … }]',
    });
  }
  return await declaredTools(listed, file, isModule(path));
}

async function declaredTools(
  listed: readonly unknown[],
  file: string,
  hasFunctions: boolean,
): Promise<LoadedTool[]> {
  const { readDeclaration } = await import('../../effects/tool/declaration.ts');
  const { functionHandler } = await import('../../effects/tool/function.ts');
  const tools: LoadedTool[] = [];
  for (const [index, entry] of listed.entries()) {
    const where = `${file}[${index}]`;
    try {
      const declared = await readDeclaration(entry, where);
      const handler = hasFunctions ? functionHandler(declared, where) : undefined;
      tools.push({ spec: declared.spec, handler, classed: declared.classed, file });
    } catch (cause) {
      throw asAgentError(cause);
    }
  }
  return withoutTwins(tools, file);
}

/** `FILE#Class`: what is meant of a module that is no list of tools. */
function helperIn(path: string): { readonly module: string; readonly helper?: string } {
  const at = path.lastIndexOf('#');
  if (at < 0 || path.includes('/', at)) return { module: path };
  return { module: path.slice(0, at), helper: path.slice(at + 1) };
}

/**
 * Functions and classes of a module, each as a tool; all that it exports where no name is given.
 * Throws as `loadTools` does.
 */
async function loadHelpers(path: string, name: string | undefined): Promise<LoadedTool[]> {
  const file = shortPath(path);
  const exports = await exportsOf(path, file);
  const { helperTools } = await import('../../effects/tool/helper/exported-tools.ts');
  const { sourceOf } = await import('../../effects/tool/import-module.ts');
  let listed: readonly FunctionTool[];
  try {
    listed = helperTools({ file, exports, ...(await sourceOf(path)) }, name || undefined);
  } catch (cause) {
    throw asAgentError(cause);
  }
  return await declaredTools(listed, file, true);
}

/** The tools of several files and sets, in their order. Sets read what they need from `env`. */
export async function loadFiles(paths: readonly string[], env: Environment): Promise<LoadedTool[]> {
  const tools: LoadedTool[] = [];
  for (const path of paths) {
    tools.push(...(isToolSet(path) ? await loadSet(path, env) : await loadTools(path)));
  }
  return tools;
}

/** Throws `AgentError` PV6032, which says what is wrong with the name or an option. */
async function loadSet(source: string, env: Environment): Promise<LoadedTool[]> {
  try {
    const { toolSet } = await import('../../effects/tool-sets.ts');
    const handlers = await toolSet(source, env);
    const [file = source] = source.split('?');
    return handlers.map((handler) => ({ spec: handler.spec, handler, classed: true, file }));
  } catch (cause) {
    if (!(cause instanceof BadToolSet)) throw cause;
    throw new AgentError('PV6032', cause.message, { hint: cause.hint, cause });
  }
}

const importTools = async (path: string, file: string): Promise<unknown> =>
  (await exportsOf(path, file)).default;

async function exportsOf(path: string, file: string): Promise<Readonly<Record<string, unknown>>> {
  if (!existsSync(path)) {
    throw new AgentError('PV6008', `cannot load the tools of ${file}: there is no such file`, {
      hint: 'check the path',
    });
  }
  try {
    const { importAll } = await import('../../effects/tool/import-module.ts');
    return await importAll(path);
  } catch (cause) {
    const missing =
      cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND';
    throw new AgentError('PV6008', `cannot load the tools of ${file}: ${reasonOf(cause)}`, {
      hint: missing ? 'check that what it imports is installed' : undefined,
      cause,
    });
  }
}

function readJsonFile(path: string, file: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new AgentError('PV6008', `cannot read the tools of ${file}: ${reasonOf(cause)}`, {
      cause,
    });
  }
}

function asAgentError(thrown: unknown): unknown {
  if (!(thrown instanceof Error) || thrown.name !== 'EffectFailure') return thrown;
  const hint = 'hint' in thrown && typeof thrown.hint === 'string' ? thrown.hint : undefined;
  return new AgentError('PV6009', thrown.message, { hint, cause: thrown });
}

function withoutTwins(tools: readonly LoadedTool[], file: string): LoadedTool[] {
  const seen = new Map<string, number>();
  for (const [index, { spec }] of tools.entries()) {
    const first = seen.get(spec.name);
    if (first !== undefined) {
      const message = `${file}[${index}]: ${spec.name} is declared already, in ${file}[${first}]`;
      throw new AgentError('PV6009', message, { hint: 'give one of them another name' });
    }
    seen.set(spec.name, index);
  }
  return [...tools];
}
