/**
 * Where the arguments of calls, and answers, may come from: which calls' outcomes may be in them,
 * as far as the code says so. Conservative: a value that reaches an argument in any run has its
 * call named here, and what cannot be followed may come from anything. Which of several values an
 * argument is may have been decided by an outcome, which is said as well; that a call is made at
 * all is no part of it.
 */
import type { ToolSpec } from '../program/effect.ts';
import { type Program, unpackPosition } from '../program/program.ts';
import type { Value } from '../program/value.ts';
import { follow } from './origin-walk.ts';
import {
  anything,
  chosenByAnything,
  constant,
  type FoundCall,
  Heap,
  type Things,
  TooMuch,
  type World,
} from './origin-world.ts';

export interface Outcomes {
  /** Indices of call sites. */
  readonly sites: readonly number[];
  /** Any outcome at all. */
  readonly anything: boolean;
}

/** What a value may be made from; all empty for what only the program and its inputs are in. */
export interface Origin extends Outcomes {
  /** What may have decided which of several values it is. */
  readonly chosen: Outcomes;
}

export interface OriginSite {
  /** Canonical name; undefined where the program decides that when it runs. */
  readonly tool: string | undefined;
  readonly line: number;
  readonly column: number;
  /** Labels of the steps that it may stand in, empty before the first; undefined for any. */
  readonly steps: ReadonlySet<string> | undefined;
  /** Whether its failure is a value like any other, which may quote what it was given. */
  readonly tries: boolean;
  readonly args: ReadonlyMap<string, Origin>;
  /** Of arguments that are not in `args`, and of the choice of the tool. */
  readonly others: Origin;
}

export interface Origins {
  readonly sites: readonly OriginSite[];
  /** Places that make answers. */
  readonly answers: readonly Pick<Answering, 'steps' | 'from'>[];
  /** False where the program is too large to be followed: then every origin is anything. */
  readonly complete: boolean;
}

interface Answering {
  readonly steps: ReadonlySet<string> | undefined;
  readonly from: Origin;
}

/** Rounds through all chunks; each learns something, and most programs need three. */
const roundsMost = 200;

const untold: Origins = { sites: [], answers: [], complete: false };

/**
 * `untrusted` are variables whose first value may be made from anything. Never throws for a program
 * that verifies.
 */
export function originsOf(
  program: Program,
  tools: ReadonlyMap<string, ToolSpec>,
  untrusted: ReadonlySet<string> = nobody,
): Origins {
  const world = newWorld(program, tools, untrusted);
  return isFollowed(world) ? told(world) : untold;
}

/**
 * The same, with what each global variable may hold, by its name, however deep; undefined where the
 * program is too large to be followed.
 */
export function globalOrigins(
  program: Program,
  tools: ReadonlyMap<string, ToolSpec>,
  untrusted: ReadonlySet<string> = nobody,
): { readonly origins: Origins; readonly globals: ReadonlyMap<string, Origin> } | undefined {
  const world = newWorld(program, tools, untrusted);
  if (!isFollowed(world)) return undefined;
  const { heap, globals } = world;
  const originOf = originIn(world);
  try {
    const named = program.globals.map((name, slot): [string, Origin] => {
      return [name, originOf(heap.within(globals[slot] ?? anyThing))];
    });
    return { origins: told(world), globals: new Map(named) };
  } catch (error) {
    if (error instanceof TooMuch) return undefined;
    throw error;
  }
}

const anyThing: Things = new Set([anything]);

/** Walks through all that the program does until nothing more is learned; false if too much. */
function isFollowed(world: World): boolean {
  const { program } = world;
  try {
    for (let round = 0; ; round++) {
      if (round === roundsMost) return false;
      world.heap.changed = false;
      for (let index = 0; index < program.chunks.length; index++) follow(world, index);
      if (!world.heap.changed) return true;
    }
  } catch (error) {
    if (error instanceof TooMuch) return false;
    throw error;
  }
}

const nobody: ReadonlySet<string> = new Set();

function newWorld(
  program: Program,
  tools: ReadonlyMap<string, ToolSpec>,
  untrusted: ReadonlySet<string>,
): World {
  const heap = new Heap();
  const sets = (count: number): Set<number>[] =>
    Array.from({ length: count }, () => new Set<number>());
  const world: World = {
    ...{ program, tools, heap },
    // A host may give any of them a value, which others may then change.
    globals: program.globals.map((name, slot) => {
      const own = heap.at(`global ${slot}`);
      return new Set(untrusted.has(name) ? [own, anything] : [own]);
    }),
    locals: program.chunks.map(({ locals }) => sets(locals.length)),
    captured: program.chunks.map(({ captures }) => sets(captures.length)),
    returns: sets(program.chunks.length),
    ...{ callables: new Map(), calls: new Map(), answers: new Map() },
    deciders: new Map([
      [anything, chosenByAnything],
      [chosenByAnything, chosenByAnything],
    ]),
    callers: sets(program.chunks.length),
    targets: sets(program.chunks.length),
    failures: sets(program.chunks.length),
    catches: program.chunks.some(
      ({ handlers, constants }) => handlers.length > 0 || constants.some(isAttempt),
    ),
    passed: new Map(),
    decisions: new Map(),
  };
  program.chunks.forEach(({ role, constants, parameters }, index) => {
    if (role !== 'builtin') return;
    // What stands for its last parameters by default.
    const { positional, named, defaults } = parameters;
    constants.slice(0, defaults).forEach((value, i) => {
      const slot = world.locals[index]?.[positional + named - defaults + i];
      if (slot) heap.add(slot, constant(world, value).things);
    });
  });
  return world;
}

const isAttempt = (value: Value): boolean =>
  typeof value === 'object' && value?.kind === 'builtin' && value.name === 'attempt';

/** Things as places of the code; what has been followed to its end is needed for that. */
function originIn(world: World): (things: Things) => Origin {
  const calls = [...world.calls.values()];
  const indices = new Map(calls.map(({ thing }, i) => [thing, i]));
  const deciders = new Map(calls.map(({ thing }, i) => [world.deciders.get(thing), i]));
  const among = (things: Things, known: ReadonlyMap<number | undefined, number>): number[] =>
    [...things].flatMap((thing) => known.get(thing) ?? []).sort((a, b) => a - b);
  return (things) => ({
    sites: among(things, indices),
    anything: things.has(anything),
    chosen: { sites: among(things, deciders), anything: things.has(chosenByAnything) },
  });
}

function told(world: World): Origins {
  const originOf = originIn(world);
  return {
    sites: [...world.calls.values()].map((call) => siteOf(world, call, originOf)),
    answers: [...world.answers.values()].map(({ from, steps }) => ({
      from: originOf(from),
      steps: labels(world, steps),
    })),
    complete: true,
  };
}

function siteOf(
  world: World,
  { tool, chunk, at, tries, named, others, steps }: FoundCall,
  originOf: (things: Things) => Origin,
): OriginSite {
  const position = world.program.chunks[chunk]?.positions[at] ?? 0;
  return {
    ...{ tool, tries, ...unpackPosition(position) },
    steps: labels(world, steps),
    args: new Map([...named].map(([name, things]) => [name, originOf(things)])),
    others: originOf(others),
  };
}

const labels = (
  { program }: World,
  steps: ReadonlySet<number> | undefined,
): ReadonlySet<string> | undefined =>
  steps && new Set([...steps].map((index) => program.steps[index]?.label ?? ''));
