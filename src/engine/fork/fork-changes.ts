/** A fork's edit in the data of those who call: ordinary values in place of canonical texts. */
import type { Outcome } from '../../program/effect.ts';
import { encode, fromJson } from '../../program/json.ts';
import type { ForkEdit } from '../journal/fork-edit.ts';

export interface ForkChanges
  extends Pick<ForkEdit, 'at' | 'program' | 'perform' | 'vanished' | 'note'> {
  /** By name of a variable: JSON-like data. */
  readonly set?: Readonly<Record<string, unknown>>;
  /** By effect id: the value that it has come to, or why it has failed. */
  readonly outcomes?: Readonly<
    Record<string, { readonly value: unknown } | { readonly error: string }>
  >;
}

export function editFrom({ set, outcomes, ...rest }: ForkChanges): ForkEdit {
  return {
    ...rest,
    by: 'person',
    ...(set && { set: mapped(set, canonical) }),
    ...(outcomes && { outcomes: mapped(outcomes, outcomeOf) }),
  };
}

const canonical = (data: unknown): string => encode(fromJson(data));

/** What a person puts in place of an outcome. */
export const givenFailure = (message: string): Outcome => ({
  ok: false,
  error: { code: 'PV4010', message: message || 'a person said so' },
});

const outcomeOf = (given: { value: unknown } | { error: string }): Outcome =>
  'error' in given ? givenFailure(given.error) : { ok: true, value: canonical(given.value) };

const mapped = <T, U>(
  record: Readonly<Record<string, T>>,
  made: (one: T) => U,
): Record<string, U> =>
  Object.fromEntries(Object.entries(record).map(([key, one]) => [key, made(one)]));
