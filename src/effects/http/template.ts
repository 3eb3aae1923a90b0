/**
 * Tools over HTTP that are written in one line of a configuration:
 *
 *     "weather.now": "GET https://api.example.com/now?city={city}&key=${WEATHER_KEY}"
 *
 * `{city}` is a parameter, `{city?}` one that may be left out, `${WEATHER_KEY}` a variable of the
 * environment, which neither programs nor models nor journals ever see; one that stands first is
 * the address of the server. The long form says more.
 */
import type { EffectClass, JsonSchema } from '../../program/effect.ts';
import type { ToolLimits } from '../../program/limits.ts';
import type { Credential } from './credentials.ts';
import { type Body, type Field, type HttpTool, specOf } from './operation.ts';

/** What a configuration says of a tool; a text is `request` alone. */
export interface HttpDeclaration {
  /** `GET https://…`; a method alone is none. */
  readonly request: string;
  readonly description?: string;
  /** `${NAME}` in them is a variable; one that is all `{name}` is a parameter. */
  readonly headers?: Readonly<Record<string, string>>;
  /** By parameter; those that the address lacks go into the body, or behind `?`. */
  readonly parameters?: Readonly<Record<string, JsonSchema>>;
  /** Which of them may be left out, beside those with `?`. */
  readonly optional?: readonly string[];
  /** How they are sent in a body. Default: as JSON. */
  readonly body?: 'json' | 'form' | 'multipart';
  readonly returns?: JsonSchema;
  readonly effect?: EffectClass;
  readonly idempotent?: boolean;
  readonly destructive?: boolean;
  readonly aliases?: readonly string[];
  readonly limits?: ToolLimits;
}

/** What is wrong with a declaration. */
export class BadTemplate extends Error {
  override readonly name = 'BadTemplate';
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.hint = hint;
  }
}

const medias = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
} as const;

