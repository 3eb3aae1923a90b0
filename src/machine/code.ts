/**
 * Chunks as the dispatch loop reads them: what it asks for again and again, in objects of one
 * shape. Derived from the program and kept beside it; never part of a state.
 */
import type { Chunk, Program } from '../program/program.ts';
import type { Value } from '../program/value.ts';
import { fuse } from './fusion.ts';

export interface Code {
  readonly chunk: Chunk;
  readonly words: Int32Array;
  readonly constants: readonly Value[];
  /** How many local slots it has. */
  readonly locals: number;
  /** How many of them are parameters with a name. */
  readonly parameters: number;
  /** How many positional arguments lie on the stack as its locals should; -1 if they never do. */
  readonly exact: number;
}

/** The code of each chunk, as it is written and with pairs of instructions fused. */
export interface Codes {
  readonly plain: readonly Code[];
  readonly fused: readonly Code[];
}

const ofPrograms = new WeakMap<Program, Codes>();
const ofChunks = new WeakMap<Chunk, { readonly plain: Code; readonly fused: Code }>();

/** The code of each chunk of a program. */
export function codesOf(program: Program): Codes {
  const known = ofPrograms.get(program);
  if (known) return known;
  const both = program.chunks.map((chunk) => ofChunks.get(chunk) ?? prepare(chunk));
  const made = { plain: both.map(({ plain }) => plain), fused: both.map(({ fused }) => fused) };
  ofPrograms.set(program, made);
  return made;
}

function prepare(chunk: Chunk): { plain: Code; fused: Code } {
  const { positional, named, rest, keywords } = chunk.parameters;
  const inPlace = named === 0 && !rest && !keywords && chunk.cells.length === 0;
  const plain: Code = {
    chunk,
    words: new Int32Array(chunk.code),
    constants: chunk.constants,
    locals: chunk.locals.length,
    parameters: positional + named,
    exact: inPlace ? positional : -1,
  };
  const both = { plain, fused: { ...plain, words: fuse(chunk.code) } };
  ofChunks.set(chunk, both);
  return both;
}
