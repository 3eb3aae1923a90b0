/** A chunk for a function of the program, or of the library. */
import { ChunkBuilder } from '../../../program/builder.ts';
import type { Value } from '../../../program/value.ts';
import type { Frame, FunctionNode } from '../parse/syntax.ts';
import { defaultsOf } from './compile-expression.ts';
import { statements } from './compile-statement.ts';
import { type Emitter, type ModuleContext, placeOf } from './emitter.ts';

/** A library function carries its default values as its first constants. */
export interface LibraryRole {
  readonly role: 'builtin';
  readonly defaults: readonly Value[];
}

/** Adds the chunk to the program of the module; gives its index. */
export function compileFunction(
  module: ModuleContext,
  node: FunctionNode,
  library?: LibraryRole,
): number {
  const frame = frameOf(node.frame);
  const chunk = new ChunkBuilder(node.name);
  const to: Emitter = { chunk, frame, module, inFunction: true, loops: [], iterators: 0 };
  const index = module.program.reserve();
  for (const value of library?.defaults ?? []) chunk.constantSlot(value);
  const { line, column, file = module.file } = placeOf(module, node.at);
  chunk.at(line, column);
  if (!module.options.recursion) chunk.emit('ONCE');
  statements(to, node.body);
  chunk.constant(null).emit('RETURN');
  const { positional, named, hasStar, hasStarStar } = frame;
  module.program.fill(
    index,
    chunk.seal({
      role: library?.role ?? 'function',
      file,
      locals: frame.locals.map(({ name }) => name),
      parameters: {
        positional,
        named,
        defaults: defaultsOf(node).length,
        ...(hasStar && { rest: true }),
        ...(hasStarStar && { keywords: true }),
      },
      cells: frame.cells,
      captures: frame.captures.map(({ from, index: at }) => ({ from, index: at })),
    }),
  );
  return index;
}

export function frameOf(frame: Frame | undefined): Frame {
  if (frame) return frame;
  throw new TypeError('the file was not resolved');
}
