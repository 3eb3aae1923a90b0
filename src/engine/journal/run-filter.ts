/** Which runs a list has: those that fit everything that is given. */
import type { RunReason, RunStatus } from './journal.ts';

export interface RunFilter {
  readonly status?: RunStatus | undefined;
  readonly reason?: RunReason | undefined;
  /** The beginning of an id. */
  readonly prefix?: string | undefined;
  readonly dialect?: string | undefined;
  /** Occurs in the title, in capitals or not. */
  readonly title?: string | undefined;
  /** Epoch milliseconds: created then or later, and before. */
  readonly since?: number | undefined;
  readonly before?: number | undefined;
  /** Direct forks of this run. */
  readonly base?: string | undefined;
  /** Whether a process has them. */
  readonly owned?: boolean | undefined;
  readonly limit?: number | undefined;
}
