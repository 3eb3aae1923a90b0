/**
 * The whole state of a machine. What it owns: frames, operand stack, variables, the window of open
 * entries, counters. What it does not own: code (the program's, never changed) and outcomes that
 * have retired and that nothing reaches any more.
 *
 * Invariants:
 * - M1 State changes only inside calls of a `Machine`, synchronously: `run`, and what hands it
 *   something (`settle`, `part`, `extend`, `assign`).
 * - M2 An instruction moves the stack, a variable or the program counter only when it can no longer
 *   fail or wait; so a machine that is blocked or failed stands exactly before an instruction.
 * - M3 A failed entry takes hold when it is the oldest open one; then everything younger is void.
 * - M4 A number that names an effect never depends on the order in which outcomes arrived.
 *
 * A fiber is a state of its own, whose parent's window holds one entry for it; see fibers.ts.
 */
import type { EffectError, GuestError, ToolSpec } from '../program/effect.ts';
import type { Program } from '../program/program.ts';
import { leadingTools } from '../program/together.ts';
import type { Cell, Func, HostObject, Pending, Value } from '../program/value.ts';
import type { Builtins } from './builtins/builtins.ts';
import type { HostLibrary, MachineLimits } from './machine.ts';
import type { Meter } from './meter.ts';
import type { Emit, StepVisit, TurnWarning, Win } from './turn.ts';
import type { Blocked } from './values/fault.ts';
import type { Surroundings } from './values/surroundings.ts';

export interface State {
  program: Program;
  readonly tools: ReadonlyMap<string, ToolSpec>;
  readonly limits: MachineLimits;
  /** The library functions and methods that there are beside those of the host. */
  readonly builtins: Builtins;
  readonly host: HostLibrary;
  /** What operations and library functions may know of this machine. */
  readonly around: Surroundings;
  readonly meter: Meter;
  /** Library functions that the program brings along in guest code, by name. */
  library: ReadonlyMap<string, Func>;
  /** What all fibers of the machine share. */
  readonly hub: Hub;
  /** Which fiber this is; undefined for the main line. */
  readonly fiber: Fiber | undefined;

  /** Locals and operands of all frames; a local that is not set yet is undefined. */
  readonly stack: (Value | undefined)[];
  readonly frames: Frame[];
  readonly globals: (Value | undefined)[];

  /** Index of the step that is being executed, -1 before the first. */
  step: number;
  /** How often each step has been entered. */
  visits: number[];
  /** What the program says its effects are for, in place of the step; empty where it does not. */
  label: string;
  /** Effects issued since the last handled failure; the number after `#`. */
  issued: number;
  /** Fibers asked for since then; the last number of their paths. */
  spawned: number;
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
  /** The last write, pause or question before what comes next, by its id: reads are new then. */
  epoch: string;
  /** Calls of tools that others come after; see `Prior`. */
  readonly prior: Map<string, Prior>;
  /** How to take back what was set behind an entry that fails. */
  readonly undo: Undo;

  blocked: Blocked | undefined;
  /** What the call that is being executed has asked for and waits for; see `awaiting`. */
  awaited: Pending | undefined;
  /** What the program will end in as soon as the window is empty. */
  ending: { readonly error?: GuestError } | undefined;
  ended: 'done' | 'failed' | undefined;
  error: GuestError | undefined;
  /** Answers of the run; of a fiber, all that it has released, for its parent to release. */
  readonly answers: Emit[];
  /** One for all fibers. */
  readonly outbox: Outbox;
}

/** What all fibers of a machine share, beside the program. */
export interface Hub {
  /** Fibers and the main line by path, without the generation of their own. */
  readonly byPath: Map<string, State>;
  /** Tools that others come after. */
  readonly watched: ReadonlySet<string>;
  /** Tools for which the calls of all others that stand after one of them wait. */
  readonly leading: ReadonlySet<string>;
  /** Those that may have something to run. */
  readonly ready: Set<State>;
  /** Those in which streams may be open that have failed behind their parts (W5). */
  readonly broken: Set<State>;
  /** Groups that may have fibers to start, with the states whose windows they are in. */
  readonly look: Map<Entry, State>;
  /** Groups that would start more fibers if fewer were alive. */
  readonly starved: Map<Entry, State>;
  /** What came meanwhile and has not taken hold, in order; see window/settle.ts. */
  readonly arrived: Arrival[];
  /** Fibers that are alive, those included that wait for their arguments. */
  alive: number;
  /** During a turn, what may stop the machine at a step, and whether it has. */
  pause: ((step: StepVisit) => boolean) | undefined;
  isPaused: boolean;
  /** During a turn, who has done an instruction last. */
  last: State | undefined;
}

/** What the machine was handed: an outcome, or a part of what a stream gives, by its number. */
export interface Arrival {
  readonly effect: string;
  readonly part?: number;
  readonly result: string | EffectError;
}

