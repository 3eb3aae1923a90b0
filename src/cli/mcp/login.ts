/** `planvm mcp login` and `logout`: a person lets planvm act for them at a server. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ServerHere } from '../../agent/port/settings.ts';
import { refreshed } from '../../agent/tools/mcp-servers.ts';
import { expand } from '../../effects/mcp/expand.ts';
import { forgetLogin, loginFile, newLogin } from '../../effects/mcp/login.ts';
import { EffectFailure } from '../../engine/handler.ts';
import { thrownMessage } from '../../program/diagnostic.ts';
import { count, oneLine } from '../../text/words.ts';
import { type ExitCode, exit } from '../exit.ts';
import { CliError } from '../failure.ts';
import { loginFolder } from '../run/ports.ts';
import { openWorkspace, type Workspace } from '../settings/workspace.ts';
import { print, say } from '../view/output.ts';
import { chosen, type ServersFlags, wrote } from './servers.ts';

/** How long a person may take. */
const loginMs = 300_000;

export async function login(name: string, { verbose }: ServersFlags): Promise<ExitCode> {
  const workspace = await openWorkspace();
  const { here, file, parts } = found(workspace, name);
  const { auth } = await import('@modelcontextprotocol/client');
  const callback = await listen();
  try {
    const go = (url: URL): void => say(`open this address to log in at ${name}:\n  ${url.href}`);
    const provider = newLogin(parts, file, { url: callback.url, go });
    const signal = AbortSignal.timeout(loginMs);
    const serverUrl = serverUrlOf(here, workspace);
    const first = await auth(provider, { serverUrl });
    if (first === 'REDIRECT') {
      const params = await callback.next(provider.state(), signal);
      const authorizationCode = params.get('code') ?? '';
      const iss = params.get('iss') ?? undefined;
      await auth(provider, { serverUrl, authorizationCode, ...(iss !== undefined && { iss }) });
    }
  } catch (thrown) {
    if (thrown instanceof EffectFailure) throw thrown;
    const why = oneLine(thrownMessage(thrown)).slice(0, 500);
    throw new EffectFailure('PV4812', `logging in at MCP server ${name} has failed: ${why}`, {
      hint: `planvm mcp login ${name} begins anew`,
      cause: thrown,
    });
  } finally {
    callback.close();
  }
  const { tools } = await refreshed(workspace, here, { ...(verbose && { wrote }) });
  print(`logged in at ${name}: ${count(tools.length, 'tool')}`);
  return exit.done;
}

export async function logout(name: string): Promise<ExitCode> {
  const { file } = found(await openWorkspace(), name);
  say(forgetLogin(file) ? `logged out of ${name}` : `there was no login at ${name}`);
  return exit.done;
}

function found(workspace: Workspace, name: string) {
  const [here] = chosen(workspace, [name]);
  if (!here) throw new CliError('PV6901', `there is no server ${name}`);
  const parts = { server: here.server, env: workspace.env, folder: loginFolder() };
  const file = loginFile(parts);
  if (file !== undefined) return { here, file, parts };
  throw new CliError('PV6901', `${name} is a process, which is not logged in at`, {
    hint: 'give it a key by its env in .mcp.json',
  });
}

function serverUrlOf({ server }: ServerHere, { env }: Workspace): string {
  const { transport, name } = server;
  return transport.kind === 'stdio' ? '' : expand(transport.url, env, `${name}.url`);
}

interface Callback {
  readonly url: string;
  /** What the person comes back with. Rejects for an error, and when the time is over. */
  next(state: string, signal: AbortSignal): Promise<URLSearchParams>;
  close(): void;
}

/** Listens on this machine alone for the browser to come back. */
async function listen(): Promise<Callback> {
  const back = Promise.withResolvers<URLSearchParams>();
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const isBack = url.pathname === '/callback';
    response.writeHead(isBack ? 200 : 404, { 'content-type': 'text/plain; charset=utf-8' });
    response.end(isBack ? 'You can close this page and go back to the terminal.' : '');
    if (isBack) back.resolve(url.searchParams);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/callback`,
    async next(state, signal) {
      const late = once(signal, 'abort').then(() => {
        throw new Error(`nobody has come back within ${loginMs / 60_000} minutes`);
      });
      const params = await Promise.race([back.promise, late]);
      if (params.get('state') !== state) throw new Error('what came back is of another login');
      const error = params.get('error');
      if (error !== null) throw new Error(`it was refused: ${error}`);
      return params;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
