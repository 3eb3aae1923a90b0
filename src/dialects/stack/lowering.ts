/** What is known while code is made, and the instructions that statements share. */
import type { ChunkBuilder, ProgramBuilder } from '../../program/builder.ts';
import type { Site } from '../../program/effect.ts';
import type { Environment } from '../dialect.ts';
import { codeByName } from './codes.ts';
import { canTake, type Depth, take } from './depth.ts';
import type { StackFunction } from './library.ts';
import { type Action, stackName, type Take } from './nodes.ts';

export interface Lowering {
  readonly program: ProgramBuilder;
  readonly chunk: ChunkBuilder;
  readonly environment: Environment;
  /** Names of the main chunk's local variables, by slot. */
  readonly locals: string[];
  /** The functions of the library that are called. */
  readonly wanted: Set<StackFunction>;
  /** Where the value of a variable came from: a text, or the local variable that has it. */
  readonly origins: Map<string, string | number>;
  readonly depth: Depth;
  /** Inside of a foreach. */
  readonly element: Element | undefined;
  /** Makes the code of what foreach does for each element. */
  readonly act: (to: Lowering, action: Action) => void;
}

export interface Element {
  /** The local variable of the stack that holds the element until it is taken. */
  readonly stack: number;
  /** The local variable of its item. */
  readonly item: number;
  /** The local variable of the list that results go to. */
  readonly results: number;
}

export const at = ({ chunk }: Lowering, { line, column }: Site): ChunkBuilder =>
  chunk.at(line, column);

/** A new local variable. */
export const newLocal = ({ locals }: Lowering, name: string): number =>
  locals.push(`${name}_${locals.length}`) - 1;

/** Pushes a function of the library; its arguments and CALL come next. */
export function pushFunction(to: Lowering, name: StackFunction): ChunkBuilder {
  to.wanted.add(name);
  return to.chunk.builtin(name);
}

/** Pushes the list that is the stack here. */
export function pushStack({ chunk, program, element }: Lowering): ChunkBuilder {
  if (element) return chunk.emit('LOCAL', element.stack);
  return chunk.emit('GLOBAL', program.global(stackName));
}

/** Pushes the list of items that are taken, the oldest first. */
export function pushTaken(to: Lowering, operand: Take): void {
  const { count } = operand;
  at(to, operand);
  guard(to, operand);
  pushFunction(to, 'stack_take');
  pushStack(to)
    .constant(count === 'all' ? null : count)
    .call(2);
  take(to.depth, count);
}

/** Code that ends in an error where there are too few values, if only the run can tell. */
function guard(to: Lowering, { count }: Take): void {
  if (count === 'all' || canTake(to.depth, count) === true) return;
  const { chunk } = to;
  const enough = chunk.label();
  chunk.builtin('len');
  pushStack(to).call(1).constant(count).emit('LT').jump('JF', enough);
  chunk.constant(`got ${count} to take from the stack: there are only `).builtin('len');
  pushStack(to).call(1).emit('TEMPLATE', 2);
  chunk.emit('FAIL', chunk.constantSlot(codeByName.ranEmpty));
  chunk.place(enough);
}

/**
 * Pushes where a value comes from: the statement that gives it, and inside of a foreach for which
 * element that is.
 */
export function pushOrigin({ chunk, element }: Lowering, text: string): void {
  if (!element) {
    chunk.constant(text);
    return;
  }
  chunk.constant(`${text} for `).emit('LOCAL', element.item).constant('source').emit('INDEX');
  chunk.emit('TEMPLATE', 2);
}
