/** Tools over HTTP as handlers: a request for each attempt, and what programs get of its answer. */
import {
  type Arguments,
  type AttemptContext,
  EffectFailure,
  type Handler,
  refusal,
} from '../../engine/handler.ts';
import { GuestValue } from '../../program/json.ts';
import { readJson, valueOfNode } from '../../text/json-text.ts';
import { decodeAnswer } from '../files/charset.ts';
import { checkedHandler } from '../tool/checked.ts';
import { statusFailure } from '../web/get-json.ts';
import { type Answer, request } from '../web/request.ts';
import { bodyOf } from './body.ts';
import { type Environment, masked, type Pass, passFor } from './credentials.ts';
import { headerText, pathText, queryPairs } from './encode.ts';
import type { HttpTool, Operation } from './operation.ts';

/** Largest answer that is read, in bytes. */
const answerBytesMax: number = 8 * 2 ** 20;

export function httpHandler(tool: HttpTool, env: Environment): Handler {
  const { spec, operation, service } = tool;
  return checkedHandler({
    spec,
    async perform(args, context) {
      const fixed = expanded(operation.headers, env, service);
      const pass = passFor({ ways: operation.credentials, service, env });
      const secrets = [...pass.secrets, ...fixed.secrets];
      try {
        return await performed(tool, args, {
          ...{ pass, headers: fixed.headers, context, secrets, env },
        });
      } catch (thrown) {
        throw thrown instanceof EffectFailure ? withoutSecrets(thrown, secrets) : thrown;
      }
    },
  });
}

interface Sending {
  readonly pass: Pass;
  readonly headers: Readonly<Record<string, string>>;
  readonly context: AttemptContext;
  readonly secrets: readonly string[];
  readonly env: Environment;
}

async function performed(
  { operation, service }: HttpTool,
  args: Arguments,
  { pass, headers, context, secrets, env }: Sending,
): Promise<unknown> {
  const url = urlOf(based(operation, env), args);
  const shown = url.href;
  if (pass.query.length > 0) {
    url.search = [...(url.search === '' ? [] : [url.search.slice(1)]), ...pass.query].join('&');
  }
  const cookies = [...cookiesOf(operation, args), ...pass.cookies];
  const body = await bodyOf(operation.body, args);
  const answer = await request(url, {
    ...{ context, service, configured: operation.configured, bytesMax: answerBytesMax },
    method: operation.method,
    headers: {
      accept: 'application/json, text/*;q=0.8, */*;q=0.5',
      ...headers,
      ...headersOf(operation, args),
      ...(operation.keyHeader !== undefined && { [operation.keyHeader]: context.idempotencyKey }),
      ...(body && { 'content-type': body.media }),
      ...pass.headers,
      ...(cookies.length > 0 && { cookie: cookies.join('; ') }),
    },
    ...(body && { body: body.bytes }),
  });
  if (answer.status >= 400 || (answer.status >= 300 && answer.status !== 304)) {
    throw statusFailure(answer, service, masked(textOf(answer), secrets));
  }
  context.source({ url: shown, fetchedAt: answer.fetchedAt });
  return resultOf(answer, service, secrets);
}

/** With the address that the environment has for it. Throws `EffectFailure` PV4952. */
function based(operation: Operation, env: Environment): Operation {
  const { base, url } = operation;
  if (base === undefined) return operation;
  const address = env[base]?.trim().replace(/\/+$/, '') ?? '';
  const parsed = URL.parse(address);
  if (parsed && /^https?:$/.test(parsed.protocol) && parsed.username === '') {
    return { ...operation, url: `${address}${url.slice(base.length + 3)}` };
  }
  const problem = address === '' ? 'is not set' : 'is no address of HTTP without a password';
  throw refusal('PV4952', `${base}, which says where to ask, ${problem}`, {
    hint: `set ${base} in the environment or in .env, to http://127.0.0.1:8080 for example`,
  });
}

