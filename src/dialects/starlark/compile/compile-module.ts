/** What the main file of a program and the files that it loads have in common. */
import { ChunkBuilder } from '../../../program/builder.ts';
import type { Chunk } from '../../../program/program.ts';
import type { File } from '../parse/syntax.ts';
import { frameOf } from './compile-function.ts';
import { statements } from './compile-statement.ts';
import { type Emitter, globalSlot, type ModuleContext } from './emitter.ts';

/** Code outside functions. The file's global variables get their slots. */
export function toplevel(module: ModuleContext, file: File): Emitter {
  for (const { name } of file.globals) module.program.global(module.prefix + name);
  const chunk = new ChunkBuilder('<toplevel>');
  const frame = frameOf(file.frame);
  return { chunk, frame, module, inFunction: false, loops: [], iterators: 0 };
}

/** Nothing that the file's global variables hold can change any more. */
export function seal(to: Emitter, { globals }: File): void {
  globals.forEach((_, index) => {
    to.chunk.emit('SEAL', globalSlot(to, index));
  });
}

/** Ends the chunk and puts it in its place in the program. */
export function fillBody(to: Emitter, index: number, role: Chunk['role']): void {
  const { chunk, frame, module } = to;
  chunk.constant(null).emit('RETURN');
  const locals = frame.locals.map(({ name }) => name);
  module.program.fill(index, chunk.seal({ role, file: module.file, locals, cells: frame.cells }));
}

/** A function that runs a file once; gives its chunk. */
export function compileBody(module: ModuleContext, file: File): number {
  const index = module.program.reserve();
  const to = toplevel(module, file);
  statements(to, file.body);
  seal(to, file);
  fillBody(to, index, 'function');
  return index;
}
