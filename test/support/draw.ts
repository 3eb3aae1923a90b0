/** What property tests draw by a seed, the same whatever comes first: hashes of texts, and choices. */

/** From 0 up to 2^32. */
export function hashOf(text: string): number {
  let hash = 2166136261;
  for (const char of text) hash = Math.imul(hash ^ char.charCodeAt(0), 16777619) >>> 0;
  return hash;
}

/** Numbers from 0 up to a count; 0 where that is 0. */
export function random(seed: number): (count: number) => number {
  let state = seed >>> 0;
  return (count) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return count === 0 ? 0 : state % count;
  };
}
