/**
 * Every limit of planvm in one table (design rule 10). Reaching an `error` limit is an error of the
 * guest program; reaching a `budget` suspends the run, which resumes with a larger one; a `bound`
 * makes things wait, or gives up what takes too long or fails too often.
 */

import { type LimitName, limitDefaults } from './limit-defaults.ts';

export { type LimitName, type Limits, limitNames, limits } from './limit-defaults.ts';

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

export const limitTable: Readonly<Record<LimitName, LimitRow>> = {
  sourceBytes: {
    flag: 'source-bytes',
    unit: 'bytes',
    default: limitDefaults.sourceBytes,
    effect: 'error',
    about: 'Size of a program text.',
    reached: 'The program is refused (PV1002).',
  },
  programInstructions: {
    flag: 'program-instructions',
    unit: 'instructions',
    default: limitDefaults.programInstructions,
    effect: 'error',
    about: 'Size of a compiled program.',
    reached: 'The program is refused (PV2901).',
  },
  valueBytes: {
    flag: 'value-bytes',
    unit: 'bytes',
    default: limitDefaults.valueBytes,
    effect: 'error',
    about: 'Size of one value or result.',
    reached: 'The step fails (PV3012), or the effect that returned it (PV4004).',
  },
  memoryBytes: {
    ...budget(
      'memory-bytes',
      'bytes',
      limitDefaults.memoryBytes,
      'Memory of all values of a run, about.',
    ),
    reached: 'The run is suspended (PV5101). It has held no more than twice as much.',
  },
  callDepth: {
    flag: 'call-depth',
    unit: 'frames',
    default: limitDefaults.callDepth,
    effect: 'error',
    about: 'Depth of guest calls.',
    reached: 'The call fails (PV3013).',
  },
  stepVisits: {
    flag: 'step-visits',
    unit: 'visits',
    default: limitDefaults.stepVisits,
    effect: 'error',
    about: 'How often one step may be entered.',
    reached: 'The run fails at the step (PV3014).',
  },
  instructions: budget(
    'instructions',
    'instructions',
    limitDefaults.instructions,
    'Instructions of a run.',
  ),
  effects: budget('effects', 'effects', limitDefaults.effects, 'Effects a run may start.'),
  tokens: budget(
    'tokens',
    'tokens',
    limitDefaults.tokens,
    'Input plus output tokens of all models.',
  ),
  cost: budget('cost', 'USD', limitDefaults.cost, 'Price of all model calls.'),
  wallMs: budget(
    'wall',
    'milliseconds',
    limitDefaults.wallMs,
    'Time a run may take while it runs.',
  ),
  repairs: {
    ...budget(
      'repair',
      'repairs',
      limitDefaults.repairs,
      'How often a model may repair a failed program.',
    ),
    reached: 'No further program is asked for: the run ends with its last error.',
  },
  delegateDepth: {
    flag: 'delegate-depth',
    unit: 'sub-agents',
    default: limitDefaults.delegateDepth,
    effect: 'error',
    about: 'How many sub-agents may be within each other.',
    reached: 'A sub-agent hands nothing on: its call of delegate fails (PV7012).',
  },
  agents: {
    flag: 'agents',
    unit: 'agents',
    default: limitDefaults.agents,
    effect: 'error',
    about: 'How many agents playbooks may have, with those that are made.',
    reached: 'The call that would make one more fails, and says so.',
  },
  triggerDepth: {
    flag: 'trigger-depth',
    unit: 'playbooks',
    default: limitDefaults.triggerDepth,
    effect: 'error',
    about: 'How deep triggers of playbooks may set each other off.',
    reached: 'The run fails (PV7326).',
  },
  judgedChars: {
    flag: 'judged-chars',
    unit: 'characters',
    default: limitDefaults.judgedChars,
    effect: 'bound',
    about: 'Characters of one message or value that a model is shown to judge triggers by.',
    reached: 'It is shown both ends, and a warning says how much it has not seen (PV7333).',
  },
  toolTokens: {
    flag: 'tool-tokens',
    unit: 'tokens',
    default: limitDefaults.toolTokens,
    effect: 'bound',
    about: 'Signatures of tools in a prompt that plans.',
    reached: 'The prompt has those that fit the goal, and the names of the others.',
  },
  windowEntries: {
    flag: 'window',
    unit: 'entries',
    default: limitDefaults.windowEntries,
    effect: 'bound',
    about: 'Effects and emits open at once, fibers alive, four times as many lifted operations.',
    reached: 'The program waits until the oldest of them is over.',
  },
  concurrency: {
    flag: 'concurrency',
    unit: 'effects',
    default: limitDefaults.concurrency,
    effect: 'bound',
    about: 'Effects running at once, in a run and those within its effects.',
    reached: 'Further effects wait their turn.',
  },
  attempts: {
    flag: 'attempts',
    unit: 'attempts',
    default: limitDefaults.attempts,
    effect: 'bound',
    about: 'Attempts at one idempotent effect.',
    reached: 'The effect fails as the last attempt did.',
  },
  timeoutMs: {
    flag: 'timeout',
    unit: 'milliseconds',
    default: limitDefaults.timeoutMs,
    effect: 'bound',
    about: 'Time of one attempt at an effect.',
    reached:
      'The attempt is given up and counts as failed (PV4005). ' +
      'Progress of an MCP server begins it again, up to ten times as long in all.',
  },
  stayMs: {
    flag: 'stay',
    unit: 'milliseconds',
    default: limitDefaults.stayMs,
    effect: 'bound',
    about: 'Time for which a process stays when a run only waits for a moment.',
    reached: 'The run is waiting (PV5141); resume goes on, once the moment has come.',
  },
  breakerFailures: {
    flag: 'breaker',
    unit: 'attempts',
    default: limitDefaults.breakerFailures,
    effect: 'bound',
    about: 'Attempts in a row that may find a tool unreachable.',
    reached: 'The tool is left alone for a pause; in the end its effects fail at once (PV4022).',
  },
  breakerMs: {
    flag: 'breaker-pause',
    unit: 'milliseconds',
    default: limitDefaults.breakerMs,
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

function budget(flag: string, unit: string, value: number, about: string): LimitRow {
  const reached = 'The run is suspended (PV5101).';
  return { flag, unit, default: value, effect: 'budget', about, reached };
}
