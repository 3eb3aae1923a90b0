/**
 * A server as the metadata of an agent have it, under `remote:`. Such a file may come from anybody,
 * also from a model: so it says which variables hold keys and never the keys themselves, and what
 * it reaches for is told, for a person to allow.
 */
import { createHash } from 'node:crypto';
import { nearest } from '../../program/diagnostic.ts';
import type { Json } from '../../program/json.ts';
import { hostOf } from '../web/address.ts';
import { namedRefusal } from '../web/way.ts';
import { BadMcpFile, type HttpAuth, type McpServer } from './config.ts';
import { isReference } from './expand.ts';
import type { ServerPolicy } from './policy.ts';

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
  const reader = new Reader(place);
  const given = reader.object(remote, 'remote');
  reader.refuseUnknown(given, members, 'remote');
  if (given.type !== undefined && given.type !== 'mcp') {
    throw reader.wrong(`remote.type: got ${shown(given.type)}, want mcp`);
  }
  const kind = kindOf(given, reader);
  reader.refuseOther(given, kind);
  const transport = kind === 'stdio' ? processOf(given, reader) : addressOf(given, kind, reader);
  const { name, file } = place;
  const hash = createHash('sha256')
    .update(JSON.stringify([name, transport]))
    .digest('hex');
  const timeoutMs = timeoutOf(given.timeout, reader);
  return {
    server: { name, file, hash: hash.slice(0, 16), transport },
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

type Given = Readonly<Record<string, Json>>;

const ofProcess = ['command', 'args', 'cwd', 'env'];
const ofAddress = ['url', 'headers', 'auth'];
const members = ['type', 'transport', ...ofAddress, ...ofProcess, 'timeout'];

function kindOf({ transport, url }: Given, reader: Reader): 'stdio' | 'http' | 'sse' {
  switch (transport) {
    case undefined:
      return url === undefined ? 'stdio' : 'http';
    case 'streamable-http':
    case 'streamable_http':
    case 'streamableHttp':
    case 'http':
      return 'http';
    case 'stdio':
    case 'sse':
      return transport;
    default: {
      const want = 'want streamable-http, sse or stdio';
      throw reader.wrong(`remote.transport: got ${shown(transport)}, ${want}`);
    }
  }
}

function processOf(given: Given, reader: Reader): McpServer['transport'] {
  if (given.command === undefined) {
    const hint = 'write command: node, and args: [server.js] below it; or url: https://…/mcp';
    throw reader.wrong('remote: got neither command nor url', hint);
  }
  const command = reader.text(given.command, 'remote.command');
  const args = reader.list(given.args, 'remote.args');
  // `command: node server.js` is what one would type.
  const [first = command, ...rest] = given.args === undefined ? command.split(/\s+/) : [command];
  const env = reader.texts(given.env, 'remote.env');
  for (const [key, value] of Object.entries(env)) {
    if (/key|token|secret|password/i.test(key))
      reader.reference(value, `remote.env.${key}`, written(key));
  }
  const cwd = given.cwd === undefined ? undefined : reader.text(given.cwd, 'remote.cwd');
  return { kind: 'stdio', command: first, args: [...rest, ...args], env, cwd };
}

function addressOf(given: Given, kind: 'http' | 'sse', reader: Reader): McpServer['transport'] {
  if (given.url === undefined) {
    throw reader.wrong('remote: got no url, want an address', 'write url: https://…/mcp');
  }
  const url = reader.text(given.url, 'remote.url');
  const read = URL.canParse(url) ? new URL(url) : undefined;
  if (!read || !['http:', 'https:'].includes(read.protocol)) {
    const hint = /^memory:/.test(url)
      ? 'a server that runs within the program is a module of tools here: --tools ./tools.ts'
      : 'write url: https://…/mcp';
    throw reader.wrong(`remote.url: got ${shown(url)}, want an address of http or https`, hint);
  }
  if (read.username !== '' || read.password !== '') {
    throw reader.wrong('remote.url: got one with a password in it', 'write auth: below remote:');
  }
  const headers = reader.texts(given.headers, 'remote.headers');
  for (const [header, value] of Object.entries(headers)) {
    if (!/authorization|cookie|key|token|secret/i.test(header)) continue;
    const [scheme = ''] = /^(?:Bearer|Basic|Token) +/i.exec(value) ?? [];
    const key = value.slice(scheme.length);
    reader.reference(key, `remote.headers.${header}`, written(header, scheme));
  }
  const auth = given.auth === undefined ? undefined : authOf(given.auth, reader);
  return { kind, url, headers, oauth: undefined, ...(auth && { auth }) };
}

const authMembers = ['type', 'env', 'token', 'key', 'header', 'username', 'password'];

function authOf(given: Json, reader: Reader): HttpAuth {
  const auth = reader.object(given, 'remote.auth');
  reader.refuseUnknown(auth, authMembers, 'remote.auth');
  /** The one of these members that there is: the name of a variable, or a reference to one. */
  const secret = (...names: readonly string[]): string => {
    const variable = auth.env;
    if (variable !== undefined) return `\${${reader.variable(variable, 'remote.auth.env')}}`;
    const name = names.find((one) => auth[one] !== undefined) ?? names[0] ?? '';
    if (auth[name] === undefined) {
      const hint = 'write env: and the name of the variable that holds it';
      throw reader.wrong(`remote.auth: got no ${name}, want one`, hint);
    }
    const what = `remote.auth.${name}`;
    const hint = `name it: env: NAME, ${setThere}`;
    return reader.reference(reader.text(auth[name], what), what, hint);
  };
  switch (auth.type) {
    case 'bearer':
      return { type: 'bearer', token: secret('token') };
    case 'api_key': {
      const header =
        auth.header === undefined ? 'X-API-Key' : reader.text(auth.header, 'remote.auth.header');
      return { type: 'api_key', header, key: secret('key', 'token') };
    }
    case 'basic': {
      const username = reader.text(auth.username ?? null, 'remote.auth.username');
      return { type: 'basic', username, password: secret('password') };
    }
    default: {
      const want = 'want bearer, api_key or basic';
      throw reader.wrong(`remote.auth.type: got ${shown(auth.type ?? null)}, ${want}`);
    }
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
  throw reader.wrong(`remote.timeout: got ${shown(given)}, want seconds, or such as 500ms`);
}

const shown = (value: Json): string => JSON.stringify(value);

/** Says of each value what it has to be, and of which agent it is. */
class Reader {
  readonly #place: RemotePlace;

  constructor(place: RemotePlace) {
    this.#place = place;
  }

  wrong(problem: string, hint?: string): BadMcpFile {
    const { file, name } = this.#place;
    return new BadMcpFile(`${file}: agent ${name}: ${problem}`, hint);
  }

  object(value: Json, what: string): Given {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Given;
    throw this.wrong(`${what}: got ${shown(value)}, want members below it, such as url: https://…`);
  }

  text(value: Json, what: string): string {
    if (typeof value === 'string' && value !== '') return value;
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    throw this.wrong(`${what}: got ${shown(value)}, want a text`);
  }

  list(value: Json | undefined, what: string): string[] {
    if (value === undefined) return [];
    if (Array.isArray(value)) return value.map((one, at) => this.text(one, `${what}[${at}]`));
    throw this.wrong(`${what}: got ${shown(value)}, want a list of texts`);
  }

  texts(value: Json | undefined, what: string): Record<string, string> {
    if (value === undefined) return {};
    const entries = Object.entries(this.object(value, what));
    return Object.fromEntries(entries.map(([key, one]) => [key, this.text(one, `${what}.${key}`)]));
  }

  variable(value: Json, what: string): string {
    const name = this.text(value, what).replace(/^\$?\{?(\w+)\}?$/, '$1');
    if (/^[A-Za-z_]\w*$/.test(name)) return name;
    throw this.wrong(`${what}: got ${shown(value)}, want the name of a variable`);
  }

  /** What stands in the file itself goes into journals, and to everybody who has the file. */
  reference(value: string, what: string, hint: string): string {
    if (isReference(value)) return value;
    throw this.wrong(`${what}: got a key itself, want the variable that holds it`, hint);
  }

  /** What says nothing of such a server would be passed over. */
  refuseOther(given: Given, kind: 'stdio' | 'http' | 'sse'): void {
    const isProcess = kind === 'stdio';
    const other = (isProcess ? ofAddress : ofProcess).find((key) => given[key] !== undefined);
    if (other === undefined) return;
    const what = isProcess ? 'a process' : 'an address';
    const hint =
      other === 'auth'
        ? 'a process takes its keys by env'
        : `leave it out, or the ${isProcess ? 'command' : 'url'}`;
    throw this.wrong(`remote.${other}: got one for ${what}`, hint);
  }

  refuseUnknown(given: Given, known: readonly string[], what: string): void {
    const strange = Object.keys(given).find((key) => !known.includes(key));
    if (strange === undefined) return;
    const near = nearest(strange, known);
    const hint = near === undefined ? `it takes ${known.join(', ')}` : `did you mean ${near}?`;
    throw this.wrong(`${what} has ${strange}`, hint);
  }
}

const setThere = 'and set NAME in the environment or in .env';

/** How a key is named in the place of its value. */
const written = (name: string, scheme = ''): string =>
  `write ${name}: ${scheme}\${NAME}, ${setThere}`;
