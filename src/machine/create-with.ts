/**
 * Makes machines with the library functions that it is given: from a program, or from a snapshot
 * of one. `create.ts` does it with all of them.
 */
import type { Outcome, Request } from '../program/effect.ts';
import { limits as allLimits } from '../program/limit-defaults.ts';
import type { Program } from '../program/program.ts';
import type { Value } from '../program/value.ts';
import type { Builtins } from './builtins/builtins.ts';
import { execute } from './execute.ts';
import { errorAbout, errorHere } from './failure.ts';
import { inspect, place } from './inspect.ts';
import { enterMain } from './instructions.ts';
import { libraryOf, surroundings } from './library.ts';
import type { Machine, MachineLimits, MachineOptions, Snapshot, View } from './machine.ts';
import { shownVariables } from './result-struct.ts';
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
import { namesInText, setInText } from './text-variables.ts';
import type { MachineStatus, Turn } from './turn.ts';
import { faults } from './values/code-names.ts';
import { MachineError } from './values/fault.ts';
import { announced } from './window/announced.ts';
import { settle, settlePartOf } from './window/arrivals.ts';
import { issuerOf, requestOf } from './window/request.ts';
import { note } from './window/undo.ts';

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
