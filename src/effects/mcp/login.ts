/**
 * Logins at servers that want OAuth: what a person has been granted is kept in a file of that
 * person, 0600, by the address it is for; never in the project or a journal. A run only uses and
 * renews it; nobody is sent anywhere but by `planvm mcp login`.
 */
import { createHash, randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  ClientCredentialsProvider,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { refusal } from '../../engine/handler.ts';
import type { Environment } from '../tool-set.ts';
import type { McpServer, OAuthConfig } from './config.ts';
import { expand } from './expand.ts';

interface Kept {
  readonly tokens?: StoredOAuthTokens;
  readonly client?: StoredOAuthClientInformation;
}

export interface LoginParts {
  readonly server: McpServer;
  readonly env: Environment;
  /** The folder of the person's files. */
  readonly folder: string;
}

/** Where the person is sent, and where to come back from there. */
export interface Redirect {
  readonly url: string;
  go(to: URL): void;
}

/** The file of a login; undefined for a process, which needs none. */
export function loginFile({ server, env, folder }: LoginParts): string | undefined {
  if (server.transport.kind === 'stdio') return undefined;
  const url = expand(server.transport.url, env, `${server.name}.url`);
  const hash = createHash('sha256').update(url).digest('hex').slice(0, 16);
  return join(folder, `${server.name}-${hash}.json`);
}

/** What a run has for a server: undefined where there is no login, and none is needed. */
export function loginFor(parts: LoginParts): OAuthClientProvider | undefined {
  const { server } = parts;
  const file = loginFile(parts);
  if (server.transport.kind === 'stdio' || file === undefined) return undefined;
  const config = configOf(parts);
  const { clientId, clientSecret, scope, issuer } = config;
  if (config.grant === 'client_credentials' && clientId !== undefined) {
    return new ClientCredentialsProvider({
      ...{ clientId, clientSecret: clientSecret ?? '' },
      ...(scope !== undefined && { scope }),
      ...(issuer !== undefined && { expectedIssuer: issuer }),
    });
  }
  return existsSync(file) ? new Login(server.name, file, config, undefined) : undefined;
}

/** For a person who logs in. Throws `EffectFailure` PV4802. */
export const newLogin = (parts: LoginParts, file: string, redirect: Redirect): Login =>
  new Login(parts.server.name, file, configOf(parts), redirect);

function configOf({ server, env }: LoginParts): OAuthConfig {
  const { transport, name } = server;
  const given = transport.kind === 'stdio' ? {} : (transport.oauth ?? {});
  return Object.fromEntries(
    Object.entries(given).map(([key, text]) => [key, expand(text, env, `${name}.oauth.${key}`)]),
  );
}

export class Login implements OAuthClientProvider {
  readonly #server: string;
  readonly #file: string;
  readonly #config: OAuthConfig;
  readonly #redirect: Redirect | undefined;
  readonly #state: string = randomUUID();
  #verifier = '';
  #kept: Kept;

  constructor(server: string, file: string, config: OAuthConfig, redirect: Redirect | undefined) {
    this.#server = server;
    this.#file = file;
    this.#config = config;
    this.#redirect = redirect;
    // Another address to come back to is another client, where a server registers them.
    this.#kept = redirect ? {} : keptIn(file);
  }

  get redirectUrl(): string {
    return this.#redirect?.url ?? 'http://127.0.0.1/callback';
  }

  get clientMetadata(): OAuthClientMetadata {
    const { scope } = this.#config;
    return {
      client_name: 'planvm',
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      ...(scope !== undefined && { scope }),
    };
  }

  state(): string {
    return this.#state;
  }

  clientInformation(): StoredOAuthClientInformation | undefined {
    const { clientId, clientSecret, issuer } = this.#config;
    if (clientId === undefined) return this.#kept.client;
    return {
      client_id: clientId,
      ...(clientSecret !== undefined && { client_secret: clientSecret }),
      ...(issuer !== undefined && { issuer }),
    };
  }

  saveClientInformation(client: StoredOAuthClientInformation): void {
    this.#keep({ ...this.#kept, client });
  }

  tokens(): StoredOAuthTokens | undefined {
    return this.#kept.tokens;
  }

  saveTokens(tokens: StoredOAuthTokens): void {
    this.#keep({ ...this.#kept, tokens });
  }

  redirectToAuthorization(url: URL): void {
    if (!this.#redirect) {
      throw refusal('PV4809', `the login at MCP server ${this.#server} is over`, {
        hint: `planvm mcp login ${this.#server}`,
      });
    }
    this.#redirect.go(url);
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): void {
    const { tokens, client } = this.#kept;
    if (scope === 'all') this.#keep({});
    else if (scope === 'client') this.#keep(tokens ? { tokens } : {});
    else if (scope === 'tokens') this.#keep(client ? { client } : {});
  }

  #keep(kept: Kept): void {
    this.#kept = kept;
    mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
    writeFileSync(this.#file, JSON.stringify(kept), { mode: 0o600 });
    // A file that was there keeps its mode.
    chmodSync(this.#file, 0o600);
  }
}

function keptIn(file: string): Kept {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
}

/** True where there was a login. */
export function forgetLogin(file: string): boolean {
  const was = existsSync(file);
  rmSync(file, { force: true });
  return was;
}
