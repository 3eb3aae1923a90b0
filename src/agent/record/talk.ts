/** How far a model has come that writes a program a few statements at a time. */
import type { Turn } from '../../planner/converse.ts';

/** Kept by each of the runs that the turns are. */
export interface Talk {
  /** How many turns are left. */
  readonly left: number;
  /** How many turns have failed in a row. */
  readonly failures: number;
  readonly turns: readonly Turn[];
  /** What was run without a failure. */
  readonly program: string;
  /** The statements that the run with this is about. */
  readonly block?: string;
}

/** So many failures in a row allow one different attempt. */
const failuresMost = 3;

export const newTalk = (left: number): Talk => ({ left, failures: 0, turns: [], program: '' });

/** The talk after a turn without an answer; `shown` is what the model is told of the turn. */
export function talkAfter(talk: Talk, isDone: boolean, shown: string): Talk {
  const { block = '', turns, left, failures, program } = talk;
  return {
    left: left - 1,
    failures: isDone ? 0 : failures + 1,
    program: isDone ? joined(program, block) : program,
    turns: [...turns, { block, shown }],
  };
}

/** Whether the next turn is the last attempt after failures. */
export const isLastAttempt = ({ failures }: Talk): boolean => failures >= failuresMost;

/** Whether no turn may follow. */
export const isTalkOver = ({ left, failures }: Talk): boolean =>
  left < 1 || failures > failuresMost;

const joined = (program: string, block: string): string =>
  [program.trimEnd(), block.trimEnd()].filter(Boolean).join('\n\n').concat('\n');
