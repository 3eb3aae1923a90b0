/** The merge sort of order.ts for numbers, which move together with their positions. */

interface Numbers {
  readonly keys: Float64Array;
  readonly places: Int32Array;
}

/** Where each of the numbers in order stands; equal ones keep their order, reversed or not. */
export function orderOfNumbers(keys: readonly number[], reverse: boolean): number[] {
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
      merge(from, to, start, middle, Math.min(middle + width, count));
    }
    [from, to] = [to, from];
  }
  return Array.from(from.places);
}

/** Merges two runs that are in order, up to `middle` and up to `end`. */
function merge(from: Numbers, to: Numbers, start: number, middle: number, end: number): void {
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
