/**
 * A program: what a dialect lowers a model's text to and what the machine runs.
 *
 * Invariants:
 * - P1 `chunks` only ever grows; a chunk that is in a program never changes.
 * - P2 An instruction is one 32-bit integer: the opcode in the low byte, the operand above it,
 *   signed. Jump operands are absolute positions inside the same chunk.
 * - P3 `positions` runs parallel to `code`.
 */
import type { TextVariables } from './text-variables.ts';
import type { Value } from './value.ts';

export interface Program {
  /** Name of the dialect that lowered it. */
  readonly dialect: string;
  /** Chunk 0 is where execution starts. */
  readonly chunks: readonly Chunk[];
  /** Names of the global variables, by slot. */
  readonly globals: readonly string[];
  /** Steps of the source, by index; the operand of STEP. */
  readonly steps: readonly Step[];
  /** Where those of another text are that it carries out. */
  readonly variables?: TextVariables;
  /** Whether text is still arriving: MORE waits instead of ending. */
  readonly open: boolean;
}

/** A piece of code: the main line of a program (or a later part of it), or one function body. */
export interface Chunk {
  readonly name: string;
  /**
   * A `builtin` is a function of the library that is written in guest code: programs see it as
   * the built-in function of its name. Its default values are its first constants.
   */
  readonly role: 'main' | 'function' | 'builtin';
  /** The file it comes from, where a program has several. */
  readonly file?: string;
  readonly code: readonly number[];
  readonly constants: readonly Value[];
  readonly positions: readonly number[];
  /** Local slots, parameters first. */
  readonly locals: readonly string[];
  readonly parameters: Parameters;
  /** Local slots that live in cells because a closure captures them. */
  readonly cells: readonly number[];
  /** Where each captured variable is found when FUNC makes the closure. */
  readonly captures: readonly Capture[];
  readonly handlers: readonly Handler[];
  /** SHA-256 of everything above; snapshots carry it. */
  readonly hash: string;
}

export interface Parameters {
  /** Parameters that can be given by position. */
  readonly positional: number;
  /** Parameters after those that can only be given by name. */
  readonly named: number;
  /**
   * Of positional, then named: how many of the last have default values. One that is `mandatory`
   * among the values has none after all: a named parameter need not stand last for that.
   */
  readonly defaults: number;
  /** Whether the slot after them takes the positional arguments that are left, as a tuple. */
  readonly rest?: true;
  /** Whether the slot after that takes the named arguments that are left, as a dict. */
  readonly keywords?: true;
}

/** A captured variable: a cell of the enclosing frame, or one that frame captured itself. */
export interface Capture {
  readonly from: 'local' | 'captured';
  readonly index: number;
}

/**
 * Code from `start` up to `end` whose failure continues at `target`, with the operand stack cut to
 * `depth` and the error pushed as a dict of `code` and `message`. The region ends in BARRIER, so
 * nothing that it issued is still open when control leaves it. What it changes between a call and
 * a BARRIER would stay changed if the call failed: the verifier refuses that, but it does not see
 * what the functions do that a region calls.
 */
export interface Handler {
  readonly start: number;
  readonly end: number;
  readonly target: number;
  readonly depth: number;
}

/** A step of the source as its reader knows it. */
export interface Step {
  /** The source's own label: a sequence number, `3.true.4`, a line. */
  readonly label: string;
  /** The instruction type: `assign`, `calling`, … */
  readonly kind: string;
  /** What the author says it is for. */
  readonly objective?: string;
  /** What the author thought when writing it. */
  readonly reasoning?: string;
  /** The step's own text, for people and for a model that repairs it. */
  readonly source?: string;
  /** The text that it stands in, where that is not the program's own. */
  readonly file?: string;
  readonly line: number;
  readonly column: number;
}

const columns = 2 ** 20;

/** A place packed into one safe integer; a column beyond 2^20 - 1 saturates. */
export function packPosition(line: number, column: number): number {
  return line * columns + Math.min(column, columns - 1);
}

export function unpackPosition(packed: number): { line: number; column: number } {
  return { line: Math.floor(packed / columns), column: packed % columns };
}

export function emptyProgram(dialect: string): Program {
  return { dialect, chunks: [], globals: [], steps: [], open: false };
}

// Which steps people are shown. A program that carries out another text, as the loop over playbooks
// does, declares steps that stand there; its own are then nobody's business.

const known = new WeakMap<readonly Step[], boolean>();

/** Whether a program declares steps of another text. */
export function isOfAnother({ steps }: Program): boolean {
  const found = known.get(steps) ?? steps.some(({ file }) => file !== undefined);
  known.set(steps, found);
  return found;
}

/** Whether the step of this index is shown. */
export const isShown = (program: Program, index: number): boolean =>
  program.steps[index]?.file !== undefined || !isOfAnother(program);

/** A step or a call with who does it, where that is one of several: `Player.Guess:01 (Ann)`. */
export const nameBy = (name: string, by = ''): string => (by === '' ? name : `${name} (${by})`);
