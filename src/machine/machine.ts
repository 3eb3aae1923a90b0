/**
 * The machine's public face: what goes in and what comes out. Pure and synchronous: given the same
 * program and the same outcome per effect id it makes the same requests in the same order of ids,
 * whatever the order of arrival (design rule 1).
 */
import type { EffectError, GuestError, Outcome, Request, ToolSpec } from '../program/effect.ts';
import type { Program } from '../program/program.ts';
import type { ObjectType, Value } from '../program/value.ts';
import type { BuiltinSpec } from './builtins/builtin.ts';
import type { Inspection } from './inspection.ts';
import type { Emit, MachineStatus, StepVisit, Turn } from './turn.ts';

export interface MachineOptions {
  readonly tools: ReadonlyMap<string, ToolSpec>;
  /** Global variables that are set before the first instruction. */
  readonly inputs?: ReadonlyMap<string, Value>;
  readonly limits?: Partial<MachineLimits>;
  readonly host?: HostLibrary;
}

/** What a host adds to the library of the guest, each by its name. */
export interface HostLibrary {
  readonly functions: Pick<ReadonlyMap<string, BuiltinSpec>, 'get' | 'has'>;
  readonly types: ReadonlyMap<string, ObjectType>;
  /** Whether the library keeps to the specification: no widths in formats. */
  readonly strict?: boolean;
}

export interface MachineLimits {
  readonly windowEntries: number;
  readonly callDepth: number;
  readonly stepVisits: number;
  readonly valueBytes: number;
  readonly memoryBytes: number;
}

/** State of the machine as a person may see it. */
export interface View {
  readonly status: MachineStatus;
  readonly variables: ReadonlyMap<string, Value>;
  readonly answers: readonly Emit[];
  readonly error: GuestError | undefined;
  /** Instructions executed so far, with what was charged for work by its size. */
  readonly instructions: number;
  /** Effect ids whose outcome is still needed. */
  readonly open: readonly string[];
  /** Ids of the steps with an effect, a lifted operation or an emit that has not taken hold. */
  readonly openSteps: ReadonlySet<string>;
  /** Of a plan: why tasks have failed or were skipped, by the variables of their results. */
  readonly failures: ReadonlyMap<string, TaskFailure>;
}

/** A task that has given nothing; `skipped` where another has failed that it needs. */
export interface TaskFailure {
  readonly skipped: boolean;
  readonly message: string;
}

/** Plain JSON-able data: all of the machine's state but the code, which is named by its hashes. */
export interface Snapshot {
  readonly version: 1;
  readonly chunks: readonly string[];
  /** Names of the global variables, whose values the state has by slot. */
  readonly globals: readonly string[];
  readonly state: unknown;
}

/** A place in a line's code. */
export interface Place {
  readonly depth: number;
  readonly chunk: number;
  /** Of the source; 0 where there is none. */
  readonly line: number;
  /** Whether it is about to enter a step. */
  readonly isStep: boolean;
}

export interface Machine {
  /**
   * Runs until done, failed, blocked or out of `fuel` instructions. The last instruction is done
   * whole, so that what it is charged may go beyond. `pause` is asked at each step that the main
   * line enters, or an attempt that it waits for, and may stop the machine there, before anything
   * of the step is done; the next turn goes on.
   */
  run(fuel: number, pause?: (step: StepVisit) => boolean): Turn;
  /** Hands in the outcome of an effect; ignored if the machine no longer waits for it. */
  settle(effect: string, outcome: Outcome): void;
  /** Hands in a part of what a request for a `stream` gives, in order; `value` as in an outcome. */
  part(effect: string, index: number, value: string): void;
  /** Appends chunks that continue a program whose text is still arriving. */
  extend(program: Program): void;
  /**
   * Sets a global variable, as an assignment at this place would; false where the program has none
   * of that name. Of a program that carries out another text, one of that text's (`variables`). The
   * value is the machine's from here on.
   */
  assign(name: string, value: Value): boolean;
  /** What `assign` can set here. */
  names(): readonly string[];
  view(): View;
  /** What a person who debugs the program may see of the state. */
  inspect(): Inspection;
  /** Path of the line that has done the last instruction of the turn; `0` is the main one. */
  running(): string;
  /** Writes that wait for their turn alone; what is decided about them counts once it comes. */
  announced(): readonly Request[];
  /** Whether an effect has been asked for and has not taken hold. */
  isOpen(effect: string): boolean;
  /** Where a line stands, cheaply: its frames, the line in the innermost; undefined when over. */
  place(path: string): Place | undefined;
  /** An error of whoever runs it, placed where the line stands that did the last instruction. */
  placed(error: EffectError): GuestError;
  /** One about an effect, placed where it was asked for; undefined where it is not open. */
  placedAt(error: EffectError, effect: string): GuestError | undefined;
  snapshot(): Snapshot;
  /** About how many characters a snapshot has beside the values in it; says so at once. */
  extent(): number;
}
