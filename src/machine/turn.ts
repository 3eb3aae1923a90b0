/** What a turn of the machine has made of the world, and why it came to an end. */
import type { Request } from '../program/effect.ts';
import type { Value } from '../program/value.ts';

/** Why the machine stopped running. */
export type MachineStatus =
  | 'ready' // has something to run: out of fuel, or a settled outcome it can use
  | 'blocked' // needs the outcome of a request it has made, or more text
  | 'full' // holds more than `memoryBytes`; with a higher limit, it goes on from a snapshot
  | 'paused' // has just entered a step that `pause` chose; no part of the state
  | 'done'
  | 'failed';

/** What has happened since the last turn. */
export interface Turn {
  readonly status: MachineStatus;
  /** Effects that may start now, in the order of their release. */
  readonly requests: readonly Request[];
  /** Effects that no longer matter: a failure before them has won. */
  readonly cancels: readonly string[];
  /** Races that could be decided, as far as the machine has seen; the journal decides them. */
  readonly won: readonly Win[];
  /** What was released in program order. */
  readonly emits: readonly Emit[];
  /** Steps that were entered, in order. */
  readonly steps: readonly StepVisit[];
  /** What was mended in texts; told again by a program that is run again. */
  readonly warnings: readonly TurnWarning[];
  /** Instructions executed so far, as `View` has them. */
  readonly instructions: number;
}

/** Who has come first in a race, which decides as the outcome; -1 where all have failed. */
export interface Win {
  readonly effect: string;
  readonly index: number;
}

export interface Emit {
  /** `print`, `say`, … or `answer` for an answer of the run. */
  readonly channel: string;
  readonly value: Value;
  /** Step id with visit. */
  readonly step: string;
  /** In a turn: number of its entry in the window of the main line, as `inspect` has it. */
  readonly entry?: number;
}

export interface TurnWarning {
  readonly message: string;
  /** Step id with visit. */
  readonly step: string;
}

export interface StepVisit {
  /** Index into the program's steps. */
  readonly index: number;
  /** From 1. */
  readonly visit: number;
  /** `4@2`. */
  readonly id: string;
  /** The id of the step that it is a part of, where the program says so. */
  readonly within?: string;
  /** Who does it, where the program says so: one of several that do the same steps. */
  readonly by?: string;
  /** Of a fiber that the main line waits for: its path. */
  readonly path?: string;
}
