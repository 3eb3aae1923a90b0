/** A stable merge sort of positions by keys. Short strings alone are compared directly. */
import type { Value } from '../../program/value.ts';
import { ordered } from './compare.ts';
import type { Surroundings } from './surroundings.ts';
import { type Walk, walked } from './walk.ts';

/** Whether one key stands before another; throws where they have no order. */
type Before = (key: Value, other: Value) => boolean;

// A literal for each, so that the host compiles each for the one type that it sees.
const strings: Before = (key, other) => (key as string) < (other as string);
const stringsDown: Before = (key, other) => (key as string) > (other as string);
const anything =
  (walk: Walk): Before =>
  (key, other) =>
    ordered(walk, '<', key, other, 0) < 0;
const anythingDown =
  (walk: Walk): Before =>
  (key, other) =>
    ordered(walk, '<', other, key, 0) < 0;

/** A sort looks at each key as often as the number of keys has digits, in base two. */
const looksMax = 32;
/** Longest strings that are compared as fast as numbers. */
const shortMax = 64;

/** Where each of the keys in order stands; equal ones keep their order, reversed or not. */
export function orderOf(keys: readonly Value[], reverse: boolean, around: Surroundings): number[] {
  if (keys.every((key) => typeof key === 'number')) return orderOfNumbers(keys, reverse);
  return walked(around, (walk) => sorted(keys, beforeOf(keys, reverse, walk)), looksMax);
}

function sorted(keys: readonly Value[], before: Before): number[] {
  const count = keys.length;
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

function beforeOf(keys: readonly Value[], reverse: boolean, walk: Walk): Before {
  if (keys.every((key) => typeof key === 'string' && key.length <= shortMax)) {
    return reverse ? stringsDown : strings;
  }
  return (reverse ? anythingDown : anything)(walk);
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

// The same sort for numbers, which move together with their positions.

interface Numbers {
  readonly keys: Float64Array;
  readonly places: Int32Array;
}

/** Where each of the numbers in order stands; equal ones keep their order, reversed or not. */
function orderOfNumbers(keys: readonly number[], reverse: boolean): number[] {
  const count = keys.length;
  let from: Numbers = { keys: new Float64Array(count), places: new Int32Array(count) };
  let to: Numbers = { keys: new Float64Array(count), places: new Int32Array(count) };
  for (let i = 0; i < count; i++) {
    const key = keys[i] as number;
    from.keys[i] = reverse ? -key : key;
    from.places[i] = i;
  }
  for (let width = 1; width < count; width *= 2) {
    for (let start = 0; start < count; start += 2 * width) {
      const middle = Math.min(start + width, count);
      mergeNumbers(from, to, start, middle, Math.min(middle + width, count));
    }
    [from, to] = [to, from];
  }
  return Array.from(from.places);
}

/** Merges two runs that are in order, up to `middle` and up to `end`. */
function mergeNumbers(
  from: Numbers,
  to: Numbers,
  start: number,
  middle: number,
  end: number,
): void {
  const { keys, places } = from;
  let left = start;
  let right = middle;
  for (let at = start; at < end; at++) {
    const takesRight =
      right < end && (left >= middle || (keys[right] as number) < (keys[left] as number));
    const next = takesRight ? right++ : left++;
    to.keys[at] = keys[next] as number;
    to.places[at] = places[next] as number;
  }
}
