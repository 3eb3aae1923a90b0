/**
 * Turns whatever a provider, its library or the network throws into an `EffectFailure`: which code,
 * whether another attempt can help, how long to wait, and what a person can do. Errors are read by
 * their fields, so that this file does not load the library that made them. Nothing of the request
 * and no `cause` is kept: prompts and keys do not belong into errors.
 */
import { EffectFailure } from '../../engine/handler.ts';
import { type Endpoint, redact } from './endpoint.ts';

/** The fields of provider errors, as far as they are present. */
interface ProviderError {
  readonly name?: unknown;
  readonly message?: unknown;
  /** HTTP status, or what an error inside the stream says it would have been. */
  readonly statusCode?: unknown;
  readonly responseHeaders?: Readonly<Record<string, string>>;
  readonly responseBody?: unknown;
  readonly code?: unknown;
  readonly type?: unknown;
  readonly cause?: unknown;
}

interface Kind {
  readonly code: string;
  /** Continues "openai/gpt-5-mini …". */
  readonly what: string;
  readonly retryable: boolean;
  readonly hint: string | undefined;
  readonly mayHaveActed?: boolean;
}

const again = (code: string, what: string, hint?: string): Kind => ({
  ...{ code, what, hint, retryable: true },
});
const inVain = (code: string, what: string, hint?: string): Kind => ({
  ...{ code, what, hint, retryable: false },
});

const detailCharactersMax = 1000;

export function modelFailure(thrown: unknown, endpoint: Endpoint): EffectFailure {
  const own = failureIn(thrown);
  if (own) return own;
  const error: ProviderError =
    typeof thrown === 'object' && thrown !== null ? thrown : { message: String(thrown) };
  const status = statusOf(error);
  const detail = clip(redact(detailOf(error), [endpoint.key]));
  const kind =
    status === undefined || status < 400
      ? transportKind(error, status, endpoint)
      : statusKind(status, detail, endpoint);
  const message = `${endpoint.reference} ${kind.what}${detail === '' ? '' : `: ${detail}`}`;
  return new EffectFailure(kind.code, message, {
    retryable: kind.retryable,
    retryAfterMs: kind.retryable ? retryAfterMs(error) : undefined,
    hint: kind.hint,
    mayHaveActed: kind.mayHaveActed ?? true,
    answered: status !== undefined && status >= 400,
    unavailable: kind.retryable,
  });
}

/** A failure that the libraries between have wrapped. */
function failureIn(thrown: unknown): EffectFailure | undefined {
  if (thrown instanceof EffectFailure) return thrown;
  return thrown instanceof Error && thrown.cause !== undefined
    ? failureIn(thrown.cause)
    : undefined;
}

/** What an error inside a stream is called, by the status that it would have had outside. */
const named: readonly (readonly [RegExp, number])[] = [
  [/rate.?limit|too.?many.?requests/i, 429],
  [/overloaded|unavailable/i, 529],
  [/authentication|unauthorized|(invalid|incorrect)[_ ]api[_ ]key/i, 401],
  [/permission|forbidden/i, 403],
  [/not[_ ]?found/i, 404],
  [/insufficient_quota|billing/i, 402],
  [/invalid[_ ]?request|bad[_ ]?request|context[_ ]length/i, 400],
];

function statusOf(error: ProviderError): number | undefined {
  if (typeof error.statusCode === 'number') return error.statusCode;
  if (error.name !== 'AI_StreamProviderError') return undefined;
  const code = Number(error.code);
  if (code >= 400 && code < 600) return code;
  const name = `${error.type ?? ''} ${error.code ?? ''}`;
  return named.find(([words]) => words.test(name))?.[1];
}

/** The provider answered with an error. */
function statusKind(status: number, detail: string, endpoint: Endpoint): Kind {
  if (isTooLong(status, detail)) {
    const hint = 'pass less context, split it, or choose a model with a larger context window';
    return inVain('PV4110', `cannot take a prompt of this length (${status})`, hint);
  }
  if (/content[_ ]filter|content management|content_policy|ResponsibleAI/i.test(detail)) {
    const hint = 'reword the prompt, or choose another model';
    return inVain('PV4111', `withheld its answer (${status})`, hint);
  }
  if (status === 402 || /insufficient_quota|credit balance is too low/i.test(detail)) {
    const hint = 'see the billing page of the provider, or choose another model';
    return inVain('PV4117', `has no credit left (${status})`, hint);
  }
  if (status === 401 || status === 403) {
    const what = `refused ${status === 401 ? 'the key' : 'access'} (${status})`;
    return inVain('PV4102', what, keyHint(endpoint));
  }
  if (status === 404) {
    const what = `was not found at ${endpoint.baseUrl} (404)`;
    return inVain('PV4103', what, modelHint(endpoint));
  }
  if ([408, 409, 425, 429, 503, 529].includes(status) || /overloaded/i.test(detail)) {
    const what = status === 429 ? 'met its rate limit' : 'is overloaded';
    const hint = 'wait a little, or run fewer effects at once (limit concurrency)';
    return again('PV4105', `${what} (${status})`, hint);
  }
  if (status >= 500 && status !== 501 && status !== 505) {
    return again('PV4106', `failed (${status})`, 'the fault is on its side: try again later');
  }
  return inVain('PV4104', `rejected the request (${status})`);
}

