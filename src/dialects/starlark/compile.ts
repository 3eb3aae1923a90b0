/**
 * From a resolved file to a program: a main chunk, and one for each function. Statements outside of
 * functions are the steps of the program, labelled by their lines.
 */
import { ChunkBuilder, ProgramBuilder } from '../../program/builder.ts';
import { type Program, unpackPosition } from '../../program/program.ts';
import type { Value } from '../../program/value.ts';
import { defaultsOf } from './compile-expression.ts';
import { statement, statements } from './compile-statement.ts';
import type { Emitter, ModuleContext } from './emitter.ts';
import { conformance, type Options } from './options.ts';
import { parse } from './parser.ts';
import { prelude } from './prelude.ts';
import { resolve } from './resolver.ts';
import type { File, Frame, FunctionNode, Statement } from './syntax.ts';

export interface CompileOptions {
  readonly options: Options;
  /** What a name of the host stands for; undefined for an input, which is a global variable. */
  readonly predeclared: (name: string) => Value | undefined;
  /** The text, for the sources of steps. */
  readonly source: string;
}

/** Only for a file that has been resolved without errors. */
export function compile(file: File, { options, predeclared, source }: CompileOptions): Program {
  const program = new ProgramBuilder('starlark');
  const main = program.reserve();
  for (const { name } of file.globals) program.global(name);
  const module: ModuleContext = {
    program,
    options,
    globals: file.globals,
    predeclared,
    compileFunction: (node) => compileFunction(module, node),
  };
  const chunk = new ChunkBuilder('<toplevel>');
  const frame = frameOf(file.frame);
  const to: Emitter = { chunk, frame, module, inFunction: false, loops: [], iterators: 0 };
  if (/\b(sorted|min|max)\b/.test(source)) compilePrelude(to);
  const lines = source.split('\n');
  for (const node of file.body) {
    enterStep(to, node, lines);
    statement(to, node);
  }
  answerAtEnd(to, file);
  chunk.constant(null).emit('RETURN');
  const locals = frame.locals.map(({ name }) => name);
  program.fill(main, chunk.seal({ role: 'main', locals, cells: frame.cells }));
  return program.build();
}

/** Defines the library functions that are written in Starlark, before the program begins. */
function compilePrelude(to: Emitter): void {
  const { file } = parse(prelude, conformance);
  if (!file) throw new TypeError('the prelude does not parse');
  resolve(file, { options: conformance, predeclared: () => false, universal: () => true });
  const { program, predeclared } = to.module;
  const module: ModuleContext = {
    program,
    options: { ...conformance, recursion: true },
    globals: file.globals,
    predeclared,
    compileFunction: (node) => compileFunction(module, node),
  };
  statements({ ...to, module }, file.body);
}

function enterStep(to: Emitter, node: Statement, lines: readonly string[]): void {
  const { line, column } = unpackPosition(node.at);
  const source = lines[line - 1]?.trim() ?? '';
  const step = { label: String(line), kind: node.kind, source, line, column };
  to.chunk.at(line, column).emit('STEP', to.module.program.step(step));
}

/** The answer of a program that calls no `answer` is the variable of that name, or `result`. */
function answerAtEnd({ chunk, module }: Emitter, { body, globals }: File): void {
  const assigned = body.flatMap((node) =>
    node.kind === 'assign' && node.target.kind === 'name' ? [node.target.name] : [],
  );
  const name = ['answer', 'result'].find((candidate) => assigned.includes(candidate));
  if (name === undefined || !globals.some((variable) => variable.name === name)) return;
  chunk.emit('GLOBAL', module.program.global(name)).emit('ANSWER');
}

function compileFunction(module: ModuleContext, node: FunctionNode): number {
  const frame = frameOf(node.frame);
  const chunk = new ChunkBuilder(node.name);
  const to: Emitter = { chunk, frame, module, inFunction: true, loops: [], iterators: 0 };
  const index = module.program.reserve();
  const { line, column } = unpackPosition(node.at);
  chunk.at(line, column);
  if (!module.options.recursion) chunk.emit('ONCE');
  statements(to, node.body);
  chunk.constant(null).emit('RETURN');
  const { positional, named, hasStar, hasStarStar } = frame;
  module.program.fill(
    index,
    chunk.seal({
      role: 'function',
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

function frameOf(frame: Frame | undefined): Frame {
  if (frame) return frame;
  throw new TypeError('the file was not resolved');
}
