/**
 * What a service wants to see before it answers, by reference to variables of the environment: read
 * when a request is made, and known to nobody else. No key is ever an argument, so none is in a
 * program, a journal or a prompt; what a service repeats of one is taken out of its answer.
 */
import { refusal } from '../../engine/handler.ts';

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
    };

/** What goes with a request, and the texts of it that are secret. */
export interface Pass {
  readonly headers: Readonly<Record<string, string>>;
  /** Pairs behind `?`, as they stand there. */
  readonly query: readonly string[];
  readonly cookies: readonly string[];
  readonly secrets: readonly string[];
}

export interface PassOptions {
  readonly ways: readonly (readonly Credential[])[];
  readonly service: string;
  readonly env: Environment;
}

/** The first way of which every variable is set. Throws `EffectFailure` PV4952 for none. */
export function passFor({ ways, service, env }: PassOptions): Pass {
  if (ways.length === 0) return open;
  const found = ways.find((way) => way.every((one) => missing(one, env).length === 0));
  if (!found) {
    const lists = ways.map((way) => way.flatMap((one) => missing(one, env)).join(' and '));
    throw refusal('PV4952', `${service} wants a key, and there is none`, {
      hint: `set ${[...new Set(lists)].join(', or ')} in the environment or in .env`,
    });
  }
  const passes = found.map((one) => passOf(one, env));
  return {
    headers: Object.assign({}, ...passes.map(({ headers }) => headers)),
    query: passes.flatMap(({ query = [] }) => query),
    cookies: passes.flatMap(({ cookies = [] }) => cookies),
    secrets: passes.flatMap(({ secrets }) => secrets),
  };
}

const open: Pass = { headers: {}, query: [], cookies: [], secrets: [] };

/** Every variable that a way in reads. */
export const variablesOf = (one: Credential): string[] =>
  one.kind === 'basic' && one.passwordVariable !== undefined
    ? [one.variable, one.passwordVariable]
    : [one.variable];

const missing = (one: Credential, env: Environment): string[] =>
  variablesOf(one).filter((name) => variableIn(env, name) === '');

const variableIn = (env: Environment, name: string): string => env[name]?.trim() ?? '';

function passOf(one: Credential, env: Environment): Pick<Pass, 'secrets'> & Partial<Pass> {
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
  }
}

/** A text of a service without what it repeats of a key. Shorter ones are words of any text. */
export const masked = (text: string, secrets: readonly string[]): string =>
  secrets
    .filter(({ length }) => length >= 6)
    .sort((a, b) => b.length - a.length)
    .reduce((rest, secret) => rest.replaceAll(secret, '***'), text);