/** Nobody answered, the connection broke, or what came is not an answer. */
function transportKind(error: ProviderError, status: number | undefined, endpoint: Endpoint): Kind {
  const name = String(error.name);
  const isCall = name === 'AI_APICallError';
  const hint = `check that ${endpoint.baseVariable} names a server of this provider's kind`;
  if (isCall && status === undefined) return unreachable(error, endpoint);
  if (isCall || /^AI_(InvalidResponseData|NoOutputGenerated|EmptyResponseBody)Error$/.test(name)) {
    return again('PV4108', 'broke off its answer');
  }
  if (name === 'AI_StreamProviderError')
    return again('PV4106', 'failed in the middle of its answer');
  if (/^AI_(JSONParse|TypeValidation)Error$/.test(name)) {
    return again('PV4109', 'sent something that is not in its own format', hint);
  }
  // What the library says in no typed way is about the request when it is its own error.
  return name.startsWith('AI_')
    ? inVain('PV4104', 'cannot be sent the request')
    : again('PV4109', 'gave no answer that can be read', hint);
}

function keyHint({ key, keyVariable: variable, model }: Endpoint): string {
  if (variable === undefined)
    return 'the server wants credentials that this provider does not send';
  return key === undefined
    ? `set ${variable} in the environment or in .env`
    : `check that ${variable} holds a key that is valid and may use ${model}`;
}

const modelHint = ({ provider, model, baseVariable }: Endpoint): string =>
  provider === 'ollama'
    ? `run 'ollama pull ${model}', or check ${baseVariable}`
    : `check the model's name and ${baseVariable}` +
      (provider === 'openai' ? ', which usually ends in /v1' : '');

function unreachable(error: ProviderError, endpoint: Endpoint): Kind {
  const reason = fieldOf(error.cause, 'code');
  const neverSent = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'];
  const local = endpoint.provider === 'ollama' ? `run 'ollama serve', or check` : 'check';
  const what = `could not be reached at ${endpoint.baseUrl}`;
  return {
    ...again('PV4107', what, `${local} ${endpoint.baseVariable} and the network`),
    mayHaveActed: !neverSent.includes(String(reason)),
  };
}

/** What providers write of a prompt that exceeds the model's window. */
const tooLong = [
  /context[_ ](length|window|size)|maximum context/i,
  /prompt is too long|too many (input )?tokens|reduce the length/i,
  /(input )?token (count|limit)/i,
];

function isTooLong(status: number, detail: string): boolean {
  if (status === 413) return true;
  return (status === 400 || status === 422) && tooLong.some((words) => words.test(detail));
}

/** What the provider says, in its words; a body that is not in its format counts too. */
function detailOf(error: ProviderError): string {
  const own = typeof error.message === 'string' ? error.message : '';
  // What the library says of a cut connection; the system says which way it was cut.
  const message = own.startsWith('Failed to process ') ? (rootMessage(error.cause) ?? own) : own;
  const body = typeof error.responseBody === 'string' ? error.responseBody.trim() : '';
  // The library falls back to the bare phrase of the status line.
  const isPhrase = /^[A-Za-z -]{0,40}$/.test(message) && !body.includes(message);
  const text = isPhrase && body !== '' && !body.startsWith('<') ? body : message;
  const code = fieldOf(error, 'code') ?? codeIn(body);
  return typeof code === 'string' && !text.includes(code) ? `${text} [${code}]` : text;
}

/** The message of the innermost cause that has one. */
function rootMessage(error: unknown): string | undefined {
  const message = fieldOf(error, 'message');
  const own = typeof message === 'string' && message !== '' ? message : undefined;
  const cause = fieldOf(error, 'cause');
  return (cause === error ? undefined : rootMessage(cause)) ?? own;
}

const clip = (text: string): string =>
  text.length > detailCharactersMax ? `${text.slice(0, detailCharactersMax)}…` : text;

/** The `error.code` of a body in OpenAI's format. */
function codeIn(body: string): unknown {
  try {
    return fieldOf(fieldOf(JSON.parse(body), 'error'), 'code');
  } catch {
    return undefined; // Not JSON: there is no code to show.
  }
}

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}

/** How long the provider asked to wait, in milliseconds; undefined when it did not. */
export function retryAfterMs(
  error: { responseHeaders?: Readonly<Record<string, string>>; responseBody?: unknown },
  now: number = Date.now(),
): number | undefined {
  const headers = error.responseHeaders ?? {};
  const milliseconds = Number.parseFloat(headers['retry-after-ms'] ?? '');
  if (milliseconds >= 0) return milliseconds;
  const header = headers['retry-after']?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  if (!Number.isNaN(date)) return Math.max(0, date - now);
  // Google says it in the body: google.rpc.RetryInfo.
  const body = typeof error.responseBody === 'string' ? error.responseBody : '';
  const delay = /"retryDelay":\s*"(\d+(?:\.\d+)?)s"/.exec(body)?.[1];
  return delay === undefined ? undefined : Number(delay) * 1000;
}
