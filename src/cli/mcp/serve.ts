/** `planvm mcp serve`: the server, over stdio or at an address. */

import { Writable } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { reasonOf } from '../../agent/port/errors.ts';
import type { ServerHost } from '../../server/mcp/calls.ts';
import { isLoopback, serveHttp } from '../../server/mcp/http.ts';
import { Calls, newServer } from '../../server/mcp/server.ts';
import { type ExitCode, exit } from '../exit.ts';
import { CliError } from '../failure.ts';
import { onEndSignal } from '../process/signals.ts';
import { openWorkspace } from '../settings/workspace.ts';
import { divertStdout, print, printText, say } from '../view/output.ts';

export interface ServeFlags {
  readonly http?: true;
  readonly host?: string;
  readonly port?: number;
}

const terminal: ServerHost = {
  openWorkspace,
  report: (message) => say(`mcp: ${message}`),
};

export async function serve({ http, host, port }: ServeFlags): Promise<ExitCode> {
  divertStdout();
  if (!http && (host !== undefined || port !== undefined)) {
    throw new CliError('PV6002', '--host and --port are for --http', {
      hint: 'planvm mcp serve --http',
    });
  }
  return http ? await overHttp(host ?? '127.0.0.1', port ?? 4114) : await overStdio();
}

/** Serves until the client closes its end, or a signal comes. */
async function overStdio(): Promise<ExitCode> {
  const over = Promise.withResolvers<void>();
  const calls = new Calls(terminal);
  // Alone what this transport writes is the protocol's.
  const output = new Writable({
    write(chunk, _encoding, done) {
      printText(String(chunk));
      done();
    },
  });
  const handle = serveStdio(() => newServer(calls), {
    transport: new StdioServerTransport(process.stdin, output),
    onerror: (error) => terminal.report(error.message),
  });
  process.stdin.once('end', over.resolve);
  process.stdin.once('close', over.resolve);
  const stop = onEndSignal(over.resolve);
  await over.promise;
  stop();
  await handle.close();
  await calls.settled();
  return exit.done;
}

async function overHttp(host: string, port: number): Promise<ExitCode> {
  const token = process.env.PLANVM_MCP_TOKEN?.trim() || undefined;
  if (!isLoopback(host) && token === undefined) {
    throw new CliError('PV6902', `--host ${host} lets others in, and there is no token`, {
      hint: 'set PLANVM_MCP_TOKEN to a long random text; clients send it as a bearer token',
    });
  }
  const over = Promise.withResolvers<void>();
  const calls = new Calls(terminal);
  const served = await serveHttp({ host, port, token, calls }).catch((cause) => {
    throw new CliError('PV6903', `cannot listen at ${host}:${port}: ${reasonOf(cause)}`, {
      hint: '--port 0 takes any that is free',
      cause,
    });
  });
  print(served.url);
  say('serving; Ctrl-C ends it');
  const stop = onEndSignal(over.resolve);
  await over.promise;
  stop();
  await served.close();
  await calls.settled();
  return exit.done;
}
