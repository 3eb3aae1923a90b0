/**
 * The whole state of a machine. What it owns: frames, operand stack, variables, the window of open
 * entries, counters. What it does not own: code (the program's, never changed) and outcomes that
 * have retired and that nothing reaches any more.
 *
 * Invariants:
 * - M1 State changes only inside `run`, `settle` and `extend`, synchronously.
 * - M2 An instruction moves the stack, a variable or the program counter only when it can no longer
 *   fail or wait; so a machine that is blocked or failed stands exactly before an instruction.
 * - M3 A failed entry takes hold when it is the oldest open one; then everything younger is void.
 * - M4 A number that names an effect never depends on the order in which outcomes arrived.
 */
import type { EffectError, GuestError, ToolSpec } from '../program/effect.ts';
import type { Program } from '../program/program.ts';
import type { Cell, Func, Pending, Value } from '../program/value.ts';
import type { Emit, HostLibrary, MachineLimits, StepVisit } from './machine.ts';
import type { Meter } from './meter.ts';
import type { Surroundings } from './surroundings.ts';

export interface State {
  program: Program;
  readonly tools: ReadonlyMap<string, ToolSpec>;
  readonly limits: MachineLimits;
  readonly host: HostLibrary;
  /** What operations and library functions may know of this machine. */
  readonly around: Surroundings;
  readonly meter: Meter;
  /** Library functions that the program brings along in guest code, by name. */
  library: ReadonlyMap<string, Func>;

  /** Locals and operands of all frames; a local that is not set yet is undefined. */
  readonly stack: (Value | undefined)[];
  readonly frames: Frame[];
  readonly globals: (Value | undefined)[];

  /** Index of the step that is being executed, -1 before the first. */
  step: number;
  /** How often each step has been entered. */
  readonly visits: number[];
  /** Effects issued since the last handled failure; the number after `#`. */
  issued: number;
  /** Failures handled so far: part of the fiber path, since what was issued before is void (M4). */
  generation: number;
  /** Instructions completed, and what was charged for their work. */
  instructions: number;

  /** Open entries by sequence number, oldest first. */
  readonly entries: Map<number, Entry>;
  /** How many of the open entries are lifted operations. */
  lifts: number;
  /** Sequence number of the next entry. */
  next: number;
  /** Sequence numbers of writes that have not retired, oldest first. */
  readonly writes: number[];
  /** Effects whose arguments are there but that a write before them holds back. */
  gated: Entry[];
  /** Open entries of effects by effect id. */
  readonly effects: Map<string, Entry>;
  /** Oldest entry that has failed. */
  failed: number | undefined;
  /** Delivered mutable values that a waiting lifted operation will still read; see `deliver`. */
  held: number;
  /** How to take back what was set behind an entry that fails. */
  readonly undo: Undo;

  blocked: Blocked | undefined;
  /** What the program will end in as soon as the window is empty. */
  ending: { readonly error?: GuestError } | undefined;
  ended: 'done' | 'failed' | undefined;
  error: GuestError | undefined;
  readonly answers: Emit[];
  readonly outbox: Outbox;
}

export interface Frame {
  readonly chunk: number;
  /** The next instruction; in a frame that has called, the call itself. */
  pc: number;
  /** Where the frame's locals begin on the stack. */
  readonly base: number;
  /** Variables that the running closure captured. */
  readonly captured: readonly Cell[];
}

/** A global variable that was set while entries were open; see undo.ts. */
export interface Change {
  readonly slot: number;
  /** What the variable was. */
  readonly before: Value | undefined;
  /** Sequence number of the next entry then: the change lies behind every smaller one. */
  readonly next: number;
}

export interface Undo {
  /** Oldest first. */
  readonly changes: Change[];
  /** By variable, `next` of its last change (U1). */
  readonly noted: Map<number, number>;
}

/** What keeps the machine from going on. */
export type Blocked =
  | { readonly on: 'value'; readonly pending: Pending }
  | { readonly on: 'room'; readonly lift: boolean }
  | { readonly on: 'barrier' }
  | { readonly on: 'held' }
  | { readonly on: 'text' };

/** One place in program order that settles later than it was issued. */
export interface Entry {
  readonly seq: number;
  readonly site: IssueSite;
  /** Distinct pending values it still waits for. */
  missing: number;
  /** `waiting` for operands, `ready` to start, `open` in the world, `done` or `failed`. */
  state: 'waiting' | 'ready' | 'open' | 'done' | 'failed';
  /** Entries that wait for this one's value. */
  readonly dependents: number[];
  error: EffectError | undefined;
  /** What its work was charged, to be counted when it retires. */
  charge: number;
  readonly work: Work;
}

/** Where an entry was issued: chunk and pc of each frame, outermost first, and the step. */
export interface IssueSite {
  readonly trace: readonly number[];
  readonly step: number;
  readonly visit: number;
}

export type Work = EffectWork | LiftWork | EmitWork;

export interface EffectWork {
  readonly kind: 'effect';
  readonly id: string;
  readonly tool: string;
  readonly class: ToolSpec['effect'];
  /** Private copy of the arguments with pending leaves; undefined once `text` is there. */
  args: Value | undefined;
  /** Values that arrived while others are still missing, as they were on arrival. */
  readonly arrived: Map<Pending, string>;
  /** Canonical tagged JSON of the arguments. */
  text: string | undefined;
  /** Whether its outcome is given as a struct of ok, value and error: `try_call`. */
  readonly tries: boolean;
  readonly result: Pending;
}

export interface LiftWork {
  readonly kind: 'lift';
  /** Opcode; CALL stands for a call of a builtin. */
  readonly op: number;
  readonly operand: Value;
  readonly operands: readonly Value[];
  /** How many of its operands it makes others hold; see `State.held`. */
  held: number;
  readonly result: Pending;
}

export interface EmitWork {
  readonly kind: 'emit';
  readonly channel: string;
  args: Value | undefined;
  readonly arrived: Map<Pending, string>;
  text: string | undefined;
}

/** What the next turn will report. */
export interface Outbox {
  requests: Entry[];
  cancels: string[];
  emits: Emit[];
  steps: StepVisit[];
}

export const emptyOutbox = (): Outbox => ({ requests: [], cancels: [], emits: [], steps: [] });

/** Thrown by an instruction that has to wait; nothing has moved (M2). */
export class Wait {
  readonly blocked: Blocked;
  constructor(blocked: Blocked) {
    this.blocked = blocked;
  }
}

/** `4` on the first visit, `4@2` on the second; empty outside any step. */
export function stepId(state: State, step: number, visit: number): string {
  const label = state.program.steps[step]?.label;
  if (label === undefined) return '';
  return visit > 1 ? `${label}@${visit}` : label;
}
