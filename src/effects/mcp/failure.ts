/** What went wrong with a server: whether it may have acted, and whether to try again. */
import {
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SseError,
} from '@modelcontextprotocol/client';
import { EffectFailure, refusal } from '../../engine/handler.ts';
import { thrownMessage } from '../../program/diagnostic.ts';
import { isOfProject, type McpServer, toLearnMore } from './config.ts';
import { tooLargeFailure } from './messages.ts';
import { withoutControls } from './stderr-log.ts';

type Named = Pick<McpServer, 'name' | 'file'>;

/** Characters of what a server says that an error has. */
const saidMax = 2000;

export const said = (text: string): string => withoutControls(text).slice(0, saidMax);

/** It could not be started or reached: nothing has been asked of it. */
export function unreachable(
  server: Named,
  thrown: unknown,
  log: string | undefined,
): EffectFailure {
  if (thrown instanceof EffectFailure) return thrown;
  const auth = wantsLogin(server, thrown);
  if (auth) return auth;
  const heard = log === undefined ? '' : `; it said: ${said(log)}`;
  const gone = isMissing(thrown);
  return new EffectFailure('PV4803', `MCP server ${server.name}: ${whyNot(thrown)}${heard}`, {
    retryable: !gone,
    unavailable: true,
    mayHaveActed: false,
    hint: gone ? 'check its command' : toLearnMore(server),
    cause: thrown,
  });
}

/** It was asked, and something else than an answer came of it. */
export function broken(server: Named, thrown: unknown, log: string | undefined): EffectFailure {
  if (thrown instanceof EffectFailure) return thrown;
  const auth = wantsLogin(server, thrown);
  if (auth) return auth;
  if (ProtocolError.isInstance(thrown)) return refused(server, thrown);
  if (SdkHttpError.isInstance(thrown)) return httpFailure(server, thrown);
  const heard = log === undefined ? '' : `; it said: ${said(log)}`;
  const isAnswer =
    SdkError.isInstance(thrown) &&
    (thrown.code === SdkErrorCode.InvalidResult ||
      thrown.code === SdkErrorCode.UnsupportedResultType);
  if (isAnswer) {
    const why = said(thrownMessage(thrown));
    return new EffectFailure('PV4805', `MCP server ${server.name} gave no answer of MCP: ${why}`, {
      answered: false,
      cause: thrown,
    });
  }
  const why = said(thrownMessage(thrown));
  return new EffectFailure('PV4804', `MCP server ${server.name} has gone: ${why}${heard}`, {
    retryable: true,
    unavailable: true,
    hint: toLearnMore(server),
    cause: thrown,
  });
}

function refused(server: Named, { code, message, data }: ProtocolError): EffectFailure {
  const large = tooLargeFailure(server.name, { code, message });
  if (large) return large;
  const links = urlsOf(data);
  if (links.length > 0) {
    return refusal('PV4811', `MCP server ${server.name} wants a person: ${said(message)}`, {
      hint: `open ${links.map(said).join(' and ')}, then go on with the run`,
    });
  }
  const what = `MCP server ${server.name} refused (${code}): ${said(message)}`;
  return refusal('PV4807', what, {
    hint:
      code === -32602 && isOfProject(server)
        ? `planvm mcp refresh ${server.name}, if its tools have changed`
        : undefined,
  });
}

/** Of an error that asks for somebody to open an address. */
function urlsOf(data: unknown): readonly string[] {
  if (typeof data !== 'object' || data === null || !('elicitations' in data)) return [];
  const { elicitations } = data;
  if (!Array.isArray(elicitations)) return [];
  return elicitations.flatMap((one: unknown): string[] =>
    typeof one === 'object' && one !== null && 'url' in one && typeof one.url === 'string'
      ? [one.url]
      : [],
  );
}

function httpFailure(server: Named, thrown: SdkHttpError): EffectFailure {
  const { status } = thrown;
  const passes = status === 408 || status === 429 || status >= 500;
  const text = `MCP server ${server.name} answers ${status}: ${said(thrown.message)}`;
  return new EffectFailure(passes ? 'PV4804' : 'PV4807', text, {
    // A session that is gone is opened anew.
    retryable: passes || status === 404,
    answered: !passes,
    unavailable: passes,
    mayHaveActed: passes,
    cause: thrown,
  });
}

function wantsLogin(server: Named, thrown: unknown): EffectFailure | undefined {
  const name = thrown instanceof Error ? thrown.name : '';
  const status = statusOf(thrown);
  const isAuth = ['UnauthorizedError', 'InsufficientScopeError'].includes(name);
  if (!isAuth && status !== 401 && status !== 403) return undefined;
  const why = said(thrownMessage(thrown));
  const message = `MCP server ${server.name} wants to know who asks (${why})`;
  return new EffectFailure('PV4809', message, {
    answered: true,
    mayHaveActed: false,
    hint: isOfProject(server)
      ? `planvm mcp login ${server.name}, or give it a key by its headers in .mcp.json`
      : `give it a key by auth: where ${server.file} describes it`,
    cause: thrown,
  });
}

/** Streamable HTTP and SSE say it each in its own way. */
function statusOf(thrown: unknown): unknown {
  if (SdkHttpError.isInstance(thrown)) return thrown.status;
  return thrown instanceof SseError ? thrown.code : undefined;
}

const isMissing = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && ['ENOENT', 'EACCES'].includes(String(thrown.code));

/** The error inside is what says why: `fetch failed` alone says nothing. */
function whyNot(thrown: unknown): string {
  let inner = thrown;
  while (inner instanceof Error && inner.cause instanceof Error) inner = inner.cause;
  return `it cannot be started or reached: ${said(thrownMessage(inner))}`;
}
