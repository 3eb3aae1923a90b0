/**
 * The limits by name with their defaults, which every machine needs. What they are for stands in
 * the table of `limits.ts`.
 */

export type LimitName =
  | 'sourceBytes'
  | 'programInstructions'
  | 'valueBytes'
  | 'memoryBytes'
  | 'callDepth'
  | 'stepVisits'
  | 'instructions'
  | 'effects'
  | 'tokens'
  | 'cost'
  | 'wallMs'
  | 'repairs'
  | 'delegateDepth'
  | 'agents'
  | 'triggerDepth'
  | 'judgedChars'
  | 'toolTokens'
  | 'windowEntries'
  | 'concurrency'
  | 'attempts'
  | 'timeoutMs'
  | 'stayMs'
  | 'breakerFailures'
  | 'breakerMs';

export type Limits = Readonly<Record<LimitName, number>>;

/** Infinity: no limit unless one is set. */
export const limitDefaults: Limits = {
  sourceBytes: 4 * 2 ** 20,
  programInstructions: 1_000_000,
  valueBytes: 16 * 2 ** 20,
  memoryBytes: 256 * 2 ** 20,
  callDepth: 1000,
  stepVisits: 1000,
  instructions: 1e9,
  effects: 10_000,
  tokens: Infinity,
  cost: Infinity,
  wallMs: Infinity,
  repairs: 3,
  delegateDepth: 3,
  agents: 100,
  triggerDepth: 25,
  judgedChars: 20_000,
  toolTokens: 2800,
  windowEntries: 1024,
  concurrency: 64,
  attempts: 3,
  timeoutMs: 120_000,
  stayMs: 600_000,
  breakerFailures: 10,
  breakerMs: 2000,
};

export const limitNames: readonly LimitName[] = Object.keys(limitDefaults) as LimitName[];

/** The defaults, with some of them replaced. */
export function limits(changes: Partial<Limits> = {}): Limits {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  return { ...limitDefaults, ...Object.fromEntries(given) };
}
