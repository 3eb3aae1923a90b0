/**
 * From a resolved file to a program: a main chunk, and one for each function. Statements outside of
 * functions are the steps of the program, labelled by their lines.
 */
import { ProgramBuilder } from '../../program/builder.ts';
import { type Program, unpackPosition } from '../../program/program.ts';
import type { Value } from '../../program/value.ts';
import { expression } from './compile-expression.ts';
import { compileFunction } from './compile-function.ts';
import { fillBody, seal, toplevel } from './compile-module.ts';
import { statement } from './compile-statement.ts';
import type { Emitter, ModuleContext } from './emitter.ts';
import { type Loader, loadWith } from './linker.ts';
import type { Options } from './options.ts';
import { addLibrary } from './prelude.ts';
import type { File, Statement } from './syntax.ts';

export interface CompileOptions {
  readonly options: Options;
  /** What a name of the host stands for; undefined for an input, which is a global variable. */
  readonly predeclared: (name: string) => Value | undefined;
  /** The text, for the sources of steps. */
  readonly source: string;
  /** What back-traces call the file, where a program has several. */
  readonly fileName?: string;
  /** Where `load` finds other files. A program whose check refuses `load` needs none. */
  readonly loader?: Loader;
  /** The global variable that holds a value of the host. Default: the one of its name. */
  readonly variable?: (name: string) => string;
  /** Where the value of the last statement goes, if that is an expression. */
  readonly value?: string;
  /** Built-in functions that the host hands out besides those that the program names. */
  readonly library?: readonly string[];
  /** Freezes the global variables at the end, as those of a file that another loads. */
  readonly seals?: boolean;
}

/** Only for a file that has been resolved without errors. */
export function compile(file: File, options: CompileOptions): Program {
  const { source, fileName, loader, seals = false } = options;
  const program = new ProgramBuilder('starlark');
  const main = program.reserve();
  const module: ModuleContext = {
    program,
    options: options.options,
    globals: file.globals,
    prefix: '',
    file: fileName,
    predeclared: options.predeclared,
    ...(options.variable && { variable: options.variable }),
    wanted: new Set(),
    ...(loader && { load: loadWith(loader, fileName ?? '') }),
    compileFunction: (node) => compileFunction(module, node),
  };
  const to = toplevel(module, file);
  const lines = source.split('\n');
  for (const node of file.body) {
    enterStep(to, node, lines);
    if (options.value !== undefined && node === file.body.at(-1) && node.kind === 'expression') {
      expression(to, node.value);
      to.chunk.emit('SETGLOBAL', program.global(options.value));
    } else statement(to, node);
  }
  answerAtEnd(to, file);
  if (seals) seal(to, file);
  fillBody(to, main, 'main');
  addLibrary(program, [...module.wanted, ...(options.library ?? [])]);
  return program.build();
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
