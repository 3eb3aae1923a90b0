/**
 * Every limit of planvm in one table (design rule 10). Reaching an `error` limit is an error of the
 * guest program; reaching a `budget` suspends the run, which resumes with a larger one; a `bound`
 * makes things wait.
 */

export interface LimitRow {
  readonly flag: string;
  readonly unit: string;
  /** Infinity: no limit unless one is set. */
  readonly default: number;
  readonly effect: 'error' | 'budget' | 'bound';
  readonly about: string;
}

export type LimitName =
  | 'sourceBytes'
  | 'programInstructions'
  | 'valueBytes'
  | 'callDepth'
  | 'stepVisits'
  | 'instructions'
  | 'effects'
  | 'tokens'
  | 'cost'
  | 'wallMs'
  | 'repairs'
  | 'windowEntries'
  | 'concurrency'
  | 'attempts'
  | 'timeoutMs';

export const limitTable: Readonly<Record<LimitName, LimitRow>> = {
  sourceBytes: row('source-bytes', 'bytes', 4 * 2 ** 20, 'error', 'Size of a program text.'),
  programInstructions: row(
    'program-instructions',
    'instructions',
    1_000_000,
    'error',
    'Size of a compiled program.',
  ),
  valueBytes: row('value-bytes', 'bytes', 16 * 2 ** 20, 'error', 'Size of one value or result.'),
  callDepth: row('call-depth', 'frames', 1000, 'error', 'Depth of guest calls.'),
  stepVisits: row('step-visits', 'visits', 1000, 'error', 'How often one step may be entered.'),
  instructions: row('instructions', 'instructions', 1e9, 'budget', 'Instructions of a run.'),
  effects: row('effects', 'effects', 10_000, 'budget', 'Effects a run may start.'),
  tokens: row('tokens', 'tokens', Infinity, 'budget', 'Input plus output tokens of all models.'),
  cost: row('cost', 'USD', Infinity, 'budget', 'Price of all model calls.'),
  wallMs: row('wall', 'milliseconds', Infinity, 'budget', 'Time a run may take while it runs.'),
  repairs: row('repair', 'repairs', 1, 'budget', 'How often a model may repair a failed program.'),
  windowEntries: row(
    'window',
    'entries',
    1024,
    'bound',
    'Effects and lifted operations open at once.',
  ),
  concurrency: row('concurrency', 'effects', 64, 'bound', 'Effects running at once.'),
  attempts: row('attempts', 'attempts', 3, 'bound', 'Attempts at one idempotent effect.'),
  timeoutMs: row('timeout', 'milliseconds', 120_000, 'bound', 'Time of one attempt at an effect.'),
};

export type Limits = Readonly<Record<LimitName, number>>;

function row(
  flag: string,
  unit: string,
  value: number,
  effect: LimitRow['effect'],
  about: string,
): LimitRow {
  return { flag, unit, default: value, effect, about };
}

export const limitNames: readonly LimitName[] = Object.keys(limitTable).filter(
  (name): name is LimitName => name in limitTable,
);

/** The defaults, with some of them replaced. */
export function limits(changes: Partial<Limits> = {}): Limits {
  const defaults = Object.fromEntries(limitNames.map((name) => [name, limitTable[name].default]));
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  return { ...defaults, ...Object.fromEntries(given) } as Limits;
}
