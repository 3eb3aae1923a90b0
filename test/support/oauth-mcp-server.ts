/**
 * A server of MCP by HTTP that wants a login, and the authorization server of it: metadata,
 * registration, a code with PKCE, tokens that are renewed, and a client that has a secret.
 */
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface OAuthServer {
  readonly url: string;
  /** What was asked for, in order: `register`, `authorize`, `token authorization_code`. */
  readonly asked: string[];
  /** The access tokens that count. */
  readonly tokens: Set<string>;
  close(): void;
}

export async function startOAuthServer(): Promise<OAuthServer> {
  const asked: string[] = [];
  const tokens = new Set<string>();
  const codes = new Map<string, string>();
  const refreshing = new Set<string>();
  let origin = '';

  const json = (response: ServerResponse, status: number, data: object): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(data));
  };

  const grant = (response: ServerResponse): void => {
    const [access, refresh] = [randomUUID(), randomUUID()];
    tokens.add(access);
    refreshing.add(refresh);
    json(response, 200, {
      ...{ access_token: access, refresh_token: refresh, token_type: 'Bearer', expires_in: 3600 },
    });
  };

  const token = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const given = new URLSearchParams(await text(request));
    const type = given.get('grant_type') ?? '';
    asked.push(`token ${type}`);
    const challenge = codes.get(given.get('code') ?? '');
    const verifier = createHash('sha256').update(given.get('code_verifier') ?? '');
    const isCode = type === 'authorization_code' && verifier.digest('base64url') === challenge;
    const isRefresh =
      type === 'refresh_token' && refreshing.delete(given.get('refresh_token') ?? '');
    const basic = Buffer.from('robot:robot-secret').toString('base64');
    const isClient =
      type === 'client_credentials' && request.headers.authorization === `Basic ${basic}`;
    if (isCode || isRefresh || isClient) grant(response);
    else json(response, 400, { error: 'invalid_grant' });
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const bearer = request.headers.authorization?.replace('Bearer ', '') ?? '';
    if (!tokens.has(bearer)) {
      const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`;
      const challenge = `Bearer resource_metadata="${metadata}"`;
      response.writeHead(401, { 'www-authenticate': challenge }).end();
      return;
    }
    if (request.method !== 'POST') {
      response.writeHead(405).end();
      return;
    }
    const { id, method } = JSON.parse(await text(request));
    if (id === undefined) response.writeHead(202).end();
    else json(response, 200, { jsonrpc: '2.0', id, ...answerTo(method) });
  };

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', origin);
    switch (url.pathname) {
      case '/mcp':
        void serve(request, response);
        return;
      case '/.well-known/oauth-protected-resource/mcp':
        json(response, 200, { resource: `${origin}/mcp`, authorization_servers: [origin] });
        return;
      case '/.well-known/oauth-authorization-server':
        json(response, 200, {
          issuer: origin,
          authorization_endpoint: `${origin}/authorize`,
          token_endpoint: `${origin}/token`,
          registration_endpoint: `${origin}/register`,
          response_types_supported: ['code'],
          code_challenge_methods_supported: ['S256'],
          grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
        });
        return;
      case '/register':
        asked.push('register');
        void text(request).then((body) =>
          json(response, 201, { ...JSON.parse(body), client_id: 'registered' }),
        );
        return;
      case '/authorize': {
        asked.push('authorize');
        const code = randomUUID();
        codes.set(code, url.searchParams.get('code_challenge') ?? '');
        const back = new URL(url.searchParams.get('redirect_uri') ?? '');
        back.searchParams.set('code', code);
        back.searchParams.set('state', url.searchParams.get('state') ?? '');
        response.writeHead(302, { location: back.href }).end();
        return;
      }
      case '/token':
        void token(request, response);
        return;
      default:
        response.writeHead(404).end();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: `${origin}/mcp`, asked, tokens, close: () => void server.close() };
}

function answerTo(method: string): object {
  const text = { type: 'text', text: 'for those who may' };
  const inputSchema = { type: 'object', properties: {} };
  const tool = { name: 'secret', inputSchema, annotations: { readOnlyHint: true } };
  switch (method) {
    case 'initialize':
      return {
        result: {
          protocolVersion: '2025-06-18',
          capabilities: { tools: {} },
          serverInfo: { name: 'guarded', version: '1' },
        },
      };
    case 'tools/list':
      return { result: { tools: [tool] } };
    case 'tools/call':
      return { result: { content: [text] } };
    default:
      return { error: { code: -32_601, message: 'no such method' } };
  }
}