const shape =
  /^([A-Z]+)\s+(https?:\/\/[^\s/?#]+|\$\{\w+\})((?:\{\w+\??\}|[^\s?#{}])*)(?:\?([^\s#]*))?$/;
const placeholder = /^\{([A-Za-z_]\w*)(\?)?\}$/;

interface Draft {
  readonly fields: Field[];
  readonly credentials: Credential[];
  readonly properties: Record<string, JsonSchema>;
  readonly required: Set<string>;
}

/** Throws `BadTemplate`. */
export function httpTool(name: string, given: string | HttpDeclaration): HttpTool {
  const declaration = typeof given === 'string' ? { request: given } : given;
  const [, method, origin = '', path = '', query = ''] = shape.exec(declaration.request) ?? [];
  if (method === undefined) throw malformed(declaration.request);
  const [, base] = /^\$\{(\w+)\}$/.exec(origin) ?? [];
  if (base === undefined) checkOrigin(origin);
  const draft: Draft = { fields: [], credentials: [], properties: {}, required: new Set() };
  const optional = new Set(declaration.optional);
  const use = (parameter: string, isOptional: boolean): string => {
    draft.properties[parameter] = declaration.parameters?.[parameter] ?? { type: 'string' };
    if (!isOptional && !optional.has(parameter)) draft.required.add(parameter);
    return parameter;
  };
  for (const [, parameter = '', mark] of path.matchAll(/\{(\w+)(\?)?\}/g)) {
    if (mark) throw new BadTemplate(`{${parameter}?}: what stands in a path cannot be left out`);
    use(parameter, false);
    draft.fields.push({ parameter, name: parameter, in: 'path', style: 'simple', explode: false });
  }
  const fixed = queryOf(query, draft, use);
  const headers = headersOf(declaration.headers ?? {}, draft, use);
  const body = restOf(declaration, method, draft, use);
  const service = base ?? new URL(origin).hostname;
  const spec = specOf({
    ...{ name, method },
    description: declaration.description ?? `${method} ${origin}${path}`,
    parameters: {
      type: 'object',
      properties: draft.properties,
      ...(draft.required.size > 0 && { required: [...draft.required] }),
      additionalProperties: false,
    },
    returns: declaration.returns,
    credentials: [draft.credentials],
    headers,
  });
  const { effect, destructive, aliases, limits } = declaration;
  const isWrite = (effect ?? spec.effect) === 'write';
  const idempotent = declaration.idempotent ?? (effect === undefined ? spec.idempotent : !isWrite);
  return {
    service,
    spec: {
      ...spec,
      ...(effect && { effect }),
      idempotent,
      destructive: destructive ?? (spec.destructive && isWrite),
      ...(aliases && { aliases }),
      limits: { ...spec.limits, ...limits },
    },
    operation: {
      ...{ method, url: `${origin}${path}${fixed}`, fields: draft.fields, headers },
      ...(base !== undefined && { base }),
      credentials: draft.credentials.length > 0 ? [draft.credentials] : [],
      configured: true,
      ...(body && { body }),
    },
  };
}

type Use = (parameter: string, isOptional: boolean) => string;

/** What stays in the address as it is. */
function queryOf(query: string, { fields, credentials }: Draft, use: Use): string {
  const fixed: string[] = [];
  for (const pair of query.split('&').filter(Boolean)) {
    const [name = '', value = ''] = pair.split(/=(.*)/s, 2);
    const [, parameter, mark] = placeholder.exec(value) ?? [];
    const [, variable] = /^\$\{(\w+)\}$/.exec(value) ?? [];
    const wire = decodeURIComponent(name);
    if (parameter !== undefined) {
      use(parameter, mark === '?');
      fields.push({ parameter, name: wire, in: 'query', style: 'form', explode: true });
    } else if (variable !== undefined) credentials.push({ kind: 'query', name: wire, variable });
    else if (/[{}]/.test(pair)) {
      throw new BadTemplate(`got ${pair}, want name={parameter} or name=\${VARIABLE}`);
    } else fixed.push(pair);
  }
  return fixed.length === 0 ? '' : `?${fixed.join('&')}`;
}

function headersOf(
  given: Readonly<Record<string, string>>,
  { fields, credentials }: Draft,
  use: Use,
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, text] of Object.entries(given)) {
    const [, parameter, mark] = placeholder.exec(text) ?? [];
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) throw new BadTemplate(`headers: ${name} is no name`);
    const [, pair] = /^Basic \$\{(\w+)\}$/i.exec(text) ?? [];
    if (pair !== undefined && name.toLowerCase() === 'authorization') {
      credentials.push({ kind: 'basic', variable: pair });
    } else if (parameter === undefined) kept[name.toLowerCase()] = text;
    else {
      use(parameter, mark === '?');
      fields.push({ parameter, name, in: 'header', style: 'simple', explode: false });
    }
  }
  return kept;
}

/** Parameters that are declared and stand nowhere yet. */
function restOf(
  { parameters = {}, optional = [], body = 'json' }: HttpDeclaration,
  method: string,
  { fields, properties }: Draft,
  use: Use,
): Body | undefined {
  const rest = Object.keys(parameters).filter((name) => !Object.hasOwn(properties, name));
  for (const name of rest) use(name, optional.includes(name));
  if (rest.length === 0) return undefined;
  if (/^(GET|HEAD|DELETE|OPTIONS)$/.test(method)) {
    for (const parameter of rest) {
      fields.push({ parameter, name: parameter, in: 'query', style: 'form', explode: true });
    }
    return undefined;
  }
  const members = rest.map((parameter) => ({ parameter, name: parameter }));
  return { media: medias[body], from: { kind: 'members', members } };
}

/** Whoever gives a parameter must not choose where the request goes. */
function checkOrigin(origin: string): void {
  if (/[{}]/.test(origin)) {
    throw new BadTemplate(`got ${origin}, want a host without parameters`);
  }
  const url = URL.parse(origin);
  if (!url) throw new BadTemplate(`got ${origin}, want an address such as https://api.example.com`);
  if (url.username !== '' || url.password !== '') {
    throw new BadTemplate(
      'got an address with a password in it',
      'write headers: { "authorization": "Basic $' + '{NAME}" }, NAME being a variable',
    );
  }
}

function malformed(request: string): BadTemplate {
  const shown = request.length > 80 ? `${request.slice(0, 79)}…` : request;
  return new BadTemplate(
    `got ${JSON.stringify(shown)}, want a method and an address`,
    'for example "GET https://api.example.com/now?city={city}"',
  );
}
