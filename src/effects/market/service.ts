/**
 * One call's way to a provider of market data: which provider that is, its key, and what it says.
 * A key goes into requests and nowhere else.
 */
import { type AttemptContext, type EffectFailure, refusal } from '../../engine/handler.ts';
import type { Environment } from '../tool-set.ts';
import { addressAt, askService, textOf } from '../web/get-json.ts';
import { finnhub } from './finnhub.ts';
import {
  type Ask,
  type Provider,
  type ProviderName,
  providerNames,
  type Said,
} from './provider.ts';
import { yahoo } from './yahoo.ts';

export interface MarketOptions {
  readonly env: Environment;
  /** Absent: the first whose key is there, else the one that needs none. */
  readonly provider?: ProviderName;
  /** Where it answers; its own address where it is absent. */
  readonly url?: URL;
}

const providers: Readonly<Record<ProviderName, Provider>> = { finnhub, yahoo };

export interface Service {
  readonly provider: Provider;
  readonly ask: Ask;
  /** Where what was last asked for comes from, also for the answer to name. */
  origin(title: string): { provider: ProviderName; url: string; fetchedAt: number };
}

/** Throws `EffectFailure` PV4770 where a key is missing. */
export function open(options: MarketOptions, context: AttemptContext): Service {
  const { env } = options;
  const keyOf = ({ variable = '' }: Provider): string => env[variable]?.trim() ?? '';
  const named = options.provider && providers[options.provider];
  const keyed = providerNames.map((name) => providers[name]).find((one) => keyOf(one) !== '');
  const provider = named ?? keyed ?? yahoo;
  const key = keyOf(provider);
  // A server of one's own that speaks as the provider does may want none.
  if (provider.variable !== undefined && key === '' && !options.url) throw keyless(provider);
  const base = options.url ?? new URL(provider.url);
  let last: Said | undefined;
  const ask: Ask = async (path, parameters, accept = []) => {
    last = await said(provider, key, addressAt(base, `/${path}`, parameters), accept, context);
    return last;
  };
  const origin = (title: string) => {
    const { url, fetchedAt } = last ?? { url: provider.url, fetchedAt: Date.now() };
    context.source({ url, title: `${provider.title}: ${title}`, fetchedAt });
    return { provider: provider.name, url, fetchedAt };
  };
  return { provider, ask, origin };
}

async function said(
  { title, keyHeader, name }: Provider,
  key: string,
  url: URL,
  accept: readonly number[],
  context: AttemptContext,
): Promise<Said> {
  const answer = await askService(url, {
    ...{ service: title, context, key, redirectsMax: 0, accept: [403, ...accept] },
    headers: {
      accept: 'application/json',
      ...(key !== '' && keyHeader !== undefined && { [keyHeader]: key }),
    },
    hint: `check the network, or name another address: planvm:market?provider=${name}&url=…`,
  });
  const { status, fetchedAt } = answer;
  const text = textOf(answer, key);
  if (status === 403 && !accept.includes(status)) throw forbidden(title, text);
  return { status, text, url: url.href, fetchedAt };
}

const keylessWays =
  'prices need none by planvm:market?provider=yahoo, nor does a server of your own: …&url=…';

const keyless = ({ title, variable }: Provider): EffectFailure =>
  refusal('PV4770', `${title} needs a key, and ${variable} is not set`, {
    hint: `set ${variable}; ${keylessWays}`,
  });

const forbidden = (title: string, text: string): EffectFailure =>
  refusal('PV4774', `${title} does not give this key that: ${text.slice(0, 120)}`, {
    hint: 'check the key and what it may have, or take another provider',
  });
