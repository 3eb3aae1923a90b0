/** How planvm ends: the exit codes of every command. */
import type { RunReason, RunStatus } from '../engine/journal/run-state.ts';

export const exit = {
  done: 0,
  failed: 1,
  /** Wrong usage or configuration: nothing was run. */
  usage: 2,
  invalid: 3,
  /** The run waits for a person. */
  waiting: 4,
  /** A budget was met; the run resumes with a larger one. */
  budget: 5,
  /** An effect in doubt, or a journal that does not fit the program: needs a decision. */
  undecided: 6,
  /** Interrupted or cancelled; resumable. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof exit)[keyof typeof exit];

/** The exit code of a command that has driven a run to this status. */
export function exitOf({ status, reason }: { status: RunStatus; reason?: RunReason }): ExitCode {
  switch (status) {
    case 'done':
      return exit.done;
    case 'running':
    case 'failed':
      return exit.failed;
    case 'invalid':
      return exit.invalid;
    case 'waiting':
      return exit.waiting;
    case 'cancelled':
      return exit.interrupted;
    case 'suspended':
      return reason === undefined ? exit.failed : suspended[reason];
  }
}

const suspended: Readonly<Record<RunReason, ExitCode>> = {
  person: exit.waiting,
  approval: exit.waiting,
  time: exit.waiting,
  limit: exit.budget,
  unknown: exit.undecided,
  diverged: exit.undecided,
  interrupted: exit.interrupted,
};
