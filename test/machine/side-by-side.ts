/**
 * What holds of all programs whose calls run side by side: each is held against itself one call at
 * a time, with the outcome of an effect fixed by its id and arguments.
 */
import fc from 'fast-check';
import { expect } from 'vitest';
import type { Request, ToolSpec } from '../../src/program/effect.ts';
import type { Program } from '../../src/program/program.ts';
import { sampledRuns } from '../support/depth.ts';
import { hashOf, random } from '../support/draw.ts';
import {
  compile,
  type Driven,
  type DriveOptions,
  drive,
  variablesOf,
} from '../support/starlark-machine.ts';

export interface Programs<Drawn> {
  readonly drawn: fc.Arbitrary<Drawn>;
  readonly sourceOf: (drawn: Drawn) => string;
  /** Those of one parameter where absent. */
  readonly tools?: ReadonlyMap<string, ToolSpec>;
  /** What an effect comes to, by a hash of its id and arguments; an `Error` where it fails. */
  readonly answer: (hash: number, id: string, tool: string) => unknown;
  /** The parts of a stream, by the same hash. */
  readonly parts?: (hash: number) => readonly unknown[];
  /** Whether they execute as many instructions: fibers that find nothing to take up do not. */
  readonly counted: boolean;
}

export interface Seen {
  /** Effects that were under way at once, at most. */
  readonly most: number;
  readonly done: number;
  readonly failed: number;
}

const seeds = fc.integer({ min: 0, max: 1e6 });

/** Whatever the order in which outcomes arrive; `each` sees every program, with two such runs. */
export function holdsInAnyOrder<Drawn>(
  programs: Programs<Drawn>,
  each: (expected: Driven, found: readonly Driven[]) => void,
  numRuns: number = 1500,
): Seen {
  const { counted } = programs;
  const seen = { most: 0, done: 0, failed: 0 };
  const property = fc.property(programs.drawn, seeds, (drawn, seed) => {
    const { program, expected, world } = alone(programs, drawn, seed);
    seen[expected.status as 'done' | 'failed']++;
    const runs = [seed, seed + 1].map((order) =>
      drive(program, { ...world, pick: picking(order) }),
    );
    for (const run of runs) {
      seen.most = Math.max(seen.most, run.most);
      expect(outcome(run, counted)).toEqual(outcome(expected, counted));
      // Some reads more may have started, but no call has another name.
      if (expected.status === 'done') expect(run.ids).toEqual(expect.arrayContaining(expected.ids));
    }
    each(expected, runs);
  });
  fc.assert(property, sampledRuns(numRuns));
  return seen;
}

/** Wherever the machine is taken apart and put together again: at every instruction. */
export function holdsWhenRestored<Drawn>(programs: Programs<Drawn>, numRuns: number = 150): void {
  const property = fc.property(programs.drawn, seeds, (drawn, seed) =>
    expectSame(programs, drawn, seed, { fuel: 1, restored: true }),
  );
  fc.assert(property, sampledRuns(numRuns));
}

export function holdsInSmallWindows<Drawn>(programs: Programs<Drawn>, numRuns: number = 400): void {
  const windows = fc.integer({ min: 2, max: 5 });
  const property = fc.property(programs.drawn, seeds, windows, (drawn, seed, windowEntries) =>
    expectSame(programs, drawn, seed, { fuel: 7, limits: { windowEntries } }),
  );
  fc.assert(property, sampledRuns(numRuns));
}

function expectSame<Drawn>(
  programs: Programs<Drawn>,
  drawn: Drawn,
  seed: number,
  options: DriveOptions,
): void {
  const { program, expected, world } = alone(programs, drawn, seed);
  const found = drive(program, { ...world, pick: picking(seed), ...options });
  expect(outcome(found, programs.counted)).toEqual(outcome(expected, programs.counted));
}

interface Alone {
  readonly program: Program;
  readonly expected: Driven;
  readonly world: Pick<DriveOptions, 'answer' | 'parts' | 'tools'>;
}

/** One call at a time. */
function alone<Drawn>(programs: Programs<Drawn>, drawn: Drawn, seed: number): Alone {
  const { tools } = programs;
  const program = compile(programs.sourceOf(drawn), tools);
  const hash = ({ id, args }: Request): number => hashOf(`${seed}${id}${args}`);
  const world = {
    ...(tools && { tools }),
    answer: (_: unknown, request: Request) =>
      programs.answer(hash(request), request.id, request.tool),
    parts: (request: Request) => programs.parts?.(hash(request)) ?? [],
  };
  return { program, world, expected: drive(program, { ...world, limits: { windowEntries: 1 } }) };
}

/** What must not depend on time. */
function outcome(driven: Driven, counted: boolean): unknown {
  const { status, error, emits, writes, machine } = driven;
  const { error: { trace, step } = {}, instructions } = machine.view();
  const variables = status === 'done' ? variablesOf(driven) : [];
  const count = status === 'done' && counted ? instructions : undefined;
  return { status, error, trace, step, emits, writes, variables, count };
}

function picking(seed: number): NonNullable<DriveOptions['pick']> {
  const next = random(seed);
  return ({ length }) => next(length);
}
