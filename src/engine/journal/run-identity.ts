/** What the id of a run stands for: two starts under one id mean the same run where these agree. */
import { hash } from 'node:crypto';
import { encode } from '../../program/json.ts';
import { dict, type Value } from '../../program/value.ts';

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
