/**
 * By what runs are known and found: their ids and what those stand for, metadata, filters of lists.
 * Two starts under one id mean the same run where what the id stands for agrees.
 */
import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { encode, type Json } from '../../program/json.ts';
import { dict, type Value } from '../../program/value.ts';
import type { RunReason, RunStatus } from './run-state.ts';

/** What was asked for under an id. */
export interface RunRequest {
  /** `program`, or the control loop that pursues it. */
  readonly kind: string;
  /** Of the program; of a control loop, what it was given to do. */
  readonly text: string;
  readonly dialect: string;
  readonly inputs: ReadonlyMap<string, Value>;
}

/** A request as the record of a run keeps it: texts and inputs by their SHA-256. */
export interface RunIdentity {
  readonly kind: string;
  readonly text: string;
  readonly dialect: string;
  readonly inputs: string;
}

/** Inputs have no order. */
export function identityOf({ kind, text, dialect, inputs }: RunRequest): RunIdentity {
  const ordered = [...inputs].sort(([one], [other]) => (one < other ? -1 : 1));
  const encoded = encode(dict(ordered));
  return { kind, text: hash('sha256', text), dialect, inputs: hash('sha256', encoded) };
}

const parts = ['kind', 'text', 'dialect', 'inputs'] as const;

/** In what two of them differ. */
export const identityDifferences = (
  one: RunIdentity,
  other: RunIdentity,
): readonly (keyof RunIdentity)[] => parts.filter((part) => one[part] !== other[part]);

// Metadata of runs: data of the caller's own by which runs are found again, kept as it is.

export type RunMetadata = Readonly<Record<string, Json>>;

/** As JSON in UTF-8. */
export const metadataBytesMax: number = 16 * 1024;

/** What keeps a value from being the metadata of a run, as *got X, want Y*. */
export function metadataProblem(value: unknown): string | undefined {
  const want = 'want an object of plain JSON data';
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return `got ${Array.isArray(value) ? 'a list' : (value ?? typeof value)}, ${want}`;
  }
  let text: string;
  try {
    text = JSON.stringify(value);
    // A date, undefined and NaN come back as something else.
    if (!isDeepStrictEqual(JSON.parse(text), value)) return `got what JSON cannot hold, ${want}`;
  } catch (error) {
    return `got what JSON cannot hold (${(error as Error).message}), ${want}`;
  }
  if (text.includes('"__proto__":')) return 'got the key __proto__, want another key';
  const bytes = Buffer.byteLength(text);
  if (bytes <= metadataBytesMax) return undefined;
  return `got ${bytes} bytes of JSON, want at most ${metadataBytesMax}`;
}

/**
 * One text for each key with its value, equal exactly where both are equal: journals compare these.
 * Keys of objects within a value have no order.
 */
export const metadataTerms = (metadata: RunMetadata): string[] =>
  Object.entries(metadata).map((entry) => JSON.stringify(entry, sorted));

const sorted = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;

// Which runs a list has: those that fit everything that is given.

export interface RunFilter {
  readonly status?: RunStatus | undefined;
  readonly reason?: RunReason | undefined;
  /** The beginning of an id. */
  readonly prefix?: string | undefined;
  readonly dialect?: string | undefined;
  /** Occurs in the title, in capitals or not. */
  readonly title?: string | undefined;
  /** Its metadata has all of these keys, with equal values. */
  readonly metadata?: RunMetadata | undefined;
  /** Epoch milliseconds: created then or later, and before. */
  readonly since?: number | undefined;
  readonly before?: number | undefined;
  /** Direct forks of this run. */
  readonly base?: string | undefined;
  /** Those within effects of this run; `withinAny` for all runs, whether within others or not. */
  readonly within?: string | undefined;
  /** Whether a process has them. */
  readonly owned?: boolean | undefined;
  readonly limit?: number | undefined;
}

/** In place of a run: what is within any is not left out. */
export const withinAny = '*';

// Ids of runs within effects: made of the run around them, the effect and a name.

/** What the ids of all runs within an effect begin with. */
export const innerRunStart = (run: string, effect: string): string =>
  `${run}.${effect.replace('#', '-').replaceAll('~', '_')}.`;

/** The id of the run with this name that makes the outcome of an effect. */
export const innerRunId = (run: string, effect: string, name: string): string =>
  innerRunStart(run, effect) + name;

/** Whether a run of some effect could have this id. */
export const isInnerRunId = (id: string): boolean => /\.[\d._]+-\d+(\.\d+)*\./.test(id);
