/**
 * Makes machines with the library functions that it is given: from a program, or from a snapshot
 * of one. `create.ts` does it with all of them. What a machine does with a turn is here as well.
 */
import type { Outcome, Request } from '../program/effect.ts';
import { limits as allLimits } from '../program/limit-defaults.ts';
import type { Program } from '../program/program.ts';
import type { Func, Value } from '../program/value.ts';
import type { Builtins } from './builtins/builtins.ts';
import { errorAbout, errorHere, failEntry, finish, siteHere } from './failure.ts';
import { finishFiber, inPathOrder, startFibers } from './fibers.ts';
import { inspect, place } from './inspect.ts';
import { enterMain, isHeld, nextMain } from './instructions.ts';
import type {
  HostLibrary,
  Machine,
  MachineLimits,
  MachineOptions,
  Snapshot,
  View,
} from './machine.ts';
import { isFull, worked } from './memory.ts';
import { newMeter } from './meter.ts';
import { shownVariables } from './result-struct.ts';
import { dispatch } from './run.ts';
import { extentOf, freeze, thaw } from './snapshot.ts';
import {
  type Asked,
  type EffectWork,
  type Entry,
  emptyHub,
  emptyOutbox,
  newState,
  type State,
  shownStep,
} from './state.ts';
import { isToCome } from './stream.ts';
import { namesInText, setInText } from './text-variables.ts';
import type { MachineStatus, Turn } from './turn.ts';
import { faults, MachineError } from './values/fault.ts';
import { clear, isAhead, note } from './window/give-up.ts';
import { issuerOf, requestOf } from './window/issue.ts';
import { announced, breakOff, settle, settlePartOf, takeNext } from './window/settle.ts';
import { failedHead, hasRoom } from './window/window.ts';

/** A machine that stands before the first instruction of chunk 0. */
export function createMachineWith(
  builtins: Builtins,
  program: Program,
  options: MachineOptions,
): Machine {
  const state: State = newState({
    program,
    tools: options.tools,
    limits: machineLimits(options),
    ...surroundings(builtins, options, () => state.program),
    library: libraryOf(program),
    hub: emptyHub(options.tools),
    fiber: undefined,
    outbox: emptyOutbox(),
    globals: program.globals.map((name) => options.inputs?.get(name)),
  });
  state.hub.byPath.set('0', state);
  enterMain(state, 0);
  return machineOf(state, options);
}

/**
 * A machine that goes on where the snapshot was taken. Throws when the program is not the one the
 * snapshot belongs to. Requests that were open are made again in the first turn.
 */
export function restoreMachineWith(
  builtins: Builtins,
  program: Program,
  options: MachineOptions,
  snapshot: Snapshot,
): Machine {
  const same =
    snapshot.chunks.every((hash, i) => program.chunks[i]?.hash === hash) &&
    snapshot.globals.every((name, i) => program.globals[i] === name);
  if (!same) throw otherProgram('the snapshot belongs to another program');
  const state: State = thaw(
    program,
    {
      tools: options.tools,
      limits: machineLimits(options),
      ...surroundings(builtins, options, () => state.program),
      library: libraryOf(program),
    },
    snapshot,
  );
  state.globals.length = snapshot.globals.length;
  return machineOf(grown(state, program, options), options);
}

const otherProgram = (message: string): MachineError =>
  new MachineError(faults.otherProgram, `${message}; give it the program that it has run`);

function machineLimits(options: MachineOptions): MachineLimits {
  const { windowEntries, callDepth, stepVisits, valueBytes, memoryBytes } = allLimits(
    options.limits,
  );
  return { windowEntries, callDepth, stepVisits, valueBytes, memoryBytes };
}

/** Takes in a larger program; inputs are there for variables that are new in it. */
function grown(state: State, program: Program, { inputs }: MachineOptions): State {
  for (const name of program.globals.slice(state.globals.length)) {
    state.globals.push(inputs?.get(name));
  }
  const library = libraryOf(program);
  for (const one of state.hub.byPath.values()) Object.assign(one, { program, library });
  return state;
}

