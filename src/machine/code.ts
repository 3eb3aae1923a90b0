/**
 * Chunks as the dispatch loop reads them: what it asks for again and again, in objects of one
 * shape. Derived from the program and kept beside it; never part of a state.
 */
import type { Chunk, Program } from '../program/program.ts';
import type { Value } from '../program/value.ts';

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

const codes = new WeakMap<Program, readonly Code[]>();
const codeOf = new WeakMap<Chunk, Code>();

/** The code of each chunk of a program. */
export function codesOf(program: Program): readonly Code[] {
  const known = codes.get(program);
  if (known) return known;
  const made = program.chunks.map((chunk) => codeOf.get(chunk) ?? prepare(chunk));
  codes.set(program, made);
  return made;
}

function prepare(chunk: Chunk): Code {
  const { positional, named, rest, keywords } = chunk.parameters;
  const inPlace = named === 0 && !rest && !keywords && chunk.cells.length === 0;
  const code: Code = {
    chunk,
    words: Int32Array.from(chunk.code),
    constants: chunk.constants,
    locals: chunk.locals.length,
    parameters: positional + named,
    exact: inPlace ? positional : -1,
  };
  codeOf.set(chunk, code);
  return code;
}
