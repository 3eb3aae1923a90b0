/**
 * Chunks as the dispatch loop reads them: what it asks for again and again, in objects of one
 * shape, pairs that it does in one go among it. Derived from the program and kept beside it; never
 * part of a state.
 */
import { opcodeNumbers, opcodeOf } from '../program/opcodes.ts';
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

// Instructions that often follow each other, and that the dispatch loop does in one go. In the
// words of a chunk the first of them gets an opcode of its own; nothing else changes, so that
// addresses, positions and jumps hold, and a jump to the second finds it as it was.
//
// - FU1 Each counts. They are done in one go only while there is fuel for all (`fusedMost`), so
//   that a machine stops where it would stop without.
// - FU2 Where operands are not the plain ones, the first is done alone, as ever.
// - FU3 When one throws, `pc` and the fuel say that those before it are done.

/** Their opcodes, above all others, by what they do; after JMP comes what it leads to. */
export const fused: ReadonlyMap<string, number> = new Map([
  ['LOCAL LOCAL', 200],
  ['LOCAL CONST', 201],
  ['NEXT SETLOCAL', 202],
  ['EQ JF', 203],
  ['NE JF', 204],
  ['LT JF', 205],
  ['LE JF', 206],
  ['GT JF', 207],
  ['GE JF', 208],
  ['ADD SETLOCAL', 209],
  ['IADD SETLOCAL', 210],
  ['TUPLE UNPACK', 211],
  ['LOCAL EXCH', 212],
  ['EXCH SETINDEX', 213],
  ['JMP NEXT SETLOCAL', 214],
]);

/** How many are done in one go at most. */
export const fusedMost = 3;

const codeOf = (name: string): number => opcodeOf.get(name)?.code ?? 0;

/** By the first opcode, then by the one that is done after it; 0 for none. */
const table: readonly (Uint8Array | undefined)[] = tableOf();

function tableOf(): (Uint8Array | undefined)[] {
  const made: (Uint8Array | undefined)[] = new Array(256).fill(undefined);
  for (const [names, code] of fused) {
    const [first = '', second = ''] = names.split(' ');
    const row = made[codeOf(first)] ?? new Uint8Array(256);
    row[codeOf(second)] = code;
    made[codeOf(first)] = row;
  }
  return made;
}

const { JMP, SETLOCAL, TUPLE } = opcodeNumbers;

/** A copy of the code, fused. */
export function fuse(code: readonly number[]): Int32Array {
  const words = new Int32Array(code);
  for (let i = 0; i < words.length; i++) {
    const word = code[i] as number;
    const first = word & 255;
    const row = table[first];
    if (row === undefined) continue;
    const operand = word >> 8;
    const next = code[first === JMP ? operand : i + 1] ?? 0;
    const found = row[next & 255] as number;
    if (found === 0) continue;
    if (first === JMP && ((code[operand + 1] ?? 0) & 255) !== SETLOCAL) continue;
    // UNPACK of another count is an error, which it reports.
    if (first === TUPLE && next >> 8 !== operand) continue;
    words[i] = (operand << 8) | found;
  }
  return words;
}
