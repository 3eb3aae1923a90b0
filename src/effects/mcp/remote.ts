/**
 * A server as the metadata of an agent have it, under `remote:`. Such a file may come from anybody,
 * also from a model: so it says which variables hold keys and never the keys themselves, and what
 * it reaches for is told, for a person to allow.
 */
import { nearest } from '../../program/diagnostic.ts';
import type { Json } from '../../program/json.ts';
import { hostOf } from '../web/address.ts';
import { namedRefusal } from '../web/way.ts';
import { type HttpAuth, kindOf, type McpServer, withHash } from './config.ts';
import { isReference } from './expand.ts';
import type { ServerPolicy } from './policy.ts';
import { type Members, Reader } from './reader.ts';

export interface RemotePlace {
  /** The agent, which is the namespace of its tools. */
  readonly name: string;
  /** Of its heading, as messages have it: `desk.playbook.md:12`. */
  readonly file: string;
}

export interface RemoteServer {
  readonly server: McpServer;
  readonly policy: Pick<ServerPolicy, 'timeoutMs' | 'startMs' | 'timeoutHint'>;
}

/** Throws `BadMcpFile`: *got X, want Y*. */
export function readRemote(remote: Json, place: RemotePlace): RemoteServer {
  const { name, file } = place;
  const reader = new Reader(() => `${file}: agent ${name}`, true);
  const given = reader.object('remote', remote, 'members below it, such as url: https://…');
  refuseUnknown(given, members, 'remote', reader);
  if (given.type !== undefined && given.type !== 'mcp') {
    throw reader.unlike('remote.type', given.type, 'mcp');
  }
  const way = given.transport === undefined ? undefined : String(given.transport);
  const kind = kindOf(way, given.url);
  if (kind === undefined) {
    throw reader.unlike('remote.transport', given.transport, 'streamable-http, sse or stdio');
  }
  refuseOther(given, kind, reader);
  const transport = kind === 'stdio' ? processOf(given, reader) : addressOf(given, kind, reader);
  const timeoutMs = timeoutOf(given.timeout, reader);
  return {
    server: withHash({ name, file, transport }),
    policy: timeoutMs === undefined ? {} : { timeoutMs, startMs: timeoutMs, timeoutHint },
  };
}

/**
 * What a server reaches for that is more than an address of the public web: a process, an address
 * of the inside, variables of the environment. Undefined where it is nothing.
 */
export function reachOf({ transport }: McpServer): string | undefined {
  if (transport.kind === 'stdio') {
    return `the process ${[transport.command, ...transport.args].join(' ')}`;
  }
  const variables = variablesIn(transport);
  if (variables.length > 0) return `${transport.url} with what ${variables.join(', ')} holds`;
  const url = new URL(transport.url);
  const isInside = namedRefusal(hostOf(url), 'none') !== undefined;
  return isInside ? `${transport.url}, which is no address of the public web` : undefined;
}

