/**
 * Where a model reference leads: provider, name, address and key, from the environment that the
 * caller gives and from nowhere else. The key is used to connect and is never part of a message.
 */
import { EffectFailure, refusal } from '../../engine/handler.ts';
import { nearest } from '../../program/diagnostic.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export type Fetch = typeof globalThis.fetch;

export type ProviderName = 'openai' | 'anthropic' | 'google' | 'ollama';

export interface Endpoint {
  /** As the user wrote it: `openai/gpt-5-mini`. */
  readonly reference: string;
  readonly provider: ProviderName;
  /** The provider's own name of the model. */
  readonly model: string;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** The variable that moves `baseUrl`, for hints. */
  readonly baseVariable: string;
  readonly key: string | undefined;
  /** The variable that holds the key, for hints. */
  readonly keyVariable: string | undefined;
}

interface Source {
  readonly baseVariable: string;
  readonly keyVariables: readonly string[];
  base(given: string | undefined): string;
  needsKey(baseUrl: string): boolean;
}

const sources: Readonly<Record<ProviderName, Source>> = {
  openai: {
    baseVariable: 'OPENAI_BASE_URL',
    keyVariables: ['OPENAI_API_KEY'],
    base: (given) => given ?? 'https://api.openai.com/v1',
    needsKey: (url) => new URL(url).hostname === 'api.openai.com',
  },
  anthropic: {
    baseVariable: 'ANTHROPIC_BASE_URL',
    keyVariables: ['ANTHROPIC_API_KEY'],
    // Other tools write this variable without the version, so both forms have to work.
    base: (given) => versioned(given ?? 'https://api.anthropic.com', 'v1'),
    needsKey: () => true,
  },
  google: {
    baseVariable: 'GOOGLE_BASE_URL',
    keyVariables: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY'],
    base: (given) => versioned(given ?? 'https://generativelanguage.googleapis.com', 'v1beta'),
    needsKey: () => true,
  },
  ollama: {
    baseVariable: 'OLLAMA_HOST',
    keyVariables: [],
    base: (given) => versioned(ollamaUrl(given ?? '127.0.0.1'), 'v1'),
    needsKey: () => false,
  },
};

/** `provider/model` in two; the model may contain slashes. Throws `EffectFailure` PV4100. */
export function splitReference(reference: string): { provider: string; model: string } {
  const slash = reference.indexOf('/');
  const provider = reference.slice(0, Math.max(slash, 0));
  const model = reference.slice(slash + 1);
  if (provider === '' || model === '') {
    throw new EffectFailure('PV4100', `got model '${reference}', want provider/model`, {
      hint: 'write for example openai/gpt-5-mini, ollama/llama3.2 or replay/FILE',
    });
  }
  return { provider, model };
}

/** Throws `EffectFailure`: PV4100 for a reference or address, PV4101 for a missing key. */
export function endpointOf(reference: string, env: Environment): Endpoint {
  const { provider, model } = splitReference(reference);
  if (!isProvider(provider)) throw unknownProvider(reference, provider);
  const source = sources[provider];
  const { baseVariable } = source;
  const baseUrl = source.base(present(env[baseVariable])).replace(/\/+$/, '');
  checkUrl(baseUrl, baseVariable);
  const keyVariable = source.keyVariables.find((name) => present(env[name]) !== undefined);
  if (keyVariable === undefined && source.needsKey(baseUrl)) {
    const names = source.keyVariables.join(' or ');
    throw refusal('PV4101', `${reference} needs a key: ${names} is not set`, {
      hint: `set ${names} in the environment or in .env, or choose another model`,
    });
  }
  return {
    reference,
    provider,
    model,
    baseUrl,
    baseVariable,
    key: keyVariable === undefined ? undefined : present(env[keyVariable]),
    keyVariable: keyVariable ?? source.keyVariables[0],
  };
}

/** Shorter ones are placeholders for servers that want no key, and words that texts may hold. */
const keyCharactersMin = 8;

/** The keys of every provider that an environment holds. */
export function secretsOf(env: Environment): string[] {
  const names = Object.values(sources).flatMap(({ keyVariables }) => keyVariables);
  return names.flatMap((name) => present(env[name]) ?? []);
}

/** The text with every occurrence of the secrets blacked out. */
export function redact(text: string, secrets: readonly (string | undefined)[]): string {
  let clean = text;
  for (const secret of secrets) {
    if (secret === undefined || secret.length < keyCharactersMin) continue;
    clean = clean.replaceAll(secret, '***');
  }
  return clean;
}

const isProvider = (name: string): name is ProviderName => Object.hasOwn(sources, name);

/** An empty variable counts as absent, as a blank line in `.env` is meant. */
function present(value: string | undefined): string | undefined {
  const trimmed = value?.trim();
  return trimmed === '' ? undefined : trimmed;
}

function versioned(url: string, version: string): string {
  const bare = url.replace(/\/+$/, '');
  return /\/v\d+(alpha|beta)?\d*$/.test(bare) ? bare : `${bare}/${version}`;
}

/** OLLAMA_HOST in the forms that its own server takes: `host`, `host:port`, `:port`, a URL. */
function ollamaUrl(host: string): string {
  if (/^https?:\/\//.test(host)) return host;
  const [, name = '', port = ''] = /^(\[[^\]]*\]|[^:/]*)(:\d+)?/.exec(host) ?? [];
  // An address to listen on is not one to connect to.
  const reachable = name === '' || name === '0.0.0.0' || name === '[::]' ? '127.0.0.1' : name;
  return `http://${reachable}${port || ':11434'}`;
}

function checkUrl(url: string, variable: string): void {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const usable = parsed !== undefined && /^https?:$/.test(parsed.protocol);
  if (usable && parsed.username === '' && parsed.password === '') return;
  // The text is not shown: it may hold a password.
  const problem = usable ? 'holds a user name or password' : 'is not an http or https URL';
  throw refusal('PV4100', `${variable} ${problem}`, {
    hint: `write it as https://host/path${usable ? ', and the key in its own variable' : ''}`,
  });
}

function unknownProvider(reference: string, provider: string): EffectFailure {
  const names = [...Object.keys(sources), 'replay'];
  const meant = nearest(provider, names);
  return refusal('PV4100', `got model '${reference}': no provider '${provider}'`, {
    hint: meant ? `did you mean ${meant}/…?` : `providers: ${names.join(', ')}`,
  });
}