/** The address of a request, without what lets it in. Throws `EffectFailure` PV4954. */
export function urlOf({ url, fields }: Operation, args: Arguments): URL {
  const pairs: string[] = [];
  const values = new Map<string, string>();
  for (const field of fields) {
    const value = args[field.parameter];
    if (field.in === 'path') values.set(field.name, pathText(field, value ?? ''));
    else if (field.in === 'query' && value !== undefined && value !== null) {
      pairs.push(...queryPairs(field, value));
    }
  }
  const made = new URL(url.replace(/\{([^{}]+)\}/g, (all, name) => values.get(name) ?? all));
  if (pairs.length > 0) made.search = [made.search.slice(1), ...pairs].filter(Boolean).join('&');
  return made;
}

function headersOf({ fields }: Operation, args: Arguments): Record<string, string> {
  const given = fields.filter((field) => field.in === 'header' && isGiven(args[field.parameter]));
  return Object.fromEntries(
    given.map((field) => [field.name.toLowerCase(), headerText(field, args[field.parameter])]),
  );
}

const cookiesOf = ({ fields }: Operation, args: Arguments): string[] =>
  fields
    .filter((field) => field.in === 'cookie' && isGiven(args[field.parameter]))
    .map((field) => headerText(field, args[field.parameter]));

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** What programs get: data, text, or bytes; null for nothing. Throws `EffectFailure` PV4955. */
function resultOf(answer: Answer, service: string, secrets: readonly string[]): unknown {
  const type = (answer.headers['content-type'] ?? '').toLowerCase();
  if (answer.bytes.byteLength === 0) return null;
  const media = type.split(';', 1)[0]?.trim() ?? '';
  const isJson = /[/+]json$/.test(media);
  if (!isJson && media !== '' && !isTextual(media)) return new Uint8Array(answer.bytes);
  const text = masked(textOf(answer), secrets);
  if (!isJson) return text;
  try {
    const data: unknown = JSON.parse(text);
    // Numbers of services are often names of things: none loses a digit.
    const { node } = /\d{16}/.test(text) ? readJson(text) : { node: undefined };
    return node ? new GuestValue(valueOfNode(node)) : data;
  } catch {
    throw refusal(
      'PV4955',
      `${service} says that it answers with JSON, and does not: ${text.trim().slice(0, 120)}`,
      { hint: 'it may be a page that asks to log in: check the address and the key' },
    );
  }
}

const isTextual = (media: string): boolean =>
  /^text\/|[/+]xml$/.test(media) ||
  /^application\/(yaml|x-yaml|x-www-form-urlencoded|javascript|x-ndjson|jsonl)$/.test(media);

const textOf = ({ bytes, headers }: Answer): string =>
  decodeAnswer(bytes, headers['content-type'] ?? '').text;

/** `${NAME}` in headers is what the environment has. Throws `EffectFailure` PV4952. */
function expanded(
  headers: Readonly<Record<string, string>>,
  env: Environment,
  service: string,
): { readonly headers: Record<string, string>; readonly secrets: string[] } {
  const secrets: string[] = [];
  const read = (name: string): string => {
    const value = env[name]?.trim() ?? '';
    if (value !== '') {
      secrets.push(value);
      return value;
    }
    throw refusal('PV4952', `${service} wants a key, and there is none`, {
      hint: `set ${name} in the environment or in .env`,
    });
  };
  const made = Object.entries(headers).map(([name, text]) => [
    name,
    text.replace(/\$\{(\w+)\}/g, (_, variable: string) => read(variable)),
  ]);
  return { headers: Object.fromEntries(made), secrets };
}

function withoutSecrets(failure: EffectFailure, secrets: readonly string[]): EffectFailure {
  const message = masked(failure.message, secrets);
  if (message === failure.message) return failure;
  const { code, ...details } = failure;
  return new EffectFailure(code, message, details);
}