/** The variables of the environment that it takes. */
export const variablesIn = (transport: McpServer['transport']): readonly string[] => {
  const references = JSON.stringify(transport).match(/\$\{[A-Za-z_]\w*/g) ?? [];
  return [...new Set(references)].map((one) => one.slice(2));
};

const timeoutHint = 'write a longer timeout: below remote:';

const ofProcess = ['command', 'args', 'cwd', 'env'];
const ofAddress = ['url', 'headers', 'auth'];
const members = ['type', 'transport', ...ofAddress, ...ofProcess, 'timeout'];

function processOf(given: Members, reader: Reader): McpServer['transport'] {
  if (given.command === undefined) {
    const hint = 'write command: node, and args: [server.js] below it; or url: https://…/mcp';
    throw reader.wrong('remote', 'remote: got neither command nor url', hint);
  }
  const command = reader.text('remote.command', given.command);
  const args = reader.list('remote.args', given.args);
  // `command: node server.js` is what one would type.
  const [first = command, ...rest] = given.args === undefined ? command.split(/\s+/) : [command];
  const env = reader.texts('remote.env', given.env);
  for (const [key, value] of Object.entries(env)) {
    if (!/key|token|secret|password/i.test(key)) continue;
    referenceIn(reader, `remote.env.${key}`, value, written(key));
  }
  const cwd = given.cwd === undefined ? undefined : reader.text('remote.cwd', given.cwd);
  return { kind: 'stdio', command: first, args: [...rest, ...args], env, cwd };
}

function addressOf(given: Members, kind: 'http' | 'sse', reader: Reader): McpServer['transport'] {
  if (given.url === undefined) {
    throw reader.wrong('remote', 'remote: got no url, want an address', 'write url: https://…/mcp');
  }
  const url = reader.text('remote.url', given.url);
  const read = URL.canParse(url) ? new URL(url) : undefined;
  if (!read || !['http:', 'https:'].includes(read.protocol)) {
    const hint = /^memory:/.test(url)
      ? 'a server that runs within the program is a module of tools here: --tools ./tools.ts'
      : 'write url: https://…/mcp';
    throw reader.unlike('remote.url', url, 'an address of http or https', hint);
  }
  if (read.username !== '' || read.password !== '') {
    throw reader.wrong(
      'remote.url',
      'remote.url: got one with a password in it',
      'write auth: below remote:',
    );
  }
  const headers = reader.texts('remote.headers', given.headers);
  for (const [header, value] of Object.entries(headers)) {
    if (!/authorization|cookie|key|token|secret/i.test(header)) continue;
    const [scheme = ''] = /^(?:Bearer|Basic|Token) +/i.exec(value) ?? [];
    const key = value.slice(scheme.length);
    referenceIn(reader, `remote.headers.${header}`, key, written(header, scheme));
  }
  const auth = given.auth === undefined ? undefined : authOf(given.auth, reader);
  return { kind, url, headers, oauth: undefined, ...(auth && { auth }) };
}

const authMembers = ['type', 'env', 'token', 'key', 'header', 'username', 'password'];

function authOf(given: Json, reader: Reader): HttpAuth {
  const auth = reader.object('remote.auth', given);
  refuseUnknown(auth, authMembers, 'remote.auth', reader);
  const text = (name: string): string => reader.text(`remote.auth.${name}`, auth[name]);
  /** The one of these members that there is: the name of a variable, or a reference to one. */
  const secret = (...names: readonly string[]): string => {
    if (auth.env !== undefined) {
      const variable = text('env').replace(/^\$?\{?(\w+)\}?$/, '$1');
      if (/^[A-Za-z_]\w*$/.test(variable)) return `\${${variable}}`;
      throw reader.unlike('remote.auth.env', auth.env, 'the name of a variable');
    }
    const name = names.find((one) => auth[one] !== undefined);
    if (name === undefined) {
      const hint = 'write env: and the name of the variable that holds it';
      throw reader.wrong('remote.auth', `remote.auth: got no ${names[0]}, want one`, hint);
    }
    const hint = `name it: env: NAME, ${setThere}`;
    return referenceIn(reader, `remote.auth.${name}`, text(name), hint);
  };
  switch (auth.type) {
    case 'bearer':
      return { type: 'bearer', token: secret('token') };
    case 'api_key': {
      const header = auth.header === undefined ? 'X-API-Key' : text('header');
      return { type: 'api_key', header, key: secret('key', 'token') };
    }
    case 'basic':
      return { type: 'basic', username: text('username'), password: secret('password') };
    default:
      throw reader.unlike('remote.auth.type', auth.type, 'bearer, api_key or basic');
  }
}

/** Seconds, or a quantity such as `500ms`. */
function timeoutOf(given: Json | undefined, reader: Reader): number | undefined {
  if (given === undefined) return undefined;
  const units = { ms: 1, s: 1000, m: 60_000, min: 60_000 } as const;
  const [, figure, unit = 's'] =
    /^(\d+(?:\.\d+)?)\s*(ms|s|min|m)?$/.exec(String(given).trim()) ?? [];
  const ms = Number(figure) * units[unit as keyof typeof units];
  if (ms > 0) return Math.ceil(ms);
  throw reader.unlike('remote.timeout', given, 'seconds, or such as 500ms');
}

/** What stands in the file itself goes into journals, and to everybody who has the file. */
function referenceIn(reader: Reader, what: string, value: string, hint: string): string {
  if (isReference(value)) return value;
  throw reader.wrong(what, `${what}: got a key itself, want the variable that holds it`, hint);
}

/** What says nothing of such a server would be passed over. */
function refuseOther(given: Members, kind: 'stdio' | 'http' | 'sse', reader: Reader): void {
  const isProcess = kind === 'stdio';
  const other = (isProcess ? ofAddress : ofProcess).find((key) => given[key] !== undefined);
  if (other === undefined) return;
  const what = isProcess ? 'a process' : 'an address';
  const hint =
    other === 'auth'
      ? 'a process takes its keys by env'
      : `leave it out, or the ${isProcess ? 'command' : 'url'}`;
  throw reader.wrong(other, `remote.${other}: got one for ${what}`, hint);
}

function refuseUnknown(
  given: Members,
  known: readonly string[],
  what: string,
  reader: Reader,
): void {
  const strange = Object.keys(given).find((key) => !known.includes(key));
  if (strange === undefined) return;
  const near = nearest(strange, known);
  const hint = near === undefined ? `it takes ${known.join(', ')}` : `did you mean ${near}?`;
  throw reader.wrong(what, `${what} has ${strange}`, hint);
}

const setThere = 'and set NAME in the environment or in .env';

/** How a key is named in the place of its value. */
const written = (name: string, scheme = ''): string =>
  `write ${name}: ${scheme}\${NAME}, ${setThere}`;
