/** Tools over HTTP for programs that embed planvm, as the command line makes them of settings. */
import { join } from 'node:path';
import { type Handler, lateHandler } from '../../engine/handler.ts';
import type { Environment } from './credentials.ts';
import type { ApiSource } from './openapi/source.ts';
import type { HttpTool } from './operation.ts';
import { type HttpDeclaration, httpTool } from './template.ts';

export interface HttpToolsOptions {
  /** Where keys and addresses are looked up. Default: the process's environment. */
  readonly env?: Environment;
  /** Where documents of addresses are kept. Default: `.planvm/openapi`. */
  readonly folder?: string;
  /** Told of operations that are no tools, and why. Default: they are an error. */
  readonly onProblem?: (problem: string) => void;
}

/**
 * A tool for each operation of an OpenAPI document: a path, an address, or more that is said of
 * one. Throws `BadDocument`.
 */
export async function openApiTools(
  source: string | ApiSource,
  options: HttpToolsOptions = {},
): Promise<readonly Handler[]> {
  const { openApi } = await import('./openapi/source.ts');
  const { BadDocument } = await import('./openapi/document.ts');
  const refuse = (problem: string): never => {
    throw new BadDocument(problem, 'give onProblem to do without such operations');
  };
  const { env = process.env, folder = join('.planvm', 'openapi'), onProblem = refuse } = options;
  const api = typeof source === 'string' ? { source } : source;
  const opened = await openApi(api, { folder, env, fetches: true });
  const { tools = [], problems = [] } = opened ?? {};
  for (const problem of problems) onProblem(problem);
  return tools.map((tool) => handlerOf(tool, env));
}

/**
 * Tools that are one request each, by name: `{ 'town.now': 'GET https://…?city={city}' }`. Throws
 * `BadTemplate`.
 */
export function httpTools(
  declarations: Readonly<Record<string, string | HttpDeclaration>>,
  { env = process.env }: Pick<HttpToolsOptions, 'env'> = {},
): readonly Handler[] {
  return Object.entries(declarations).map(([name, declaration]) =>
    handlerOf(httpTool(name, declaration), env),
  );
}

const handlerOf = (tool: HttpTool, env: Environment): Handler =>
  lateHandler(tool.spec, async () => (await import('./perform.ts')).httpHandler(tool, env));
