/**
 * What a provider of market data can be asked for, in one shape for all of them. A provider knows
 * addresses and formats; days, words for what is missing and the key's secrecy are the caller's.
 */
import { type EffectFailure, refusal } from '../../engine/handler.ts';
import { type Data, dataOf, parseExactJson } from '../foreign-json.ts';

export const providerNames = ['finnhub', 'yahoo'] as const;
export type ProviderName = (typeof providerNames)[number];

export interface Quote {
  readonly price: number;
  /** ISO 4217, or what the exchange counts in: `GBp`. Null where the provider does not say. */
  readonly currency: string | null;
  /** The day of the exchange, `YYYY-MM-DD`. */
  readonly date: string;
  /** The moment of the trade, epoch milliseconds, where it is known. */
  readonly at?: number;
}

/** Prices that are corrected for splits, so that old ones compare with new ones. */
export interface Series {
  readonly currency: string | null;
  /** Ascending. */
  readonly closes: readonly { readonly date: string; readonly price: number }[];
  /** Of the exchange: tells whether the last day is over. */
  readonly zone: string;
}

export interface Capitalization {
  readonly name: string | null;
  /** In whole units of the currency. */
  readonly amount: number;
  readonly currency: string | null;
}

/** An answer of the service, once its status has been looked at. */
export interface Said {
  readonly status: number;
  readonly text: string;
  readonly url: string;
  readonly fetchedAt: number;
}

/** `path` and parameters are added to the base address; the key goes along in a header. */
export type Ask = (
  path: string,
  parameters: Readonly<Record<string, string>>,
  accept?: readonly number[],
) => Promise<Said>;

export interface Provider {
  readonly name: ProviderName;
  readonly title: string;
  readonly url: string;
  /** The variable of its key; absent where it needs none. */
  readonly variable?: string;
  /** The header that carries the key. */
  readonly keyHeader?: string;
  latest(symbol: string, ask: Ask): Promise<Quote | undefined>;
  /** Of the days from `from` to `to`, both in it; more do no harm. Undefined: no such symbol. */
  series(symbol: string, from: string, to: string, ask: Ask): Promise<Series | undefined>;
  capitalization?(symbol: string, ask: Ask): Promise<Capitalization | undefined>;
  /** Symbols that may have been meant. */
  similar(words: string, ask: Ask): Promise<readonly string[]>;
}

export const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : null;

/** A number, also one that is written as a text; undefined for anything else. */
export function numberOf(value: unknown): number | undefined {
  const given = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof given === 'number' && Number.isFinite(given) ? given : undefined;
}

/** Throws `EffectFailure` PV4703. */
export function jsonOf({ text, status }: Said, title: string): Data {
  try {
    return dataOf(parseExactJson(text));
  } catch {
    throw strange(title, `with no JSON (${status}): ${text.trim().slice(0, 120) || 'nothing'}`);
  }
}

/** What was answered is not what it should be. */
export const strange = (title: string, how: string): EffectFailure =>
  refusal('PV4703', `${title} answered ${how}`, {
    hint: 'check that the address is the one of its interface, or take another provider',
  });

/** The day that a moment belongs to in a time zone. */
export const dayIn = (zone: string, at: number): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' }).format(at);

/** Where most symbols without a suffix are traded. */
export const newYork = 'America/New_York';