/** A fiber's place among others. */
export interface Fiber {
  readonly parent: State;
  /** Its group's entry in the window of the parent. */
  readonly entry: Entry;
  readonly work: FibersWork;
  readonly index: number;
  /** The parent's path and its own ordinal: `0.2`. */
  readonly path: string;
  /** Of an attempt, what its parent can reach; found when it is first asked for. */
  outer: Set<object> | undefined;
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

/** A global variable that was set while entries were open; see window/give-up.ts. */
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

/** One place in program order that settles later than it was issued. */
export interface Entry {
  readonly seq: number;
  readonly site: IssueSite;
  /** Distinct pending values it still waits for. */
  missing: number;
  /**
   * `waiting` for operands, `ready` to start, `open` in the world, `done` or `failed`; a stream is
   * `broken` from its failure on until that takes hold (W5).
   */
  state: 'waiting' | 'ready' | 'open' | 'broken' | 'done' | 'failed';
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
  /** See `State.label`; absent where it is empty. */
  readonly label?: string;
}

/** How an effect is issued: its result says how it went, or comes in parts. */
export interface IssueOptions {
  readonly tries?: boolean;
  readonly stream?: HostObject;
  /** Whether its caller has looked for room. */
  readonly roomless?: boolean;
  /** See `EffectWork.bound`. */
  readonly bound?: boolean;
  /** Whether its outcome may be that it is to be asked again; see window/issue.ts. */
  readonly barrier?: boolean;
}

export type Work = EffectWork | LiftWork | EmitWork | FibersWork;

export interface EffectWork {
  readonly kind: 'effect';
  readonly id: string;
  readonly tool: string;
  readonly class: ToolSpec['effect'];
  /** Private copy of the arguments with pending leaves; undefined once `text` is there. */
  args: Value | undefined;
  /** Values that arrived while others are still missing, as they were on arrival. */
  arrived: Map<Pending, string> | undefined;
  /** Canonical tagged JSON of the arguments. */
  text: string | undefined;
  /** Whether its outcome is given as a struct of ok, value and error: `try_call`. */
  readonly tries: boolean;
  /** Whether its arguments are what binding gives, maybe that there are none; see call.ts. */
  readonly bound: boolean;
  /** Of a call whose outcome may be that it is to be asked again; see window/issue.ts. */
  readonly rounds: Rounds | undefined;
  /** Of `stream`: what takes the parts of its result. */
  readonly stream: HostObject | undefined;
  /** Of `first`, which is journaled as an effect is, but performed by nobody; see race.ts. */
  readonly race: Race | undefined;
  /** Of `task`, whose arguments name results of others; see task.ts. */
  readonly task: TaskWork | undefined;
  readonly result: Pending;
}

/** Entries are named by their `seq`. */
export interface Rounds {
  /** How many more times the call may be made. */
  readonly left: number;
  /** The oldest call of the same place that was open when this one was issued. */
  readonly group: number;
  /** The round that goes on now starts once all entries before this one have succeeded. */
  readonly after: number;
}

export interface TaskWork {
  /** What its effects have for their step; empty for that of the place of issue. */
  readonly step: string;
  /** What messages call the results, by index; those without a name go by their place. */
  readonly needs: readonly string[];
  /** Whether its failure is a value to the program, and not what ends the run in the end. */
  readonly handled: boolean;
  /** Whether it gives what its tool gave, and a struct only where it has failed. */
  readonly plain: boolean;
  /** Whether it may be performed for each element of a list. */
  readonly starred: boolean;
  /** See `Request.once`. */
  readonly once: string | undefined;
  /** What the nodes of its arguments name; none once the arguments are there. */
  results: readonly Value[];
  /** Its calls, where it is performed for each element of a list. */
  fan: Fan | undefined;
}

/** The calls that one task makes, for an element each. */
export interface Fan {
  /** Canonical text of the arguments; undefined for a call that is over. */
  readonly texts: (string | undefined)[];
  /** How many have been asked for, in order. */
  next: number;
  /** How many of them are in the world. */
  open: number;
  /** Canonical text of what they gave. */
  readonly values: (string | undefined)[];
  /** Of the lowest that has failed; those above no longer count. */
  failure: { readonly index: number; readonly error: EffectError } | undefined;
}

export interface Race {
  readonly candidates: readonly Value[];
  /** From the call on. */
  readonly timeoutMs: number | null;
  /** Why candidates have dropped out, by their place. */
  readonly errors: Map<number, EffectError>;
  /** What the machine has seen to come first; -1 for none. */
  proposed: number | undefined;
  /** What the journal says: a place, -1 where all have failed, null where it took too long. */
  winner: number | null | undefined;
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
  arrived: Map<Pending, string> | undefined;
  text: string | undefined;
}

/**
 * A group of fibers: one call of a function each. All together are one read of the window in
 * which they stand (`parallel`), or a part of its main line (`attempt`).
 */
export interface FibersWork {
  readonly kind: 'fibers';
  readonly mode: 'parallel' | 'attempt';
  /** Path of the first fiber up to its ordinal, and the ordinal. */
  readonly path: string;
  readonly first: number;
  readonly callee: Value;
  /** Arguments by fiber; undefined once it has started. */
  readonly calls: (FiberCall | undefined)[];
  /** Variables that the code can reach, as they were: `parallel` sees no others, and no changes. */
  readonly globals: readonly (readonly [slot: number, value: Value])[];
  readonly missing: Missing;
  /** How many fibers have been taken on, in order. */
  next: number;
  /** Those that are not over; undefined while one waits for its arguments. */
  readonly alive: Map<number, State | undefined>;
  /** How many of them wait. */
  idle: number;
  /** By fiber, once it is over. */
  readonly results: (Value | undefined)[];
  /** What each released, for those that released something. */
  readonly emits: Map<number, readonly Emit[]>;
  /** The failure of the lowest fiber that has failed; those above no longer count. */
  failure: { readonly index: number; readonly error: GuestError } | undefined;
  readonly result: Pending;
}

export interface FiberCall {
  readonly positional: readonly Value[];
  readonly named: readonly (readonly [string, Value])[];
}

/** Pending values that fibers need before they start. */
export interface Missing {
  /** What all of them need. */
  readonly common: Set<Pending>;
  /** Fibers that wait for a value; one may be named twice. */
  readonly waiting: Map<Pending, number[]>;
  /** How many values a fiber waits for; absent for none. */
  readonly counts: Map<number, number>;
}

/** An effect that may start; `element` says which call of a task it is that makes several. */
export interface Asked {
  readonly state: State;
  readonly entry: Entry;
  readonly element?: number;
}

/** What the next turn will report. */
export interface Outbox {
  readonly requests: Asked[];
  readonly cancels: string[];
  readonly won: Win[];
  readonly emits: Emit[];
  readonly steps: StepVisit[];
  readonly warnings: TurnWarning[];
}

export const emptyOutbox = (): Outbox => ({
  requests: [],
  cancels: [],
  won: [],
  emits: [],
  steps: [],
  warnings: [],
});

export function emptyHub(tools: State['tools']): Hub {
  const leading = leadingTools(tools);
  return {
    byPath: new Map(),
    broken: new Set(),
    watched: watchedTools(tools, leading),
    leading,
    ready: new Set(),
    look: new Map(),
    starved: new Map(),
    arrived: [],
    alive: 0,
    pause: undefined,
    isPaused: false,
    last: undefined,
  };
}

/** What a state is made with; everything else begins empty. */
export type Given = Pick<
  State,
  | 'program'
  | 'tools'
  | 'limits'
  | 'builtins'
  | 'host'
  | 'around'
  | 'meter'
  | 'library'
  | 'hub'
  | 'fiber'
  | 'outbox'
  | 'globals'
>;

/** A state before its first frame. */
export function newState(given: Given): State {
  return {
    ...given,
    stack: [],
    frames: [],
    step: -1,
    visits: [],
    label: '',
    issued: 0,
    spawned: 0,
    generation: 0,
    instructions: 0,
    entries: new Map(),
    next: 0,
    writes: [],
    gated: [],
    effects: new Map(),
    failed: undefined,
    lifts: 0,
    held: 0,
    epoch: '',
    prior: new Map(),
    undo: { changes: [], noted: new Map() },
    blocked: undefined,
    awaited: undefined,
    ending: undefined,
    ended: undefined,
    error: undefined,
    answers: [],
  };
}

/** Path of a state with its generation: what the ids of its effects and fibers begin with. */
export function pathOf({ fiber, generation }: State): string {
  const path = fiber?.path ?? '0';
  return generation === 0 ? path : `${path}~${generation}`;
}

/** `4` on the first visit, `4@2` on the second; empty outside any step. */
export function stepId(state: State, step: number, visit: number): string {
  const label = state.program.steps[step]?.label;
  if (label === undefined) return '';
  return visit > 1 ? `${label}@${visit}` : label;
}

/** The same of what is being executed. */
export const stepHere = (state: State): string =>
  state.label || stepId(state, state.step, state.visits[state.step] ?? 0);

/** The step that an effect is shown at: what `at_step` has said, else the one that was executed. */
export const shownStep = (state: State, { label, step, visit }: IssueSite): string =>
  label ?? stepId(state, step, visit);

// What a state keeps of calls that others come after: see window/prerequisites.ts.

/** The calls of one tool in one state: as much of them as anybody behind may ask for. */
export interface Prior {
  /** Place of the first that has succeeded. */
  ok: number | undefined;
  /** Of the first that has failed. */
  failed: { readonly seq: number; readonly message: string } | undefined;
  readonly open: Set<number>;
}

/** The tools whose calls matter to others. */
const watchedTools = (
  tools: ReadonlyMap<string, ToolSpec>,
  leading: ReadonlySet<string>,
): ReadonlySet<string> =>
  new Set([...[...tools.values()].flatMap(({ after = [] }) => after), ...leading]);
