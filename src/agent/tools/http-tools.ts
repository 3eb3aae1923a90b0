/** Tools of OpenAPI documents and of requests in a configuration: how they are loaded. */
import { join } from 'node:path';
import type { Warning } from '../../engine/result.ts';
import { AgentError } from '../port/errors.ts';
import { shortPath, type Workspace } from '../port/workspace.ts';
import type { LoadedTool } from './tool-files.ts';

export interface HttpTools {
  readonly tools: readonly LoadedTool[];
  /** Operations that are no tools, and documents that are old. */
  readonly warnings: readonly Warning[];
  /** Documents that were not looked at, since nothing may be fetched. */
  readonly unread: readonly string[];
}

/**
 * `fetches` says whether documents may be asked for; else only what was kept of them is known.
 * Throws `AgentError` PV6504 for a document and PV6505 for a request.
 */
export async function loadHttpTools(
  { settings, origins, env, home }: Pick<Workspace, 'settings' | 'origins' | 'env' | 'home'>,
  { fetches }: { readonly fetches: boolean },
): Promise<HttpTools> {
  const { openapi, http } = settings;
  const found: { tools: LoadedTool[]; warnings: Warning[]; unread: string[] } = {
    ...{ tools: [], warnings: [], unread: [] },
  };
  if (!openapi && !http) return found;
  const { httpHandler } = await import('../../effects/http/perform.ts');
  const options = { folder: join(home, 'openapi'), fetches, env };
  for (const source of openapi ?? []) {
    const file = /^https?:/.test(source.source) ? source.source : shortPath(source.source);
    const api = await opened(source, options, file);
    if (!api) found.unread.push(file);
    for (const tool of api?.tools ?? []) {
      const handler = httpHandler(tool, env);
      found.tools.push({ spec: tool.spec, handler, classed: true, file });
    }
    found.warnings.push(...warningsOf(file, api));
  }
  for (const [name, declaration] of Object.entries(http ?? {})) {
    const { BadTemplate, httpTool } = await import('../../effects/http/template.ts');
    try {
      if (!/^[A-Za-z_][\w.-]*$/.test(name)) {
        throw new BadTemplate('want a name of letters, digits, _ . and -');
      }
      const tool = httpTool(name, declaration);
      const handler = httpHandler(tool, env);
      found.tools.push({ spec: tool.spec, handler, classed: true, file: 'http' });
    } catch (cause) {
      if (!(cause instanceof BadTemplate)) throw cause;
      const { message, hint } = cause;
      const facts = { setting: 'http', origin: origins.http };
      throw new AgentError('PV6505', `http: ${name}: ${message}`, { hint, facts, cause });
    }
  }
  return found;
}

type ApiModule = typeof import('../../effects/http/openapi/source.ts');
type Api = Awaited<ReturnType<ApiModule['openApi']>>;

async function opened(
  source: Parameters<ApiModule['openApi']>[0],
  options: Parameters<ApiModule['openApi']>[1],
  file: string,
): Promise<Api> {
  const { openApi } = await import('../../effects/http/openapi/source.ts');
  const { BadDocument } = await import('../../effects/http/openapi/document.ts');
  try {
    return await openApi(source, options);
  } catch (cause) {
    if (!(cause instanceof BadDocument)) throw cause;
    const { message, hint } = cause;
    const where = message.includes(file) ? message : `${file}: ${message}`;
    throw new AgentError('PV6504', `openapi: ${where}`, { hint, cause });
  }
}

/** Problems that are listed one by one. */
const listedMax = 5;

function warningsOf(file: string, api: Api): Warning[] {
  if (!api) return [];
  const { problems, stale } = api;
  const rest = problems.length - listedMax;
  return [
    ...problems.slice(0, listedMax).map((problem) => ({
      code: 'PV4950',
      message: `${file}: ${problem}: it is no tool`,
    })),
    ...(rest > 0
      ? [{ code: 'PV4950', message: `${file}: ${rest} more operations are no tools` }]
      : []),
    ...(stale === undefined
      ? []
      : [{ code: 'PV4951', message: `${file}: an older copy was taken: ${stale}` }]),
  ];
}