function machineOf(state: State, options: MachineOptions): Machine {
  return {
    run(fuel, pause) {
      const { hub } = state;
      hub.pause = pause;
      hub.isPaused = false;
      hub.last = undefined;
      execute(state, fuel);
      return turn(state);
    },
    settle(effect, outcome: Outcome) {
      settle(state, effect, outcome.ok ? outcome.value : outcome.error);
    },
    part: (effect, index, value) => settlePartOf(state, effect, index, value),
    extend(program) {
      const kept = state.program.chunks.every((chunk, i) => program.chunks[i]?.hash === chunk.hash);
      if (!kept) throw otherProgram('a program grows only by appending chunks');
      grown(state, program, options);
    },
    assign: (name, value) => assign(state, name, value),
    names: () => namesIn(state),
    view: () => view(state),
    inspect: () => inspect(state, status(state)),
    running: () => state.hub.last?.fiber?.path ?? '0',
    announced: () => announced(state),
    isOpen: (effect) => issuerOf(state, effect)?.effects.has(effect) ?? false,
    place(path) {
      const line = state.hub.byPath.get(path);
      return line && place(line);
    },
    placed: (error) => errorHere(state.hub.last ?? state, error),
    placedAt: (error, effect) => errorAbout(state, error, effect),
    snapshot: () => freeze(state),
    extent: () => extentOf(state),
  };
}

function turn(state: State): Turn {
  const { requests, cancels, won, emits, steps, warnings } = state.outbox;
  return {
    status: status(state),
    requests: requests.length === 0 ? none : requestsIn(state, requests.splice(0)),
    cancels: drained(cancels),
    won: drained(won),
    emits: drained(emits),
    steps: drained(steps),
    warnings: drained(warnings),
    instructions: instructionsOf(state),
  };
}

const none: readonly never[] = [];

/** What was to be reported, of which there is none left; nothing is made where there was none. */
const drained = <T>(items: T[]): readonly T[] => (items.length === 0 ? none : items.splice(0));

/** A restored machine may have been given an outcome before it could ask for it again. */
function requestsIn(state: State, asked: readonly Asked[]): readonly Request[] {
  const arrived = arrivedIn(state);
  const made: Request[] = [];
  for (const { state: issuer, entry, element } of asked) {
    const { work } = entry;
    if (work.kind !== 'effect' || !isWanted(entry, work, element)) continue;
    const request = requestOf(issuer, entry, work, element);
    if (!arrived?.has(request.id)) made.push(request);
  }
  return made;
}

/** Effects whose outcome is there, and has not taken hold yet; undefined for none. */
function arrivedIn({ hub: { arrived } }: State): ReadonlySet<string> | undefined {
  if (arrived.length === 0) return undefined;
  return new Set(arrived.filter(({ part }) => part === undefined).map(({ effect }) => effect));
}

/** Whether the outcome of an effect, or of one call of a task, is still to come. */
const isWanted = ({ state }: Entry, { task }: EffectWork, element: number | undefined): boolean =>
  state === 'open' && (element === undefined || task?.fan?.values[element] === undefined);

/** Of the main line and all fibers; those that are over have been counted with their parents. */
function instructionsOf({ hub }: State): number {
  let sum = 0;
  for (const { instructions } of hub.byPath.values()) sum += instructions;
  return sum;
}

function status(state: State): MachineStatus {
  if (state.ended !== undefined) return state.ended;
  if (state.meter.isFull) return 'full';
  if (state.hub.isPaused) return 'paused';
  if (state.hub.ready.size > 0) return 'ready';
  return state.blocked !== undefined || state.ending !== undefined ? 'blocked' : 'ready';
}

function assign(state: State, name: string, value: Value): boolean {
  const { variables } = state.program;
  if (variables) return setInText(state, variables, name, value);
  const slot = state.program.globals.indexOf(name);
  if (slot < 0) return false;
  if (state.entries.size > 0) note(state, slot);
  state.globals[slot] = value;
  return true;
}

function namesIn(state: State): readonly string[] {
  const { variables, globals } = state.program;
  return variables ? namesInText(state, variables) : globals;
}

function view(state: State): View {
  const open = [...state.hub.byPath.values()].flatMap(({ effects }) => [...effects.keys()]);
  const openSteps = new Set<string>();
  for (const { site } of state.entries.values()) {
    openSteps.add(shownStep(state, site));
  }
  const { answers, error } = state;
  const instructions = instructionsOf(state);
  const ended = { status: status(state), error, instructions };
  return { ...ended, ...shownVariables(state), answers, open, openSteps };
}

