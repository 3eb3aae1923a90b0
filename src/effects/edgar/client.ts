/**
 * Requests to EDGAR as the SEC wants them (https://www.sec.gov/os/accessing-edgar-data): with a
 * name and an address of mail as user agent, and no more than ten of them a second, from all tools
 * of this process together.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { type AttemptContext, type EffectFailure, refusal } from '../../engine/handler.ts';
import { askService, jsonIn, textOf } from '../web/get-json.ts';
import type { Answer } from '../web/request.ts';

export interface EdgarOptions {
  /** `Name name@example.org`; empty: nobody has said it. */
  readonly userAgent: string;
  /** A mirror of both hosts; theirs where it is absent. */
  readonly url?: URL;
  /** Requests a second. */
  readonly perSecond: number;
  /** Size of a file that is read. */
  readonly fileBytes: number;
  /** Exhibits of one filing that are read. */
  readonly exhibits: number;
  /** Lists of older filings that are looked through. */
  readonly older: number;
}

export interface Client {
  /** What stands at a path of www.sec.gov or, below `/submissions/`, of data.sec.gov. */
  get(path: string): Promise<Answer>;
  json(path: string): Promise<unknown>;
  addressOf(path: string): string;
  /** Exhibits of one filing that are read, at most. */
  readonly exhibitsMax: number;
}

/** When the last request of this process was due, by address. */
const due = new Map<string, number>();

/** Milliseconds to wait before a request that is wanted now, which counts as made. */
export function paceMs(origin: string, perSecond: number, now: number): number {
  const at = Math.max(now, due.get(origin) ?? 0);
  due.set(origin, at + 1000 / perSecond);
  return at - now;
}

/** Its functions throw `EffectFailure` PV4760, PV4765, PV4701 to PV4704. */
export function edgarClient(options: EdgarOptions, context: AttemptContext): Client {
  const { userAgent, url, perSecond, fileBytes, exhibits } = options;
  if (!/\S@\S+\.\S/.test(userAgent)) throw unknownCaller(userAgent);
  const addressOf = (path: string): string => {
    const host = path.startsWith('/submissions/') ? 'data.sec.gov' : 'www.sec.gov';
    const base = url?.href.replace(/\/$/, '') ?? `https://${host}`;
    return `${base}${path}`;
  };
  const get = async (path: string): Promise<Answer> => {
    const address = new URL(addressOf(path));
    const ms = paceMs(address.origin, perSecond, Date.now());
    if (ms > 0) await pause(ms, undefined, { signal: context.signal });
    const answer = await askService(address, {
      ...{ service: `EDGAR at ${address.pathname}`, context, bytesMax: fileBytes, accept: [403] },
      headers: { 'user-agent': userAgent },
      hint: 'check the network, or name a mirror: planvm:edgar?url=…',
    });
    if (answer.status === 403) throw keptOut();
    return answer;
  };
  const json = async (path: string): Promise<unknown> => {
    const answer = await get(path);
    return jsonIn(textOf(answer), answer.status, `EDGAR at ${path}`);
  };
  return { get, json, addressOf, exhibitsMax: exhibits };
}

const unknownCaller = (given: string): EffectFailure =>
  refusal(
    'PV4760',
    given === ''
      ? 'EDGAR wants to know who asks, and EDGAR_IDENTITY is not set'
      : `EDGAR wants an address of mail of who asks, got ${given}`,
    { hint: 'set EDGAR_IDENTITY="Ada Lovelace ada@example.org", or planvm:edgar?userAgent=…' },
  );

const keptOut = (): EffectFailure =>
  refusal('PV4765', 'EDGAR does not let this user agent, or this address, in (403)', {
    hint: 'give a true name and address of mail; after too many requests, wait ten minutes',
  });
