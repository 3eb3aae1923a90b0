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

export const newTalk = (left: number): Talk => ({ left, failures: 0, turns: [], program: '' });
