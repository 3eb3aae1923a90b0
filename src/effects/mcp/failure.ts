/** What went wrong with a server: whether it may have acted, and whether to try again. */
import {
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SseError,
} from '@modelcontextprotocol/client';
import { EffectFailure } from '../../engine/handler.ts';
import { thrownMessage } from '../../program/thrown.ts';
import { withoutControls } from './stderr-log.ts';

/** Characters of what a server says that an error has. */
const saidMax = 2000;

export const said = (text: string): string => withoutControls(text).slice(0, saidMax);

/** It could not be started or reached: nothing has been asked of it. */
export function unreachable(
  server: string,
  thrown: unknown,
  log: string | undefined,
): EffectFailure {
  if (thrown instanceof EffectFailure) return thrown;
  const auth = wantsLogin(server, thrown);
  if (auth) return auth;
  const heard = log === undefined ? '' : `; it said: ${said(log)}`;
  const gone = isMissing(thrown);
  return new EffectFailure('PV4803', `MCP server ${server}: ${whyNot(thrown)}${heard}`, {
    retryable: !gone,
    unavailable: true,
    mayHaveActed: false,
    hint: gone ? 'check its command' : `planvm mcp refresh ${server} --verbose shows what it says`,
    cause: thrown,
  });
}

/** It was asked, and something else than an answer came of it. */
export function broken(server: string, thrown: unknown, log: string | undefined): EffectFailure {
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
    return new EffectFailure('PV4805', `MCP server ${server} gave no answer of MCP: ${why}`, {
      answered: false,
      cause: thrown,
    });
  }
  const why = said(thrownMessage(thrown));
  return new EffectFailure('PV4804', `MCP server ${server} has gone: ${why}${heard}`, {
    retryable: true,
    unavailable: true,
    hint: `planvm mcp refresh ${server} --verbose shows what it says`,
    cause: thrown,
  });
}

function refused(server: string, { code, message, data }: ProtocolError): EffectFailure {
  const links = urlsOf(data);
  if (links.length > 0) {
    return new EffectFailure('PV4811', `MCP server ${server} wants a person: ${said(message)}`, {
      answered: true,
      hint: `open ${links.map(said).join(' and ')}, then go on with planvm resume`,
    });
  }
  const what = `MCP server ${server} refused (${code}): ${said(message)}`;
  return new EffectFailure('PV4807', what, {
    answered: true,
    hint: code === -32602 ? `planvm mcp refresh ${server}, if its tools have changed` : undefined,
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

function httpFailure(server: string, thrown: SdkHttpError): EffectFailure {
  const { status } = thrown;
  const passes = status === 408 || status === 429 || status >= 500;
  const text = `MCP server ${server} answers ${status}: ${said(thrown.message)}`;
  return new EffectFailure(passes ? 'PV4804' : 'PV4807', text, {
    // A session that is gone is opened anew.
    retryable: passes || status === 404,
    answered: !passes,
    unavailable: passes,
    mayHaveActed: passes,
    cause: thrown,
  });
}

function wantsLogin(server: string, thrown: unknown): EffectFailure | undefined {
  const name = thrown instanceof Error ? thrown.name : '';
  const status = statusOf(thrown);
  const isAuth = ['UnauthorizedError', 'InsufficientScopeError'].includes(name);
  if (!isAuth && status !== 401 && status !== 403) return undefined;
  const message = `MCP server ${server} wants to know who asks (${said(thrownMessage(thrown))})`;
  return new EffectFailure('PV4809', message, {
    answered: true,
    mayHaveActed: false,
    hint: `planvm mcp login ${server}, or give it a key by its headers in .mcp.json`,
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
