/**
 * What a run was started with, as its record keeps it: JSON text of the caller's own settings, plus
 * `limits`, `sequential` and what is approved, which the engine reads back when the run is resumed;
 * and what recognises a request when it is made again.
 */
import { createHmac, hash, randomBytes } from 'node:crypto';
import type { Request } from '../program/effect.ts';
import { type Limits, limitNames, limits } from '../program/limits.ts';
import { type Approvals, approvalPolicies, defaultApprovals } from './perform/approvals.ts';

export interface Settings {
  /** Only those that were given. */
  readonly limits: Partial<Limits>;
  /** One effect at a time. */
  readonly sequential: boolean;
  readonly approvals: Approvals;
  /**
   * Of a run whose tools declare secret parameters: what its requests are hashed with, so that a
   * hash alone, in an event or an idempotency key, lets nobody check a guess. Else empty.
   */
  readonly requestKey: string;
  /**
   * Tools that there are, but not for this run, by name; from the caller's own settings. A program
   * that comes by such a name is told so, and hears the same again when it is run again.
   */
  readonly withheld: readonly string[];
  /** What of the run was made of what earlier runs have come to; from the caller's own settings. */
  readonly earlier: Earlier;
  /** What the run is for, in words, where somebody has said it; from the caller's own settings. */
  readonly goal: string | undefined;
}

/** What has come out of earlier runs may hold what a stranger has said there. */
export interface Earlier {
  /** Names of such inputs. */
  readonly inputs: readonly string[];
  /** Whether a model has written the program after it had read what came of earlier runs. */
  readonly program: boolean;
}

export const noEarlier: Earlier = { inputs: [], program: false };

export function writeSettings(
  own: Readonly<Record<string, unknown>>,
  settings: Omit<Settings, 'withheld' | 'earlier' | 'goal'>,
): string {
  const { sequential, approvals, requestKey } = settings;
  const { policy: approve, yes } = approvals;
  const limits = writeLimits(settings.limits);
  const secret = requestKey === noKey ? {} : { requestKey };
  return JSON.stringify({ ...own, limits, sequential, approve, yes, ...secret });
}

export function readSettings(text: string): Settings {
  const data: {
    limits?: Readonly<Record<string, unknown>>;
    sequential?: unknown;
    approve?: unknown;
    yes?: unknown;
    requestKey?: unknown;
    withheld?: unknown;
    goal?: unknown;
    earlier?: { readonly inputs?: unknown; readonly program?: unknown };
  } = JSON.parse(text);
  return {
    limits: readLimits(data.limits ?? {}),
    sequential: data.sequential === true,
    requestKey: typeof data.requestKey === 'string' ? data.requestKey : noKey,
    withheld: Array.isArray(data.withheld) ? data.withheld.map(String) : [],
    goal: typeof data.goal === 'string' ? data.goal : undefined,
    earlier: {
      inputs: Array.isArray(data.earlier?.inputs) ? data.earlier.inputs.map(String) : [],
      program: data.earlier?.program === true,
    },
    approvals: {
      policy: approvalPolicies.find((one) => one === data.approve) ?? defaultApprovals.policy,
      yes: Array.isArray(data.yes) ? data.yes.map(String) : [],
    },
  };
}

/** JSON has no infinity: a limit that is off is written as -1. */
export function writeLimits(given: Partial<Limits>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, value === Infinity ? -1 : value]),
  );
}

/** The limits in a record; what is none is left out. */
export function readLimits(data: Readonly<Record<string, unknown>>): Partial<Limits> {
  const found = limitNames.flatMap((name): [string, number][] => {
    const value = data[name];
    if (typeof value !== 'number') return [];
    return [[name, value === -1 ? Infinity : value]];
  });
  return Object.fromEntries(found);
}

/** All limits of a run; one effect at a time is a window and a concurrency of one. */
export function effectiveLimits(settings: Pick<Settings, 'limits' | 'sequential'>): Limits {
  const all = limits(settings.limits);
  return settings.sequential ? { ...all, windowEntries: 1, concurrency: 1 } : all;
}

// What recognises a request when it is made again.

/**
 * The hash that recognises a request. Arguments hold no raw line break, so the form is unique. With
 * the key of its run it tells nobody who does not have that anything about them.
 */
export function hashOf(request: Pick<Request, 'tool' | 'args'>, key: string = noKey): string {
  const text = `${request.tool}\n${request.args}`;
  if (key === noKey) return hash('sha256', text);
  return createHmac('sha256', key).update(text).digest('hex');
}

/** Of runs whose tools declare no secrets: equal requests of two runs have equal hashes. */
export const noKey = '';

export const newKey = (): string => randomBytes(16).toString('hex');
