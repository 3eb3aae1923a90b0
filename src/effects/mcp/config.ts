/**
 * Reads a file that names MCP servers, `.mcp.json`, as other programs read it, too: strictly
 * where a member is ours, and past members that are theirs. Nothing is expanded or started here:
 * variables are looked up when a server is, so that a file may name servers whose keys somebody
 * else has.
 */
import { createHash } from 'node:crypto';
import { nearest } from '../../program/diagnostic.ts';
import type { Json } from '../../program/json.ts';
import type { JsonNode } from '../../text/json-node.ts';
import { readJson } from '../../text/json-text.ts';
import { BadMcpFile, type Members, Reader } from './reader.ts';

/** A server as its file has it; texts may hold `${VAR}` and `${VAR:-default}`. */
export interface McpServer {
  /** The namespace of its tools. */
  readonly name: string;
  /** The file that names it, as messages have it. */
  readonly file: string;
  /** Of everything that decides what server it is; no variable is expanded in it. */
  readonly hash: string;
  readonly transport: StdioTransport | HttpTransport;
}

/** A person has written `.mcp.json`, or has let it be there; any other file may be of anybody. */
export const isOfProject = ({ file }: Pick<McpServer, 'file'>): boolean =>
  /\.mcp\.json$/.test(file);

/** Where there is more to learn of a server that does not do what it should. */
export const toLearnMore = (server: Pick<McpServer, 'name' | 'file'>): string =>
  isOfProject(server)
    ? `planvm mcp refresh ${server.name} --verbose shows what it says`
    : `see what ${server.file} says of it`;

export interface StdioTransport {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Texts;
  /** Relative to the folder of the file; that folder where it is absent. */
  readonly cwd: string | undefined;
}

export interface HttpTransport {
  /** `sse`: what was before streamable HTTP. */
  readonly kind: 'http' | 'sse';
  readonly url: string;
  readonly headers: Texts;
  readonly oauth: OAuthConfig | undefined;
  readonly auth?: HttpAuth;
  /** Nobody has allowed more than the public web: names that lead elsewhere are refused. */
  readonly isGuarded?: true;
}

/** How requests say who asks; texts may hold `${VAR}`, as all others. */
export type HttpAuth =
  | { readonly type: 'bearer'; readonly token: string }
  | { readonly type: 'api_key'; readonly header: string; readonly key: string }
  | { readonly type: 'basic'; readonly username: string; readonly password: string };

export interface OAuthConfig {
  readonly clientId?: string;
  /** Best a `${VAR}`. With `grant` it is all that is needed, without a person. */
  readonly clientSecret?: string;
  readonly scope?: string;
  readonly grant?: 'authorization_code' | 'client_credentials';
  /** The authorization server that the client is registered with. */
  readonly issuer?: string;
}

type Texts = Readonly<Record<string, string>>;

/** The servers that a text names, in its order, but for those that it disables. */
export function readServers(text: string, file: string): readonly McpServer[] {
  const plain = text.replace(/^\uFEFF/, '');
  const { node, error, repairs } = readJson(plain);
  const slip = error ?? repairs[0];
  if (slip) throw new BadMcpFile(`${file}:${slip.line}:${slip.column}: ${slip.message}`);
  const reader = new Reader((what) => {
    const { line, column } = nodeAt(node, `mcpServers.${what}`) ??
      nodeAt(node, what) ?? { line: 1, column: 1 };
    return `${file}:${line}:${column}`;
  });
  const { mcpServers } = reader.object('the file', JSON.parse(plain));
  if (mcpServers === undefined) {
    throw reader.wrong(
      'the file',
      'got no mcpServers, want an object of servers by name',
      'write { "mcpServers": { "name": { "command": "…" } } }',
    );
  }
  const servers = Object.entries(reader.object('mcpServers', mcpServers));
  return servers.flatMap(([name, server]) => serverOf(name, server, file, reader));
}

/** What stands at `files.args[1]`; as near as it comes. */
function nodeAt(node: JsonNode | undefined, what: string): JsonNode | undefined {
  if (node?.kind === 'array')
    return nodeAt(node.items[Number(/^\[(\d+)/.exec(what)?.[1])], '') ?? node;
  if (node?.kind !== 'object' || what === '') return node;
  const found = node.members.findLast(
    ({ key }) => what.startsWith(key) && /^($|[.[])/.test(what.slice(key.length)),
  );
  return found && nodeAt(found.value, what.slice(found.key.length).replace(/^\./, ''));
}

/** Members that other programs read, and that are said of nothing here, are passed over. */
const known = ['type', 'command', 'args', 'env', 'cwd', 'url', 'headers', 'oauth', 'disabled'];

function serverOf(name: string, given: Json, file: string, reader: Reader): McpServer[] {
  if (!/^[A-Za-z_][\w-]*$/.test(name)) {
    const got = JSON.stringify(name);
    throw reader.wrong(name, `got ${got}, want a name of letters, digits, _ and -`);
  }
  const server = reader.object(name, given);
  for (const key of Object.keys(server)) {
    const meant = known.includes(key) ? undefined : nearest(key, known);
    if (meant === undefined) continue;
    throw reader.wrong(`${name}.${key}`, `${name} has ${key}`, `did you mean ${meant}?`);
  }
  if (server.disabled === true) return [];
  return [{ name, file, transport: transportOf(name, server, reader) }].map(withHash);
}

/** With what tells it from any other server, whatever its variables hold. */
export function withHash(server: Omit<McpServer, 'hash'>): McpServer {
  const text = JSON.stringify([server.name, server.transport]);
  return { ...server, hash: createHash('sha256').update(text).digest('hex').slice(0, 16) };
}

function transportOf(name: string, server: Members, reader: Reader): McpServer['transport'] {
  const text = (key: string): string | undefined =>
    server[key] === undefined ? undefined : reader.text(`${name}.${key}`, server[key]);
  const texts = (key: string): Texts => reader.texts(`${name}.${key}`, server[key]);
  const [type, url, command] = [text('type'), text('url'), text('command')];
  const kind = kindOf(type, url);
  if (kind === undefined) throw reader.unlike(`${name}.type`, type, 'stdio or http');
  if (kind === 'stdio') {
    if (command === undefined) {
      throw reader.wrong(name, `${name} has neither command nor url`, 'one of them says where');
    }
    const args = reader.list(`${name}.args`, server.args);
    return { kind, command, args, env: texts('env'), cwd: text('cwd') };
  }
  if (url === undefined) throw reader.wrong(name, `${name}: got no url, want an address`);
  const oauth = texts('oauth');
  const hasOAuth = Object.keys(oauth).length > 0;
  return { kind, url, headers: texts('headers'), oauth: hasOAuth ? oauth : undefined };
}

/** How a server is reached by what is written; undefined for a way that there is not. */
export function kindOf(
  written: string | undefined,
  url: Json | undefined,
): 'stdio' | 'http' | 'sse' | undefined {
  switch (written) {
    case undefined:
      return url === undefined ? 'stdio' : 'http';
    case 'streamable-http':
    case 'streamable_http':
    case 'streamableHttp':
      return 'http';
    case 'stdio':
    case 'http':
    case 'sse':
      return written;
    default:
      return undefined;
  }
}
