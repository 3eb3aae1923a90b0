/** A stable merge sort of positions by keys. Numbers and strings alone are compared directly. */
import type { Value } from '../program/value.ts';
import { compare } from './compare.ts';

/** Whether one key stands before another; throws where they have no order. */
type Before = (key: Value, other: Value) => boolean;

// A literal for each, so that the host compiles each for the one type that it sees.
const numbers: Before = (key, other) => (key as number) < (other as number);
const numbersDown: Before = (key, other) => (key as number) > (other as number);
const strings: Before = (key, other) => (key as string) < (other as string);
const stringsDown: Before = (key, other) => (key as string) > (other as string);
const anything: Before = (key, other) => compare('<', key, other) < 0;
const anythingDown: Before = (key, other) => compare('<', other, key) < 0;

/** Where each of the keys in order stands; equal ones keep their order, reversed or not. */
export function orderOf(keys: readonly Value[], reverse: boolean): number[] {
  const count = keys.length;
  const before = beforeOf(keys, reverse);
  let from = keys.map((_, i) => i);
  let to = [...from];
  for (let width = 1; width < count; width *= 2) {
    for (let start = 0; start < count; start += 2 * width) {
      const middle = Math.min(start + width, count);
      merge(keys, before, from, to, start, middle, Math.min(middle + width, count));
    }
    [from, to] = [to, from];
  }
  return from;
}

function beforeOf(keys: readonly Value[], reverse: boolean): Before {
  const type = typeof keys[0];
  const same = keys.every((key) => typeof key === type);
  if (same && type === 'number') return reverse ? numbersDown : numbers;
  if (same && type === 'string') return reverse ? stringsDown : strings;
  return reverse ? anythingDown : anything;
}

/** Merges two runs that are in order, up to `middle` and up to `end`. */
function merge(
  keys: readonly Value[],
  before: Before,
  from: readonly number[],
  to: number[],
  start: number,
  middle: number,
  end: number,
): void {
  let left = start;
  let right = middle;
  for (let at = start; at < end; at++) {
    const i = from[left] as number;
    const j = from[right] as number;
    const takesRight =
      right < end && (left >= middle || before(keys[j] as Value, keys[i] as Value));
    to[at] = takesRight ? j : i;
    if (takesRight) right++;
    else left++;
  }
}