// Drives the dispatch loop: failures that take hold, waits that are over, the end.

/**
 * Instructions in one go of the dispatch loop. A host compiles a loop by what it has seen of it; of
 * one that seldom ends it has not seen the end, and gives up what it has compiled each time there.
 */
const turnMost = 2 ** 14;

/**
 * Runs the main line and its fibers, those that are ready in the order of their paths, until all
 * of them wait or have ended, or `fuel` instructions are done, or memory is full.
 */
function execute(root: State, fuel: number): void {
  const { ready } = root.hub;
  ready.add(root);
  let left = fuel;
  for (;;) {
    if (isFull(root)) return;
    if (root.hub.look.size > 0 || root.hub.starved.size > 0) startFibers(root);
    if (ready.size === 0) {
      // What that opens gets its room before anything goes on, as with one that came alone.
      if (takeNext(root)) continue;
      if (!breakOff(root.hub)) return;
    }
    for (const state of ready.size === 1 ? [...ready] : inPathOrder(ready)) {
      // Given up meanwhile, by another's failure.
      if (!ready.has(state)) continue;
      const before = left;
      left = advance(state, left);
      if (left < before) root.hub.last = state;
      if (state.meter.isFull || root.hub.isPaused) return;
      if (state.ended === undefined && !state.ending && !state.blocked) return;
      ready.delete(state);
      if (state.ended !== undefined && state.fiber) finishFiber(state, state.fiber);
    }
  }
}

/** Runs one state until it ends, waits, or has used the fuel up; gives the fuel left. */
function advance(state: State, fuel: number): number {
  let left = fuel;
  while (state.ended === undefined) {
    const head = failedHead(state);
    if (head) {
      failEntry(state, head);
      continue;
    }
    if (state.ending) {
      if (state.entries.size > 0) return left;
      end(state, state.ending.error);
      continue;
    }
    if (state.blocked && stillBlocked(state)) return left;
    state.blocked = undefined;
    if (left <= 0) return 0;
    const turn = Math.min(left, turnMost);
    const done = turn - dispatch(state, turn);
    left -= done;
    worked(state, done);
    if (isFull(state) || state.hub.isPaused) return left;
  }
  return left;
}

function end(state: State, error: State['error']): void {
  if (error) finish(state, error, siteHere(state));
  else {
    clear(state);
    state.ended = 'done';
  }
}

function stillBlocked(state: State): boolean {
  const { blocked } = state;
  switch (blocked?.on) {
    case 'value':
      return blocked.pending.value === undefined;
    case 'room':
      return !hasRoom(state, blocked.room);
    case 'barrier':
      return state.entries.size > 0;
    case 'held':
      return isHeld(state);
    case 'part':
      return isToCome(blocked.stream, blocked.index);
    case 'outer':
      return isAhead(state, blocked.target);
    case 'text':
      return state.program.open && nextMain(state) === undefined;
    case undefined:
      return false;
  }
}

// What surrounds a program: the library functions that it brings along, what the host adds, and
// what operations may know of the machine. None of it is state; it is made anew on restoring.

const noHost: HostLibrary = { functions: new Map(), types: new Map() };

/** `program` gives the one that is running, which may have grown. */
function surroundings(
  builtins: Builtins,
  options: MachineOptions,
  program: () => Program,
): Pick<State, 'builtins' | 'host' | 'around' | 'meter'> {
  const { valueBytes } = allLimits(options.limits);
  const meter = newMeter();
  return {
    builtins,
    host: options.host ?? noHost,
    meter,
    around: {
      valueBytes,
      strict: options.host?.strict ?? false,
      functionName: (chunk) => program().chunks[chunk]?.name,
      charge(units) {
        meter.owed += units;
      },
      warn(message) {
        meter.mended.push(message);
      },
    },
  };
}

/** The functions of builtin chunks; each has its first constants as default values. */
function libraryOf({ chunks }: Program): ReadonlyMap<string, Func> {
  return new Map(
    chunks.flatMap(({ role, name, constants, parameters }, chunk) => {
      if (role !== 'builtin') return [];
      const defaults = constants.slice(0, parameters.defaults);
      return [[name, { kind: 'function', chunk, defaults, cells: [] } satisfies Func] as const];
    }),
  );
}
