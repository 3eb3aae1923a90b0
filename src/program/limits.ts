/**
 * Every limit of planvm in one table (design rule 10). Reaching an `error` limit is an error of the
 * guest program; reaching a `budget` suspends the run, which resumes with a larger one; a `bound`
 * makes things wait, or gives up what takes too long or fails too often.
 */

export interface LimitRow {
  readonly flag: string;
  readonly unit: string;
  /** Infinity: no limit unless one is set. */
  readonly default: number;
  readonly effect: 'error' | 'budget' | 'bound';
  readonly about: string;
  /** What happens where it is reached, in a sentence. */
  readonly reached: string;
}

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
  | 'windowEntries'
  | 'concurrency'
  | 'attempts'
  | 'timeoutMs'
  | 'stayMs'
  | 'breakerFailures'
  | 'breakerMs';

export const limitTable: Readonly<Record<LimitName, LimitRow>> = {
  sourceBytes: {
    flag: 'source-bytes',
    unit: 'bytes',
    default: 4 * 2 ** 20,
    effect: 'error',
    about: 'Size of a program text.',
    reached: 'The program is refused (PV1002).',
  },
  programInstructions: {
    flag: 'program-instructions',
    unit: 'instructions',
    default: 1_000_000,
    effect: 'error',
    about: 'Size of a compiled program.',
    reached: 'The program is refused (PV2901).',
  },
  valueBytes: {
    flag: 'value-bytes',
    unit: 'bytes',
    default: 16 * 2 ** 20,
    effect: 'error',
    about: 'Size of one value or result.',
    reached: 'The step fails (PV3012), or the effect that returned it (PV4004).',
  },
  memoryBytes: {
    ...budget('memory-bytes', 'bytes', 256 * 2 ** 20, 'Memory of all values of a run, about.'),
    reached: 'The run is suspended (PV5101). It has held no more than twice as much.',
  },
  callDepth: {
    flag: 'call-depth',
    unit: 'frames',
    default: 1000,
    effect: 'error',
    about: 'Depth of guest calls.',
    reached: 'The call fails (PV3013).',
  },
  stepVisits: {
    flag: 'step-visits',
    unit: 'visits',
    default: 1000,
    effect: 'error',
    about: 'How often one step may be entered.',
    reached: 'The run fails at the step (PV3014).',
  },
  instructions: budget('instructions', 'instructions', 1e9, 'Instructions of a run.'),
  effects: budget('effects', 'effects', 10_000, 'Effects a run may start.'),
  tokens: budget('tokens', 'tokens', Infinity, 'Input plus output tokens of all models.'),
  cost: budget('cost', 'USD', Infinity, 'Price of all model calls.'),
  wallMs: budget('wall', 'milliseconds', Infinity, 'Time a run may take while it runs.'),
  repairs: {
    ...budget('repair', 'repairs', 3, 'How often a model may repair a failed program.'),
    reached: 'No further program is asked for: the run ends with its last error.',
  },
  delegateDepth: {
    flag: 'delegate-depth',
    unit: 'sub-agents',
    default: 3,
    effect: 'error',
    about: 'How many sub-agents may be within each other.',
    reached: 'A sub-agent hands nothing on: its call of delegate fails (PV7012).',
  },
  agents: {
    flag: 'agents',
    unit: 'agents',
    default: 100,
    effect: 'error',
    about: 'How many agents playbooks may have, with those that are made.',
    reached: 'The call that would make one more fails, and says so.',
  },
  triggerDepth: {
    flag: 'trigger-depth',
    unit: 'playbooks',
    default: 25,
    effect: 'error',
    about: 'How deep triggers of playbooks may set each other off.',
    reached: 'The run fails (PV7326).',
  },
  judgedChars: {
    flag: 'judged-chars',
    unit: 'characters',
    default: 20_000,
    effect: 'bound',
    about: 'Characters of one message or value that a model is shown to judge triggers by.',
    reached: 'It is shown both ends, and a warning says how much it has not seen (PV7333).',
  },
  windowEntries: {
    flag: 'window',
    unit: 'entries',
    default: 1024,
    effect: 'bound',
    about: 'Effects and emits open at once, fibers alive, four times as many lifted operations.',
    reached: 'The program waits until the oldest of them is over.',
  },
  concurrency: {
    flag: 'concurrency',
    unit: 'effects',
    default: 64,
    effect: 'bound',
    about: 'Effects running at once, in a run and those within its effects.',
    reached: 'Further effects wait their turn.',
  },
  attempts: {
    flag: 'attempts',
    unit: 'attempts',
    default: 3,
    effect: 'bound',
    about: 'Attempts at one idempotent effect.',
    reached: 'The effect fails as the last attempt did.',
  },
  timeoutMs: {
    flag: 'timeout',
    unit: 'milliseconds',
    default: 120_000,
    effect: 'bound',
    about: 'Time of one attempt at an effect.',
    reached:
      'The attempt is given up and counts as failed (PV4005). ' +
      'Progress of an MCP server begins it again, up to ten times as long in all.',
  },
  stayMs: {
    flag: 'stay',
    unit: 'milliseconds',
    default: 600_000,
    effect: 'bound',
    about: 'Time for which a process stays when a run only waits for a moment.',
    reached: 'The run is waiting (PV5141); resume goes on, once the moment has come.',
  },
  breakerFailures: {
    flag: 'breaker',
    unit: 'attempts',
    default: 10,
    effect: 'bound',
    about: 'Attempts in a row that may find a tool unreachable.',
    reached: 'The tool is left alone for a pause; in the end its effects fail at once (PV4022).',
  },
  breakerMs: {
    flag: 'breaker-pause',
    unit: 'milliseconds',
    default: 2000,
    effect: 'bound',
    about: 'First pause in which a tool that cannot be reached is left alone; later ones double.',
    reached: 'A single attempt finds out whether the tool is there again.',
  },
};

