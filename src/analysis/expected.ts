/**
 * What is known of a value before a program runs: all of it, or how long its text will be. Lengths
 * are in characters of the text that it has in a template or as an argument.
 */
import { textOf } from '../program/json.ts';
import type { Value } from '../program/value.ts';

export interface Expected {
  /** Present where all of it is known. */
  readonly value?: { readonly exact: Value };
  readonly min: number;
  /** `Infinity` where nobody knows. */
  readonly max: number;
  /** What has to be known first: names of variables, and of tools whose results they are. */
  readonly of: readonly string[];
}

export const exactly = (exact: Value): Expected => {
  const { length } = hasText(exact) ? textOf(exact) : '';
  return { value: { exact }, min: length, max: length, of: [] };
};

/** Nothing is known but where it comes from. */
export const unknown = (of: string): Expected => ({
  ...{ min: 0, max: Infinity },
  of: of === '' ? [] : [of],
});

/** What several of them are missing: the first few names, as a reader wants them. */
export const names = (parts: readonly Expected[]): readonly string[] =>
  [...new Set(parts.flatMap(({ of }) => of))].slice(0, namesMost);

const namesMost = 8;

/** At most that long. */
export const atMost = (max: number, of: string): Expected => ({ min: 0, max, of: [of] });

/** Texts one after the other. */
export function joined(parts: readonly Expected[]): Expected {
  const values = parts.flatMap(({ value }) => (value ? [value.exact] : []));
  if (values.length === parts.length && values.every(hasText))
    return exactly(values.map(textOf).join(''));
  return {
    min: sum(parts.map(({ min }) => min)),
    max: sum(parts.map(({ max }) => max)),
    of: names(parts),
  };
}

export function isSame(one: Expected, other: Expected | undefined): boolean {
  if (one === other || !other) return one === other;
  if (one.value || other.value) {
    if (!one.value || !other.value) return false;
    const [a, b] = [one.value.exact, other.value.exact];
    return a === b || (isNamed(a) && isNamed(b) && a.kind === b.kind && a.name === b.name);
  }
  return one.min === other.min && one.max === other.max && one.of.join() === other.of.join();
}

/** As far as it stays what it is: a list in a variable may be longer when it is read. */
export function stored(kept: Expected, name: string): Expected {
  const { value } = kept;
  const isSteady = value === undefined || value.exact === null || typeof value.exact !== 'object';
  if (isSteady || isNamed(value.exact)) return kept;
  return unknown(name);
}

/** A tool or a function of the library. */
export const isNamed = (value: Value): value is Extract<Value, { kind: 'tool' | 'builtin' }> =>
  value !== null &&
  typeof value === 'object' &&
  (value.kind === 'tool' || value.kind === 'builtin');

const hasText = (value: Value): boolean =>
  value === null ||
  typeof value !== 'object' ||
  ['list', 'tuple', 'dict', 'float', 'bytes'].includes(value.kind);

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
