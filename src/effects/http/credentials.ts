/**
 * What a service wants to see before it answers, by reference to variables of the environment: read
 * when a request is made, and known to nobody else. No key is ever an argument, so none is in a
 * program, a journal or a prompt; what a service repeats of one is taken out of its answer.
 */
import { type AttemptContext, EffectFailure, refusal } from '../../engine/handler.ts';
import { statusFailure } from '../web/get-json.ts';
import { type Answer, type RequestOptions, request } from '../web/request.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Members that end in `variable` are names of variables. */
export type Credential =
  | {
      readonly kind: 'header' | 'query' | 'cookie';
      readonly name: string;
      readonly variable: string;
      /** What stands before it: `Bearer `. */
      readonly prefix?: string;
    }
  | {
      readonly kind: 'basic';
      /** Holds `user:password`, or the user alone. */
      readonly variable: string;
      readonly passwordVariable?: string;
    }
  | {
      readonly kind: 'client';
      readonly tokenUrl: string;
      readonly variable: string;
      readonly secretVariable: string;
      readonly scopes: readonly string[];
    };

/** What goes with a request, and the texts of it that are secret. */
export interface Pass {
  readonly headers: Readonly<Record<string, string>>;
  /** Pairs behind `?`, as they stand there. */
  readonly query: readonly string[];
  readonly cookies: readonly string[];
  readonly secrets: readonly string[];
}

/** Tokens that services have given, until they end. One for each set of tools. */
export type Tokens = Map<string, { readonly token: string; readonly until: number }>;

export interface PassOptions {
  readonly ways: readonly (readonly Credential[])[];
  readonly service: string;
  readonly env: Environment;
  readonly tokens: Tokens;
  readonly context: AttemptContext;
}

/**
 * The first way of which every variable is set. Throws `EffectFailure` PV4952 where there is none,
 * PV4953 for a token that is not given.
 */
export async function passFor(options: PassOptions): Promise<Pass> {
  const { ways, service, env } = options;
  if (ways.length === 0) return open;
  const found = ways.find((way) => way.every((one) => missing(one, env).length === 0));
  if (!found) {
    const lists = ways.map((way) => way.flatMap((one) => missing(one, env)).join(' and '));
    throw refusal('PV4952', `${service} wants a key, and there is none`, {
      hint: `set ${[...new Set(lists)].join(', or ')} in the environment or in .env`,
    });
  }
  const passes = await Promise.all(found.map((one) => passOf(one, options)));
  return {
    headers: Object.assign({}, ...passes.map(({ headers }) => headers)),
    query: passes.flatMap(({ query = [] }) => query),
    cookies: passes.flatMap(({ cookies = [] }) => cookies),
    secrets: passes.flatMap(({ secrets }) => secrets),
  };
}

const open: Pass = { headers: {}, query: [], cookies: [], secrets: [] };

/** Every variable that a way in reads. */
export function variablesOf(one: Credential): string[] {
  switch (one.kind) {
    case 'basic':
      return [one.variable, ...(one.passwordVariable === undefined ? [] : [one.passwordVariable])];
    case 'client':
      return [one.variable, one.secretVariable];
    default:
      return [one.variable];
  }
}

const missing = (one: Credential, env: Environment): string[] =>
  variablesOf(one).filter((name) => variableIn(env, name) === '');

const variableIn = (env: Environment, name: string): string => env[name]?.trim() ?? '';

async function passOf(
  one: Credential,
  options: PassOptions,
): Promise<Pick<Pass, 'secrets'> & Partial<Pass>> {
  const { env } = options;
  const value = variableIn(env, one.variable);
  const coded = encodeURIComponent(value);
  const secrets = [value, coded];
  switch (one.kind) {
    case 'header':
      return {
        headers: { [one.name.toLowerCase()]: `${one.prefix ?? ''}${value}` },
        secrets: [value],
      };
    case 'query':
      return { query: [`${encodeURIComponent(one.name)}=${coded}`], secrets };
    case 'cookie':
      return { cookies: [`${one.name}=${coded}`], secrets };
    case 'basic': {
      const password = one.passwordVariable && variableIn(env, one.passwordVariable);
      const pair = password === undefined ? value : `${value}:${password}`;
      const text = Buffer.from(pair).toString('base64');
      const after = pair.slice(pair.indexOf(':') + 1);
      return {
        headers: { authorization: `Basic ${text}` },
        secrets: [text, ...(after === pair ? [] : [after])],
      };
    }
    case 'client': {
      const token = await tokenFor(one, options);
      return { headers: { authorization: `Bearer ${token}` }, secrets: [token] };
    }
  }
}

type Client = Extract<Credential, { kind: 'client' }>;

/** Before a token ends, it is asked for anew: clocks differ. */
const earlyMs = 30_000;
const hourSeconds = 3600;

/** The client credentials grant (RFC 6749, section 4.4). */
async function tokenFor(client: Client, options: PassOptions): Promise<string> {
  const { env, tokens, service, context } = options;
  const id = variableIn(env, client.variable);
  const secret = variableIn(env, client.secretVariable);
  const scope = client.scopes.join(' ');
  const key = JSON.stringify([client.tokenUrl, id, scope]);
  const known = tokens.get(key);
  if (known && known.until > Date.now()) return known.token;
  const form = { grant_type: 'client_credentials', ...(scope !== '' && { scope }) };
  const pair = `${encodeURIComponent(id)}:${encodeURIComponent(secret)}`;
  const answer = await askForToken(new URL(client.tokenUrl), {
    ...{ context, service: `what gives tokens for ${service}`, configured: true },
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(pair).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
    },
    body: new URLSearchParams(form).toString(),
  });
  const text = masked(new TextDecoder().decode(answer.bytes), [secret]);
  if (answer.status >= 500 || answer.status === 429) {
    throw statusFailure(answer, `what gives tokens for ${service}`, text);
  }
  const given = answer.status < 300 ? tokenIn(text) : undefined;
  if (!given) {
    const said = text.trim().slice(0, 120);
    const message = `${service} gives no token (${answer.status})${said === '' ? '' : `: ${said}`}`;
    throw refusal('PV4953', message, {
      hint: `check ${client.variable} and ${client.secretVariable}`,
    });
  }
  const lifeMs = (given.seconds ?? hourSeconds) * 1000;
  tokens.set(key, { token: given.token, until: Date.now() + lifeMs - earlyMs });
  return given.token;
}

/** Whatever becomes of it, the service itself has been asked for nothing yet. */
async function askForToken(url: URL, options: RequestOptions): Promise<Answer> {
  try {
    return await request(url, options);
  } catch (thrown) {
    if (!(thrown instanceof EffectFailure)) throw thrown;
    const { code, message, ...details } = thrown;
    throw new EffectFailure(code, message, { ...details, mayHaveActed: false });
  }
}

function tokenIn(text: string): { token: string; seconds: number | undefined } | undefined {
  try {
    const data: { access_token?: unknown; expires_in?: unknown } = JSON.parse(text);
    const { access_token: token, expires_in: seconds } = data;
    if (typeof token !== 'string' || token === '') return undefined;
    return { token, seconds: Number(seconds) > 0 ? Number(seconds) : undefined };
  } catch {
    return undefined;
  }
}

/** A text of a service without what it repeats of a key. Shorter ones are words of any text. */
export const masked = (text: string, secrets: readonly string[]): string =>
  secrets
    .filter(({ length }) => length >= 6)
    .sort((a, b) => b.length - a.length)
    .reduce((rest, secret) => rest.replaceAll(secret, '***'), text);
