/**
 * From a resolved file to a program: a main chunk, and one for each function. Statements outside of
 * functions are the steps of the program, labelled by their lines.
 */
import { ProgramBuilder } from '../../../program/builder.ts';
import { type Program, unpackPosition } from '../../../program/program.ts';
import type { Value } from '../../../program/value.ts';
import type { Options } from '../parse/options.ts';
import type { ExpressionStatement, File, Statement } from '../parse/syntax.ts';
import { mayAssign, surelyAssigns } from '../resolve/assigned.ts';
import { expression } from './compile-expression.ts';
import { compileFunction } from './compile-function.ts';
import { fillBody, seal, toplevel } from './compile-module.ts';
import { statement } from './compile-statement.ts';
import { declaredSteps } from './declared-steps.ts';
import { declaredVariables } from './declared-variables.ts';
import { at, type Emitter, type ModuleContext } from './emitter.ts';
import { placingIn } from './line-marks.ts';
import { type Loader, loadWith } from './linker.ts';
import { addLibrary } from './prelude.ts';
import { type Definitions, definitionsIn } from './provenance.ts';

export interface CompileOptions {
  readonly options: Options;
  /** What a name of the host stands for; undefined for an input, which is a global variable. */
  readonly predeclared: (name: string) => Value | undefined;
  /** The text, for the sources of steps. */
  readonly source: string;
  /** What back-traces call the file, where a program has several. */
  readonly fileName?: string;
  /** See `ModuleContext`. */
  readonly hasConversation?: boolean;
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
  /** Makes it a part of a program that grows, instead of a whole one. */
  readonly entry?: EntryPart;
}

export interface EntryPart {
  /** The program so far. */
  readonly before: Program | undefined;
  /** Where the texts of what expressions give are released. */
  readonly channel: string;
}

/** Only for a file that has been resolved without errors. */
export function compile(file: File, options: CompileOptions): Program {
  const { source, fileName, loader, seals = false, entry } = options;
  const program = new ProgramBuilder('starlark', entry?.before);
  const main = program.reserve();
  let definitions: Definitions | undefined;
  const module: ModuleContext = {
    program,
    options: options.options,
    globals: file.globals,
    prefix: '',
    file: fileName,
    placing: placingIn(source),
    predeclared: options.predeclared,
    ...(options.variable && { variable: options.variable }),
    hasConversation: options.hasConversation ?? false,
    wanted: new Set(),
    definitions: () => {
      definitions ??= definitionsIn(file, source);
      return definitions;
    },
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
    } else if (entry && node.kind === 'expression') showValue(to, node, entry.channel);
    else statement(to, node);
  }
  if (entry) to.chunk.emit('MORE');
  else answerAtEnd(to, file);
  if (seals) seal(to, file);
  for (const step of declaredSteps(lines)) program.step(step);
  fillBody(to, main, 'main');
  addLibrary(program, [...module.wanted, ...(options.library ?? [])]);
  const variables = declaredVariables(lines);
  return program.build({ open: entry !== undefined, ...(variables && { variables }) });
}

/** Releases the text of a value, and keeps the value as `_`. */
function showValue(to: Emitter, { value, at: place }: ExpressionStatement, channel: string): void {
  const { chunk, module } = to;
  const slot = module.program.global('_');
  expression(to, value);
  at(to, place).emit('SETGLOBAL', slot).builtin('repr').emit('GLOBAL', slot).call(1);
  chunk.emit('EMIT', chunk.constantSlot(channel));
}

function enterStep(to: Emitter, node: Statement, lines: readonly string[]): void {
  const { line, column } = unpackPosition(node.at);
  const source = lines[line - 1]?.trim() ?? '';
  const objective = commentAbove(lines, line - 1);
  const what = { label: String(line), kind: node.kind, ...(objective && { objective }) };
  const step = { ...what, source, line, column };
  to.chunk.at(line, column).emit('STEP', to.module.program.step(step));
}

/** What the author says of a statement: the lines of comment that end right above it. */
function commentAbove(lines: readonly string[], index: number): string {
  const words: string[] = [];
  for (let at = index - 1; at >= 0; at--) {
    const [, text] = /^#+\s*(.*)$/s.exec(lines[at]?.trim() ?? '') ?? [];
    if (text === undefined) break;
    words.unshift(text);
  }
  return words.join(' ').trim();
}

/**
 * The answer of a program that does not name `answer` or `result` as functions is the variable of
 * that name, where the statements outside of functions have set it.
 */
function answerAtEnd({ chunk, module }: Emitter, { body }: File): void {
  const names = ['answer', 'result'];
  if (module.answers || names.some((name) => module.wanted.has(name))) return;
  const end = chunk.label();
  for (const name of names.filter((candidate) => mayAssign(body, candidate))) {
    const slot = module.program.global(name);
    if (surelyAssigns(body, name)) {
      chunk.emit('GLOBAL', slot).emit('ANSWER');
      break;
    }
    // A variable that no way has set is no answer: the failure of reading it is handled.
    const start = chunk.address;
    chunk.emit('GLOBAL', slot).emit('BARRIER');
    const behind = chunk.address;
    chunk.emit('ANSWER').jump('JMP', end);
    chunk.handler({ start, end: behind, target: chunk.address, depth: 0 });
    chunk.emit('POP');
  }
  chunk.place(end);
}
