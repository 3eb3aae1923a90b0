/** What compiling a function needs at hand: its chunk, its frame, the program it belongs to. */
import type { ChunkBuilder, Label, ProgramBuilder } from '../../../program/builder.ts';
import { unpackPosition } from '../../../program/program.ts';
import type { Value } from '../../../program/value.ts';
import type { Options } from '../parse/options.ts';
import type { Frame, FunctionNode, Load, Name, Position, Variable } from '../parse/syntax.ts';
import { constants, modules } from '../resolve/universe.ts';
import type { Place, Placing } from './line-marks.ts';
import type { Definitions } from './provenance.ts';

export interface Emitter {
  readonly chunk: ChunkBuilder;
  readonly frame: Frame;
  readonly module: ModuleContext;
  readonly inFunction: boolean;
  /** Loops around the statement, innermost last. */
  readonly loops: Loop[];
  /** Iterators on the operand stack: those of `for` loops, then those of comprehensions. */
  iterators: number;
}

export interface ModuleContext {
  readonly program: ProgramBuilder;
  readonly options: Options;
  readonly globals: readonly Variable[];
  /** Stands before the names of the file's variables among those of the program. */
  readonly prefix: string;
  /** What back-traces call the file; undefined for the only one. */
  readonly file: string | undefined;
  /** Present where the file has code that was taken from another text. */
  readonly placing?: Placing | undefined;
  /** Built-in functions that the program names: some of them are guest code. */
  readonly wanted: Set<string>;
  /** Whether the program calls `answer` or `result`: then no variable is the answer. */
  answers?: boolean;
  /** Code for a load statement. Where it is absent there are none. */
  readonly load?: (to: Emitter, node: Load) => void;
  /** What a name of the host stands for; undefined for an input, which is a global variable. */
  readonly predeclared: (name: string) => Value | undefined;
  /** The global variable that holds a value of the host. Default: the one of its name. */
  readonly variable?: (name: string) => string;
  /** Whether the run has what was said before it, as the input `conversation`. */
  readonly hasConversation?: boolean;
  /** What gives the file's variables their values, where its text is at hand. */
  readonly definitions?: () => Definitions;
  /** Compiles a function and gives the index of its chunk. */
  readonly compileFunction: (node: FunctionNode) => number;
}

export interface Loop {
  readonly next: Label;
  readonly end: Label;
}

/** Where code stands, in the file or in the text that it was taken from. */
export function placeOf({ placing }: ModuleContext, position: Position): Place {
  const { line, column } = unpackPosition(position);
  return placing ? placing(line, column) : { line, column };
}

/** The instructions that follow belong to this place. */
export function at(to: Emitter, position: Position): ChunkBuilder {
  const { line, column } = placeOf(to.module, position);
  return to.chunk.at(line, column);
}

/** Pushes the value of a name. */
export function load(to: Emitter, { name, binding, at: place }: Name): void {
  const chunk = at(to, place);
  switch (binding?.scope) {
    case 'local':
      chunk.emit('LOCAL', binding.index);
      return;
    case 'cell':
      chunk.emit('CELL', binding.index);
      return;
    case 'captured':
      chunk.emit('CAPTURED', binding.index);
      return;
    case 'global':
      chunk.emit('GLOBAL', globalSlot(to, binding.index));
      return;
    case 'predeclared': {
      const value = to.module.predeclared(name);
      const variable = to.module.variable?.(name) ?? name;
      if (value !== undefined) chunk.constant(value);
      else chunk.emit('GLOBAL', to.module.program.global(variable));
      return;
    }
    case 'universal':
      universal(to, name);
      return;
    default:
      throw new TypeError(`the name ${name} was not resolved`);
  }
}

function universal(to: Emitter, name: string): void {
  const value = constants.get(name);
  if (modules.includes(name)) to.chunk.builtin('_module').constant(name).call(1);
  else if (value !== undefined) to.chunk.constant(value);
  else {
    to.module.wanted.add(name);
    to.chunk.builtin(name);
  }
}

/** Pops the top into the variable of a name. */
export function store(to: Emitter, { name, binding, at: place }: Name): void {
  const chunk = at(to, place);
  switch (binding?.scope) {
    case 'local':
      chunk.emit('SETLOCAL', binding.index);
      return;
    case 'cell':
      chunk.emit('SETCELL', binding.index);
      return;
    case 'global':
      chunk.emit('SETGLOBAL', globalSlot(to, binding.index));
      return;
    default:
      throw new TypeError(`the name ${name} cannot be bound here`);
  }
}

export function globalSlot({ module }: Emitter, index: number): number {
  return module.program.global(module.prefix + (module.globals[index]?.name ?? ''));
}
