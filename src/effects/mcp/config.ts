/**
 * Reads a file that names MCP servers, `.mcp.json`, as other programs read it, too: strictly
 * where a member is ours, and past members that are theirs. Nothing is expanded or started here:
 * variables are looked up when a server is, so that a file may name servers whose keys somebody
 * else has.
 */
import { createHash } from 'node:crypto';
import { nearest } from '../../program/diagnostic.ts';
import { type JsonMember, type JsonNode, member, stringOf } from '../../text/json-node.ts';
import { readJson } from '../../text/json-text.ts';

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

/** What is wrong with the file, with its place: *got X, want Y*. */
export class BadMcpFile extends Error {
  override readonly name = 'BadMcpFile';
  readonly code = 'PV4801';
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.hint = hint;
  }
}

/** The servers that a text names, in its order, but for those that it disables. */
export function readServers(text: string, file: string): readonly McpServer[] {
  const { node, error, repairs } = readJson(text.replace(/^\uFEFF/, ''));
  const slip = error ?? repairs[0];
  if (slip) throw new BadMcpFile(`${file}:${slip.line}:${slip.column}: ${slip.message}`);
  const reader = new Reader(file);
  const servers = node && member(reader.object(node, 'the file'), 'mcpServers');
  if (!servers) {
    const hint = 'write { "mcpServers": { "name": { "command": "…" } } }';
    throw reader.wrong(node, 'got no mcpServers, want an object of servers by name', hint);
  }
  const { members } = reader.object(servers, 'mcpServers');
  const named = new Map(members.map((one) => [one.key, one]));
  return [...named.values()].flatMap((one) => serverOf(one, reader));
}

/** Members that other programs read, and that are said of nothing here, are passed over. */
const known = ['type', 'command', 'args', 'env', 'cwd', 'url', 'headers', 'oauth', 'disabled'];

function serverOf({ key: name, keyNode, value }: JsonMember, reader: Reader): McpServer[] {
  if (!/^[A-Za-z_][\w-]*$/.test(name)) {
    const got = JSON.stringify(name);
    throw reader.wrong(keyNode, `got ${got}, want a name of letters, digits, _ and -`);
  }
  const server = reader.object(value, name);
  for (const { key, keyNode: place } of server.members) {
    const meant = known.includes(key) ? undefined : nearest(key, known);
    if (meant === undefined) continue;
    throw reader.wrong(place, `${name} has ${key}`, `did you mean ${meant}?`);
  }
  const disabled = member(server, 'disabled');
  if (disabled?.kind === 'bool' && disabled.value === true) return [];
  const transport = transportOf(name, server, reader);
  const hash = createHash('sha256')
    .update(JSON.stringify([name, transport]))
    .digest('hex');
  return [{ name, file: reader.file, hash: hash.slice(0, 16), transport }];
}

function transportOf(name: string, server: JsonNode, reader: Reader): McpServer['transport'] {
  const text = (key: string): string | undefined => {
    const node = member(server, key);
    return node && reader.text(node, `${name}.${key}`);
  };
  const texts = (key: string): Texts => reader.texts(member(server, key), `${name}.${key}`);
  const type = text('type');
  const url = text('url');
  const command = text('command');
  const kind = kindOf(type, url);
  if (kind === undefined) {
    const got = JSON.stringify(type);
    throw reader.wrong(member(server, 'type'), `${name}.type: got ${got}, want stdio or http`);
  }
  if (kind === 'stdio') {
    if (command === undefined) {
      throw reader.wrong(server, `${name} has neither command nor url`, 'one of them says where');
    }
    const args = reader.list(member(server, 'args'), `${name}.args`);
    return { kind, command, args, env: texts('env'), cwd: text('cwd') };
  }
  if (url === undefined) throw reader.wrong(server, `${name}: got no url, want an address`);
  const oauth = reader.texts(member(server, 'oauth'), `${name}.oauth`);
  const hasOAuth = Object.keys(oauth).length > 0;
  return { kind, url, headers: texts('headers'), oauth: hasOAuth ? oauth : undefined };
}

function kindOf(
  type: string | undefined,
  url: string | undefined,
): 'stdio' | 'http' | 'sse' | undefined {
  switch (type) {
    case undefined:
      return url === undefined ? 'stdio' : 'http';
    case 'streamable-http':
    case 'streamableHttp':
      return 'http';
    case 'stdio':
    case 'http':
    case 'sse':
      return type;
    default:
      return undefined;
  }
}

/** Says of each value what it has to be, and where it stands. */
class Reader {
  readonly file: string;

  constructor(file: string) {
    this.file = file;
  }

  object(node: JsonNode, what: string): Extract<JsonNode, { kind: 'object' }> {
    if (node.kind === 'object') return node;
    throw this.wrong(node, `${what}: got ${gotOf(node)}, want an object`);
  }

  text(node: JsonNode, what: string): string {
    const text = stringOf(node);
    if (text) return text;
    throw this.wrong(node, `${what}: got ${gotOf(node)}, want a text`);
  }

  list(node: JsonNode | undefined, what: string): readonly string[] {
    if (!node) return [];
    if (node.kind !== 'array')
      throw this.wrong(node, `${what}: got ${gotOf(node)}, want a list of texts`);
    return node.items.map((item, index) => {
      if (item.kind === 'string') return String(item.value);
      throw this.wrong(item, `${what}[${index}]: got ${gotOf(item)}, want a text`);
    });
  }

  texts(node: JsonNode | undefined, what: string): Texts {
    if (!node) return {};
    const { members } = this.object(node, what);
    return Object.fromEntries(
      members.map(({ key, value }) => {
        if (value.kind === 'string') return [key, String(value.value)];
        throw this.wrong(value, `${what}.${key}: got ${gotOf(value)}, want a text`);
      }),
    );
  }

  wrong(node: JsonNode | undefined, problem: string, hint?: string): BadMcpFile {
    const place = node ? `:${node.line}:${node.column}` : '';
    return new BadMcpFile(`${this.file}${place}: ${problem}`, hint);
  }
}

function gotOf(node: JsonNode): string {
  if (node.kind === 'array') return 'a list';
  if (node.kind === 'object') return 'an object';
  return node.kind === 'string' ? JSON.stringify(node.value) : String(node.value);
}
