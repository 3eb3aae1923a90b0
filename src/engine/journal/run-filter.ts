/** Which runs a list has: those that fit everything that is given. */
import type { RunMetadata } from './metadata.ts';
import type { RunReason, RunStatus } from './run-state.ts';

export interface RunFilter {
  readonly status?: RunStatus | undefined;
  readonly reason?: RunReason | undefined;
  /** The beginning of an id. */
  readonly prefix?: string | undefined;
  readonly dialect?: string | undefined;
  /** Occurs in the title, in capitals or not. */
  readonly title?: string | undefined;
  /** Its metadata has all of these keys, with equal values. */
  readonly metadata?: RunMetadata | undefined;
  /** Epoch milliseconds: created then or later, and before. */
  readonly since?: number | undefined;
  readonly before?: number | undefined;
  /** Direct forks of this run. */
  readonly base?: string | undefined;
  /** Those within effects of this run; `withinAny` for all runs, whether within others or not. */
  readonly within?: string | undefined;
  /** Whether a process has them. */
  readonly owned?: boolean | undefined;
  readonly limit?: number | undefined;
}

/** In place of a run: what is within any is not left out. */
export const withinAny = '*';
