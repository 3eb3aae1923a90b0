/**
 * How deep the exhaustive families go: those that try every append, cut or instruction. `npm test`
 * takes a sample of each, drawn by a seed that is printed at the end; `npm run test:deep` takes all.
 * `PLANVM_TEST_SEED=N npm test` draws the same sample again.
 */

export const isDeep: boolean = process.env.PLANVM_TEST_DEEP === '1';

/** Chosen by vitest.config.ts for all processes of one run. */
export const testSeed: number = Number(process.env.PLANVM_TEST_SEED ?? 1);

/**
 * Points of a family from `first` up to `last`: every one in a deep run, otherwise each
 * `stride`-th, from an offset that the seed says.
 */
export function* points(
  first: number,
  stride: number,
  last: number = Number.POSITIVE_INFINITY,
): Generator<number, void> {
  const step = isDeep ? 1 : stride;
  for (let point = first + (testSeed % step); point <= last; point += step) yield point;
}

/** Whether a point is one of the sample, where a family counts its points itself. */
export const isPoint = (point: number, stride: number): boolean =>
  isDeep || point % stride === testSeed % stride;

/** A sample has one run of a property out of so many. */
const share = 6;

/**
 * Options for a property of fast-check with a new seed each time, which it prints where it fails: a
 * sixth of the runs, all of them in a deep run.
 */
export const sampledRuns = (numRuns: number): { numRuns: number } => ({
  numRuns: isDeep ? numRuns : Math.ceil(numRuns / share),
});

/**
 * What a count over all runs of such a property is held to. By chance a sample has fewer than its
 * share: three standard deviations less are allowed.
 */
export function ofSample(count: number): number {
  const mean = count / share;
  return isDeep ? count : Math.max(0, Math.floor(mean - 3 * Math.sqrt(mean)));
}

const isSeedFixed = !isDeep && process.env.PLANVM_TEST_SEED_CHOSEN !== '1';

/**
 * Options for a property of fast-check whose runs are dear: ten times as many in a deep run. The
 * seed is 1 unless somebody chooses one, since these properties still find rare faults.
 */
export const propertyRuns = (numRuns: number): { seed: number; numRuns: number } => ({
  seed: isSeedFixed ? 1 : testSeed,
  numRuns: isDeep ? 10 * numRuns : numRuns,
});