/** Limits of one tool, by name as in `search.timeoutMs`; they come before those of the run. */
export type ToolLimitName =
  | 'timeoutMs'
  | 'attempts'
  | 'concurrency'
  | 'callsPerRun'
  | 'callsPerMinute'
  | 'resultBytes'
  | 'cacheMs';

export interface ToolLimitRow {
  /** The limit of the run whose unit and form it has. */
  readonly as: LimitName;
  readonly about: string;
  readonly reached: string;
}

export const toolLimitTable: Readonly<Record<ToolLimitName, ToolLimitRow>> = {
  timeoutMs: {
    as: 'timeoutMs',
    about: 'Time of one attempt.',
    reached: limitTable.timeoutMs.reached,
  },
  attempts: {
    as: 'attempts',
    about: 'Attempts at one effect of the tool, where it is idempotent.',
    reached: limitTable.attempts.reached,
  },
  concurrency: {
    as: 'concurrency',
    about: 'Effects of the tool running at once, in a run and those within its effects.',
    reached: limitTable.concurrency.reached,
  },
  callsPerRun: {
    as: 'effects',
    about: 'Effects of the tool that a run may start.',
    reached: limitTable.effects.reached,
  },
  callsPerMinute: {
    as: 'concurrency',
    about:
      'Attempts at effects of the tool that begin within any 60 seconds, in a run and those ' +
      'within its effects, in one process.',
    reached: 'Further ones wait until a minute has passed since the oldest of them.',
  },
  resultBytes: {
    as: 'valueBytes',
    about: 'Size of one result of the tool.',
    reached: 'The effect fails (PV4004).',
  },
  cacheMs: {
    as: 'stayMs',
    about:
      'How long an answer of the tool is given again, in any run, where it is asked the same. ' +
      'Only of tools that read; without it nothing is kept.',
    reached: 'The tool is asked anew.',
  },
};

export type ToolLimits = Readonly<Partial<Record<ToolLimitName, number>>>;

export const toolLimitNames: readonly ToolLimitName[] = Object.keys(toolLimitTable).filter(
  (name): name is ToolLimitName => name in toolLimitTable,
);

export type Limits = Readonly<Record<LimitName, number>>;

function budget(flag: string, unit: string, value: number, about: string): LimitRow {
  const reached = 'The run is suspended (PV5101).';
  return { flag, unit, default: value, effect: 'budget', about, reached };
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
